//! Reading the audit chain from its beginning, event by event.
//!
//! Promise: every event that is handed on was checked against the chain; the first that does not hold ends the walk. It
//! changes nothing, and reads beside whoever writes.

use std::path::Path;

use holdfast_core::audit::{ChainFault, Event, Stored, Verifier};
use rusqlite::Connection;

use crate::columns::Count;
use crate::fault::Fault;
use crate::files::DATABASE_FILE;
use crate::keys::{DatabaseKey, Unlock};
use crate::meta;
use crate::open::{Access, connect};
use crate::store::{OpenError, find};
use crate::verify::Still;
use crate::version_gate;

/// Hands every event to `each`, oldest first, together with what it has gathered; `Some` is the first that does not hold.
/// When somebody begins to write meanwhile, what was gathered is thrown away and it begins anew.
///
/// # Errors
/// The folder, the keys or the passphrase, or a file that cannot be read.
pub fn walk<'a, T: Default>(
    path: &Path,
    unlock: impl Into<Unlock<'a>>,
    each: &mut dyn FnMut(&mut T, &Event),
) -> Result<(T, Option<ChainFault>), OpenError> {
    version_gate::admit(rusqlite::version_number())?;
    let (folder, keys) = find(path)?;
    let key = keys.unlock(unlock.into())?;
    let database = folder.join(DATABASE_FILE);
    let mut gather = |access| {
        let mut gathered = T::default();
        let fault = read(&database, &key, access, &mut |event| each(&mut gathered, event));
        fault.map(|fault| (gathered, fault)).map_err(|fault| OpenError::Journal(fault.into()))
    };
    let before = Still::of(&database);
    if before.is_at_rest() {
        // Nothing is written beside the file, not even an index of the log.
        let walked = gather(Access::Frozen);
        if Still::of(&database) == before {
            return walked;
        }
    }
    gather(Access::Read)
}

fn read(
    database: &Path,
    key: &DatabaseKey,
    access: Access,
    each: &mut dyn FnMut(&Event),
) -> Result<Option<ChainFault>, Fault> {
    let conn = connect(database, key, access)?;
    let tx = conn.unchecked_transaction()?;
    along(&tx, each)
}

fn along(conn: &Connection, each: &mut dyn FnMut(&Event)) -> Result<Option<ChainFault>, Fault> {
    let record = meta::station(conn)?;
    let mut verifier = Verifier::new(&record.station_id, record.db_id);
    let mut statement = conn.prepare("SELECT seq, text, hash FROM audit_event ORDER BY seq")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let seq = row.get::<_, Count>(0)?.0;
        let (text, hash) = (row.get_ref(1)?, row.get_ref(2)?);
        let (Ok(text), Ok(hash)) = (text.as_str(), hash.as_str()) else {
            return Ok(Some(ChainFault::Unreadable { seq }));
        };
        match verifier.take(&Stored { seq, text, hash }) {
            Ok(event) => each(&event),
            Err(fault) => return Ok(Some(fault)),
        }
    }
    Ok(None)
}
