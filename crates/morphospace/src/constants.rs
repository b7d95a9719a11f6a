//! Every number of the field engine. Lengths are in meters, time is in seconds.

/// Depth layers.
pub const N_LAYERS: usize = 3;
/// Layer above the water line.
pub const SURFACE: usize = 0;
/// Layer below it.
pub const SUBMERGED: usize = 1;
/// Deepest layer.
pub const ABYSSAL: usize = 2;

/// Sides that a domain may have.
pub const DOMAIN_SIDES_M: [f64; 5] = [2_048.0, 4_096.0, 8_192.0, 16_384.0, 32_768.0];
/// Shortest and longest side of a map.
pub const BOUNDS_SIDE_M: (f64, f64) = (2_000.0, 32_768.0);
/// Largest coordinate or length that is taken for one.
pub const COORDINATE_MAX_M: f64 = 1e9;

/// Cells along one side of a layer.
pub const GRID_CELLS: usize = 128;
/// Cells along one side of a brick.
pub const BRICK_SIDE: usize = 8;
/// Cells of a brick.
pub const BRICK_CELLS: usize = BRICK_SIDE * BRICK_SIDE;
/// Bricks along one side of a layer.
pub const GRID_BRICKS: usize = GRID_CELLS / BRICK_SIDE;
/// Bricks of a layer.
pub const LAYER_BRICKS: usize = GRID_BRICKS * GRID_BRICKS;
/// Bricks of all layers.
pub const N_BRICKS: usize = N_LAYERS * LAYER_BRICKS;
/// Depth of a brick in the tree; the root has depth 0.
pub const LEAF_DEPTH: usize = 4;
/// Level of detail of a brick's mean.
pub const BRICK_LEVEL: usize = 3;
/// Coarsest level of detail: a node of depth 2.
pub const TOP_LEVEL: usize = 5;

/// Bricks that may exist at once, unless told otherwise.
pub const MAX_BRICKS: usize = 192;
/// An edge this many thresholds away from default asks for the neighbor.
pub const GROWTH_FACTOR: f32 = 4.0;
/// Steps within the threshold after which a brick is freed.
pub const DORMANT_STEPS: u8 = 2;

/// Seconds that one propagation covers, unless told otherwise.
pub const FIELD_PERIOD_TICKS: u32 = 2;
/// Longest such time.
pub const FIELD_PERIOD_MAX_TICKS: u32 = 10;
/// Largest diffusion number, below the 0.25 at which the scheme would become unstable.
pub const ALPHA_MAX: f64 = 0.2;
/// Share of the wind that smoke follows.
pub const DRIFT_SHARE: f64 = 0.5;
/// Largest share of a cell that smoke drifts in one step.
pub const COURANT_MAX: f64 = 0.5;
/// Occupancy above which a cell is closed.
pub const SOLID_ABOVE: f32 = 0.5;

/// Largest value of a stamp: far beyond every range, and far from overflow.
pub const STAMP_VALUE_MAX: f64 = 1e6;
/// Most sectors of a shell.
pub const MAX_SECTORS: usize = 64;

/// Meters of water, or land at 0 and below.
pub const DEPTH: usize = 0;
/// Above 0.5 where the layer is closed, below it how much something soft is in the way.
pub const OCCUPANCY: usize = 1;
/// Parts per thousand.
pub const SALINITY: usize = 2;
/// East component of the current, m/s.
pub const CURRENT_X: usize = 3;
/// North component of the current, m/s.
pub const CURRENT_Y: usize = 4;
/// °C.
pub const TEMPERATURE: usize = 5;
/// dB over 40.
pub const NOISE: usize = 6;
/// Share of full smoke.
pub const SMOKE: usize = 7;
/// Share of full turbidity.
pub const SEDIMENT: usize = 8;
/// Share of full foam.
pub const WAKE: usize = 9;
/// Share of a full echo.
pub const SONAR_RETURN: usize = 10;

/// All fields.
pub const N_FIELDS: usize = 11;
/// Fields from here on spread and fade; those before are set once.
pub const FIRST_DYNAMIC: usize = TEMPERATURE;
/// Dynamic fields.
pub const N_DYNAMIC: usize = N_FIELDS - FIRST_DYNAMIC;

/// How a dynamic field behaves.
#[derive(Clone, Copy, Debug)]
pub struct DynamicRule {
    /// Smallest value.
    pub low: f32,
    /// Largest value.
    pub high: f32,
    /// What it returns to, in each layer.
    pub default: [f64; N_LAYERS],
    /// m²/s.
    pub diffusivity: f64,
    /// 1/s.
    pub decay: f64,
    /// How far from default counts as something.
    pub threshold: f32,
}

const fn rule(
    range: (f32, f32),
    default: [f64; N_LAYERS],
    diffusivity: f64,
    decay: f64,
    threshold: f32,
) -> DynamicRule {
    DynamicRule { low: range.0, high: range.1, default, diffusivity, decay, threshold }
}

/// The dynamic fields in id order.
pub const DYNAMIC_RULES: [DynamicRule; N_DYNAMIC] = [
    rule((-5.0, 400.0), [18.0, 10.0, 4.0], 30.0, 0.002, 0.25),
    rule((0.0, 120.0), [0.0; 3], 200.0, 0.3, 1.0),
    rule((0.0, 1.0), [0.0; 3], 60.0, 0.02, 0.02),
    rule((0.0, 1.0), [0.0; 3], 15.0, 0.01, 0.02),
    rule((0.0, 1.0), [0.0; 3], 5.0, 0.02, 0.02),
    rule((0.0, 1.0), [0.0; 3], 0.0, 0.5, 0.01),
];

/// Largest value of a static field, so that sums over it cannot overflow.
pub const STATIC_MAX: f32 = 1e9;
/// Static fields until they are given.
pub const STATIC_DEFAULTS: [f32; FIRST_DYNAMIC] = [0.0, 0.0, 35.0, 0.0, 0.0];
/// Static fields beyond the domain.
pub const STATIC_OUTSIDE: [f32; FIRST_DYNAMIC] = [0.0, 1.0, 35.0, 0.0, 0.0];
