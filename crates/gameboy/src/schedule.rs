//! Units of time that every part of the machine shares.

/// T-cycles of one bus slot, or M-cycle.
pub const SLOT: i64 = 4;
/// T-cycles of one line of the picture.
pub const LINE: i64 = 456;
/// T-cycles of one frame.
pub const FRAME: i64 = 70_224;
/// T-cycles of one second.
pub const SECOND: i64 = 4_194_304;
/// A time that does not come.
pub const NEVER: i64 = i64::MAX;
