//! The commands of the demonstration's panel. They exist only where the program was built for one.

use holdfast_station::Station;
use holdfast_wire::{ApiCode, ApiError, DemoFault, DemoPerson, SessionView, Topic};
use reference_sor::NotInForce;
use tauri::State;

use super::Demo;
use crate::commands::Answer;
use crate::desk::Desk;

#[tauri::command]
pub(crate) async fn demo_break(demo: State<'_, Demo>, fault: DemoFault) -> Answer<()> {
    demo.break_sor(fault).await.map_err(|cause| told(&cause))
}

#[tauri::command]
pub(crate) async fn demo_mend(demo: State<'_, Demo>, desk: State<'_, Desk>) -> Answer<()> {
    demo.mend_sor().await.map_err(|cause| told(&cause))?;
    desk.station().map(Station::work_came)
}

#[tauri::command]
pub(crate) async fn demo_switch(
    demo: State<'_, Demo>,
    desk: State<'_, Desk>,
    person: DemoPerson,
) -> Answer<SessionView> {
    demo.switch(desk.station()?, person).inspect(|_| desk.changed(&[Topic::Session]))
}

fn told(cause: &NotInForce) -> ApiError {
    tracing::error!(error = %cause, "the demonstration's SoR");
    ApiError { code: ApiCode::Refused, problems: Vec::new() }
}
