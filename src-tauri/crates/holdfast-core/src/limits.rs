//! The limits that bind every input, in one place, each with its unit in its name.
//!
//! Limits that a city may change stand in the configuration; those here belong to the stored and sent formats and are
//! the same on both sides of the wire.

/// One JSON object, received or sent, in bytes.
pub const JSON_MAX_BYTES: usize = 256 * 1024;
/// Nesting of one JSON document, in levels; the outermost object is level 1.
pub const JSON_MAX_LEVELS: usize = 32;
/// Largest magnitude of an integer: 2^53 − 1, beyond which RFC 8785 maps different numbers to one text.
pub const INTEGER_MAX: i64 = (1 << 53) - 1;
/// Problems named in one refusal, in entries.
pub const PROBLEMS_MAX: usize = 100;
/// What is kept of an answer's text, in bytes, after scrubbing.
pub const ANSWER_KEPT_MAX_BYTES: usize = 2 * 1024;
/// Longest `Retry-After` that is obeyed, in seconds.
pub const RETRY_AFTER_MAX_S: u32 = 900;
/// How long a person may hold an endpoint at once, in hours: a week.
pub const ENDPOINT_HOLD_MAX_H: u32 = 168;
/// How long after its own time an attestation may say that the contract holds, in hours.
pub const ATTESTATION_VALID_MAX_H: u32 = 72;
/// One file of a contract, in bytes.
pub const CONTRACT_FILE_MAX_BYTES: usize = 1024 * 1024;
/// Files in one contract, in entries.
pub const CONTRACT_FILES_MAX: usize = 64;
/// Head-of-lane candidates that are read at once when the next operation is chosen, in rows.
pub const HEADS_WINDOW_ROWS: usize = 64;
/// Inspections of one person in a copy, in rows.
pub const COPY_INSPECTIONS_MAX_ROWS: usize = 500;
/// Records in a copy, in rows: the latest ones of the SoR.
pub const COPY_RECORDS_MAX_ROWS: usize = 5_000;
/// Parcels in a copy, in rows.
pub const COPY_PARCELS_MAX_ROWS: usize = 500_000;
