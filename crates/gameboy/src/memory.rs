//! Layout of one console's memory block (section 6).

/// Bytes of the block.
pub const RAM_STRIDE: usize = 0x4200;
/// Offset of `$8000-$9FFF`.
pub const VRAM: usize = 0x0000;
/// Offset of `$C000-$DFFF`.
pub const WRAM: usize = 0x2000;
/// Offset of `$FE00-$FE9F`.
pub const OAM: usize = 0x4000;
/// Bytes of OAM.
pub const OAM_BYTES: usize = 160;
/// Offset of `$FF80-$FFFE`.
pub const HRAM: usize = 0x4100;
/// Offset of `$FF10-$FF3F`.
pub const AUDIO: usize = 0x4180;

/// The memory of one console.
pub type Ram = [u8; RAM_STRIDE];

/// Memory full of zeros.
#[must_use]
pub fn blank() -> Box<Ram> {
    Box::new([0; RAM_STRIDE])
}
