#!/bin/sh
# A process that does not want to be found: every couple of milliseconds it is another one, in
# another session, with another parent. Each says in the file $1 that it lives; when that file's
# directory is gone, or after $2 hops, it gives up, whoever failed to end it.
[ "$2" -gt 0 ] || exit
printf . >>"$1" || exit
setsid /bin/sh "$0" "$1" "$(($2 - 1))" </dev/null >/dev/null 2>&1 &
