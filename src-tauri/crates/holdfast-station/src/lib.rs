//! The application layer: the verbs of the station, its loops, and the ports to the world.

pub mod ports;
