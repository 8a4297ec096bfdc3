#!/usr/bin/env bash
# Runs the main job: work accepted while the system-of-record (SoR) is down reaches it, once and in order.
#
#   ./run.sh [--headless] [--keep]
#
#   --headless   in the terminal; for now the only form there is
#   --keep       leave the data folder where it is, and say where
#
# This file prepares the machine and the programs; scripts/main-job.mjs does the job and judges its end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=scripts/toolchain.sh
. scripts/toolchain.sh

usage() {
  say "usage: ./run.sh [--headless] [--keep]"
  exit 2
}

keep=()
for argument in "$@"; do
  case "$argument" in
    --headless) ;;
    --keep) keep=(--keep) ;;
    *) usage ;;
  esac
done

scripts/setup.sh
unset HOLDFAST_SETUP # what begins so is a setting to the station
need cargo "Holdfast needs Rust 1.95 or newer (https://rustup.rs)."
need_node

say "Building the station and the reference SoR (the first time takes some minutes) ..."
cargo build --locked --quiet -p reference-sor -p holdfast-cli </dev/null

target=$(target_folder)
exec node scripts/main-job.mjs --target "$target" ${keep[@]+"${keep[@]}"} </dev/null
