//! The configuration: defaults, then the machine's file, the user's, the environment, and last the file named by
//! `--config`.
//!
//! Promise: an unknown key or a wrong value is named together with where it stands, and nothing is done under a
//! configuration that is only half understood. Of each value it is known where it comes from.

mod fault;
mod following;
mod layer;

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use config::Config;
use holdfast_station::Configured;
use holdfast_station::settings::Origins;

pub use self::fault::ConfigurationFault;
use self::fault::{refusal, sentence};
pub use self::following::Followed;
use self::following::Seen;
use self::layer::{Layer, Place, is_setting, read};
use crate::folder;

/// A configuration that was read, and where it can be read again.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// What it says.
    pub configured: Configured,
    sources: Sources,
    seen: Seen,
    /// Whether what lies there now was refused.
    refused: bool,
}

/// Where the configuration is read from. The environment of a process stays as it was.
#[derive(Clone, Debug)]
struct Sources {
    machine: PathBuf,
    user: Option<PathBuf>,
    variables: Vec<(String, String)>,
    named: Option<PathBuf>,
}

/// Reads every source; `named` is a file that has to be there.
///
/// # Errors
/// [`ConfigurationFault`] names the key and the source.
pub fn configuration(named: Option<&Path>) -> Result<Configuration, ConfigurationFault> {
    Sources::of_this_machine(named).first_read()
}

impl Sources {
    fn of_this_machine(named: Option<&Path>) -> Self {
        let texts =
            |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
        let variables = env::vars_os().filter_map(texts).filter(|(name, _)| is_setting(name)).collect();
        let named = named.map(Path::to_path_buf);
        Self { machine: folder::machine_config(), user: folder::user_config(), variables, named }
    }

    fn first_read(self) -> Result<Configuration, ConfigurationFault> {
        // Before they are read: what changes meanwhile is noticed at the next look.
        let seen = self.seen();
        Ok(Configuration { configured: self.read()?, sources: self, seen, refused: false })
    }

    fn read(&self) -> Result<Configured, ConfigurationFault> {
        let mut layers = Vec::new();
        layers.extend(Layer::of_file_if_there(Place::MachineFile(self.machine.clone()), &self.machine)?);
        if let Some(user) = &self.user {
            layers.extend(Layer::of_file_if_there(Place::UserFile(user.clone()), user)?);
        }
        layers.extend(Layer::of_variables(self.variables.iter().cloned()));
        if let Some(named) = &self.named {
            layers.push(Layer::of_file(Place::NamedFile(named.clone()), named)?);
        }
        settle(&layers)
    }

    fn seen(&self) -> Seen {
        let files = [Some(&self.machine), self.user.as_ref(), self.named.as_ref()];
        Seen::of(files.into_iter().flatten().map(PathBuf::as_path))
    }
}

fn settle(layers: &[Layer]) -> Result<Configured, ConfigurationFault> {
    let (mut builder, mut origins) = (Config::builder(), Origins::default());
    for layer in layers {
        layer.check()?;
        builder = layer.add_to(builder);
        layer.keys().into_iter().for_each(|(key, origin)| origins.say(key, origin));
    }
    let settings = read(builder, "the configuration")?;
    let wrong: Vec<String> = settings.wrong().iter().map(sentence).collect();
    if wrong.is_empty() {
        Ok(Configured { settings, origins })
    } else {
        Err(refusal("the configuration", &wrong))
    }
}

#[cfg(test)]
mod tests;
