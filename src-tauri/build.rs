//! Before the shell is compiled: the list of its commands, and something to embed.
//!
//! Promise: a clean clone compiles before the screens were built; what is embedded then says so to whoever opens it.

use std::path::Path;
use std::{fs, io};

use tauri_build::{AppManifest, Attributes};

/// Every command there is; one that is not in the capability file as well is refused.
const COMMANDS: &[&str] = &["house"];

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
    let attributes = Attributes::new().app_manifest(AppManifest::new().commands(COMMANDS));
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
