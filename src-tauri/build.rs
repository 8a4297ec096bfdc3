//! Before the shell is compiled: the list of its commands, what the page may ask for, and something to embed.
//!
//! Promise: a clean clone compiles before the screens were built; what is embedded then says so to whoever opens it.

use std::path::Path;
use std::{env, fs, io};

use tauri_build::{AppManifest, Attributes};

/// Every command there is; one that no capability grants as well is refused.
const COMMANDS: &[&str] = &[
    "start",
    "start_again",
    "set_text_size",
    "close_window",
    "house",
    "standing",
    "status",
    "session",
    "sign_in",
    "sign_out",
    "submit",
    "queue",
    "operation",
    "applications",
    "application",
    "open_draft",
    "keep_draft",
    "drafts",
    "draft",
    "discard_draft",
    "find",
    "record",
    "items",
    "item",
    "form",
    "check",
    "parcels",
    "inspections",
    "inspection",
    "refresh_copies",
    "contract",
    "refresh_contract",
    "drain",
    "decide",
    "fetch_theirs",
    "outages",
    "outage",
    "hold_endpoint",
    "release_endpoint",
    "keep_likeness",
    "restore",
    "settle_restore",
    "backlog_hours",
    "stations",
    "station",
    "ask_board",
    // Granted, and there at all, in a demonstration only.
    "demo_break",
    "demo_mend",
    "demo_switch",
];
const EVERYWHERE: &str = "capabilities/main.json";
const IN_A_DEMONSTRATION: &str = "capabilities/*.json";

const PAGE: &str = "../ui/dist/index.html";
const PLACEHOLDER: &str = "<!doctype html>
<html lang=\"en-US\">
<title>Holdfast</title>
<h1>The screens are not built</h1>
<p>Build them (npm run build in the folder ui), then the shell again.</p>
</html>
";

fn main() {
    put_placeholder().expect("the folder of the screens can be written");
    println!("cargo:rerun-if-changed=../ui/dist");
    let granted = if env::var_os("CARGO_FEATURE_DEMO").is_some() { IN_A_DEMONSTRATION } else { EVERYWHERE };
    let attributes = Attributes::new()
        .capabilities_path_pattern(granted)
        .app_manifest(AppManifest::new().commands(COMMANDS));
    tauri_build::try_build(attributes).expect("configuration and capabilities of the shell fit together");
}

fn put_placeholder() -> io::Result<()> {
    let page = Path::new(PAGE);
    if page.exists() {
        return Ok(());
    }
    page.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(page, PLACEHOLDER)
}
