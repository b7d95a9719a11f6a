//! Cost of a field step, of stamps, of refreshing summaries and of looking around.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use morphospace::constants::{NOISE, OCCUPANCY, SONAR_RETURN, TEMPERATURE};
use morphospace::{DEFAULT_SHELLS, Effect, FieldSpace, Mod, Observer, Op, Settings, Shape, Stamp, VolumeQuery};

const BOUNDS: [f64; 4] = [-4096.0, -4096.0, 4096.0, 4096.0];
const WIND_MS: [f64; 2] = [6.0, -3.0];

/// A square of bricks in one layer with every field active, far from its defaults.
fn filled(side: usize) -> FieldSpace {
    let settings = Settings { max_bricks: side * side, decay: [0.0; 6], ..Settings::default() };
    let mut space = FieldSpace::new(BOUNDS, &settings).expect("usual settings");
    let mods: Vec<Mod> = [60.0, 60.0, 0.5, 0.5, 0.5, 0.5]
        .into_iter()
        .enumerate()
        .map(|(field, value)| Mod::new(TEMPERATURE + field, Op::Add, value).expect("a mod"))
        .collect();
    let reach = side as f64 * 512.0 - 1.0;
    let shape = Shape::Box { min: [-2048.0, -2048.0], max: [-2048.0 + reach, -2048.0 + reach] };
    space.stamp(&Stamp::new(1, shape, &mods, false).expect("a stamp"));
    space.refresh();
    space
}

/// A fight: explosions, fires and wakes, some steps on.
fn battle() -> FieldSpace {
    let mut space = FieldSpace::new(BOUNDS, &Settings::default()).expect("usual settings");
    for place in 0..8 {
        let at = [f64::from(place * 397 % 1500) - 700.0, f64::from(place * 811 % 1500) - 700.0];
        space.stamp_effect(Effect::ExplosionSurface { intensity: 1.0 }, at).expect("an effect");
        space.stamp_effect(Effect::Wake { layer: 0, hull_radius_m: 30.0, speed_ms: 14.0 }, at).expect("an effect");
    }
    for _ in 0..4 {
        space.propagate(WIND_MS).expect("a wind");
    }
    space.refresh();
    space
}

fn propagate(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("propagate");
    for side in [2_usize, 4, 8] {
        let space = filled(side);
        group.throughput(Throughput::Elements(space.brick_count() as u64 * 6 * 64));
        group.bench_function(BenchmarkId::new("all fields active", space.brick_count()), |bencher| {
            bencher.iter_batched_ref(|| space.clone(), |space| space.propagate(WIND_MS), BatchSize::SmallInput);
        });
    }
    let space = battle();
    group.throughput(Throughput::Elements(space.brick_count() as u64 * 6 * 64));
    group.bench_function(BenchmarkId::new("battle", space.brick_count()), |bencher| {
        bencher.iter_batched_ref(|| space.clone(), |space| space.propagate(WIND_MS), BatchSize::SmallInput);
    });
    group.finish();
}

fn refresh(criterion: &mut Criterion) {
    let mut stepped = battle();
    stepped.propagate(WIND_MS).expect("a wind");
    criterion.bench_function("refresh after a step of a battle", |bencher| {
        bencher.iter_batched_ref(|| stepped.clone(), FieldSpace::refresh, BatchSize::SmallInput);
    });
}

fn stamp(criterion: &mut Criterion) {
    let mut space = battle();
    criterion.bench_function("stamp an explosion", |bencher| {
        bencher.iter(|| space.stamp_effect(black_box(Effect::ExplosionSurface { intensity: 1.0 }), [0.0, 0.0]));
    });
    criterion.bench_function("stamp a sonar ping", |bencher| {
        bencher.iter(|| space.stamp_effect(black_box(Effect::SonarPing { layer: 1 }), [0.0, 0.0]));
    });
}

fn look(criterion: &mut Criterion) {
    let space = battle();
    let observer = Observer { layer: 0, at: [120.0, -40.0], heading: 0.7 };
    let mut seen = [0.0; 112];
    criterion.bench_function("foveated, 28 sectors, 4 fields", |bencher| {
        let fields = [TEMPERATURE, NOISE, OCCUPANCY, SONAR_RETURN];
        bencher.iter(|| space.foveated(black_box(&observer), &DEFAULT_SHELLS, &fields, &mut seen));
    });
    let query = VolumeQuery::new(0, 120.0, -40.0, 1000.0, 1).expect("a query");
    criterion.bench_function("volume, 1 km, fine", |bencher| bencher.iter(|| space.volume(black_box(&query))));
}

criterion_group!(benches, propagate, refresh, stamp, look);
criterion_main!(benches);
