#!/usr/bin/env bash
# Tests everything, on a fresh machine as well as on a used one.
#
#   ./test.sh          the whole: system packages, screens, scripts, format, lints, build,
#                      the main job, window, browser, doc tests, tests
#   ./test.sh --fast   the everyday loop: format and the tests of core
#   ./test.sh --long   the long form: the drills with their counts raised
#
# At most 45 minutes from nothing on two cores. One profile (dev), one target folder, exactly the locked versions.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=scripts/toolchain.sh
. scripts/toolchain.sh

usage() {
  say "usage: ./test.sh [--fast | --long]"
  exit 2
}

form=whole
case "$#:${1-}" in
  0:) ;;
  1:--fast) form=fast ;;
  1:--long) form=long ;;
  *) usage ;;
esac

timings=()

# step NAME COMMAND...: says what begins, runs it, says how long it took; ends everything when it fails.
step() {
  local name=$1 began=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  if ! "$@" </dev/null; then
    printf '== %s FAILED after %d s\n' "$name" "$((SECONDS - began))"
    exit 1
  fi
  timings+=("$name $((SECONDS - began)) s")
  printf '== %s: %d s\n' "$name" "$((SECONDS - began))"
}

# The shell embeds ui/dist when it is compiled, so the page is built and tested before the crates.
test_screens() { npm --prefix ui ci --no-audit --no-fund && npm --prefix ui run build && npm --prefix ui run build:bridge && npm --prefix ui test; }

# The judge of the main job and the maker of sample files are code too.
test_scripts() { node --test scripts/*/*.test.mjs tests/samples/*.test.mjs; }

check_format() { cargo fmt --all -- --check; }

# With the demonstration, so that its code is judged, tested and opened too.
readonly all_of_it=(--workspace --features holdfast-shell/demo)

check_lints() { cargo clippy "${all_of_it[@]}" --all-targets --locked -- -D warnings; }

# What a city gets has no demonstration in it, and has to compile all the same.
check_without_demo() {
  cargo clippy --workspace --exclude holdfast-bridge --locked -- -D warnings &&
    cargo test -p holdfast-shell --test permissions --locked
}

# Tests that start the programs find them here: `cargo test` alone builds those of other packages only as tests.
build_all() { cargo build "${all_of_it[@]}" --all-targets --locked; }

# What ./run.sh shows has to be true, too; it runs on the programs that were just built.
run_main_job() { node scripts/main-job.mjs --target "$(target_folder)"; }

# The real window, on the station and the page that were just built.
run_window() {
  HOLDFAST_WINDOW="$(target_folder)/debug/holdfast" HOLDFAST_EAR="$(target_folder)/debug/holdfast-hearing" \
    scripts/unseen-display.sh node --test --test-concurrency=1 tests/e2e/*.window.test.mjs
}

# The same page in Chromium, on the real station behind the loopback bridge.
run_browser() {
  HOLDFAST_BRIDGE="$(target_folder)/debug/ui-bridge" HOLDFAST_PAGE=ui/dist-bridge \
    node --test tests/e2e/*.browser.test.mjs
}

run_doc_tests() { cargo test "${all_of_it[@]}" --doc --locked; }

# run_tests ARGS...: the same tests and the same verdict with either runner; nextest is only faster.
run_tests() {
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --locked --no-fail-fast --no-tests=pass "$@"
  else
    cargo test --locked --no-fail-fast --lib --bins --tests "$@"
  fi
}

packages=terminal
[ "$form" != whole ] || packages=tests
step "system packages" scripts/setup.sh "$packages"
unset HOLDFAST_SETUP # what begins so is a setting to the station
need cargo "Holdfast needs Rust 1.95 or newer (https://rustup.rs)."
need_node

case "$form" in
  fast)
    step "format" check_format
    step "tests of core" run_tests -p holdfast-core
    ;;
  long)
    export HOLDFAST_LONG=1 NEXTEST_PROFILE=long
    step "build" build_all
    step "drills, long form" run_tests -p holdfast-drills
    ;;
  whole)
    need npm "Holdfast needs npm 10 or newer; some systems ship it apart from Node."
    step "screens" test_screens
    step "scripts" test_scripts
    step "format" check_format
    step "lints" check_lints
    step "without demo" check_without_demo
    step "build" build_all
    step "main job" run_main_job
    step "window" run_window
    step "browser" run_browser
    step "doc tests" run_doc_tests
    step "tests" run_tests "${all_of_it[@]}"
    ;;
esac

printf '\nAll passed in %d s (' "$SECONDS"
printf '%s; ' "${timings[@]:0:${#timings[@]}-1}"
printf '%s)\n' "${timings[-1]}"
