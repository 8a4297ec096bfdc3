#!/usr/bin/env bash
# Shows Holdfast on a demonstration: a made-up city, and a system-of-record (SoR) that can be broken and mended.
#
#   ./run.sh                       the window, with the three desks
#   ./run.sh --headless [--keep]   the main job in the terminal: work accepted while the SoR is down reaches it, once and
#                                  in order; --keep leaves its data folder where it is, and says where
#
# This file prepares the machine and the programs. Without a display it says so, and the window opens where nobody sees it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=scripts/toolchain.sh
. scripts/toolchain.sh

usage() {
  say "usage: ./run.sh [--headless [--keep]]"
  exit 2
}

prepare() {
  scripts/setup.sh "$1"
  unset HOLDFAST_SETUP # what begins so is a setting to the station
  need cargo "Holdfast needs Rust 1.95 or newer (https://rustup.rs)."
  need_node
}

run_main_job() {
  prepare terminal
  say "Building the station and the reference SoR (the first time takes some minutes) ..."
  cargo build --locked --quiet -p reference-sor -p holdfast-cli </dev/null
  local target
  target=$(target_folder)
  exec node scripts/main-job.mjs --target "$target" "$@" </dev/null
}

open_window() {
  prepare window
  build_screens
  say "Building the window (the first time takes some minutes) ..."
  cargo build --locked --quiet -p holdfast-shell --features demo </dev/null
  local window
  window=$(target_folder)/debug/holdfast
  if [ -n "${DISPLAY-}${WAYLAND_DISPLAY-}" ]; then
    exec "$window" --demo </dev/null
  fi
  say "There is no display here: the window opens on one that nobody sees. Ctrl+C ends it."
  exec scripts/unseen-display.sh "$window" --demo </dev/null
}

case "$#:${1-}:${2-}" in
  0::) open_window ;;
  1:--headless:) run_main_job ;;
  2:--headless:--keep | 2:--keep:--headless) run_main_job --keep ;;
  *) usage ;;
esac
