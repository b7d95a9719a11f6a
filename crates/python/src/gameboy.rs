//! Lanes of consoles as a Python object; `worlds/gameboy` presents them.

use gameboy::canonical::{Canonical, FIELDS, field_index};
use gameboy::cartridge::{Cartridge, MapperKind};
use gameboy::console::{Console, StepSchedule};
use gameboy::lanes::Lanes;
use gameboy::machine::Shared;
use gameboy::screen::PictureFormat;
use gameboy::stops::Stops;
use gameboy::trace::TRACE_COLUMNS;
use numpy::ndarray::Array2;
use numpy::{
    Element, PyArray1, PyArray2, PyReadonlyArray1, PyReadwriteArray2, PyReadwriteArray3, PyUntypedArray, ToPyArray,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

mod errors {
    pyo3::import_exception!(diorama.contracts.errors, SnapshotError);
}

use errors::SnapshotError;

/// Many consoles with one cartridge.
#[pyclass(module = "diorama._native")]
pub struct GameboyLanes {
    lanes: Lanes,
    mapper: &'static str,
    cram_bytes: usize,
}

#[pymethods]
impl GameboyLanes {
    #[new]
    #[pyo3(signature = (rom, lanes, *, threads=1, boot=None, picture="none", watch=Vec::new(), cartridge_ram=None, allow_bad_checksum=false))]
    #[expect(clippy::too_many_arguments, reason = "a constructor's keywords")]
    fn new(
        rom: &[u8],
        lanes: usize,
        threads: usize,
        boot: Option<&[u8]>,
        picture: &str,
        watch: Vec<u16>,
        cartridge_ram: Option<&[u8]>,
        allow_bad_checksum: bool,
    ) -> PyResult<Self> {
        let cartridge = Cartridge::new(rom, allow_bad_checksum).map_err(|error| refused(error.to_string()))?;
        let boot = boot.map(boot_stub).transpose()?;
        let format = PictureFormat::named(picture).ok_or_else(|| {
            refused(format!("picture '{picture}' is unknown; use none, shade_full, shade_half or packed2"))
        })?;
        let mapper = match cartridge.mapper() {
            MapperKind::None => "rom_only",
            MapperKind::Mbc1 => "mbc1",
            MapperKind::Mbc3 => "mbc3",
            MapperKind::Mbc5 => "mbc5",
        };
        let cram_bytes = cartridge.ram_bytes().max(1);
        let shared = Shared { cartridge, boot };
        let lanes =
            Lanes::new(shared, lanes, threads, format, watch, cartridge_ram.unwrap_or_default()).map_err(refused)?;
        Ok(Self { lanes, mapper, cram_bytes })
    }

    #[getter]
    fn lanes(&self) -> usize {
        self.lanes.consoles().len()
    }

    #[getter]
    fn mbc_kind(&self) -> &'static str {
        self.mapper
    }

    #[getter]
    fn cram_bytes(&self) -> usize {
        self.cram_bytes
    }

    #[getter]
    fn picture_shape(&self) -> (usize, usize) {
        self.lanes.format().shape()
    }

    #[pyo3(signature = (actions, frames_per_step, release_after_frames, *, picture=None, ram_v3=None, watch=None))]
    #[expect(clippy::too_many_arguments, reason = "arrays alone cross this boundary")]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i32>,
        frames_per_step: u32,
        release_after_frames: u32,
        picture: Option<PyReadwriteArray3<'_, u8>>,
        ram_v3: Option<PyReadwriteArray2<'_, f32>>,
        watch: Option<PyReadwriteArray2<'_, u8>>,
    ) -> PyResult<()> {
        let schedule = StepSchedule::new(frames_per_step, release_after_frames).map_err(refused)?;
        let actions = actions.as_slice()?;
        let lanes = &mut self.lanes;
        py.detach(|| lanes.step(actions, schedule)).map_err(refused)?;
        self.observe(picture, ram_v3, watch)
    }

    #[pyo3(signature = (*, picture=None, ram_v3=None, watch=None))]
    fn observe(
        &self,
        picture: Option<PyReadwriteArray3<'_, u8>>,
        ram_v3: Option<PyReadwriteArray2<'_, f32>>,
        watch: Option<PyReadwriteArray2<'_, u8>>,
    ) -> PyResult<()> {
        if let Some(mut picture) = picture {
            self.lanes.write_pictures(picture.as_slice_mut()?).map_err(refused)?;
        }
        if let Some(mut ram_v3) = ram_v3 {
            self.lanes.write_ram_v3(ram_v3.as_slice_mut()?).map_err(refused)?;
        }
        if let Some(mut watch) = watch {
            self.lanes.write_watched(watch.as_slice_mut()?).map_err(refused)?;
        }
        Ok(())
    }

    fn run_frames(&mut self, py: Python<'_>, frames: u32) {
        let lanes = &mut self.lanes;
        py.detach(|| lanes.run_frames(frames));
    }

    fn press(&mut self, lane: usize, dpad: u8, buttons: u8) -> PyResult<()> {
        if dpad > 15 || buttons > 15 {
            return Err(refused(format!("keys ({dpad}, {buttons}) are no masks of four bits")));
        }
        self.console(lane)?.press(dpad, buttons);
        Ok(())
    }

    #[pyo3(signature = (mask=None))]
    fn power_cycle(&mut self, mask: Option<PyReadonlyArray1<'_, u8>>) -> PyResult<()> {
        let everyone = vec![1; self.lanes.consoles().len()];
        let mask = mask.as_ref().map(|mask| mask.as_slice()).transpose()?.unwrap_or(&everyone);
        self.lanes.power_cycle(mask).map_err(refused)
    }

    fn field<'py>(&mut self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyUntypedArray>> {
        let index = known_field(name)?;
        let values = self.lanes.consoles_mut().iter_mut().map(|console| console.canonical().values()[index]);
        if FIELDS[index].bytes == 8 {
            return array(py, values.collect::<Vec<i64>>());
        }
        array(py, values.map(|value| value as i32).collect::<Vec<i32>>())
    }

    fn set_field(&mut self, name: &str, values: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let index = known_field(name)?;
        let values = values.as_slice()?;
        if values.len() != self.lanes.consoles().len() {
            return Err(refused(format!("{name} has {} values; there must be one for each lane", values.len())));
        }
        values.iter().try_for_each(|&value| FIELDS[index].check(value)).map_err(refused)?;
        for (console, &value) in self.lanes.consoles_mut().iter_mut().zip(values) {
            let mut state = console.canonical().values();
            state[index] = value;
            console.load(&Canonical::from_values(&state).map_err(refused)?);
        }
        Ok(())
    }

    fn state<'py>(&mut self, py: Python<'py>, lane: usize) -> PyResult<Bound<'py, PyArray1<i64>>> {
        Ok(self.console(lane)?.canonical().values().to_pyarray(py))
    }

    fn ram<'py>(&mut self, py: Python<'py>, lane: usize) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Ok(self.console(lane)?.machine().ram().to_pyarray(py))
    }

    fn set_ram(&mut self, lane: usize, values: PyReadonlyArray1<'_, u8>) -> PyResult<()> {
        let console = self.console(lane)?;
        fill("ram", console.machine_mut().ram_mut(), values.as_slice()?)
    }

    fn cram<'py>(&mut self, py: Python<'py>, lane: usize) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Ok(self.console(lane)?.machine().cram().to_pyarray(py))
    }

    fn set_cram(&mut self, lane: usize, values: PyReadonlyArray1<'_, u8>) -> PyResult<()> {
        let console = self.console(lane)?;
        fill("cram", console.machine_mut().cram_mut(), values.as_slice()?)
    }

    fn read_memory<'py>(&mut self, py: Python<'py>, lane: usize, lo: u32, hi: u32) -> PyResult<Bound<'py, PyBytes>> {
        if lo > hi || hi > 0x10000 {
            return Err(refused(format!("the range {lo}..{hi} is not inside 0..65536")));
        }
        let machine = self.console(lane)?.machine();
        let bytes: Vec<u8> = (lo..hi).map(|address| machine.peek(address as u16)).collect();
        Ok(PyBytes::new(py, &bytes))
    }

    fn read_frame<'py>(&mut self, py: Python<'py>, lane: usize) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let (rows, columns) = self.lanes.format().shape();
        let bytes = self.console(lane)?.machine().screen().bytes().to_vec();
        table(py, rows, columns, bytes)
    }

    fn read_serial<'py>(&mut self, py: Python<'py>, lane: usize) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.console(lane)?.machine().serial_bytes()))
    }

    fn drain_serial<'py>(&mut self, py: Python<'py>, lane: usize) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.console(lane)?.machine_mut().drain_serial()))
    }

    fn snapshot<'py>(&mut self, py: Python<'py>, lane: usize) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.console(lane)?.save()))
    }

    fn restore(&mut self, lane: usize, data: &[u8]) -> PyResult<()> {
        self.console(lane)?.restore(data).map_err(SnapshotError::new_err)
    }

    fn state_words<'py>(&mut self, py: Python<'py>, lane: usize) -> PyResult<Bound<'py, PyArray1<u64>>> {
        Ok(PyArray1::from_vec(py, self.console(lane)?.state_words()))
    }

    fn state_hash(&mut self, lane: usize) -> PyResult<u64> {
        Ok(self.console(lane)?.state_hash())
    }

    fn capture(&mut self, lane: usize, slot: usize) -> PyResult<()> {
        self.lanes.capture(lane, slot).map_err(refused)
    }

    fn restore_golden(
        &mut self,
        py: Python<'_>,
        mask: PyReadonlyArray1<'_, u8>,
        slots: PyReadonlyArray1<'_, i32>,
    ) -> PyResult<()> {
        let (mask, slots) = (mask.as_slice()?, slots.as_slice()?);
        let lanes = &mut self.lanes;
        py.detach(|| lanes.restore_golden(mask, slots)).map_err(refused)
    }

    #[pyo3(signature = (*, max_instr=None, break_at=None, watch_write=None))]
    fn set_stops(&mut self, max_instr: Option<i64>, break_at: Option<u16>, watch_write: Option<u16>) {
        let stops = Stops { max_instr, break_at, watch_write };
        self.lanes.consoles_mut().iter_mut().for_each(|console| console.set_stops(stops));
    }

    fn trace<'py>(&mut self, py: Python<'py>, lane: usize, count: usize) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let console = self.console(lane)?;
        let rows = py.detach(|| console.trace(count));
        table(py, rows.len(), TRACE_COLUMNS.len(), rows.into_flattened())
    }
}

impl GameboyLanes {
    fn console(&mut self, lane: usize) -> PyResult<&mut Console> {
        let lanes = self.lanes.consoles().len();
        self.lanes
            .consoles_mut()
            .get_mut(lane)
            .ok_or_else(|| refused(format!("lane {lane} is outside 0..{}", lanes.saturating_sub(1))))
    }
}

fn refused(message: String) -> PyErr {
    PyValueError::new_err(message)
}

fn boot_stub(bytes: &[u8]) -> PyResult<[u8; 256]> {
    bytes.try_into().map_err(|_| refused(format!("the boot stub has {} bytes; it must have 256", bytes.len())))
}

fn known_field(name: &str) -> PyResult<usize> {
    field_index(name).ok_or_else(|| refused(format!("a console has no field '{name}'")))
}

fn array<T: Element>(py: Python<'_>, values: Vec<T>) -> PyResult<Bound<'_, PyUntypedArray>> {
    Ok(PyArray1::from_vec(py, values).into_any().cast_into()?)
}

fn fill(name: &str, target: &mut [u8], values: &[u8]) -> PyResult<()> {
    if values.len() != target.len() {
        return Err(refused(format!("{name} has {} bytes; it must have {}", values.len(), target.len())));
    }
    target.copy_from_slice(values);
    Ok(())
}

fn table<T: Element>(py: Python<'_>, rows: usize, columns: usize, values: Vec<T>) -> PyResult<Bound<'_, PyArray2<T>>> {
    let table = Array2::from_shape_vec((rows, columns), values);
    Ok(table.map_err(|error| refused(error.to_string()))?.to_pyarray(py))
}

/// Adds the class to the compiled module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<GameboyLanes>()
}
