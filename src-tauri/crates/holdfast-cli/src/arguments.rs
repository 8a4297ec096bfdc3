//! The command line as people type it.
//!
//! Promise: what is not offered here is refused as unknown (exit 2), and no secret is taken as an argument, since every
//! user of a machine can read those. What the arguments mean is decided elsewhere.

mod endpoints;

use std::path::PathBuf;

use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};
use holdfast_core::ids::{ApplicationId, IdempotencyKey, StationId};

pub(crate) use endpoints::{Copies, Custody, Endpoint, Outages, Parcels, Stations};

const EXAMPLES: &str = "\
Examples:
  holdfastctl --passphrase-file key.txt init --sor https://permits.example --station front-1
  holdfastctl --passphrase-file key.txt sign-in --user clerk < password.txt
  holdfastctl --passphrase-file key.txt submit application.json
  holdfastctl --passphrase-file key.txt import permits-2026.csv.gz
  holdfastctl --passphrase-file key.txt drain --until-empty --max-s 600
  holdfastctl --passphrase-file key.txt --json status

Exit codes:
  0  done (drain: nothing is left)
  1  the surroundings failed: disk, network, key
  2  wrong usage, or the input is not one JSON object within the limits
  3  done but degraded (status), stopped before the queue was empty (drain)
  4  something stored does not hold
  5  another process writes here
  6  understood but refused; the problems are on stdout

Data go to stdout, talk to stderr. Nothing is asked without a terminal.";

/// The permit counter without a window: accepts work, keeps it, and brings it to the system-of-record (SoR).
#[derive(Debug, Parser)]
#[command(name = "holdfastctl", version, after_help = EXAMPLES, color = ColorChoice::Never, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command takes.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Where the station keeps its data [default: ~/.local/share/holdfast]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    /// A configuration file that counts more than all others
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// What opens the data: passphrase or keyring [default: passphrase]
    #[arg(long, global = true, value_name = "PROVIDER")]
    pub(crate) key_provider: Option<KeyProvider>,
    /// File whose first line is the passphrase
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) passphrase_file: Option<PathBuf>,
    /// Answer with exactly one JSON document on stdout
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// What can hold the key of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeyProvider {
    /// The keyring of the signed-in user.
    Keyring,
    /// The machine's own.
    Machine,
    /// A passphrase.
    Passphrase,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Enrol this station at the SoR and set up its data folder
    Init(Init),
    /// Sign a person in while the SoR answers; the password comes on stdin
    SignIn {
        /// The person's name at the SoR
        #[arg(long, value_name = "NAME")]
        user: String,
    },
    /// The rules that work is checked by
    #[command(subcommand)]
    Contract(Contract),
    /// Accept one operation: a JSON object {kind, operation_id?, application_id?, base?, payload}
    Submit {
        /// The document, or - for stdin
        #[arg(value_name = "FILE|-")]
        file: PathBuf,
    },
    /// Accept the rows of a BLDS core-permits file, plain or gzip
    Import {
        /// CSV with a header, UTF-8
        #[arg(value_name = "FILE.csv[.gz]")]
        file: PathBuf,
        /// Stop after so many rows
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        limit: Option<u64>,
    },
    /// In which mode the station works, and what it has
    Status,
    /// What waits to be recorded by the SoR
    #[command(subcommand)]
    Queue(Queue),
    /// What waits for a person's decision
    #[command(subcommand)]
    Quarantine(Quarantine),
    /// Bring what waits to the SoR: one pass, unless told to go on
    Drain {
        /// Go on, also through open breakers, until nothing is left
        #[arg(long)]
        until_empty: bool,
        /// Stop after so many seconds
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=604_800))]
        max_s: Option<u32>,
        /// Go on until asked to stop (SIGTERM, Ctrl-C), also when nothing is left for now
        #[arg(long, conflicts_with = "until_empty")]
        watch: bool,
    },
    /// Keep an endpoint from being sent to while it is worked on
    #[command(subcommand)]
    Endpoint(Endpoint),
    /// The applications as they stand here
    #[command(subcommand)]
    Applications(Applications),
    /// When the SoR was away, and what was accepted meanwhile
    #[command(subcommand)]
    Outages(Outages),
    /// The city's parcels, as this computer's copy has them
    #[command(subcommand)]
    Parcels(Parcels),
    /// Copies of the records and of your inspections, as the SoR has them
    #[command(subcommand)]
    Copies(Copies),
    /// What every station told the board last
    #[command(subcommand)]
    Stations(Stations),
    /// What the programs run under here, and where each value comes from
    #[command(subcommand)]
    Configuration(Configuration),
    /// Copies of what is not recorded yet, at the mirror
    #[command(subcommand)]
    Custody(Custody),
    /// Applications that look like another one
    #[command(subcommand)]
    Likeness(Likeness),
    /// What the SoR lacks since it came back from an older copy
    #[command(subcommand)]
    Reprove(Reprove),
    /// The record of everything that was decided
    #[command(subcommand)]
    Audit(Audit),
}

/// Setting up.
#[derive(Debug, Args)]
pub(crate) struct Init {
    /// Address of the SoR: https, or http on this machine
    #[arg(long, value_name = "URL")]
    pub(crate) sor: String,
    /// Address of the mirror, which works when the SoR does not
    #[arg(long, value_name = "URL")]
    pub(crate) mirror: Option<String>,
    /// What the mirror is for: custody (holds copies), or authoritative (its receipt commits)
    #[arg(long, value_name = "PART", default_value = "custody", requires = "mirror")]
    pub(crate) mirror_is: String,
    /// Address of the board, where stations tell how they are
    #[arg(long, value_name = "URL")]
    pub(crate) board: Option<String>,
    /// Address of the GIS, where parcels come from
    #[arg(long, value_name = "URL")]
    pub(crate) gis: Option<String>,
    /// Name of this station: letters, digits, - and _, at most 32
    #[arg(long, value_name = "ID")]
    pub(crate) station: StationId,
    /// What the SoR can do: idempotent, or look-before-write
    #[arg(long, value_name = "PROFILE", default_value = "idempotent")]
    pub(crate) profile: String,
    /// File whose first line is the code that the SoR's office gave for this station
    #[arg(long, value_name = "F")]
    pub(crate) enrol_code_file: Option<PathBuf>,
    /// The rules office's public key (SPKI PEM); without it the first key seen is pinned
    #[arg(long, value_name = "FILE")]
    pub(crate) contract_key: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Contract {
    /// Which rules are in use, and whether they still hold
    Status,
    /// Fetch them from the SoR
    Refresh,
    /// Take them from a file
    Load {
        /// A contract as the SoR hands it out
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Queue {
    /// What is not disposed of, in the order of work
    List(Paging),
    /// One operation in full
    Show {
        /// Its key: 64 hex digits
        #[arg(value_name = "KEY")]
        key: IdempotencyKey,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Quarantine {
    /// What waits for a decision, oldest first
    List(Paging),
    /// One operation in full; of a conflict, all versions of its record side by side
    Show {
        /// Its key: 64 hex digits
        #[arg(value_name = "KEY")]
        key: IdempotencyKey,
        /// Ask the SoR for its version once more
        #[arg(long)]
        fetch: bool,
    },
    /// Decide about one
    Resolve {
        /// Its key: 64 hex digits
        #[arg(value_name = "KEY")]
        key: IdempotencyKey,
        #[command(flatten)]
        resolution: Resolution,
        /// Why
        #[arg(long, value_name = "R")]
        reason: String,
    },
}

/// Exactly one of them.
#[derive(Clone, Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Resolution {
    /// Of two versions of the record: send it as it is upon the SoR's, or let the SoR's hold
    #[arg(long, value_name = "ours|theirs")]
    pub(crate) take: Option<Side>,
    /// Send this in its place: a JSON object with every field of both versions, null to leave one out
    #[arg(long, value_name = "FILE|-")]
    pub(crate) merge: Option<PathBuf>,
    /// Of what the record system has twice: the one that is recorded stays; void the others there
    #[arg(long)]
    pub(crate) keep: bool,
    /// Of what no look can find, or what is there twice: you have seen this record in the record system, and it is the one
    #[arg(long, value_name = "RECORD")]
    pub(crate) found: Option<String>,
    /// Send it again, the same bytes under the same key
    #[arg(long)]
    pub(crate) requeue: bool,
    /// Take it back; it is never sent
    #[arg(long)]
    pub(crate) void: bool,
}

/// One of two versions of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Side {
    /// As it was accepted here.
    Ours,
    /// As the SoR has it.
    Theirs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Configuration {
    /// Every value with its origin; needs no data folder
    Show,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Likeness {
    /// Pairs that nobody has looked at, the latest first
    List(Paging),
    /// Keep both: the one is no longer said to look like others (to take one back, hand in a void)
    Keep {
        /// Key of its intake (64 hex digits), or the id of the application
        #[arg(value_name = "KEY")]
        of: String,
        /// Why
        #[arg(long, value_name = "R")]
        reason: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Reprove {
    /// What is missing there, in the order in which it was accepted
    List(Paging),
    /// Send all of it again, the same bytes under the same keys
    Agree {
        /// Why
        #[arg(long, value_name = "R")]
        reason: String,
    },
    /// Leave it missing; nothing of it is sent
    Leave {
        /// Why
        #[arg(long, value_name = "R")]
        reason: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Applications {
    /// Latest change first
    List(Paging),
    /// One application in full, with its operations
    Show {
        /// Its id
        #[arg(value_name = "ID")]
        id: ApplicationId,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Audit {
    /// Read all that is stored and say whether it holds, or what is the first thing that does not
    Verify,
    /// Recompute every decision from the inputs that the audit holds
    Replay,
}

/// A part of a list.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Paging {
    /// Rows to pass over
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=10_000_000))]
    pub(crate) skip: u32,
    /// Rows wanted
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) rows: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_commands_do_not_contradict_each_other() {
        Arguments::command().debug_assert();
    }
}
