//! `submit`: one operation into the journal. No connection to the SoR is opened.

use std::path::Path;

use holdfast_core::canonical::parse_object;
use holdfast_core::limits::JSON_MAX_BYTES;
use holdfast_wire::ReceiptView;

use crate::compose::{Desk, WayToSor};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::read_document;
use crate::output::Form;
use crate::table::or_dash;
use crate::verbs::likeness::plain_likes;
use crate::verbs::parcels::plain_parcels;

pub(crate) fn submit(desk: &Desk, file: &Path, form: Form) -> Result<Exit, Failure> {
    let document = read_document(file, JSON_MAX_BYTES)?;
    // Said before anything is opened: what is no document needs no store.
    parse_object(&document).map_err(|fault| Failure::new(Exit::Usage, "not-an-object", fault.to_string()))?;
    let receipt = desk.writer(WayToSor::None)?.submit(&document)?;
    tracing::info!(receipt_no = receipt.receipt_no, kind = receipt.kind, route = receipt.route, "accepted");
    form.show(&receipt, plain)?;
    Ok(Exit::Done)
}

fn plain(receipt: &ReceiptView) -> String {
    let likes = plain_likes(&receipt.looks_like);
    let parcels = plain_parcels(&receipt.parcels);
    format!(
        "receipt      {}\naccepted at  {}\nkind         {}\napplication  {}\npermit       {}\nstate        {}\n\
         route        {}\nkey          {}\n{parcels}{likes}",
        receipt.receipt_no,
        receipt.accepted_at,
        receipt.kind,
        receipt.application_id,
        or_dash(receipt.permit_num.as_ref()),
        receipt.state,
        receipt.route,
        receipt.idempotency_key,
    )
}
