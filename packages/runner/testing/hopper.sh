#!/bin/sh
# A process that does not want to be found: every couple of milliseconds it is another one, in
# another session, with another parent. Each says in the file $1 that it lives.
printf . >>"$1"
setsid /bin/sh "$0" "$1" </dev/null >/dev/null 2>&1 &
