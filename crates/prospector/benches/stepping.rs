//! Throughput of a batch on one core, and the cost of what it does now and then.

#[path = "../tests/buffers/mod.rs"]
mod buffers;
#[path = "../tests/play/mod.rs"]
mod play;

use std::hint::black_box;
use std::time::{Duration, Instant};

use buffers::Buffers;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kernel::batch::{AnyBatch, Batch};
use kernel::pcg32::Pcg32;
use kernel::simulation::Simulation;
use play::choose;
use prospector::{Config, Prospector};

const COPIES: usize = 1024;

/// Random valid actions with auto-resets; choosing the actions is not timed.
fn step(criterion: &mut Criterion) {
    let mut batch = Batch::new(Prospector::new(Config::default()), COPIES, 7, 1, b"{}").expect("one thread");
    let mut buffers = Buffers::new(batch.shape(), COPIES);
    let all: Vec<usize> = (0..COPIES).collect();
    batch.reset(&all, None, buffers.rows()).expect("buffers of the batch");
    let mut actions = vec![0; COPIES];
    let mut rng = Pcg32::from_seed(0, 0);
    let mut group = criterion.benchmark_group("step");
    group.throughput(Throughput::Elements(COPIES as u64));
    group.bench_function("1024 copies, random valid actions", |bencher| {
        bencher.iter_custom(|iterations| {
            let mut stepping = Duration::ZERO;
            for _ in 0..iterations {
                choose(&buffers.masks, &mut actions, &mut rng);
                let start = Instant::now();
                batch.step(&actions, buffers.rows()).expect("buffers of the batch");
                stepping += start.elapsed();
            }
            stepping
        });
    });
    group.finish();
}

fn reset(criterion: &mut Criterion) {
    let mut world = Prospector::new(Config::default());
    let mut seed = 0;
    criterion.bench_function("reset", |bencher| {
        bencher.iter(|| {
            seed += 1;
            world.reset(black_box(seed));
        });
    });
}

fn observe(criterion: &mut Criterion) {
    let mut world = Prospector::new(Config::default());
    world.reset(42);
    let mut buffers = Buffers::new(world.shape(), 1);
    criterion.bench_function("observe", |bencher| bencher.iter(|| world.observe(black_box(&mut buffers.rows()))));
}

fn state_hash(criterion: &mut Criterion) {
    let mut batch = Batch::new(Prospector::new(Config::default()), 1, 7, 1, b"{}").expect("one thread");
    let mut buffers = Buffers::new(batch.shape(), 1);
    batch.reset(&[0], Some(&[42]), buffers.rows()).expect("buffers of the batch");
    criterion.bench_function("state hash", |bencher| bencher.iter(|| black_box(batch.state_hash(0))));
}

criterion_group!(benches, step, reset, observe, state_hash);
criterion_main!(benches);
