//! What a tick is worth: objectives, the end of the battle, its score.

pub mod attacks;
pub mod guards;
pub mod journeys;
pub mod objectives;
pub mod score;
pub mod standing;
pub mod termination;
pub mod watches;
