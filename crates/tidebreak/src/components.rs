//! Components of units and munitions. The order of fields is the order of state words; field names are the contract's.
//!
//! Who may write what: physics Transform, Motion and the bits GROUNDED and EXITED; layers Layer; command Posture and the
//! two `cmd_*`; fire Mounts; damage Hull, Compartments, losses of Crew and the bits DESTROYED and DISABLED; damage
//! control fire, flood and repair; fuel and support Stores; boarding Boarding, marines and CAPTURED; morale Morale and
//! SURRENDERED; tracks and links Tracks; objectives Objective. Tally is written by whoever does what it counts.

mod adrift;
mod condition;
mod contacts;
mod deeds;
mod memory;
mod motion;

pub use adrift::{Munition, Storm};
pub use condition::{Compartment, Crew, Hull, Identity, Morale, Mount, Posture, Stores};
pub use contacts::{ContactMemory, MateFix, Track, Tracks};
pub use deeds::{Boarding, GROUPS, NO_OBJECTIVE, Objective, STATIONS, Tally};
pub use memory::{CONTACT_ROWS, Memory, NEVER, Scratch};
pub use motion::{Course, IN_TRANSIT, LayerState, Motion, POPPING_UP, STEADY, Transform};
