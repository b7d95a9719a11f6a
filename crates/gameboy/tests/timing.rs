//! Timer, serial port, DMA and interrupts at single M-cycles.

mod roms;

use gameboy::memory::{OAM, WRAM};
use roms::{CODE, cartridge, console_at};

/// STAT sources and their bits.
const HBLANK_SOURCE: i32 = 0x08;
const LYC_SOURCE: i32 = 0x40;

#[test]
fn the_counter_reads_zero_for_one_cycle_before_its_reload() {
    let rom = cartridge(0, 2, 0, &[0; 16]);
    let mut console = console_at(&rom, |state| {
        (state.div16, state.tac, state.tima, state.tma, state.iflag) = (8, 5, 0xFF, 0x42, 0);
    });

    let seen: Vec<(i32, i32, i32)> = (0..3)
        .map(|_| {
            console.trace(1);
            let state = console.canonical();
            (state.tima, state.tima_state, state.iflag & 4)
        })
        .collect();

    assert_eq!(seen, [(0xFF, 0, 0), (0, 1, 0), (0x42, 0, 4)]);
}

#[test]
fn a_divider_write_counts_when_the_selected_bit_was_high() {
    // LDH ($04),A: the write is in the third slot.
    let rom = cartridge(0, 2, 0, &[0xE0, 0x04]);
    let mut console = console_at(&rom, |state| (state.div16, state.tac, state.tima) = (0x1F8, 4, 7));

    console.trace(1);

    let state = console.canonical();
    assert_eq!((state.tima, state.div16), (8, 4));
}

#[test]
fn a_transfer_ends_with_its_eighth_shift() {
    // LD A,$81; LDH ($02),A.
    let rom = cartridge(0, 2, 0, &[0x3E, 0x81, 0xE0, 0x02]);
    let mut console = console_at(&rom, |state| (state.div16, state.sb, state.iflag) = (0, 0x4F, 0));

    console.trace(2);
    let waiting = console.canonical();
    console.trace(1018);
    let almost = console.canonical();
    console.trace(1);

    let done = console.canonical();
    assert_eq!((waiting.sc, waiting.ser_bits), (0x81, 8));
    assert_eq!((almost.ser_bits, almost.div16, almost.iflag & 8), (1, 4092, 0));
    assert_eq!((done.ser_bits, done.sc, done.sb, done.iflag & 8), (0, 1, 0xFF, 8));
    assert_eq!(console.machine().serial_bytes(), [0x4F]);
}

#[test]
fn objects_move_two_cycles_after_the_write_and_stay_owned_for_160() {
    // LD A,$C0; LDH ($46),A; then NOPs.
    let rom = cartridge(0, 2, 0, &[0x3E, 0xC0, 0xE0, 0x46]);
    let mut console = console_at(&rom, |state| state.lcdc = 0);
    console.machine_mut().ram_mut()[WRAM..WRAM + 160].fill(7);

    console.trace(2);
    let before = (console.canonical().dma_t, console.machine().ram()[OAM]);
    console.trace(1);
    let after = (console.canonical().dma_t, console.machine().ram()[OAM]);
    console.trace(159);
    let last = console.canonical().dma_t;
    console.trace(1);

    assert_eq!((before, after), ((1, 0), (2, 7)));
    assert_eq!((last, console.canonical().dma_t), (161, -1));
}

#[test]
fn one_instruction_runs_between_ei_and_the_handler() {
    // EI; INC B; INC B with a request pending.
    let rom = cartridge(0, 2, 0, &[0xFB, 0x04, 0x04]);
    let mut console = console_at(&rom, |state| (state.ie, state.iflag, state.b, state.lcdc) = (1, 1, 0, 0));

    let rows = console.trace(3);

    let at: Vec<i64> = rows.iter().map(|row| row[1]).collect();
    assert_eq!(at, [i64::from(CODE), i64::from(CODE) + 1, 0x40]);
    assert_eq!(console.canonical().b, 1);
}

#[test]
fn the_byte_after_halt_is_read_twice_when_a_request_is_pending_and_refused() {
    // HALT; INC B.
    let rom = cartridge(0, 2, 0, &[0x76, 0x04, 0x00]);
    let mut console = console_at(&rom, |state| (state.ie, state.iflag, state.b, state.ime) = (1, 1, 0, 0));

    console.trace(3);

    let state = console.canonical();
    assert_eq!((state.b, state.pc), (2, CODE + 2));
}

#[test]
fn a_push_over_ie_cancels_the_dispatch() {
    let rom = cartridge(0, 2, 0, &[0; 4]);
    let mut console = console_at(&rom, |state| {
        (state.ie, state.iflag, state.ime, state.sp, state.lcdc, state.dispatch_pending) = (0x02, 0x1F, 1, 0, 0, 1);
    });

    let rows = console.trace(1);

    // The high byte of the return address, $01, lands in `ie`: VBlank replaces STAT.
    assert_eq!(rows[0][1], 0x40);
}

#[test]
fn an_illegal_opcode_stops_the_console_for_good() {
    let rom = cartridge(0, 2, 0, &[0x00, 0xD3]);
    let mut console = console_at(&rom, |_| {});

    console.run_frames(3);
    let stopped = console.save();
    console.press(1, 1);
    console.run_frames(3);

    let state = console.canonical();
    assert_eq!((state.trap_kind, state.trap_pc, state.trap_opcode), (1, CODE + 1, 0xD3));
    assert_eq!(console.save(), stopped);
}

#[test]
fn a_frame_with_the_lcd_off_takes_as_long_as_one_with_it_on() {
    let rom = cartridge(0, 2, 0, &[0x18, 0xFE]);
    let mut off = console_at(&rom, |state| (state.lcdc, state.line, state.dot, state.stat_src) = (0, 0, 0, -1));
    let mut on = console_at(&rom, |state| (state.line, state.dot) = (0, 8));

    off.run_frames(10);
    on.run_frames(10);

    assert_eq!(off.canonical().cycle_count / 70_224, 10);
    assert_eq!(on.canonical().cycle_count / 70_224, 10);
    assert_eq!((off.frame_count(), on.frame_count()), (10, 10));
}

#[test]
fn the_stat_line_blocks_a_source_while_another_holds_it() {
    // The end of mode 3 raises the line; LYC of the next line finds it low again after dot 0.
    let rom = cartridge(0, 2, 0, &[0; 512]);
    let count = |sources: i32| {
        let mut console = console_at(&rom, |state| {
            (state.line, state.dot, state.lyc, state.stat_en) = (10, 4, 11, sources);
            (state.stat_src, state.iflag, state.lyc_flag) = (-1, 0, 0);
        });
        let mut rises = 0;
        for _ in 0..150 {
            console.trace(1);
            let mut state = console.canonical();
            if state.iflag & 2 != 0 {
                rises += 1;
                state.iflag = 0;
                console.load(&state);
            }
        }
        rises
    };

    assert_eq!((count(HBLANK_SOURCE), count(LYC_SOURCE), count(HBLANK_SOURCE | LYC_SOURCE)), (1, 1, 2));
}
