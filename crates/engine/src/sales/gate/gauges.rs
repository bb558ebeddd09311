//! How many wait in front of sales, for whoever watches the server.
//!
//! Looked at when somebody asks for it: a crowd pays nothing for being counted.

use crate::world::World;

/// Tells the recorder how it stands now.
pub fn gauges(world: &World) {
    let in_rooms = world.sales.gate.rooms.in_all();
    metrics::gauge!("windfall_attempts_waiting").set(world.sales.attempts.waiting() as f64);
    metrics::gauge!("windfall_room_waiting").set(in_rooms.waiting as f64);
    metrics::gauge!("windfall_room_inside").set(in_rooms.inside as f64);
}
