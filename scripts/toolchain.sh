# Sourced by run.sh and test.sh: what both need before they can build. Bash.
# Finds Rust and Node and settles how Cargo speaks; installs neither of them and touches no setting of the machine.

say() { printf '%s\n' "$*" >&2; }

# A shell that was not opened by a person often lacks the folder in which rustup puts cargo.
if ! command -v cargo >/dev/null 2>&1 && [ -x "${HOME-}/.cargo/bin/cargo" ]; then
  PATH="${HOME-}/.cargo/bin:$PATH"
  export PATH
fi

need() {
  command -v "$1" >/dev/null 2>&1 && return 0
  say "$1 was not found: $2"
  exit 1
}

need_node() {
  need node "Holdfast needs Node 20 or newer (https://nodejs.org)."
  local major
  major=$(node -p 'process.versions.node.split(".")[0]')
  if [ "$major" -lt 20 ]; then
    say "Node $major is too old: Holdfast needs 20 or newer."
    exit 1
  fi
}

# The page inside the window, from exactly the locked packages; they are fetched again only when the lock is newer.
build_screens() {
  need npm "Holdfast's screens are built with npm, which comes with Node (on some systems as a package of its own)."
  say "Building the screens ..."
  [ ui/node_modules/.package-lock.json -nt ui/package-lock.json ] ||
    npm --prefix ui ci --no-audit --no-fund --loglevel=error </dev/null >&2
  npm --prefix ui run --silent build -- --logLevel warn </dev/null >&2
}

# Where Cargo builds; a setting of the person or the machine may have moved it.
target_folder() {
  cargo metadata --format-version 1 --no-deps --locked </dev/null |
    node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).target_directory'
}

export CARGO_NET_RETRY="${CARGO_NET_RETRY:-5}"
if [ -n "${NO_COLOR-}" ]; then
  export CARGO_TERM_COLOR=never
fi
if [ -n "${CI-}" ]; then
  # Incremental state is dead weight where nothing is built twice, and a progress bar where nobody looks.
  export CARGO_INCREMENTAL=0 CARGO_TERM_PROGRESS_WHEN=never
fi
