#!/bin/sh
# Installs the system packages that Holdfast needs and that are missing, and nothing else.
#
#   scripts/setup.sh [--print] [terminal | window | tests]
#
#   --print    only list what is missing, one package a line; else it is installed (as root, or through sudo without
#              a password)
#   terminal   what the station and the main job need; window: that, and what the window needs; tests: everything,
#              which is meant when nothing is said
#
# For a Debian 12 or Ubuntu which has Rust, Node and git. It never asks anything: where it may not install,
# it prints the one line to paste and ends with 1. HOLDFAST_SETUP=skip leaves the machine as it is.
#
# dpkg-query, apt-get, sudo and id are looked up on PATH; nothing else outside this shell is used but
# /usr/bin/env, so tests can stand in for all four.
set -eu

# build-essential, pkg-config: a linker and make, for the C parts of the store.
# libssl-dev: SQLCipher stands on the system's libcrypto.
# ca-certificates: what the SoR's TLS certificate is checked against.
terminal_packages="build-essential pkg-config libssl-dev ca-certificates"
# libwebkit2gtk-4.1-dev: the web view that the window is made of; it brings GTK.
# xvfb, dbus: a display and a session bus where there are none.
window_packages="libwebkit2gtk-4.1-dev xvfb dbus"
# webkit2gtk-driver: drives the real window. at-spi2-core: the bus on which a screen reader hears it.
# chromium: the same page in a browser, judged by axe.
tests_packages="webkit2gtk-driver at-spi2-core chromium"

say() { printf 'setup: %s\n' "$*" >&2; }

usage() {
  printf 'usage: scripts/setup.sh [--print] [terminal | window | tests]\n' >&2
  exit 2
}

have() { command -v "$1" >/dev/null 2>&1; }

# One package can be there for several architectures; the states then stand one after the other.
is_installed() {
  # shellcheck disable=SC2016 # dpkg-query fills in ${Status}, not the shell
  case "$(dpkg-query -W -f='${Status}' "$1" 2>/dev/null || :)" in
    *"ok installed"*) return 0 ;;
    *) return 1 ;;
  esac
}

missing_packages() {
  for package in $packages; do
    is_installed "$package" || printf '%s\n' "$package"
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    /usr/bin/env DEBIAN_FRONTEND=noninteractive "$@" </dev/null
  else
    sudo -n /usr/bin/env DEBIAN_FRONTEND=noninteractive "$@" </dev/null
  fi
}

may_install() {
  [ "$(id -u)" = 0 ] || { have sudo && sudo -n true </dev/null >/dev/null 2>&1; }
}

install_packages() {
  say "installing: $*"
  # One broken list of a third party must not stop us: whether the packages can be had, the install tells.
  as_root apt-get -o DPkg::Lock::Timeout=600 -q update >&2 || say "apt-get update failed; trying with the lists that are here"
  as_root apt-get -o DPkg::Lock::Timeout=600 -q -y --no-install-recommends install "$@" >&2
}

mode=install
if [ "${1-}" = --print ]; then
  mode=print
  shift
fi
case "$#:${1-}" in
  1:terminal) packages="$terminal_packages" ;;
  1:window) packages="$terminal_packages $window_packages" ;;
  0: | 1:tests) packages="$terminal_packages $window_packages $tests_packages" ;;
  *) usage ;;
esac

if [ "$mode" = install ] && [ "${HOLDFAST_SETUP-}" = skip ]; then
  exit 0
fi

if ! have dpkg-query || ! have apt-get; then
  say "this system has no apt, so nothing was looked at or installed."
  say "Holdfast needs what Debian calls: $packages."
  say "Install their like by hand, then set HOLDFAST_SETUP=skip."
  exit 1
fi

missing=$(missing_packages)

if [ "$mode" = print ]; then
  [ -z "$missing" ] || printf '%s\n' "$missing"
  exit 0
fi

[ -n "$missing" ] || exit 0

# From here on the words of $missing are arguments.
# shellcheck disable=SC2086
set -- $missing

if ! may_install; then
  say "missing: $*. Neither root nor sudo without a password; paste this, then start again:"
  printf 'sudo apt-get update && sudo apt-get install -y --no-install-recommends %s\n' "$*" >&2
  exit 1
fi

install_packages "$@"

still_missing=$(missing_packages)
if [ -n "$still_missing" ]; then
  # shellcheck disable=SC2086
  set -- $still_missing
  say "still missing after the install: $*"
  exit 1
fi
