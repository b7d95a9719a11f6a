//! Layers of a map that are padded, so that no window ends at the border.

use crate::observe::moment::Spot;
use crate::setup::Setup;

/// How windows lie in a map.
#[derive(Clone, Copy, Debug)]
pub struct Framing {
    /// Side of a window.
    pub window: usize,
    radius: i16,
    width: usize,
    tiles: usize,
}

impl Framing {
    /// Windows of this side, around every tile.
    #[must_use]
    pub fn new(setup: &Setup, window: usize) -> Self {
        let map = &setup.tables.map;
        Self { window, radius: (window / 2) as i16, width: map.width as usize, tiles: map.walkable.len() }
    }

    /// Entries of a window.
    #[inline]
    #[must_use]
    pub const fn area(&self) -> usize {
        self.window * self.window
    }

    /// Number of the tile of a spot.
    #[inline]
    #[must_use]
    pub const fn tile(&self, spot: Spot) -> usize {
        spot.y as usize * self.width + spot.x as usize
    }

    /// Place of a spot in the window around `here`, if it is in it.
    #[inline]
    #[must_use]
    pub fn place(&self, spot: Spot, here: Spot) -> Option<usize> {
        let (row, column) = (spot.y - here.y + self.radius, spot.x - here.x + self.radius);
        let window = self.window as u16;
        ((row as u16) < window && (column as u16) < window).then(|| row as usize * self.window + column as usize)
    }

    /// A layer of a value per tile with a border of `fill` around it.
    pub fn padded<T: Copy>(&self, fill: T, value: impl Fn(usize) -> T) -> Box<[T]> {
        let (radius, height) = (self.radius as usize, self.tiles / self.width);
        let mut layer = vec![fill; self.padded_width() * (height + 2 * radius)];
        for tile in 0..self.tiles {
            layer[(tile / self.width + radius) * self.padded_width() + tile % self.width + radius] = value(tile);
        }
        layer.into_boxed_slice()
    }

    /// Copies the window around `here` out of a padded layer.
    pub fn cut<T: Copy + Into<f32>>(&self, padded: &[T], here: Spot, layer: &mut [f32]) {
        let from = here.y as usize * self.padded_width() + here.x as usize;
        let rows = padded[from..].chunks(self.padded_width());
        match self.window {
            // Rows of a known length are copied at once; these are the configured ones unless somebody asks otherwise.
            11 => copy_rows::<11, T>(rows, layer),
            7 => copy_rows::<7, T>(rows, layer),
            _ => {
                for (target, row) in layer.chunks_exact_mut(self.window).zip(rows) {
                    target.iter_mut().zip(row).for_each(|(entry, &value)| *entry = value.into());
                }
            }
        }
    }

    const fn padded_width(&self) -> usize {
        self.width + 2 * self.radius as usize
    }
}

#[inline]
fn copy_rows<'a, const N: usize, T: Copy + Into<f32> + 'a>(rows: impl Iterator<Item = &'a [T]>, layer: &mut [f32]) {
    for (target, row) in layer.as_chunks_mut::<N>().0.iter_mut().zip(rows) {
        let row: &[T; N] = row.first_chunk().expect("a padded row is longer than a window");
        *target = row.map(Into::into);
    }
}
