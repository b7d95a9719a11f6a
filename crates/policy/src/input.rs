//! Scales rows of observations into inputs of the first layer.

/// How observations are scaled.
#[derive(Clone, Debug)]
pub struct Input {
    /// Float entries of an observation.
    pub obs: usize,
    /// Subtracted from each byte.
    pub byte_low: Vec<f32>,
    /// Multiplied after that.
    pub byte_scale: Vec<f32>,
    /// Normalization of the float entries.
    pub scaling: Option<Scaling>,
}

/// Shift, scale and limit of every float entry.
#[derive(Clone, Debug)]
pub struct Scaling {
    /// Subtracted first.
    pub shift: Vec<f32>,
    /// Multiplied after that.
    pub scale: Vec<f32>,
    /// Largest magnitude of the result.
    pub limit: Vec<f32>,
}

/// Observations of some rows.
#[derive(Clone, Copy, Debug)]
pub struct Observation<'a> {
    /// Rows × float entries.
    pub obs: &'a [f32],
    /// Rows × bytes.
    pub bytes: &'a [u8],
}

impl Input {
    /// Inputs of the first layer.
    #[must_use]
    pub fn width(&self) -> usize {
        self.obs + self.byte_low.len()
    }

    /// Rejects observations of another shape.
    ///
    /// # Errors
    /// With both lengths.
    pub fn check(&self, observation: Observation<'_>, rows: usize) -> Result<(), String> {
        learn::heads::Heads::check("obs", observation.obs.len(), rows, self.obs)?;
        learn::heads::Heads::check("obs_u8", observation.bytes.len(), rows, self.byte_low.len())
    }

    /// Writes rows `first` and on, `stride` apart.
    #[inline(always)]
    pub fn read(&self, observation: Observation<'_>, first: usize, rows: usize, stride: usize, out: &mut [f32]) {
        let bytes = self.byte_low.len();
        for (row, out) in (first..first + rows).zip(out.chunks_exact_mut(stride)) {
            let (floats, rest) = out.split_at_mut(self.obs);
            let seen = &observation.obs[row * self.obs..][..self.obs];
            match &self.scaling {
                None => floats.copy_from_slice(seen),
                Some(scaling) => scaling.apply(seen, floats),
            }
            let seen = observation.bytes[row * bytes..][..bytes].iter().zip(&self.byte_low).zip(&self.byte_scale);
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
            // These comparisons, unlike `clamp`, keep a NaN.
            let above = if scaled > *limit { *limit } else { scaled };
            *out = if above < -limit { -limit } else { above };
        }
    }
}
