//! Lines of shades: background, window and objects.

mod roms;

use gameboy::canonical::Canonical;
use gameboy::memory::{OAM, Ram};
use gameboy::screen::{HEIGHT, PictureFormat};
use roms::{cartridge, console, console_at};

const WIDTH: usize = 160;
const ON: i32 = 0x80;
const BACKGROUND: i32 = 0x01;
const OBJECTS: i32 = 0x02;
const UNSIGNED_TILES: i32 = 0x10;
const WINDOW: i32 = 0x20;
const WINDOW_MAP: i32 = 0x40;
const SPIN: [u8; 2] = [0x18, 0xFE];

/// Draws one whole frame with tile `n` filled with color `n`.
fn draw(registers: impl FnOnce(&mut Canonical), memory: impl FnOnce(&mut Ram)) -> Vec<u8> {
    let mut console = console_at(&cartridge(0, 2, 0, &SPIN), |state| {
        (state.line, state.dot, state.bgp, state.obp0, state.obp1) = (0, 8, 0xE4, 0xE4, 0x1B);
        registers(state);
    });
    let ram = console.machine_mut().ram_mut();
    for tile in 0..4usize {
        for row in 0..8 {
            ram[16 * tile + 2 * row] = if tile & 1 != 0 { 0xFF } else { 0 };
            ram[16 * tile + 2 * row + 1] = if tile & 2 != 0 { 0xFF } else { 0 };
        }
    }
    memory(ram);
    console.run_frame(true);
    console.machine().screen().bytes().to_vec()
}

fn at(picture: &[u8], line: usize, column: usize) -> u8 {
    picture[line * WIDTH + column]
}

#[test]
fn the_background_scrolls_and_wraps() {
    let picture = draw(
        |state| (state.lcdc, state.scx, state.scy) = (ON | BACKGROUND | UNSIGNED_TILES, 252, 255),
        |ram| ram[0x1800] = 3,
    );

    let column: Vec<u8> = (0..14).map(|x| at(&picture, 1, x)).collect();
    assert_eq!(column, [0, 0, 0, 0, 3, 3, 3, 3, 3, 3, 3, 3, 0, 0]);
    assert_eq!((at(&picture, 0, 4), at(&picture, 8, 4), at(&picture, 9, 4)), (0, 3, 0));
}

#[test]
fn signed_tile_numbers_count_from_9000() {
    let picture = draw(
        |state| state.lcdc = ON | BACKGROUND,
        |ram| {
            ram[0x1800] = 0x80;
            ram[0x800] = 0xFF;
        },
    );

    assert_eq!((at(&picture, 0, 0), at(&picture, 1, 0)), (1, 0));
}

#[test]
fn the_window_keeps_its_own_line_counter() {
    let picture = draw(
        |state| {
            state.lcdc = ON | BACKGROUND | UNSIGNED_TILES | WINDOW | WINDOW_MAP;
            (state.wy, state.wx, state.scy) = (20, 87, 100);
        },
        |ram| ram[0x1C00..0x1C20].fill(2),
    );

    assert_eq!((at(&picture, 19, 100), at(&picture, 20, 79), at(&picture, 20, 80)), (0, 0, 2));
    assert_eq!((at(&picture, 27, 80), at(&picture, 28, 80)), (2, 0));
}

#[test]
fn without_the_background_there_is_no_window() {
    let picture = draw(
        |state| (state.lcdc, state.wy, state.wx, state.bgp) = (ON | UNSIGNED_TILES | WINDOW, 0, 7, 0xE7),
        |ram| ram[0x1800..0x1C00].fill(2),
    );

    assert!(picture.iter().all(|&shade| shade == 3));
}

#[test]
fn the_object_with_the_smallest_x_wins_and_its_own_priority_decides() {
    let picture = draw(
        |state| state.lcdc = ON | BACKGROUND | UNSIGNED_TILES | OBJECTS,
        |ram| {
            ram[0x1800..0x1C00].fill(1);
            ram[OAM..OAM + 12].copy_from_slice(&[16, 14, 3, 0, 16, 12, 2, 0x80, 32, 8, 3, 0x10]);
        },
    );

    // The second object is first by X, hides behind color 1, and still keeps the first one away.
    let row: Vec<u8> = (3..15).map(|x| at(&picture, 0, x)).collect();
    assert_eq!(row, [1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 1]);
    assert_eq!(at(&picture, 16, 0), 0);
}

#[test]
fn the_eleventh_object_of_a_line_is_not_shown() {
    let picture = draw(
        |state| state.lcdc = ON | BACKGROUND | UNSIGNED_TILES | OBJECTS,
        |ram| {
            for object in 0..11 {
                let x = if object < 10 { 200 } else { 8 };
                ram[OAM + 4 * object..OAM + 4 * object + 4].copy_from_slice(&[16, x, 3, 0]);
            }
        },
    );

    assert!(picture.iter().all(|&shade| shade == 0));
}

#[test]
fn tall_objects_flip_over_their_whole_height() {
    let picture = draw(
        |state| state.lcdc = ON | BACKGROUND | UNSIGNED_TILES | OBJECTS | 0x04,
        |ram| ram[OAM..OAM + 4].copy_from_slice(&[16, 8, 3, 0x40]),
    );

    // Tiles 2 and 3, upside down.
    assert_eq!((at(&picture, 0, 0), at(&picture, 8, 0), at(&picture, 16, 0)), (3, 2, 0));
}

#[test]
fn half_and_packed_pictures_hold_every_second_pixel() {
    let rom = cartridge(0, 2, 0, &SPIN);
    let pictures = [PictureFormat::ShadeFull, PictureFormat::ShadeHalf, PictureFormat::Packed2].map(|format| {
        let mut console = console(&rom, format);
        for (place, byte) in console.machine_mut().ram_mut()[..0x1C00].iter_mut().enumerate() {
            *byte = (place * 37 + place / 16) as u8;
        }
        console.run_frames(3);
        console.machine().screen().bytes().to_vec()
    });
    let [full, half, packed] = &pictures;

    let expected: Vec<u8> = (0..HEIGHT / 2)
        .flat_map(|row| (0..WIDTH / 2).map(move |column| (row, column)))
        .map(|(r, c)| at(full, 2 * r, 2 * c))
        .collect();
    assert!(full.iter().any(|&shade| shade > 0));
    assert_eq!(half, &expected);
    let unpacked: Vec<u8> = packed.iter().flat_map(|byte| [0, 2, 4, 6].map(|shift| byte >> shift & 3)).collect();
    assert_eq!(&unpacked, half);
}

#[test]
fn the_first_frame_after_the_lcd_goes_on_is_blank() {
    // XOR A; LDH ($40),A; LD A,$91; LDH ($40),A; JR -2.
    let rom = cartridge(0, 2, 0, &[0xAF, 0xE0, 0x40, 0x3E, 0x91, 0xE0, 0x40, 0x18, 0xFE]);
    let mut console = console_at(&rom, |state| (state.line, state.dot, state.bgp) = (10, 0, 0xFF));

    let shown: Vec<u8> = (0..5)
        .map(|_| {
            console.run_frame(true);
            console.machine().screen().bytes()[0]
        })
        .collect();

    // Switched off, switched on, the blank frame, then pictures.
    assert_eq!(shown, [0, 0, 0, 3, 3]);
}
