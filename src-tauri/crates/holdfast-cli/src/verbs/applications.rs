//! `applications`: how they stand here, with what was accepted and is not yet recorded.

use holdfast_wire::{ApplicationRow, ApplicationView};
use serde::Serialize;

use crate::arguments::Applications;
use crate::compose::Desk;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::table::{Table, or_dash};
use crate::verbs::parcels::plain_parcels;
use crate::verbs::queue::plain_rows;

#[derive(Serialize)]
struct List {
    applications: Vec<ApplicationRow>,
}

pub(crate) fn applications(desk: &Desk, command: &Applications, form: Form) -> Result<Exit, Failure> {
    let station = desk.open_to_read()?.station;
    match command {
        Applications::List(paging) => {
            let applications = station.applications((*paging).into())?;
            form.show(&List { applications }, |list| plain_rows_of(&list.applications))?;
        }
        Applications::Show { id } => form.show(&station.application(&id.to_string())?, plain_one)?,
    }
    Ok(Exit::Done)
}

fn plain_rows_of(applications: &[ApplicationRow]) -> String {
    let mut table = Table::new(&["APPLICATION", "PERMIT", "STAGE", "WAITING", "CHANGED", "ADDRESS"]);
    for row in applications {
        table.row([
            row.application_id.clone(),
            or_dash(row.permit_num.as_ref()),
            row.stage.clone(),
            row.waiting.to_string(),
            row.updated_at.clone(),
            or_dash(row.address.as_ref()),
        ]);
    }
    table.text()
}

fn plain_one(application: &ApplicationView) -> String {
    let payload = serde_json::to_string_pretty(&application.payload).unwrap_or_default();
    format!(
        "{}\nrecord       {}\netag         {}\n{}\n{}\n{payload}\n",
        plain_rows_of(std::slice::from_ref(&application.row)),
        or_dash(application.record_id.as_ref()),
        or_dash(application.etag.as_ref()),
        plain_parcels(&application.parcels),
        plain_rows(&application.operations),
    )
}
