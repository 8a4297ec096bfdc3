//! Where a station's data, configuration and throw-away files lie on this machine (XDG base directories).
//!
//! Promise: a relative or empty XDG variable is passed over, as that specification asks. Nothing is created here.

use std::env;
use std::path::{Path, PathBuf};

/// Name of every folder of Holdfast.
const NAME: &str = "holdfast";

/// The data folder of this user; none without a home.
#[must_use]
pub fn default_data_dir() -> Option<PathBuf> {
    Some(base("XDG_DATA_HOME", ".local/share")?.join(NAME))
}

/// What this user can do without: it may be gone at the next start.
#[must_use]
pub fn cache_dir() -> Option<PathBuf> {
    Some(base("XDG_CACHE_HOME", ".cache")?.join(NAME))
}

/// The configuration of this user.
#[must_use]
pub fn user_config() -> Option<PathBuf> {
    Some(base("XDG_CONFIG_HOME", ".config")?.join(NAME).join("config.toml"))
}

/// The configuration of this machine.
#[must_use]
pub fn machine_config() -> PathBuf {
    Path::new("/etc").join(NAME).join("config.toml")
}

fn base(variable: &str, under_home: &str) -> Option<PathBuf> {
    let chosen = env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || env::var_os("HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    chosen.or_else(|| Some(home()?.join(under_home)))
}
