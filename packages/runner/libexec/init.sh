#!/bin/sh
# The first process of a run: names itself, pumps the journal into the CLI, waits, records.
#   init.sh <feed> <journal> <cwd> <pump interval> <command> [argument …]
#   feed: pump (keep-alive) or file (the journal is the whole input, then EOF)
#   fd 1, 2: stdout and stderr of the CLI   fd 3: the file `exit`   fd 4: the file `id`
# In a PID namespace it is PID 1: orphans come to it, and its end is the end of all.
feed=$1 journal=$2 cwd=$3 interval=$4
shift 4

trap : HUP INT QUIT TERM
# The working directory is still the host's /proc, also when another one is mounted over it:
# there `self` is the pid that the host knows. Left at once, so that the run cannot look through it.
read -r boot </proc/sys/kernel/random/boot_id
read -r stat <self/stat
cd /
printf 'init %s %s\n' "$boot" "$stat" >&4

# A pipe of our own on fd 6: the shell makes one for a here-document. (A named one would need a
# place, a program and a name that others can open.)
exec 6<<BLANK

BLANK
if [ -p /proc/self/fd/6 ]; then
  read -r _ <&6
  exec 7>/proc/self/fd/6
else
  mkfifo -m 600 "$journal.pipe" && exec 7<>"$journal.pipe" && exec 6<"$journal.pipe" || exit 98
  exec 7>"$journal.pipe"
  rm -f "$journal.pipe"
fi
if [ "$feed" = pump ]; then
  tail $interval -n +1 -f "$journal" >&7 2>/dev/null 3>&- 4>&- 6<&- 7>&- &
else
  # Not the file itself: with that as its stdin the CLI ends at once and says nothing (seen).
  cat "$journal" >&7 2>/dev/null 3>&- 4>&- 6<&- 7>&- &
fi
pump=$!
exec 7>&-

(
  read -r stat </proc/self/stat
  printf 'cli %s\n' "$stat" >&4
  cd -- "$cwd" || exit 97
  unset OLDPWD
  exec "$@" <&6 3>&- 4>&- 6<&-
)
code=$?
kill "$pump" 2>/dev/null || [ "$feed" = file ] ||
  printf 'lodge: the pump of stdin had died, so the CLI met its end of input\n' >&2
printf 'cli %s\n' "$code" >&3
exit "$code"
