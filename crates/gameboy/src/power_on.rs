//! How a console starts (section 20).

use crate::console::Console;
use crate::memory::AUDIO;

const AUDIO_AFTER_BOOT: [u8; 23] = [
    0x80, 0xBF, 0xF3, 0xFF, 0xBF, 0xFF, 0x3F, 0x00, 0xFF, 0xBF, 0x7F, 0xFF, 0x9F, 0xFF, 0xBF, 0xFF, 0xFF, 0x00, 0x00,
    0xBF, 0x77, 0xF3, 0xF1,
];

/// Leaves a new console with its boot stub mapped, or without one in the state that a boot ends in.
pub(crate) fn power_on(console: &mut Console) {
    console.machine.mapper.select(&console.machine.shared.cartridge);
    if console.machine.shared.boot.is_some() {
        return;
    }
    let mut state = console.canonical();
    (state.a, state.f) = (0x01, 0xB0);
    (state.b, state.c) = (0x00, 0x13);
    (state.d, state.e) = (0x00, 0xD8);
    (state.h, state.l) = (0x01, 0x4D);
    (state.sp, state.pc) = (0xFFFE, 0x0100);
    state.div16 = 0xABCC;
    state.iflag = 1;
    (state.lcdc, state.bgp) = (0x91, 0xFC);
    state.lyc_flag = 1;
    (state.line, state.dot) = (153, 400);
    state.stat_src = 1;
    console.machine.ram[AUDIO..AUDIO + AUDIO_AFTER_BOOT.len()].copy_from_slice(&AUDIO_AFTER_BOOT);
    console.load(&state);
}
