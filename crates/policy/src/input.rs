//! From rows of an observation to what enters the first layer.

/// How observations are brought to scale.
#[derive(Clone, Debug)]
pub struct Input {
    /// Float entries of an observation.
    pub obs: usize,
    /// What is subtracted from each byte before it is scaled.
    pub byte_low: Vec<f32>,
    /// Then multiplied with.
    pub byte_scale: Vec<f32>,
    /// Of float entries: what is subtracted, then multiplied with, and how far from zero the result may be.
    pub scaling: Option<Scaling>,
}

/// Shift, scale and limit of every float entry.
#[derive(Clone, Debug)]
pub struct Scaling {
    /// What is subtracted.
    pub shift: Vec<f32>,
    /// Then multiplied with.
    pub scale: Vec<f32>,
    /// How far from zero the result may be.
    pub limit: Vec<f32>,
}

/// Observations of some rows.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// Rows × float entries.
    pub obs: &'a [f32],
    /// Rows × bytes.
    pub bytes: &'a [u8],
}

impl Input {
    /// Numbers that enter the first layer.
    #[must_use]
    pub fn width(&self) -> usize {
        self.obs + self.byte_low.len()
    }

    /// Refuses observations of another shape.
    ///
    /// # Errors
    /// With both lengths.
    pub fn check(&self, sight: Sight<'_>, rows: usize) -> Result<(), String> {
        learn::heads::Heads::check("obs", sight.obs.len(), rows, self.obs)?;
        learn::heads::Heads::check("obs_u8", sight.bytes.len(), rows, self.byte_low.len())
    }

    /// Writes rows `first` and on, `stride` apart.
    #[inline(always)]
    pub fn read(&self, sight: Sight<'_>, first: usize, rows: usize, stride: usize, out: &mut [f32]) {
        let bytes = self.byte_low.len();
        for (row, out) in (first..first + rows).zip(out.chunks_exact_mut(stride)) {
            let (floats, rest) = out.split_at_mut(self.obs);
            let seen = &sight.obs[row * self.obs..][..self.obs];
            match &self.scaling {
                None => floats.copy_from_slice(seen),
                Some(scaling) => scaling.apply(seen, floats),
            }
            let seen = sight.bytes[row * bytes..][..bytes].iter().zip(&self.byte_low).zip(&self.byte_scale);
            for (out, ((byte, low), scale)) in rest.iter_mut().zip(seen) {
                *out = (f32::from(*byte) - low) * scale;
            }
        }
    }
}

impl Scaling {
    #[inline(always)]
    fn apply(&self, seen: &[f32], out: &mut [f32]) {
        let numbers = self.shift.iter().zip(&self.scale).zip(&self.limit);
        for ((out, seen), ((shift, scale), limit)) in out.iter_mut().zip(seen).zip(numbers) {
            let scaled = (seen - shift) * scale;
            // Comparisons that leave alone what is no number.
            let above = if scaled > *limit { *limit } else { scaled };
            *out = if above < -limit { -limit } else { above };
        }
    }
}
