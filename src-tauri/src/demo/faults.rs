//! The ways in which the SoR of a demonstration fails, as plans of the reference SoR.

use holdfast_wire::DemoFault;

/// Answers everything as it should.
pub(super) const MENDED: &[u8] = br#"{"faults":[]}"#;

/// The plan of a fault.
pub(super) fn plan(fault: DemoFault) -> &'static [u8] {
    match fault {
        DemoFault::Timeout => br#"{"faults":[{"do":"timeout"}]}"#,
        DemoFault::Refuse => br#"{"faults":[{"do":"refuse"}]}"#,
        DemoFault::ServerError => br#"{"faults":[{"do":"status","status":500}]}"#,
        DemoFault::Portal => br#"{"faults":[{"do":"portal"}]}"#,
        // Later than the station waits, so that its answer comes to nobody.
        DemoFault::SucceedsLate => {
            br#"{"faults":[{"on":{"path":"/v1/operations","method":"POST"},"do":"slow","delay_ms":6000}]}"#
        }
    }
}
