//! Between the form in which a console runs and the canonical one.

use crate::canonical::Canonical;
use crate::console::Console;
use crate::cpu::Cpu;
use crate::dma::Dma;
use crate::machine::BOOT_BYTES;
use crate::ppu::Ppu;
use crate::timer::Timer;

impl Console {
    /// The canonical scalars; everything is brought up to date first.
    pub fn canonical(&mut self) -> Canonical {
        let machine = &mut self.machine;
        machine.sync();
        machine.dma.finish(machine.now);
        if machine.shared.cartridge.has_clock {
            machine.mapper.clock.sync(machine.now);
        }
        let machine = &self.machine;
        let (now, ppu, mapper) = (machine.now, &machine.ppu, &machine.mapper);
        let (live, latched) = (mapper.clock.live.map(i32::from), mapper.clock.latched.map(i32::from));
        self.cpu.put_into(Canonical {
            ie: machine.ie.into(),
            iflag: machine.iflag.into(),
            div16: machine.timer.div16(now).into(),
            tima: machine.timer.tima.into(),
            tma: machine.timer.tma.into(),
            tac: machine.timer.tac.into(),
            tima_state: machine.timer.has_overflowed.into(),
            sb: machine.serial.sb.into(),
            sc: machine.serial.sc.into(),
            ser_bits: machine.serial.bits_left.into(),
            serial_len: machine.serial.captured.len() as i32,
            serial_overflow: machine.serial.has_lost_bytes.into(),
            joy_select: machine.joypad.select.into(),
            dpad: machine.joypad.dpad.into(),
            buttons: machine.joypad.buttons.into(),
            lcdc: ppu.lcdc.into(),
            stat_en: ppu.stat_en.into(),
            lyc_flag: ppu.lyc_flag.into(),
            scy: ppu.scy.into(),
            scx: ppu.scx.into(),
            lyc: ppu.lyc.into(),
            bgp: ppu.bgp.into(),
            obp0: ppu.obp0.into(),
            obp1: ppu.obp1.into(),
            wy: ppu.wy.into(),
            wx: ppu.wx.into(),
            line: ppu.line,
            dot: ppu.dot(now),
            lcd_first: ppu.is_first_line.into(),
            lcd_blank: ppu.is_blank.into(),
            stat_irq_line: ppu.irq_line.into(),
            stat_src: ppu.stat_src.into(),
            mode3_end: ppu.mode3_end,
            win_trig: ppu.win_trig.into(),
            win_line: ppu.win_line,
            dma_reg: machine.dma.register.into(),
            dma_t: Dma::age(machine.dma.running, now).unwrap_or(-1),
            dma_next: machine.dma.next.map_or(-1, |next| next.page.into()),
            dma_next_t: Dma::age(machine.dma.next, now).unwrap_or(0),
            boot_mapped: (machine.boot_end > 0).into(),
            ram_enable: mapper.is_ram_enabled.into(),
            bank1: mapper.bank1.into(),
            bank2: mapper.bank2.into(),
            bank_mode: mapper.bank_mode.into(),
            rtc_select: mapper.rtc_select.into(),
            rtc_latch_armed: mapper.clock.is_latch_armed.into(),
            rtc_s: live[0],
            rtc_m: live[1],
            rtc_h: live[2],
            rtc_dl: live[3],
            rtc_dh: live[4],
            rtcl_s: latched[0],
            rtcl_m: latched[1],
            rtcl_h: latched[2],
            rtcl_dl: latched[3],
            rtcl_dh: latched[4],
            rtc_sub: mapper.clock.sub as i32,
            cycle_count: now,
            frame_count: self.frame_count,
            frame_clock: machine.frame_clock() as i32,
            ..Canonical::default()
        })
    }

    /// Takes over canonical scalars; memory, cartridge RAM and the captured serial bytes stay.
    pub fn load(&mut self, state: &Canonical) {
        self.cpu = Cpu { now: state.cycle_count, ..Cpu::from_canonical(state) };
        self.frame_count = state.frame_count;
        let machine = &mut self.machine;
        machine.now = state.cycle_count;
        machine.next_due = 0;
        machine.ie = state.ie as u8;
        machine.iflag = state.iflag as u8;
        machine.boot_end = if state.boot_mapped != 0 { BOOT_BYTES } else { 0 };
        machine.frame_base = state.cycle_count - i64::from(state.frame_clock);
        self.load_timing(state);
        self.load_ppu(state);
        self.load_mapper(state);
    }

    fn load_timing(&mut self, state: &Canonical) {
        let machine = &mut self.machine;
        let now = state.cycle_count;
        machine.timer = Timer::new(now, state.div16 as u16);
        machine.timer.tima = state.tima as u8;
        machine.timer.tma = state.tma as u8;
        machine.timer.tac = state.tac as u8;
        machine.timer.has_overflowed = state.tima_state != 0;
        machine.serial.synced = now;
        machine.serial.sb = state.sb as u8;
        machine.serial.sc = state.sc as u8 & 0x81;
        machine.serial.bits_left = state.ser_bits as u8;
        machine.serial.has_lost_bytes = state.serial_overflow != 0;
        machine.serial.captured.resize(state.serial_len as usize, 0);
        machine.joypad.select = state.joy_select as u8 & 0x30;
        machine.joypad.dpad = state.dpad as u8;
        machine.joypad.buttons = state.buttons as u8;
        machine.dma = Dma::restored(state.dma_reg as u8, state.dma_t, state.dma_next, state.dma_next_t, now);
    }

    fn load_ppu(&mut self, state: &Canonical) {
        let is_drawing = self.machine.ppu.is_drawing;
        let ppu = &mut self.machine.ppu;
        *ppu = Ppu {
            lcdc: state.lcdc as u8,
            stat_en: state.stat_en as u8 & 0x78,
            lyc_flag: state.lyc_flag != 0,
            scy: state.scy as u8,
            scx: state.scx as u8,
            lyc: state.lyc as u8,
            bgp: state.bgp as u8,
            obp0: state.obp0 as u8,
            obp1: state.obp1 as u8,
            wy: state.wy as u8,
            wx: state.wx as u8,
            line: state.line,
            line_start: state.cycle_count - i64::from(state.dot),
            is_first_line: state.lcd_first != 0,
            is_blank: state.lcd_blank != 0,
            irq_line: state.stat_irq_line != 0,
            stat_src: state.stat_src as i8,
            mode3_end: state.mode3_end,
            win_trig: state.win_trig != 0,
            win_line: state.win_line,
            is_drawing,
            ..Ppu::default()
        };
        ppu.resume(state.dot, &self.machine.ram);
    }

    fn load_mapper(&mut self, state: &Canonical) {
        let machine = &mut self.machine;
        let mapper = &mut machine.mapper;
        mapper.is_ram_enabled = state.ram_enable != 0;
        mapper.bank1 = state.bank1 as u16;
        mapper.bank2 = state.bank2 as u8;
        mapper.bank_mode = state.bank_mode as u8;
        mapper.rtc_select = state.rtc_select as u8;
        mapper.select(&machine.shared.cartridge);
        let clock = &mut mapper.clock;
        clock.synced = state.cycle_count;
        clock.sub = state.rtc_sub.into();
        clock.is_latch_armed = state.rtc_latch_armed != 0;
        clock.live = [state.rtc_s, state.rtc_m, state.rtc_h, state.rtc_dl, state.rtc_dh].map(|value| value as u8);
        clock.latched =
            [state.rtcl_s, state.rtcl_m, state.rtcl_h, state.rtcl_dl, state.rtcl_dh].map(|value| value as u8);
    }
}
