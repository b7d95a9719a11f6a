//! Traps 2 and 3: budgets, breaks and watched writes.

mod roms;

use gameboy::canonical::Canonical;
use gameboy::stops::Stops;

/// INC A; LD ($C000),A; JR back to the INC.
const LOOP: [u8; 6] = [0x3C, 0xEA, 0x00, 0xC0, 0x18, 0xFA];
const INC: i32 = roms::CODE;
const STORE: i32 = roms::CODE + 1;

fn stopped(stops: Stops, frames: u32) -> Canonical {
    let mut console = roms::console_at(&roms::cartridge(0, 2, 0, &LOOP), |_| {});
    console.set_stops(stops);
    console.run_frames(frames);
    console.canonical()
}

#[test]
fn a_budget_stops_before_the_instruction_that_would_exceed_it() {
    let state = stopped(Stops { max_instr: Some(4), ..Stops::default() }, 3);
    // Three instructions of the first round, then the INC of the second.
    assert_eq!((state.trap_kind, state.trap_pc, state.trap_opcode), (2, STORE, 0xEA));
    assert_eq!((state.instr_count, state.pc, state.a), (4, STORE, 3));
    assert_eq!(state.cycle_count % 4, 0);
}

#[test]
fn a_break_stops_before_the_instruction_at_its_address_but_not_where_the_console_stands() {
    let at_once = stopped(Stops { break_at: Some(INC as u16), ..Stops::default() }, 1);
    assert_eq!((at_once.trap_kind, at_once.trap_pc, at_once.trap_opcode, at_once.instr_count), (3, INC, 0x3C, 3));
    let ahead = stopped(Stops { break_at: Some(STORE as u16), ..Stops::default() }, 1);
    assert_eq!((ahead.trap_kind, ahead.trap_pc, ahead.instr_count), (3, STORE, 1));
}

#[test]
fn a_watched_write_stops_after_the_instruction_that_wrote() {
    let state = stopped(Stops { watch_write: Some(0xC000), ..Stops::default() }, 1);
    assert_eq!((state.trap_kind, state.trap_pc, state.trap_opcode), (3, STORE, 0xEA));
    assert_eq!((state.pc, state.instr_count), (STORE + 3, 2));
}

#[test]
fn the_push_of_a_dispatch_counts_as_a_write() {
    // EI; NOP; JR back, with a VBlank request pending and enabled.
    let mut console = roms::console_at(&roms::cartridge(0, 2, 0, &[0xFB, 0x00, 0x18, 0xFD]), |state| {
        (state.ie, state.iflag, state.sp) = (1, 1, 0xD000);
    });
    console.set_stops(Stops { watch_write: Some(0xCFFF), ..Stops::default() });
    console.run_frames(1);
    let state = console.canonical();
    assert_eq!((state.trap_kind, state.trap_pc, state.pc), (3, roms::CODE + 2, 0x40));
}

#[test]
fn a_stopped_console_goes_on_as_if_it_had_never_been_stopped() {
    let rom = roms::cartridge(0, 2, 0, &LOOP);
    let mut free = roms::console_at(&rom, |_| {});
    let mut watched = roms::console_at(&rom, |_| {});
    watched.set_stops(Stops { max_instr: Some(1000), ..Stops::default() });
    watched.run_frames(2);
    assert!(watched.is_trapped());
    watched.set_stops(Stops::default());
    watched.run_frames(1);
    free.run_frames(2);
    assert_eq!(free.state_hash(), watched.state_hash());
    watched.set_stops(Stops { break_at: Some(0x4000), max_instr: Some(i64::MAX), watch_write: Some(0xD000) });
    free.run_frames(3);
    watched.run_frames(3);
    assert_eq!(free.state_hash(), watched.state_hash());
}

#[test]
fn an_illegal_opcode_stays_a_trap_of_its_own() {
    let mut console = roms::console_at(&roms::cartridge(0, 2, 0, &[0xD3]), |_| {});
    console.set_stops(Stops { max_instr: Some(100), ..Stops::default() });
    console.run_frames(1);
    assert_eq!(console.canonical().trap_kind, 1);
    console.set_stops(Stops::default());
    assert!(console.is_trapped());
}
