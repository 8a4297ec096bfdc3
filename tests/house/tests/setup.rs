//! `scripts/setup.sh` with stand-ins for the package tools on PATH: no real package is asked for or installed.

#![allow(clippy::unwrap_used)]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use holdfast_house::{repository, text_of};
use tempfile::TempDir;

const ALL: &[&str] = &[
    "build-essential",
    "pkg-config",
    "libssl-dev",
    "ca-certificates",
    "libwebkit2gtk-4.1-dev",
    "xvfb",
    "dbus",
    "webkit2gtk-driver",
    "at-spi2-core",
    "chromium",
];

/// What is asked for in these tests unless they are about more.
const TERMINAL: (&str, &[&str]) = ("terminal", ALL.split_at(4).0);

/// Answers for a package in the list `installed` as dpkg-query does, twice when it is there for two architectures.
const DPKG_QUERY: &str = r#"
while read -r name state; do
  if [ "$name" = "$3" ]; then printf '%s' "$state"; exit 0; fi
done < "$MACHINE/installed"
echo "dpkg-query: no packages found matching $3" >&2
exit 1
"#;

/// Notes how it was called; an install makes every argument that is a package known as installed.
const APT_GET: &str = r#"
echo "apt-get $* [$DEBIAN_FRONTEND]" >> "$MACHINE/calls"
case " $* " in
  *" update "*) exit "$UPDATE_ENDS_WITH" ;;
  *" install "*) [ "$INSTALL_WORKS" = yes ] || exit 100 ;;
esac
for word in "$@"; do echo "$word install ok installed" >> "$MACHINE/installed"; done
"#;

const SUDO: &str = r#"
[ "$1" = -n ] || { echo "sudo: would ask for a password" >&2; exit 1; }
[ "$SUDO_WORKS" = yes ] || { echo "sudo: a password is required" >&2; exit 1; }
shift
[ "$1" = true ] || echo "sudo $1" >> "$MACHINE/calls"
"$@"
"#;

const ID: &str = r#"[ "$1" = -u ] && echo "$USER_ID""#;

/// A machine made of stand-ins. By default its user is root, and everything that is tried works.
struct Machine {
    folder: TempDir,
    user_id: &'static str,
    sudo_works: &'static str,
    install_works: &'static str,
    update_ends_with: &'static str,
}

impl Machine {
    fn with_installed(packages: &[&str]) -> Self {
        let states = packages.iter().map(|name| format!("{name} install ok installed\n"));
        Self::with_states(&states.collect::<String>())
    }

    fn with_states(installed: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("bin")).unwrap();
        std::fs::write(folder.path().join("installed"), installed).unwrap();
        std::fs::write(folder.path().join("calls"), "").unwrap();
        let machine =
            Self { folder, user_id: "0", sudo_works: "yes", install_works: "yes", update_ends_with: "0" };
        for (tool, script) in [("dpkg-query", DPKG_QUERY), ("apt-get", APT_GET), ("sudo", SUDO), ("id", ID)] {
            machine.stand_in(tool, script);
        }
        machine
    }

    fn stand_in(&self, tool: &str, script: &str) {
        let path = self.tool(tool);
        std::fs::write(&path, format!("#!/bin/sh\n{script}")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn without(self, tool: &str) -> Self {
        std::fs::remove_file(self.tool(tool)).unwrap();
        self
    }

    fn tool(&self, tool: &str) -> std::path::PathBuf {
        self.folder.path().join("bin").join(tool)
    }

    /// PATH holds the stand-ins and nothing else.
    fn setup(&self, arguments: &[&str]) -> Output {
        Command::new("/bin/sh")
            .arg(repository().join("scripts/setup.sh"))
            .args(arguments)
            .env_clear()
            .env("PATH", self.folder.path().join("bin"))
            .env("MACHINE", self.folder.path())
            .env("USER_ID", self.user_id)
            .env("SUDO_WORKS", self.sudo_works)
            .env("INSTALL_WORKS", self.install_works)
            .env("UPDATE_ENDS_WITH", self.update_ends_with)
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap()
    }

    fn calls(&self) -> Vec<String> {
        let calls = std::fs::read_to_string(self.folder.path().join("calls")).unwrap();
        calls.lines().map(str::to_owned).collect()
    }
}

fn lines(bytes: &[u8]) -> Vec<String> {
    let text = std::str::from_utf8(bytes).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn setup_print_lists_exactly_the_missing_packages() {
    let cases: &[(&[&str], &[&str])] = &[
        (ALL, &[]),
        (&[], ALL),
        (
            &["build-essential", "ca-certificates", "xvfb", "dbus", "webkit2gtk-driver"],
            &["pkg-config", "libssl-dev", "libwebkit2gtk-4.1-dev", "at-spi2-core", "chromium"],
        ),
        (&ALL[1..], &["build-essential"]),
    ];
    for (installed, missing) in cases {
        for user_id in ["0", "1000"] {
            let mut machine = Machine::with_installed(installed);
            machine.user_id = user_id;
            let run = machine.setup(&["--print"]);
            assert_eq!(run.status.code(), Some(0), "installed: {installed:?}");
            assert_eq!(lines(&run.stdout), *missing, "installed: {installed:?}");
            assert!(run.stderr.is_empty());
            assert!(machine.calls().is_empty(), "--print installs nothing");
        }
    }
}

#[test]
fn setup_asks_only_for_what_its_purpose_needs() {
    let cases: &[(&str, usize)] = &[("terminal", 4), ("window", 7), ("tests", 10)];
    let machine = Machine::with_installed(&[]);
    for (purpose, packages) in cases {
        let run = machine.setup(&["--print", purpose]);
        assert_eq!(lines(&run.stdout), ALL[..*packages], "{purpose}");
    }
    let (terminal, needed) = TERMINAL;
    assert!(Machine::with_installed(needed).setup(&["--print", terminal]).stdout.is_empty());
}

#[test]
fn setup_counts_only_what_is_really_installed() {
    let machine = Machine::with_states(
        "build-essential deinstall ok config-files\n\
         pkg-config install ok half-installed\n\
         libssl-dev hold ok installed\n\
         ca-certificates install ok installedinstall ok installed\n",
    );
    let run = machine.setup(&["--print", TERMINAL.0]);
    assert_eq!(lines(&run.stdout), ["build-essential", "pkg-config"]);
}

#[test]
fn setup_does_nothing_when_all_is_there() {
    let machine = Machine::with_installed(ALL);
    let run = machine.setup(&[]);
    assert_eq!(run.status.code(), Some(0));
    assert!(run.stdout.is_empty() && run.stderr.is_empty());
    assert!(machine.calls().is_empty());
}

#[test]
fn setup_installs_what_is_missing_as_root() {
    let machine = Machine::with_installed(&["pkg-config", "ca-certificates"]);
    let run = machine.setup(&[TERMINAL.0]);
    assert_eq!(run.status.code(), Some(0));
    assert_eq!(
        machine.calls(),
        [
            "apt-get -o DPkg::Lock::Timeout=600 -q update [noninteractive]",
            "apt-get -o DPkg::Lock::Timeout=600 -q -y --no-install-recommends install build-essential libssl-dev \
             [noninteractive]",
        ]
    );
    assert!(machine.setup(&["--print", TERMINAL.0]).stdout.is_empty());
}

#[test]
fn setup_installs_through_sudo_when_not_root() {
    let mut machine = Machine::with_installed(&["build-essential", "pkg-config", "libssl-dev"]);
    machine.user_id = "1000";
    let run = machine.setup(&[TERMINAL.0]);
    assert_eq!(run.status.code(), Some(0));
    let calls = machine.calls();
    let through_sudo = calls.iter().filter(|call| *call == "sudo /usr/bin/env");
    assert_eq!(through_sudo.count(), 2, "{calls:?}");
    let last = calls.last().unwrap();
    assert!(last.ends_with("install ca-certificates [noninteractive]"), "{last}");
}

#[test]
fn setup_without_rights_prints_the_line_to_paste_and_installs_nothing() {
    let mut password_wanted = Machine::with_installed(&["build-essential", "ca-certificates"]);
    password_wanted.sudo_works = "no";
    let no_sudo = Machine::with_installed(&["build-essential", "ca-certificates"]).without("sudo");
    for mut machine in [password_wanted, no_sudo] {
        machine.user_id = "1000";
        let run = machine.setup(&[TERMINAL.0]);
        assert_eq!(run.status.code(), Some(1));
        assert_eq!(
            lines(&run.stderr).last().unwrap(),
            "sudo apt-get update && sudo apt-get install -y --no-install-recommends pkg-config libssl-dev"
        );
        assert!(machine.calls().is_empty());
    }
}

#[test]
fn setup_goes_on_when_only_the_lists_cannot_be_renewed() {
    let mut machine = Machine::with_installed(&[]);
    machine.update_ends_with = "100";
    let run = machine.setup(&[]);
    assert_eq!(run.status.code(), Some(0));
}

#[test]
fn setup_fails_when_the_install_fails() {
    let mut machine = Machine::with_installed(&[]);
    machine.install_works = "no";
    let run = machine.setup(&[]);
    assert_ne!(run.status.code(), Some(0));
}

#[test]
fn setup_says_plainly_that_there_is_no_apt() {
    for tool in ["apt-get", "dpkg-query"] {
        for arguments in [&[][..], &["--print"]] {
            let machine = Machine::with_installed(&[]).without(tool);
            let run = machine.setup(arguments);
            assert_eq!(run.status.code(), Some(1));
            assert!(run.stdout.is_empty());
            let said = lines(&run.stderr).join("\n");
            assert!(said.contains("no apt") && said.contains("libssl-dev"), "{said}");
        }
    }
}

#[test]
fn setup_refuses_what_it_does_not_understand() {
    for arguments in [&["--prnt"][..], &["--print", "x"], &["x", "--print"], &["tests", "window"], &[""]] {
        let machine = Machine::with_installed(&[]);
        let run = machine.setup(arguments);
        assert_eq!(run.status.code(), Some(2), "{arguments:?}");
        assert!(machine.calls().is_empty());
    }
}

#[test]
fn setup_is_what_both_commands_begin_with() {
    for command in ["run.sh", "test.sh"] {
        assert!(text_of(command).contains("scripts/setup.sh"), "{command}");
    }
    assert!(Path::new(&repository().join(".ci/run")).exists());
    assert!(text_of(".ci/run").contains("./test.sh"));
}
