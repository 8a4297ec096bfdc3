//! Between columns and the types of this program.

use std::fmt::Display;
use std::str::FromStr;

use holdfast_core::ids::Digest;
use holdfast_core::time::UtcMillis;
use rusqlite::Row;
use rusqlite::types::Type;
use serde::de::DeserializeOwned;

/// A text column of a type that has one text.
pub(super) fn text<T>(row: &Row<'_>, column: usize) -> rusqlite::Result<T>
where
    T: FromStr,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let text = row.get_ref(column)?.as_str()?;
    text.parse().map_err(|fault| unreadable(column, Type::Text, fault))
}

/// A JSON column.
pub(super) fn json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text = row.get_ref(column)?.as_str()?;
    // What the parser says may quote the text, which is personal.
    serde_json::from_str(text).map_err(|_| unreadable(column, Type::Text, NotJson))
}

#[derive(Debug, thiserror::Error)]
#[error("not the JSON that was written")]
struct NotJson;

/// A time column, in milliseconds.
pub(super) fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<UtcMillis> {
    let millis = row.get(column)?;
    UtcMillis::from_millis(millis).ok_or(rusqlite::Error::IntegralValueOutOfRange(column, millis))
}

/// A column that counts.
pub(super) fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let value: i64 = row.get(column)?;
    u64::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, value))
}

/// A count as it is stored. All are below 2^53: strict JSON lets no larger one in.
pub(super) fn integer(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A digest column of 32 bytes.
pub(super) fn digest(row: &Row<'_>, column: usize) -> rusqlite::Result<Digest> {
    row.get(column).map(Digest::from_bytes)
}

/// The stored text of a value.
pub(super) fn stored(value: &impl Display) -> String {
    value.to_string()
}

fn unreadable(
    column: usize,
    of: Type,
    fault: impl std::error::Error + Send + Sync + 'static,
) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, of, Box::new(fault))
}
