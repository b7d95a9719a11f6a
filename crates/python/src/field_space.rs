//! A field space as a Python object; the twin with docstrings is `worlds/tidebreak/reference/fields/space.py`.

use kernel::state_hash::{WordWriter, hash_words};
use morphospace::constants::{N_DYNAMIC, N_LAYERS};
use morphospace::{
    DEFAULT_SHELLS, Effect, FieldSpace as Space, Mod, Observer, Op, Settings, Shape, Shell, Stamp, VolumeQuery,
};
use numpy::ndarray::Array2;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyDict;

mod errors {
    pyo3::import_exception!(diorama.contracts.errors, ConfigError);
    pyo3::import_exception!(diorama.contracts.errors, ContractError);
    pyo3::import_exception!(diorama.contracts.errors, SnapshotError);
}

use errors::{ConfigError, ContractError, SnapshotError};

type ModValues = (i64, i64, f64, f64);
type ShellValues = (f64, f64, i64, i64);

/// Fields over three layers of cells.
#[pyclass(module = "diorama._native")]
pub struct FieldSpace {
    space: Space,
}

#[pymethods]
impl FieldSpace {
    #[new]
    #[pyo3(signature = (bounds, *, field_period=2, max_bricks=192, temperature=None, is_dynamic=true, diffusivity=None, decay=None))]
    fn new(
        bounds: [f64; 4],
        field_period: i64,
        max_bricks: i64,
        temperature: Option<Vec<f64>>,
        is_dynamic: bool,
        diffusivity: Option<Vec<f64>>,
        decay: Option<Vec<f64>>,
    ) -> PyResult<Self> {
        let usual = Settings::default();
        let settings = Settings {
            field_period: u32::try_from(field_period).unwrap_or_default(),
            max_bricks: usize::try_from(max_bricks).unwrap_or(usize::MAX),
            temperature: array_or::<N_LAYERS>("temperature", temperature, usual.temperature)?,
            is_dynamic,
            diffusivity: array_or::<N_DYNAMIC>("diffusivity", diffusivity, usual.diffusivity)?,
            decay: array_or::<N_DYNAMIC>("decay", decay, usual.decay)?,
        };
        Ok(Self { space: Space::new(bounds, &settings).map_err(ConfigError::new_err)? })
    }

    #[getter]
    fn origin(&self) -> (f64, f64) {
        (self.space.domain().west_m, self.space.domain().south_m)
    }

    #[getter]
    fn side_m(&self) -> f64 {
        self.space.domain().side_m
    }

    #[getter]
    fn cell_m(&self) -> f64 {
        self.space.domain().cell_m
    }

    #[getter]
    fn brick_keys(&self) -> Vec<usize> {
        self.space.brick_keys().collect()
    }

    #[getter]
    fn is_saturated(&self) -> bool {
        self.space.is_saturated()
    }

    fn reset(&mut self) {
        self.space.reset();
    }

    fn set_static(&mut self, field: i64, layer: i64, values: PyReadonlyArray2<'_, f32>) -> PyResult<()> {
        let shape = values.as_array().dim();
        if shape != (128, 128) {
            return Err(ContractError::new_err(format!("the values have the shape {shape:?}; it must be (128, 128)")));
        }
        let values: Vec<f32> = values.as_array().iter().copied().collect();
        self.space.set_static(whole(field)?, whole(layer)?, &values).map_err(ContractError::new_err)
    }

    #[pyo3(signature = (layers, x, y, radius_m, mods, has_falloff=true))]
    fn stamp_circle(
        &mut self,
        layers: i64,
        x: f64,
        y: f64,
        radius_m: f64,
        mods: Vec<ModValues>,
        has_falloff: bool,
    ) -> PyResult<usize> {
        self.stamp(layers, Shape::Circle { center: [x, y], radius_m }, &mods, has_falloff)
    }

    fn stamp_box(
        &mut self,
        layers: i64,
        min_x: f64,
        min_y: f64,
        max_x: f64,
        max_y: f64,
        mods: Vec<ModValues>,
    ) -> PyResult<usize> {
        self.stamp(layers, Shape::Box { min: [min_x, min_y], max: [max_x, max_y] }, &mods, false)
    }

    #[pyo3(signature = (layers, x0, y0, x1, y1, radius_m, mods, has_falloff=true))]
    #[expect(clippy::too_many_arguments, reason = "numbers alone cross this boundary")]
    fn stamp_capsule(
        &mut self,
        layers: i64,
        x0: f64,
        y0: f64,
        x1: f64,
        y1: f64,
        radius_m: f64,
        mods: Vec<ModValues>,
        has_falloff: bool,
    ) -> PyResult<usize> {
        self.stamp(layers, Shape::Capsule { from: [x0, y0], to: [x1, y1], radius_m }, &mods, has_falloff)
    }

    fn explosion_surface(&mut self, x: f64, y: f64, intensity: f64) -> PyResult<usize> {
        self.effect(Effect::ExplosionSurface { intensity }, x, y)
    }

    fn explosion_underwater(&mut self, x: f64, y: f64) -> PyResult<usize> {
        self.effect(Effect::ExplosionUnderwater, x, y)
    }

    fn fire(&mut self, x: f64, y: f64, share: f64) -> PyResult<usize> {
        self.effect(Effect::Fire { share }, x, y)
    }

    fn sonar_ping(&mut self, layer: i64, x: f64, y: f64) -> PyResult<usize> {
        let layer = checked_layer(layer)?;
        self.effect(Effect::SonarPing { layer }, x, y)
    }

    fn transit(&mut self, layers: i64, x: f64, y: f64) -> PyResult<usize> {
        self.effect(Effect::Transit { layers: whole(layers)? }, x, y)
    }

    fn wake(&mut self, layer: i64, x: f64, y: f64, hull_radius_m: f64, speed_ms: f64) -> PyResult<usize> {
        let layer = checked_layer(layer)?;
        self.effect(Effect::Wake { layer, hull_radius_m, speed_ms }, x, y)
    }

    fn sinking(&mut self, x: f64, y: f64) -> PyResult<usize> {
        self.effect(Effect::Sinking, x, y)
    }

    #[pyo3(signature = (wind_x=0.0, wind_y=0.0))]
    fn propagate(&mut self, py: Python<'_>, wind_x: f64, wind_y: f64) -> PyResult<usize> {
        let space = &mut self.space;
        py.detach(|| space.propagate([wind_x, wind_y])).map_err(ContractError::new_err)
    }

    #[pyo3(signature = (layer, x, y, level=0))]
    fn point<'py>(
        &mut self,
        py: Python<'py>,
        layer: i64,
        x: f64,
        y: f64,
        level: i64,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        self.space.refresh();
        let values = self.space.point(whole(layer)?, x, y, whole(level)?).map_err(ContractError::new_err)?;
        Ok(values.to_pyarray(py))
    }

    fn volume<'py>(
        &mut self,
        py: Python<'py>,
        layer: i64,
        x: f64,
        y: f64,
        radius_m: f64,
        level: i64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let query = VolumeQuery::new(whole(layer)?, x, y, radius_m, whole(level)?).map_err(ContractError::new_err)?;
        self.space.refresh();
        let reading = self.space.volume(&query);
        let shown = PyDict::new(py);
        shown.set_item("mean", reading.mean.to_pyarray(py))?;
        shown.set_item("min", reading.min.to_pyarray(py))?;
        shown.set_item("max", reading.max.to_pyarray(py))?;
        shown.set_item("variance", reading.variance.to_pyarray(py))?;
        shown.set_item("count", reading.count)?;
        shown.set_item("nodes", reading.nodes)?;
        Ok(shown)
    }

    #[pyo3(signature = (layer, x, y, heading, fields, shells=None))]
    #[expect(clippy::too_many_arguments, reason = "numbers alone cross this boundary")]
    fn foveated<'py>(
        &mut self,
        py: Python<'py>,
        layer: i64,
        x: f64,
        y: f64,
        heading: f64,
        fields: Vec<i64>,
        shells: Option<Vec<ShellValues>>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let observer = Observer { layer: whole(layer)?, at: [x, y], heading };
        let fields: Vec<usize> = fields.into_iter().map(whole).collect::<PyResult<_>>()?;
        let shells = match shells {
            None => DEFAULT_SHELLS.to_vec(),
            Some(shells) => shells.into_iter().map(shell).collect::<PyResult<_>>()?,
        };
        check_view(&observer, &fields, &shells).map_err(ContractError::new_err)?;
        self.space.refresh();
        let sectors: usize = shells.iter().map(|shell| shell.sectors).sum();
        let mut values = vec![0.0; sectors * fields.len()];
        self.space.foveated(&observer, &shells, &fields, &mut values);
        Ok(PyArray1::from_vec(py, values))
    }

    #[pyo3(signature = (field, layer, level=0))]
    fn grid<'py>(
        &mut self,
        py: Python<'py>,
        field: i64,
        layer: i64,
        level: i64,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.space.refresh();
        let values = self.space.grid(whole(field)?, whole(layer)?, whole(level)?).map_err(ContractError::new_err)?;
        let side = values.len().isqrt();
        table(py, side, side, values)
    }

    fn summary<'py>(
        &mut self,
        py: Python<'py>,
        depth: i64,
        ix: i64,
        iy: i64,
        iz: i64,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.space.refresh();
        let fields =
            self.space.summary(whole(depth)?, whole(ix)?, whole(iy)?, whole(iz)?).map_err(ContractError::new_err)?;
        let values = fields.iter().flat_map(|one| [one.mean, one.min, one.max, one.mean_square]).collect();
        table(py, N_DYNAMIC, 4, values)
    }

    fn state_words<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        PyArray1::from_vec(py, self.words())
    }

    fn restore(&mut self, words: PyReadonlyArray1<'_, u64>) -> PyResult<()> {
        let words: Vec<u64> = words.as_array().iter().copied().collect();
        self.space.restore(&words).map_err(|error| SnapshotError::new_err(error.to_string()))
    }

    fn state_hash(&self) -> u64 {
        hash_words(&self.words())
    }
}

impl FieldSpace {
    fn stamp(&mut self, layers: i64, shape: Shape, mods: &[ModValues], has_falloff: bool) -> PyResult<usize> {
        let mods: Vec<Mod> = mods.iter().map(modification).collect::<PyResult<_>>()?;
        let stamp = Stamp::new(whole(layers)?, shape, &mods, has_falloff).map_err(ContractError::new_err)?;
        Ok(self.space.stamp(&stamp))
    }

    fn effect(&mut self, effect: Effect, x: f64, y: f64) -> PyResult<usize> {
        self.space.stamp_effect(effect, [x, y]).map_err(ContractError::new_err)
    }

    fn words(&self) -> Vec<u64> {
        let mut words = WordWriter::new();
        self.space.write_words(&mut words);
        words.into_words()
    }
}

fn array_or<const N: usize>(name: &str, values: Option<Vec<f64>>, usual: [f64; N]) -> PyResult<[f64; N]> {
    let Some(values) = values else { return Ok(usual) };
    let count = values.len();
    values.try_into().map_err(|_| ConfigError::new_err(format!("{name} has {count} values; it must have {N}")))
}

fn shell((inner_m, outer_m, sectors, level): ShellValues) -> PyResult<Shell> {
    Ok(Shell { inner_m, outer_m, sectors: whole(sectors)?, level: whole(level)? })
}

fn modification(&(field, op, value, factor): &ModValues) -> PyResult<Mod> {
    let op = Op::from_code(whole(op)?, factor).map_err(ContractError::new_err)?;
    Mod::new(whole(field)?, op, value).map_err(ContractError::new_err)
}

fn checked_layer(layer: i64) -> PyResult<usize> {
    let layer = whole(layer)?;
    Space::check_layer(layer).map_err(ContractError::new_err)?;
    Ok(layer)
}

/// An id or a count, which Python may have given a sign.
fn whole(number: i64) -> PyResult<usize> {
    usize::try_from(number).map_err(|_| ContractError::new_err(format!("{number} is negative; it must be 0 or more")))
}

fn check_view(observer: &Observer, fields: &[usize], shells: &[Shell]) -> Result<(), String> {
    observer.validate()?;
    fields.iter().try_for_each(|&field| Space::check_field(field))?;
    shells.iter().try_for_each(Shell::validate)?;
    if fields.is_empty() || shells.is_empty() {
        return Err("nothing to look at; give at least one field and one shell".to_owned());
    }
    Ok(())
}

fn table(py: Python<'_>, rows: usize, columns: usize, values: Vec<f32>) -> PyResult<Bound<'_, PyArray2<f32>>> {
    let table = Array2::from_shape_vec((rows, columns), values);
    Ok(table.map_err(|error| ContractError::new_err(error.to_string()))?.to_pyarray(py))
}

/// Adds the class to the compiled module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<FieldSpace>()
}
