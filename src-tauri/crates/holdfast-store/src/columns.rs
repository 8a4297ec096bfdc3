//! How values of core stand in columns.
//!
//! Promise: a value is stored in the one text that it has everywhere, and a text that is not such a value is an error
//! that names the column, never a default.

use std::fmt::Display;
use std::str::FromStr;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// An identifier, a digest or a time, as its text.
pub(crate) struct Text<T>(pub(crate) T);

/// A word of a closed list, as serde names it.
pub(crate) struct Word<T>(pub(crate) T);

/// A structure, as JSON.
pub(crate) struct Json<T>(pub(crate) T);

/// A count or a position; the engine's integers end at 2^63 − 1.
pub(crate) struct Count(pub(crate) u64);

#[derive(Debug, thiserror::Error)]
#[error("not a value of this column")]
struct NotAValue;

fn not_a_value<E>(_: E) -> FromSqlError {
    FromSqlError::other(NotAValue)
}

impl<T: FromStr> FromSql for Text<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str()?.parse().map(Self).map_err(not_a_value)
    }
}

impl<T: Display> ToSql for Text<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.to_string().into())
    }
}

impl<T: DeserializeOwned> FromSql for Word<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = serde::de::value::StrDeserializer::<serde::de::value::Error>::new(value.as_str()?);
        T::deserialize(word).map(Self).map_err(not_a_value)
    }
}

impl<T: Serialize> ToSql for Word<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let value = serde_json::to_value(&self.0)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        let word =
            value.as_str().ok_or_else(|| rusqlite::Error::ToSqlConversionFailure(Box::new(NotAValue)))?;
        Ok(word.to_owned().into())
    }
}

impl<T: DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?).map(Self).map_err(not_a_value)
    }
}

impl<T: Serialize> ToSql for Json<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let text = serde_json::to_string(&self.0);
        let text = text.map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        Ok(text.into())
    }
}

impl FromSql for Count {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        u64::try_from(value.as_i64()?).map(Self).map_err(not_a_value)
    }
}

impl ToSql for Count {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let number = i64::try_from(self.0);
        let number = number.map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        Ok(number.into())
    }
}

/// The inner value of a column that may be empty.
pub(crate) fn text<T>(column: Option<Text<T>>) -> Option<T> {
    column.map(|Text(value)| value)
}
