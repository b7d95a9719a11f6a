//! What a captain sees; `layout` tells the places. `row` writes it, `rows` keeps what the contact rows stand for.

pub mod contacts;
pub mod directions;
pub mod engagement;
pub mod environment;
pub mod knowledge;
pub mod objective;
pub mod obstruction;
pub mod own_state;
pub mod row;
pub mod rows;
pub mod scaling;
