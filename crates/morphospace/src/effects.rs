//! What happens at sea, as stamps; every one of them fades toward its rim.

use kernel::numerics::{clamp, fmax};

use crate::constants::{
    ABYSSAL, N_LAYERS, NOISE, SEDIMENT, SMOKE, SONAR_RETURN, SUBMERGED, SURFACE, TEMPERATURE, WAKE,
};
use crate::mods::{Mod, Op};
use crate::shapes::Shape;
use crate::stamps::Stamp;

const BLAST_DAMAGE_SCALE: f64 = 100.0;
const BLAST_INTENSITY_RANGE: (f64, f64) = (0.2, 2.0);
const BLAST_RADIUS_M: f64 = 60.0;
const BLAST_RADIUS_PER_INTENSITY_M: f64 = 40.0;
const UNDERWATER_RADIUS_M: f64 = 120.0;
const FIRE_RADIUS_M: f64 = 80.0;
const PING_RADIUS_M: f64 = 2_000.0;
const TRANSIT_RADIUS_M: f64 = 150.0;
const SINKING_RADIUS_M: f64 = 200.0;
const WAKE_RADIUS_MIN_M: f64 = 40.0;
const WAKE_RADIUS_PER_HULL: f64 = 1.5;
const WAKE_SPEED_MIN_MS: f64 = 4.0;
const WAKE_SPEED_FULL_MS: f64 = 20.0;

/// How strong the explosion of a hit is.
#[must_use]
pub fn blast_intensity(effective_damage: f64) -> f64 {
    clamp(effective_damage / BLAST_DAMAGE_SCALE, BLAST_INTENSITY_RANGE.0, BLAST_INTENSITY_RANGE.1)
}

/// Something that leaves a trace in the fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// Heat, smoke and noise above, noise below.
    ExplosionSurface {
        /// From `blast_intensity`.
        intensity: f64,
    },
    /// Noise everywhere, half of it in the deep, and sediment below the surface.
    ExplosionUnderwater,
    /// Heat and smoke of one tick of burning.
    Fire {
        /// Strength, 0 to 1.
        share: f64,
    },
    /// Echoes and noise in the layer of the ping and in those next to it.
    SonarPing {
        /// Of the sonar.
        layer: usize,
    },
    /// Noise of one tick of changing depth.
    Transit {
        /// Mask of both layers.
        layers: usize,
    },
    /// Foam of one tick of motion; slow hulls leave none.
    Wake {
        /// Of the hull.
        layer: usize,
        /// Of the hull.
        hull_radius_m: f64,
        /// Through the water.
        speed_ms: f64,
    },
    /// Noise of a hull that breaks, smoke and heat above, sediment below.
    Sinking,
}

impl Effect {
    /// Hands the stamps of this effect at a place to `apply`, in order.
    pub(crate) fn stamps(self, center: [f64; 2], mut apply: impl FnMut(&Stamp<'_>) -> usize) -> Result<usize, String> {
        let mut stamped = 0;
        let mut stamp = |layers: usize, radius_m: f64, mods: &[Mod]| -> Result<(), String> {
            let stamp = Stamp::new(layers, Shape::Circle { center, radius_m }, mods, true)?;
            stamped += apply(&stamp);
            Ok(())
        };
        match self {
            Self::ExplosionSurface { intensity } => {
                let radius_m = BLAST_RADIUS_M + BLAST_RADIUS_PER_INTENSITY_M * intensity;
                let noise = Mod::new(NOISE, Op::Max, 60.0 * intensity)?;
                let heat = Mod::new(TEMPERATURE, Op::Add, 40.0 * intensity)?;
                let smoke = Mod::new(SMOKE, Op::Add, 0.4 * intensity)?;
                stamp(1 << SURFACE, radius_m, &[heat, smoke, noise])?;
                stamp(1 << SUBMERGED, radius_m, &[noise])?;
            }
            Self::ExplosionUnderwater => {
                let (noise, deep_noise) = (Mod::new(NOISE, Op::Max, 90.0)?, Mod::new(NOISE, Op::Max, 45.0)?);
                let sediment = Mod::new(SEDIMENT, Op::Add, 0.4)?;
                stamp(1 << SURFACE, UNDERWATER_RADIUS_M, &[noise])?;
                stamp(1 << SUBMERGED, UNDERWATER_RADIUS_M, &[noise, sediment])?;
                stamp(1 << ABYSSAL, UNDERWATER_RADIUS_M, &[deep_noise, sediment])?;
            }
            Self::Fire { share } => {
                let heat = Mod::new(TEMPERATURE, Op::Add, 5.0 * share)?;
                stamp(1 << SURFACE, FIRE_RADIUS_M, &[heat, Mod::new(SMOKE, Op::Add, 0.15 * share)?])?;
            }
            Self::SonarPing { layer } => {
                let near = (0..N_LAYERS).filter(|near| near.abs_diff(layer) <= 1);
                let mods = [Mod::new(SONAR_RETURN, Op::Max, 1.0)?, Mod::new(NOISE, Op::Max, 30.0)?];
                stamp(near.fold(0, |mask, near| mask | 1 << near), PING_RADIUS_M, &mods)?;
            }
            Self::Transit { layers } => stamp(layers, TRANSIT_RADIUS_M, &[Mod::new(NOISE, Op::Max, 40.0)?])?,
            Self::Wake { layer, hull_radius_m, speed_ms } => {
                if speed_ms > WAKE_SPEED_MIN_MS {
                    let radius_m = fmax(WAKE_RADIUS_MIN_M, WAKE_RADIUS_PER_HULL * hull_radius_m);
                    let foam = Mod::new(WAKE, Op::Max, clamp(speed_ms / WAKE_SPEED_FULL_MS, 0.0, 1.0))?;
                    stamp(1 << layer, radius_m, &[foam])?;
                }
            }
            Self::Sinking => {
                let noise = Mod::new(NOISE, Op::Max, 70.0)?;
                let (smoke, heat) = (Mod::new(SMOKE, Op::Add, 0.5)?, Mod::new(TEMPERATURE, Op::Add, 20.0)?);
                stamp(1 << SURFACE, SINKING_RADIUS_M, &[noise, smoke, heat])?;
                stamp(1 << SUBMERGED, SINKING_RADIUS_M, &[noise, Mod::new(SEDIMENT, Op::Add, 0.6)?])?;
            }
        }
        Ok(stamped)
    }
}
