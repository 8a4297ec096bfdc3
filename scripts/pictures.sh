#!/usr/bin/env bash
# Makes pictures of every screen on the real station in an outage, in both languages, every theme and the three sizes of
# window (the third is 1280x800 at 200 % zoom), and fails when axe finds something on one of them.
#
#   scripts/pictures.sh FOLDER            into a folder, about 450 files
#   scripts/pictures.sh FOLDER --readme   and the five of them that README.md shows into docs/pictures
#
# Needs what ./test.sh needs. The page that has no station behind it is photographed by ui/scripts/screens.mjs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/toolchain.sh
. scripts/toolchain.sh

case "$#:${2-}" in
  1: | 2:--readme) ;;
  *) say "usage: scripts/pictures.sh FOLDER [--readme]"; exit 2 ;;
esac
mkdir -p "$1"
folder=$(cd "$1" && pwd)

build_screens
npm --prefix ui run --silent build:bridge
cargo build --locked --quiet -p holdfast-bridge </dev/null
HOLDFAST_PICTURES=$folder HOLDFAST_BRIDGE="$(target_folder)/debug/ui-bridge" HOLDFAST_PAGE=ui/dist-bridge \
  node --test tests/e2e/screens.browser.test.mjs

[ "${2-}" = --readme ] || exit 0
mkdir -p docs/pictures
take() { cp "$folder/$1.png" "docs/pictures/$2.png"; }
take draft-en-US-light-1280 new-application
take waiting-en-US-light-1280 waiting
take inspection-saved-en-US-light-1366 inspection
take sync-en-US-light-1280 sync
take draft-es-US-dark-1280 spanish-dark
