//! A field space: what a tool, a training task or the arena holds and asks.

use kernel::snapshot::SnapshotError;
use kernel::state_hash::{WordReader, WordWriter};

use crate::bricks::Bricks;
use crate::constants::{
    FIRST_DYNAMIC, GRID_CELLS, LEAF_DEPTH, N_DYNAMIC, N_FIELDS, N_LAYERS, OCCUPANCY, STATIC_MAX, TOP_LEVEL,
};
use crate::domain::{Domain, check_length, node_number};
use crate::effects::Effect;
use crate::growth::grow_and_release;
use crate::propagation::{Rates, propagate};
use crate::settings::Settings;
use crate::stamps::Stamp;
use crate::statics::Statics;
use crate::summaries::{Statistics, Summaries};
use crate::words::FieldSection;

/// Static and dynamic fields over three layers of 128 × 128 cells.
///
/// Queries take `&self`; means of bricks and of larger nodes are those of the last `refresh`.
#[derive(Clone, Debug)]
pub struct FieldSpace {
    pub(crate) domain: Domain,
    pub(crate) statics: Statics,
    pub(crate) bricks: Bricks,
    pub(crate) summaries: Summaries,
    rates: Rates,
    is_dynamic: bool,
}

impl FieldSpace {
    /// An empty space around a map (min x, min y, max x, max y).
    ///
    /// # Errors
    /// With the name and value of what is wrong.
    pub fn new(bounds: [f64; 4], settings: &Settings) -> Result<Self, String> {
        settings.validate()?;
        let domain = Domain::of_bounds(bounds)?;
        let bricks = Bricks::new(settings);
        Ok(Self {
            domain,
            statics: Statics::new(),
            summaries: Summaries::new(&bricks),
            bricks,
            rates: Rates::new(settings, domain.cell_m),
            is_dynamic: settings.is_dynamic,
        })
    }

    /// The square that the fields cover.
    #[must_use]
    pub const fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Keys of the bricks that exist, ascending.
    pub fn brick_keys(&self) -> impl Iterator<Item = usize> + use<> {
        self.bricks.keys.iter()
    }

    /// How many bricks exist.
    #[must_use]
    pub fn brick_count(&self) -> usize {
        self.bricks.count()
    }

    /// Whether a brick was ever refused for lack of room.
    #[must_use]
    pub const fn is_saturated(&self) -> bool {
        self.bricks.is_saturated
    }

    /// Frees every brick; static fields stay.
    pub fn reset(&mut self) {
        self.bricks.clear();
    }

    /// Gives a static field its value at every cell of a layer, rows from south to north.
    ///
    /// # Errors
    /// When a value is wrong, or bricks exist already.
    pub fn set_static(&mut self, field: usize, layer: usize, values: &[f32]) -> Result<(), String> {
        if values.len() != GRID_CELLS * GRID_CELLS {
            return Err(format!("there are {} values; there must be {}", values.len(), GRID_CELLS * GRID_CELLS));
        }
        self.check_static(field, layer, values)?;
        self.statics.set(field, layer, values);
        Ok(())
    }

    /// Sets a static field of a layer to the same value everywhere.
    ///
    /// # Errors
    /// When the value is wrong, or bricks exist already.
    pub fn set_static_even(&mut self, field: usize, layer: usize, value: f32) -> Result<(), String> {
        self.check_static(field, layer, &[value])?;
        self.statics.set_even(field, layer, value);
        Ok(())
    }

    fn check_static(&self, field: usize, layer: usize, values: &[f32]) -> Result<(), String> {
        Self::check_layer(layer)?;
        if field >= FIRST_DYNAMIC {
            return Err(format!("field {field} is not static; use 0 to {}", FIRST_DYNAMIC - 1));
        }
        if values.iter().any(|value| !(-STATIC_MAX..=STATIC_MAX).contains(value)) {
            return Err("the values hold a number that is not finite or beyond 1e9".to_owned());
        }
        if field == OCCUPANCY && values.iter().any(|value| !(0.0..=1.0).contains(value)) {
            return Err("occupancy must be 0 to 1".to_owned());
        }
        if self.brick_count() > 0 {
            return Err("static fields are set before the first stamp; call reset() first".to_owned());
        }
        Ok(())
    }

    /// Applies a stamp; says how many cells it changed.
    pub fn stamp(&mut self, stamp: &Stamp<'_>) -> usize {
        if self.is_dynamic { stamp.apply(&mut self.bricks, &self.statics, &self.domain) } else { 0 }
    }

    /// Applies the stamps of an effect at a place; says how many cells they changed.
    ///
    /// # Errors
    /// With the value that makes no sense.
    pub fn stamp_effect(&mut self, effect: Effect, at: [f64; 2]) -> Result<usize, String> {
        effect.stamps(at, |stamp| self.stamp(stamp))
    }

    /// Advances the dynamic fields by one period under this wind (east, north, m/s); says how many cells it computed.
    ///
    /// # Errors
    /// When the wind is not finite or huge.
    pub fn propagate(&mut self, wind: [f64; 2]) -> Result<usize, String> {
        for component in wind {
            check_length("the wind", component)?;
        }
        if !self.is_dynamic {
            return Ok(0);
        }
        let updates = propagate(&mut self.bricks, &self.statics, &self.rates, wind);
        grow_and_release(&mut self.bricks);
        Ok(updates)
    }

    /// Brings the summaries up to date.
    pub fn refresh(&mut self) {
        self.summaries.refresh(&mut self.bricks);
    }

    /// Every field at a point, by field id.
    ///
    /// # Errors
    /// When there is no such layer or level.
    pub fn point(&self, layer: usize, x: f64, y: f64, level: usize) -> Result<[f32; N_FIELDS], String> {
        Self::check_layer(layer)?;
        Self::check_level(level)?;
        for value in [x, y] {
            check_length("the point", value)?;
        }
        let probe = self.probe(layer, x, y);
        Ok(std::array::from_fn(|field| self.sample(field, layer, &probe, level)))
    }

    /// Whether a dynamic field is at its rest all over a layer.
    #[inline]
    #[must_use]
    pub fn is_at_rest(&self, field: usize, layer: usize) -> bool {
        self.bricks.active[layer][field - FIRST_DYNAMIC].is_empty()
    }

    /// One field at a point, at full detail.
    #[inline]
    #[must_use]
    pub fn value(&self, field: usize, layer: usize, x: f64, y: f64) -> f32 {
        if field >= FIRST_DYNAMIC && self.is_at_rest(field, layer) {
            return self.bricks.defaults(layer)[field - FIRST_DYNAMIC];
        }
        self.sample(field, layer, &self.probe(layer, x, y), 0)
    }

    /// A field over a whole layer, rows from south to north; each level halves the side, from 128 to 4.
    ///
    /// # Errors
    /// When there is no such field, layer or level.
    pub fn grid(&self, field: usize, layer: usize, level: usize) -> Result<Vec<f32>, String> {
        Self::check_field(field)?;
        Self::check_layer(layer)?;
        Self::check_level(level)?;
        let side = GRID_CELLS >> level;
        let sample = |place: usize| {
            let probe = self.probe_cell(layer, (place % side) << level, (place / side) << level);
            self.sample(field, layer, &probe, level)
        };
        Ok((0..side * side).map(sample).collect())
    }

    /// Statistics of the dynamic fields of a node.
    ///
    /// # Errors
    /// When there is no such node.
    pub fn summary(&self, depth: usize, ix: usize, iy: usize, iz: usize) -> Result<[Statistics; N_DYNAMIC], String> {
        const WIDTHS: [usize; LEAF_DEPTH + 1] = [1, 2, N_LAYERS, N_LAYERS, N_LAYERS];
        let Some(width) = WIDTHS.get(depth) else {
            return Err(format!("there is no depth {depth}; use 0 to {LEAF_DEPTH}"));
        };
        if ix >= 1 << depth || iy >= 1 << depth || iz >= *width {
            return Err(format!("there is no node ({ix}, {iy}, {iz}) at depth {depth}"));
        }
        Ok(self.summaries.spanning(depth, node_number(ix, iy), iz))
    }

    /// Appends the dynamic fields as state words.
    pub fn write_words(&self, words: &mut WordWriter) {
        self.bricks.write_words(words);
    }

    /// Continues from words that a space with the same map and settings wrote; on an error nothing changes.
    ///
    /// # Errors
    /// When the words do not describe fields of this space.
    pub fn read_words(&mut self, words: &mut WordReader<'_>) -> Result<(), SnapshotError> {
        let section = FieldSection::read(words, &self.bricks, &self.statics)?;
        self.bricks.restore(&section);
        self.refresh();
        Ok(())
    }

    /// Continues from words that hold nothing else; on an error nothing changes.
    ///
    /// # Errors
    /// When the words do not describe fields of this space.
    pub fn restore(&mut self, words: &[u64]) -> Result<(), SnapshotError> {
        let mut reader = WordReader::new(words);
        let section = FieldSection::read(&mut reader, &self.bricks, &self.statics)?;
        reader.finish()?;
        self.bricks.restore(&section);
        self.refresh();
        Ok(())
    }

    /// Refuses a layer that does not exist.
    ///
    /// # Errors
    /// With its number.
    pub fn check_layer(layer: usize) -> Result<(), String> {
        if layer < N_LAYERS { Ok(()) } else { Err(format!("there is no layer {layer}; use 0 to {}", N_LAYERS - 1)) }
    }

    /// Refuses a level of detail that does not exist.
    ///
    /// # Errors
    /// With its number.
    pub fn check_level(level: usize) -> Result<(), String> {
        if level <= TOP_LEVEL { Ok(()) } else { Err(format!("there is no level {level}; use 0 to {TOP_LEVEL}")) }
    }

    /// Refuses a field that does not exist.
    ///
    /// # Errors
    /// With its number.
    pub fn check_field(field: usize) -> Result<(), String> {
        if field < N_FIELDS { Ok(()) } else { Err(format!("there is no field {field}; use 0 to {}", N_FIELDS - 1)) }
    }
}
