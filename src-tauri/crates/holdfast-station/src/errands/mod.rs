//! Errands: what a drain asks of the SoR besides sending operations. One file each; when they are run, and in which order,
//! says the drain ([`crate::verbs::drain`]).

pub(crate) mod changes;
pub(crate) mod numbers;
pub(crate) mod reprove;
pub(crate) mod second_look;
pub(crate) mod theirs;
