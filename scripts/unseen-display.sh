#!/usr/bin/env bash
# Runs a command on a display that nobody sees, with a session bus of its own, and ends both with it.
#
#   scripts/unseen-display.sh COMMAND [ARGUMENT...]
set -euo pipefail

begin_max_s=20
children=()

end() {
  local child
  # The command was begun last and ends first.
  for ((at = ${#children[@]} - 1; at >= 0; at--)); do
    child=${children[at]}
    kill "$child" 2>/dev/null || continue
    wait "$child" 2>/dev/null || :
  done
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# hear NAME: the first line that the server says, into NAME; each says where it can be reached.
hear() {
  IFS= read -r -t "$begin_max_s" "$1" <&"$server" && return 0
  printf 'there is no %s: it did not come up\n' "$1" >&2
  exit 1
}

exec {server}< <(exec Xvfb -displayfd 1 -screen 0 1280x800x24 -nolisten tcp 2>/dev/null)
children+=("$!")
hear display

exec {server}< <(exec dbus-daemon --session --nofork --print-address=1 2>/dev/null)
children+=("$!")
hear bus

unset WAYLAND_DISPLAY
# shellcheck disable=SC2154 # hear sets them
DISPLAY=":$display" DBUS_SESSION_BUS_ADDRESS="$bus" GDK_BACKEND=x11 "$@" &
children+=("$!")
wait "$!"
