//! The endpoints beside the primary, as the station speaks to them: each has a port of its own, and may not be there.

/// What is there beside the primary.
#[derive(Clone, Default)]
pub struct Beside {}
