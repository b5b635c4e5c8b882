#!/bin/sh
# The command `companion` on a box that install.sh set up. `sudo companion …` works as the service does, with its records
# and without root's rights; anybody else has records of their own.
set -eu

program=/opt/companion/current/bin/companion
state=/var/lib/companion

if [ "$(id -u)" = 0 ]; then
    export HOME="$state" STATE_DIRECTORY="$state" LG_WD="$state"
    exec setpriv --reuid=companion --regid=companion --init-groups -- "$program" "$@"
fi
exec "$program" "$@"
