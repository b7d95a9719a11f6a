//! How long a step, a reset, an observation and a state hash take.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use kernel::batch::{AnyBatch, Batch};
use kernel::pcg32::Pcg32;
use kernel::rows::{Rows, Shape};
use kernel::simulation::Simulation;
use kernel::state_hash::{WordWriter, hash_words};
use prospector::{Config, Prospector};

const COPIES: usize = 1024;
const ACTION_STREAM: u64 = 77;

/// Output arrays of a batch, owned by the benchmark.
struct Arrays {
    floats: [Vec<f32>; 4],
    bytes: [Vec<u8>; 7],
    dt: Vec<u16>,
    events: Vec<u64>,
}

impl Arrays {
    fn new(shape: &Shape, copies: usize) -> Self {
        Self {
            floats: [shape.obs, 1, shape.metrics, shape.obs].map(|width| vec![0.0; width * copies]),
            bytes: [shape.obs_u8, shape.options, 1, 1, 1, 1, shape.obs_u8].map(|width| vec![0; width * copies]),
            dt: vec![0; copies],
            events: vec![0; copies],
        }
    }

    fn rows(&mut self) -> Rows<'_> {
        let [obs, rewards, metrics, final_obs] = &mut self.floats;
        let [obs_u8, masks, terminated, truncated, alive, episode_start, final_obs_u8] = &mut self.bytes;
        let (dt, events) = (&mut self.dt[..], &mut self.events[..]);
        Rows {
            obs,
            obs_u8,
            masks,
            rewards,
            terminated,
            truncated,
            alive,
            episode_start,
            metrics,
            dt,
            events,
            final_obs,
            final_obs_u8,
        }
    }

    fn masks(&self) -> &[u8] {
        &self.bytes[1]
    }
}

fn random_valid(masks: &[u8], options: usize, rng: &mut Pcg32) -> Vec<i32> {
    masks
        .chunks_exact(options)
        .map(|mask| {
            let valid: Vec<i32> = (0..).zip(mask).filter(|(_, valid)| **valid == 1).map(|(action, _)| action).collect();
            valid[rng.randint_exclusive(0, valid.len() as i64) as usize]
        })
        .collect()
}

fn stepping(criterion: &mut Criterion) {
    let prototype = Prospector::new(Config::default());
    let shape = prototype.shape();
    let mut batch = Batch::new(prototype, COPIES, 1, 1, b"{}").expect("one thread can always be had");
    let mut arrays = Arrays::new(&shape, COPIES);
    let all: Vec<usize> = (0..COPIES).collect();
    batch.reset(&all, None, arrays.rows()).expect("the arrays fit");
    let mut rng = Pcg32::from_seed(1, ACTION_STREAM);

    let mut group = criterion.benchmark_group("prospector");
    group.throughput(Throughput::Elements(COPIES as u64));
    group.bench_function("step of 1024 copies, random valid actions, resets included", |bencher| {
        bencher.iter_custom(|steps| {
            let mut spent = std::time::Duration::ZERO;
            for _ in 0..steps {
                let actions = random_valid(arrays.masks(), shape.options, &mut rng);
                let began = std::time::Instant::now();
                batch.step(&actions, arrays.rows()).expect("the arrays fit");
                spent += began.elapsed();
            }
            spent
        });
    });
    group.finish();
}

fn single_copy(criterion: &mut Criterion) {
    let mut world = Prospector::new(Config::default());
    world.reset(42);
    let mut arrays = Arrays::new(&world.shape(), 1);

    let mut group = criterion.benchmark_group("prospector, one copy");
    group.bench_function("reset", |bencher| {
        let mut seed = 0;
        bencher.iter(|| {
            seed += 1;
            world.reset(seed);
        });
    });
    world.reset(42);
    group.bench_function("observe", |bencher| bencher.iter(|| world.observe(&mut arrays.rows())));
    group.bench_function("state hash", |bencher| {
        bencher.iter_batched(
            WordWriter::new,
            |mut words| {
                world.write_words(&mut words);
                hash_words(words.as_slice())
            },
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

criterion_group!(benches, stepping, single_copy);
criterion_main!(benches);
