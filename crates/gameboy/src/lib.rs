//! The fast tier of gameboy: batches of Game Boys, exact at every bus slot.

mod bus;
pub mod canonical;
pub mod cartridge;
pub mod console;
mod conversion;
pub mod cpu;
mod dma;
pub mod flat;
pub mod joypad;
pub mod lanes;
pub mod machine;
mod mapper;
pub mod memory;
pub mod observe;
mod power_on;
mod ppu;
mod registers;
mod rtc;
pub mod savestate;
pub mod schedule;
pub mod screen;
pub mod serial;
pub mod stops;
mod timer;
pub mod trace;
