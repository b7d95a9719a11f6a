//! Cartridges (section 16): what the header says, checked once and shared by all lanes.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// Bytes of one switchable ROM bank.
pub const ROM_BANK: usize = 0x4000;
const MIN_ROM: usize = 2 * ROM_BANK;
/// The widest mapper selects 512 banks.
const MAX_ROM: usize = 512 * ROM_BANK;
const TYPE: usize = 0x147;
const RAM_SIZE: usize = 0x149;
const CGB_FLAG: usize = 0x143;
const CHECKSUM: usize = 0x14D;
const CGB_ONLY: u8 = 0xC0;

/// The chip that switches banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapperKind {
    /// No chip.
    None,
    /// MBC1.
    Mbc1,
    /// MBC3.
    Mbc3,
    /// MBC5.
    Mbc5,
}

/// Why bytes are not a cartridge that runs here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CartridgeError {
    /// The file's length is not a number of banks.
    Length(usize),
    /// The header's checksum is wrong.
    Checksum {
        /// Sum over the header.
        computed: u8,
        /// What the header says.
        stored: u8,
    },
    /// The cartridge asks for the color console.
    ColorOnly,
    /// The chip is not one of those known here.
    Type(u8),
    /// The RAM size code means nothing.
    RamSize(u8),
}

impl Display for CartridgeError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(found) => {
                let rule = format!("a multiple of {ROM_BANK}, at most {MAX_ROM}");
                write!(f, "a ROM of {found} bytes is no cartridge; the length must be {rule}")
            }
            Self::Checksum { computed, stored } => {
                write!(f, "the header checksum is ${stored:02X}; its bytes sum to ${computed:02X}")
            }
            Self::ColorOnly => write!(f, "the cartridge runs on the color console only (CGB flag $C0 and above)"),
            Self::Type(byte) => {
                write!(f, "cartridge type ${byte:02X} is not supported; use ROM only, MBC1, MBC3 or MBC5")
            }
            Self::RamSize(byte) => write!(f, "RAM size code ${byte:02X} is unknown; it must be 0 to 5"),
        }
    }
}

impl Error for CartridgeError {}

/// A cartridge without its RAM: nothing here changes while a console runs.
#[derive(Clone, Debug)]
pub struct Cartridge {
    pub(crate) rom: Arc<[u8]>,
    pub(crate) mapper: MapperKind,
    pub(crate) has_clock: bool,
    pub(crate) has_rumble: bool,
    pub(crate) ram_bytes: usize,
}

impl Cartridge {
    /// Reads the header and pads the ROM to a power of two.
    pub fn new(rom: &[u8], allow_bad_checksum: bool) -> Result<Self, CartridgeError> {
        if rom.is_empty() || rom.len() > MAX_ROM || !rom.len().is_multiple_of(ROM_BANK) {
            return Err(CartridgeError::Length(rom.len()));
        }
        let computed = rom[0x134..CHECKSUM].iter().fold(0u8, |sum, &byte| sum.wrapping_sub(byte).wrapping_sub(1));
        if computed != rom[CHECKSUM] && !allow_bad_checksum {
            return Err(CartridgeError::Checksum { computed, stored: rom[CHECKSUM] });
        }
        if rom[CGB_FLAG] & CGB_ONLY == CGB_ONLY {
            return Err(CartridgeError::ColorOnly);
        }
        let kind = rom[TYPE];
        let mapper = match kind {
            0x00 | 0x08 | 0x09 => MapperKind::None,
            0x01..=0x03 => MapperKind::Mbc1,
            0x0F..=0x13 => MapperKind::Mbc3,
            0x19..=0x1E => MapperKind::Mbc5,
            other => return Err(CartridgeError::Type(other)),
        };
        let coded = match rom[RAM_SIZE] {
            0 => 0,
            1 => 0x800,
            2 => 0x2000,
            3 => 0x8000,
            4 => 0x20000,
            5 => 0x10000,
            other => return Err(CartridgeError::RamSize(other)),
        };
        let mut padded = rom.to_vec();
        padded.resize(rom.len().next_power_of_two().max(MIN_ROM), 0xFF);
        Ok(Self {
            rom: padded.into(),
            mapper,
            has_clock: matches!(kind, 0x0F | 0x10),
            has_rumble: matches!(kind, 0x1C..=0x1E),
            ram_bytes: if has_ram(kind) { coded } else { 0 },
        })
    }

    /// The chip that switches banks.
    #[must_use]
    pub const fn mapper(&self) -> MapperKind {
        self.mapper
    }

    /// Bytes of cartridge RAM, 0 without any.
    #[must_use]
    pub const fn ram_bytes(&self) -> usize {
        self.ram_bytes
    }

    /// Bytes of the padded ROM.
    #[must_use]
    pub fn rom_bytes(&self) -> usize {
        self.rom.len()
    }

    pub(crate) fn bank_mask(&self) -> usize {
        self.rom.len() / ROM_BANK - 1
    }
}

/// Whether cartridges of a type carry RAM; in the others the size code means nothing.
const fn has_ram(kind: u8) -> bool {
    matches!(kind, 0x02 | 0x03 | 0x08 | 0x09 | 0x10 | 0x12 | 0x13 | 0x1A | 0x1B | 0x1D | 0x1E)
}
