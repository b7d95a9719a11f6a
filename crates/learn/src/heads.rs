//! Where each head's options lie in a row, and what is asked of the arrays.

use std::ops::Range;

/// Heads one after another in a row of logits or masks.
#[derive(Clone, Debug)]
pub struct Heads {
    sizes: Vec<usize>,
    noops: Vec<i32>,
    exploration: Vec<f32>,
}

impl Heads {
    /// Describes heads by their numbers of options, their no-ops and their shares of uniform choice.
    ///
    /// # Errors
    /// When the three do not have one entry per head, or a share is outside 0..1.
    pub fn new(sizes: Vec<usize>, noops: Vec<i32>, exploration: Vec<f32>) -> Result<Self, String> {
        if sizes.is_empty() || noops.len() != sizes.len() || exploration.len() != sizes.len() {
            let (noops, shares) = (noops.len(), exploration.len());
            return Err(format!("{} heads with {noops} no-ops and {shares} shares of exploration", sizes.len()));
        }
        if let Some(share) = exploration.iter().find(|share| !(0.0..=1.0).contains(*share)) {
            return Err(format!("a share of exploration is {share}; use 0..1"));
        }
        Ok(Self { sizes, noops, exploration })
    }

    /// Number of heads.
    #[must_use]
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// Options of all heads together.
    #[must_use]
    pub fn options(&self) -> usize {
        self.sizes.iter().sum()
    }

    /// Options of the largest head.
    #[must_use]
    pub fn widest(&self) -> usize {
        self.sizes.iter().copied().max().unwrap_or(0)
    }

    /// Columns, no-op and share of uniform choice of every head.
    pub fn iter(&self) -> impl Iterator<Item = (Range<usize>, i32, f32)> + '_ {
        let mut end = 0;
        self.sizes.iter().zip(&self.noops).zip(&self.exploration).map(move |((size, noop), share)| {
            end += size;
            (end - size..end, *noop, *share)
        })
    }

    /// Refuses an array that is not rows × width.
    ///
    /// # Errors
    /// With the name of the array and both lengths.
    pub fn check(name: &str, length: usize, rows: usize, width: usize) -> Result<(), String> {
        if length == rows * width {
            Ok(())
        } else {
            Err(format!("{name} has {length} entries; {rows} rows of {width} are needed"))
        }
    }
}
