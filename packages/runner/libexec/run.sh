#!/bin/sh
# The wrapper of a run, outside its namespace: starts the run's init and records how it ended.
#   fd 3: the file `exit`   fd 4: the file `id`   arguments: the command that becomes the init
# Only builtins and one fork, so that nothing but the init's own end can end it.

# Caught, not ignored: an ignored signal would stay ignored in everything the run starts.
trap : HUP INT QUIT TERM
ulimit -c 0
# The shell's own word on a killed child ("Killed") is not the run's stderr.
exec 5>&2 2>/dev/null
# The init reads its host pid through this directory: see init.sh.
cd /proc || exit 1
(exec "$@" 2>&5 5>&-)
printf 'ns %s\n' "$?" >&3
