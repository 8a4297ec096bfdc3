//! Where a value comes from.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Where one value comes from; of a file with its line, where that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum Origin {
    /// Nobody says anything.
    Default,
    /// The file for the whole machine.
    MachineFile {
        /// Which.
        path: String,
        /// Where in it, from 1.
        line: Option<u32>,
    },
    /// The file of one user.
    UserFile {
        /// Which.
        path: String,
        /// Where in it, from 1.
        line: Option<u32>,
    },
    /// A variable of the environment.
    Environment {
        /// Its name.
        variable: String,
    },
    /// The file that the command line names.
    NamedFile {
        /// Which.
        path: String,
        /// Where in it, from 1.
        line: Option<u32>,
    },
}

/// Where each value comes from that has another origin than the defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins(BTreeMap<String, Origin>);

impl Origins {
    /// A key is said there, whoever said it before.
    pub fn say(&mut self, key: impl Into<String>, origin: Origin) {
        self.0.insert(key.into(), origin);
    }

    /// Where a key comes from.
    #[must_use]
    pub fn of(&self, key: &str) -> Origin {
        self.0.get(key).cloned().unwrap_or(Origin::Default)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Environment { variable } => f.write_str(variable),
            Self::MachineFile { path, line }
            | Self::UserFile { path, line }
            | Self::NamedFile { path, line } => match line {
                Some(line) => write!(f, "{path}:{line}"),
                None => f.write_str(path),
            },
        }
    }
}
