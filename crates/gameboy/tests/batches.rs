//! Many lanes: threads, golden states, savestates and observations.

mod roms;

use gameboy::canonical::FIELDS;
use gameboy::cartridge::Cartridge;
use gameboy::console::StepSchedule;
use gameboy::lanes::Lanes;
use gameboy::machine::Shared;
use gameboy::observe::RAM_V3;
use gameboy::savestate::scalar_bytes;
use gameboy::screen::PictureFormat;
use roms::cartridge;

/// Reads the D-pad into `$C000` for ever: LD A,$20; LDH ($00),A; LDH A,($00); LD ($C000),A; JR.
const ECHO: [u8; 11] = [0x3E, 0x20, 0xE0, 0x00, 0xF0, 0x00, 0xEA, 0x00, 0xC0, 0x18, 0xF5];

fn lanes(count: usize, threads: usize) -> Lanes {
    let cartridge = Cartridge::new(&cartridge(3, 2, 2, &ECHO), false).expect("the cartridge is in order");
    let shared = Shared { cartridge, boot: None };
    Lanes::new(shared, count, threads, PictureFormat::Packed2, vec![0xC000, 0xFF44], &[]).expect("the lanes start")
}

fn schedule(frames: u32, release: u32) -> StepSchedule {
    StepSchedule::new(frames, release).expect("the schedule is in order")
}

fn hashes(lanes: &mut Lanes) -> Vec<u64> {
    lanes.consoles_mut().iter_mut().map(|console| console.state_hash()).collect()
}

#[test]
fn threads_do_not_change_results() {
    let actions: Vec<i32> = (0..33).map(|lane| lane % 9 - 1).collect();
    let results: Vec<Vec<u64>> = [1, 3]
        .map(|threads| {
            let mut lanes = lanes(33, threads);
            for _ in 0..3 {
                lanes.step(&actions, schedule(4, 2)).expect("the actions fit");
            }
            hashes(&mut lanes)
        })
        .to_vec();

    assert_eq!(results[0], results[1]);
}

#[test]
fn every_action_presses_its_keys_until_the_release() {
    let mut lanes = lanes(10, 1);
    let actions: Vec<i32> = (-1..9).collect();

    let mut watched = vec![0; 20];
    lanes.step(&actions, schedule(3, 3)).expect("the actions fit");
    lanes.write_watched(&mut watched).expect("the buffer fits");
    let pressed: Vec<u8> = watched.chunks(2).map(|bytes| !bytes[0] & 15).collect();
    lanes.step(&actions, schedule(3, 1)).expect("the actions fit");
    lanes.write_watched(&mut watched).expect("the buffer fits");

    assert_eq!(pressed, [0, 0, 0, 0, 0, 4, 8, 2, 1, 0]);
    assert!(watched.chunks(2).all(|bytes| bytes[0] & 15 == 15));
}

#[test]
fn masked_lanes_return_to_their_golden_state_and_others_go_on() {
    let mut lanes = lanes(3, 1);
    lanes.step(&[1, 2, 3], schedule(2, 1)).expect("the actions fit");
    lanes.capture(1, 4).expect("there is a lane 1");
    let golden = hashes(&mut lanes)[1];
    lanes.step(&[4, 5, 6], schedule(2, 1)).expect("the actions fit");
    let before = hashes(&mut lanes);

    lanes.restore_golden(&[1, 0, 7], &[4, 4, 4]).expect("the slot is filled");

    assert_eq!(hashes(&mut lanes), [golden, before[1], golden]);
    assert!(lanes.restore_golden(&[1, 0, 0], &[3, 0, 0]).is_err());
    assert!(lanes.restore_golden(&[1, 0], &[4, 4]).is_err());
}

#[test]
fn a_restored_console_goes_on_as_the_saved_one() {
    let mut lanes = lanes(2, 1);
    lanes.step(&[4, 0], schedule(5, 2)).expect("the actions fit");
    let saved = lanes.consoles_mut()[0].save();

    lanes.consoles_mut()[1].restore(&saved).expect("a saved console restores");
    lanes.step(&[5, 5], schedule(5, 2)).expect("the actions fit");

    let after = hashes(&mut lanes);
    assert_eq!(after[0], after[1]);
}

#[test]
fn bytes_that_are_no_console_change_nothing() {
    let mut lanes = lanes(1, 1);
    let console = &mut lanes.consoles_mut()[0];
    let saved = console.save();
    let line = FIELDS.iter().take_while(|field| field.name != "line").map(|field| field.bytes).sum::<usize>();
    let mut wrong = saved.clone();
    wrong[line] = 200;

    assert!(console.restore(&saved[..100]).is_err());
    assert!(console.restore(&wrong).expect_err("no line 200").contains("line = 200"));
    assert!(console.restore(&[&saved[..], &[0]].concat()).is_err());
    assert_eq!(console.save(), saved);
    assert!(line < scalar_bytes());
}

#[test]
fn a_power_cycle_starts_again() {
    let mut lanes = lanes(2, 1);
    let fresh = hashes(&mut lanes);
    lanes.run_frames(3);
    let run = hashes(&mut lanes);

    lanes.power_cycle(&[0, 1]).expect("the mask fits");

    assert_eq!(hashes(&mut lanes), [run[0], fresh[1]]);
}

#[test]
fn ram_v3_tells_registers_memory_and_mixes() {
    let mut lanes = lanes(1, 1);
    lanes.consoles_mut()[0].machine_mut().ram_mut()[0x2000..0x2008].copy_from_slice(&[3, 5, 7, 250, 1, 2, 3, 4]);

    let mut numbers = vec![0.0; RAM_V3];
    lanes.write_ram_v3(&mut numbers).expect("the buffer fits");

    let byte = |value: u8| f32::from(value) / 255.0;
    assert_eq!(numbers[0], 256.0 / 65535.0);
    assert_eq!(numbers[2..4], [byte(0x01), byte(0xB0)]);
    assert_eq!(numbers[10..14], [3, 5, 7, 250].map(byte));
    let mixes = [3 ^ 5, 7u8.wrapping_add(250u8.wrapping_mul(5)), 1 ^ 0x01, 2, 3 ^ 0x13, 4];
    assert_eq!(numbers[26..], mixes.map(byte));
}

#[test]
fn schedules_outside_their_limits_are_refused() {
    assert!(StepSchedule::new(0, 0).is_err());
    assert!(StepSchedule::new(4, 5).is_err());
    assert!(StepSchedule::new(4, 4).is_ok());
}
