//! The arrows between the crates, read from the manifests and from the tree that Cargo resolved.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use holdfast_house::cargo;
use serde_json::Value;

/// Who may depend on whom inside the workspace. Tests may look further than the code does.
const ALLOWED: &[(&str, &[&str])] = &[
    ("holdfast-core", &[]),
    ("holdfast-wire", &[]),
    ("holdfast-station", &["holdfast-core", "holdfast-wire"]),
    ("holdfast-store", &["holdfast-core", "holdfast-station"]),
    ("holdfast-sor", &["holdfast-core", "holdfast-station"]),
    ("reference-sor", &["holdfast-core", "holdfast-wire"]),
    (
        "holdfast-machine",
        &["holdfast-core", "holdfast-wire", "holdfast-station", "holdfast-store", "holdfast-sor"],
    ),
    ("holdfast-cli", COMPOSED),
    ("holdfast-shell", COMPOSED),
];

/// What both programs are composed of.
const COMPOSED: &[&str] = &[
    "holdfast-core",
    "holdfast-wire",
    "holdfast-station",
    "holdfast-store",
    "holdfast-sor",
    "holdfast-machine",
];

/// What a crate may take in only behind a feature that is off by default: (crate, what). The resolved tree, which knows
/// default features only, is then free of it.
const BEHIND_A_FEATURE: &[(&str, &str)] = &[("holdfast-shell", "reference-sor")];

/// Only tests; nothing may depend on them.
const TEST_CRATES: &[&str] = &["holdfast-bridge", "holdfast-drills", "holdfast-hearing", "holdfast-house"];

/// What must be nowhere in core's tree: input and output, run times, databases, windows, chance.
const DENIED_IN_CORE: &[&str] = &[
    "aws-lc-rs",
    "axum",
    "config",
    "fs4",
    "getrandom",
    "hyper",
    "keyring",
    "libsqlite3-sys",
    "mio",
    "nix",
    "openssl",
    "openssl-sys",
    "rand",
    "rand_core",
    "reqwest",
    "ring",
    "rusqlite",
    "rustix",
    "rustls",
    "signal-hook",
    "socket2",
    "tauri",
    "tempfile",
    "tokio",
    "tokio-postgres",
    "tracing-appender",
    "tracing-subscriber",
    "ureq",
    "wry",
];

/// Denied, but forced by a library: (crate, the only one that may bring it).
///
/// ahash seeds the hash tables inside jsonschema, which asks for ahash with its default features and offers none to
/// drop them. The seed changes the order of a table in memory and nothing that validation answers.
const FORCED_IN_CORE: &[(&str, &str)] = &[("getrandom", "ahash")];

#[test]
fn arrows_hold_in_manifests_and_in_the_resolved_tree() {
    let workspace = Workspace::read();
    for crate_name in workspace.edges.keys() {
        let wrong = workspace.edges_not_allowed(crate_name);
        assert!(wrong.is_empty(), "{crate_name} depends on {wrong:?}");
    }
    for (crate_name, _) in ALLOWED {
        let resolved = ResolvedTree::of(crate_name);
        let wrong = resolved.workspace_crates_not_allowed(&workspace);
        assert!(wrong.is_empty(), "{crate_name} reaches {wrong:?} in the resolved tree");
    }
}

#[test]
fn core_tree_holds_no_input_output_runtime_or_entropy() {
    let tree = ResolvedTree::of("holdfast-core");
    let mut found = Vec::new();
    for denied in DENIED_IN_CORE {
        for parent in tree.parents_of(denied) {
            if !FORCED_IN_CORE.contains(&(denied, &parent)) {
                found.push(format!("{denied} (through {parent})"));
            }
        }
    }
    assert!(found.is_empty(), "in core's tree: {found:?}");
}

#[test]
fn exceptions_for_core_are_still_needed() {
    let tree = ResolvedTree::of("holdfast-core");
    for (denied, parent) in FORCED_IN_CORE {
        let parents = tree.parents_of(denied);
        assert!(parents.contains(*parent), "{parent} no longer brings {denied}: drop the exception");
    }
}

#[test]
fn only_the_shell_knows_tauri() {
    for (crate_name, _) in ALLOWED.iter().filter(|(name, _)| *name != "holdfast-shell") {
        let tree = ResolvedTree::of(crate_name);
        let parents = tree.parents_of("tauri");
        assert!(parents.is_empty(), "{crate_name} reaches tauri");
    }
}

/// The members of the workspace with the workspace edges that their manifests declare.
struct Workspace {
    edges: BTreeMap<String, BTreeSet<String>>,
}

impl Workspace {
    fn read() -> Self {
        let metadata = cargo(&["metadata", "--no-deps", "--format-version", "1"]);
        let metadata: Value = serde_json::from_str(&metadata).unwrap();
        let packages = metadata["packages"].as_array().unwrap();
        let edges = packages.iter().map(declared_edges).collect();
        Self { edges }
    }

    fn edges_not_allowed(&self, crate_name: &str) -> BTreeSet<String> {
        let declared = self.edges[crate_name].iter();
        let members = declared.filter(|name| self.edges.contains_key(*name));
        if TEST_CRATES.contains(&crate_name) {
            return members.filter(|n| TEST_CRATES.contains(&n.as_str())).cloned().collect();
        }
        let allowed = allowed_for(crate_name);
        members.filter(|n| !allowed.contains(&n.as_str())).cloned().collect()
    }
}

fn allowed_for(crate_name: &str) -> &'static [&'static str] {
    let row = ALLOWED.iter().find(|(name, _)| *name == crate_name);
    row.unwrap_or_else(|| panic!("{crate_name} has no row in the table of arrows")).1
}

/// A package's name and the names of its dependencies, but for those that only its tests use.
fn declared_edges(package: &Value) -> (String, BTreeSet<String>) {
    let name = package["name"].as_str().unwrap().to_owned();
    let dependencies = package["dependencies"].as_array().unwrap();
    let of_code = dependencies
        .iter()
        .filter(|dependency| dependency["kind"].as_str() != Some("dev"))
        .filter(|dependency| !is_behind_a_feature(&name, dependency))
        .map(|dependency| dependency["name"].as_str().unwrap().to_owned());
    let of_code = of_code.collect();
    (name, of_code)
}

fn is_behind_a_feature(crate_name: &str, dependency: &Value) -> bool {
    let of_crate = (crate_name, dependency["name"].as_str().unwrap());
    dependency["optional"] == true && BEHIND_A_FEATURE.contains(&of_crate)
}

/// The normal dependencies of one crate as Cargo resolved them for this machine, each with who brings it.
struct ResolvedTree {
    crate_name: String,
    parents: BTreeMap<String, BTreeSet<String>>,
}

impl ResolvedTree {
    fn of(crate_name: &str) -> Self {
        let listing = cargo(&[
            "tree",
            "--package",
            crate_name,
            "--edges",
            "normal",
            "--prefix",
            "depth",
            "--format",
            " {p}",
        ]);
        let mut path: Vec<&str> = Vec::new();
        let mut parents: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for line in listing.lines().filter(|line| !line.is_empty()) {
            let (depth, name) = depth_and_name(line);
            path.truncate(depth);
            if let Some(parent) = path.last() {
                let of_name = parents.entry(name.to_owned()).or_default();
                of_name.insert((*parent).to_owned());
            }
            path.push(name);
        }
        let crate_name = crate_name.to_owned();
        Self { crate_name, parents }
    }

    fn parents_of(&self, name: &str) -> BTreeSet<String> {
        self.parents.get(name).cloned().unwrap_or_default()
    }

    fn workspace_crates_not_allowed(&self, workspace: &Workspace) -> BTreeSet<String> {
        let allowed = allowed_for(&self.crate_name);
        let reached = self.parents.keys();
        let reached = reached.filter(|name| workspace.edges.contains_key(*name));
        // Through station the adapters reach wire as well; that is station's arrow, not theirs.
        let through_station = |name: &str| {
            allowed.contains(&"holdfast-station") && allowed_for("holdfast-station").contains(&name)
        };
        reached.filter(|name| !allowed.contains(&name.as_str()) && !through_station(name)).cloned().collect()
    }
}

/// A line of `cargo tree --prefix depth`: `2 serde v1.0.0 (*)`.
fn depth_and_name(line: &str) -> (usize, &str) {
    let mut words = line.split_whitespace();
    let depth = words.next().unwrap().parse().unwrap();
    (depth, words.next().unwrap())
}
