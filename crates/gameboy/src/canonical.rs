//! The canonical state of a console (section 6): every scalar in table order, from one list.

/// Version of the list below; changing the list means a new version and a note here on how to convert.
pub const ABI_VERSION: u32 = 1;

/// One scalar of the canonical state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name in savestates.
    pub name: &'static str,
    /// Bytes in savestates: 4, or 8 for counters.
    pub bytes: usize,
    /// Least value.
    pub low: i64,
    /// Greatest value.
    pub high: i64,
}

macro_rules! canonical_fields {
    ($($name:ident : $kind:ty, $low:literal ..= $high:expr;)*) => {
        /// Every scalar of a console in table order.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the names are those of the specification's table")]
        pub struct Canonical {
            $(pub $name: $kind,)*
        }

        /// The fields in table order.
        pub const FIELDS: &[Field] = &[
            $(Field { name: stringify!($name), bytes: size_of::<$kind>(), low: $low, high: $high },)*
        ];

        impl Canonical {
            /// Values in table order.
            #[must_use]
            pub fn values(&self) -> Vec<i64> {
                vec![$(i64::from(self.$name),)*]
            }

            /// Builds the state from values in table order.
            ///
            /// # Errors
            /// Names the first value that is missing, left over or out of range.
            pub fn from_values(values: &[i64]) -> Result<Self, String> {
                check(values)?;
                let mut rest = values.iter();
                Ok(Self { $($name: *rest.next().unwrap_or(&0) as $kind,)* })
            }
        }
    };
}

canonical_fields! {
    pc: i32, 0..=0xFFFF;
    sp: i32, 0..=0xFFFF;
    a: i32, 0..=0xFF;
    f: i32, 0..=0xF0;
    b: i32, 0..=0xFF;
    c: i32, 0..=0xFF;
    d: i32, 0..=0xFF;
    e: i32, 0..=0xFF;
    h: i32, 0..=0xFF;
    l: i32, 0..=0xFF;
    ime: i32, 0..=1;
    ei_delay: i32, 0..=1;
    halted: i32, 0..=1;
    halt_bug: i32, 0..=1;
    dispatch_pending: i32, 0..=1;
    trap_kind: i32, 0..=3;
    trap_pc: i32, 0..=0xFFFF;
    trap_opcode: i32, 0..=0xFF;
    ie: i32, 0..=0xFF;
    iflag: i32, 0..=0x1F;
    div16: i32, 0..=0xFFFC;
    tima: i32, 0..=0xFF;
    tma: i32, 0..=0xFF;
    tac: i32, 0..=7;
    tima_state: i32, 0..=1;
    sb: i32, 0..=0xFF;
    sc: i32, 0..=0x81;
    ser_bits: i32, 0..=8;
    serial_len: i32, 0..=1024;
    serial_overflow: i32, 0..=1;
    joy_select: i32, 0..=0x30;
    dpad: i32, 0..=0xF;
    buttons: i32, 0..=0xF;
    lcdc: i32, 0..=0xFF;
    stat_en: i32, 0..=0x78;
    lyc_flag: i32, 0..=1;
    scy: i32, 0..=0xFF;
    scx: i32, 0..=0xFF;
    lyc: i32, 0..=0xFF;
    bgp: i32, 0..=0xFF;
    obp0: i32, 0..=0xFF;
    obp1: i32, 0..=0xFF;
    wy: i32, 0..=0xFF;
    wx: i32, 0..=0xFF;
    line: i32, 0..=153;
    dot: i32, 0..=452;
    lcd_first: i32, 0..=1;
    lcd_blank: i32, 0..=1;
    stat_irq_line: i32, 0..=1;
    stat_src: i32, -1..=2;
    mode3_end: i32, 0..=372;
    win_trig: i32, 0..=1;
    win_line: i32, 0..=144;
    dma_reg: i32, 0..=0xFF;
    dma_t: i32, -1..=161;
    dma_next: i32, -1..=0xFF;
    dma_next_t: i32, 0..=1;
    boot_mapped: i32, 0..=1;
    ram_enable: i32, 0..=1;
    bank1: i32, 0..=0x1FF;
    bank2: i32, 0..=15;
    bank_mode: i32, 0..=1;
    rtc_select: i32, 0..=12;
    rtc_latch_armed: i32, 0..=1;
    rtc_s: i32, 0..=0x3F;
    rtc_m: i32, 0..=0x3F;
    rtc_h: i32, 0..=0x1F;
    rtc_dl: i32, 0..=0xFF;
    rtc_dh: i32, 0..=0xC1;
    rtcl_s: i32, 0..=0x3F;
    rtcl_m: i32, 0..=0x3F;
    rtcl_h: i32, 0..=0x1F;
    rtcl_dl: i32, 0..=0xFF;
    rtcl_dh: i32, 0..=0xC1;
    rtc_sub: i32, 0..=4_194_303;
    cycle_count: i64, 0..=i64::MAX / 2;
    instr_count: i64, 0..=i64::MAX / 2;
    frame_count: i64, 0..=i64::MAX / 2;
    frame_clock: i32, 0..=71_000;
}

/// Place of a field in the list.
#[must_use]
pub fn field_index(name: &str) -> Option<usize> {
    FIELDS.iter().position(|field| field.name == name)
}

/// Fields that count T-cycles and are multiples of four.
const SLOTTED: [&str; 4] = ["div16", "dot", "cycle_count", "frame_clock"];

fn check(values: &[i64]) -> Result<(), String> {
    if values.len() != FIELDS.len() {
        return Err(format!("{} values are no console; there must be {}", values.len(), FIELDS.len()));
    }
    FIELDS.iter().zip(values).try_for_each(|(field, &value)| field.check(value))
}

impl Field {
    /// Refuses a value that the field cannot have.
    pub fn check(&self, value: i64) -> Result<(), String> {
        if !(self.low..=self.high).contains(&value) {
            return Err(format!("{} = {value} is outside {}..{}", self.name, self.low, self.high));
        }
        if SLOTTED.contains(&self.name) && value % 4 != 0 {
            return Err(format!("{} = {value} must be a multiple of 4", self.name));
        }
        Ok(())
    }
}
