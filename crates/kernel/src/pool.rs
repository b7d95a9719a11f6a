//! The threads that step a batch, and whether they sleep between steps.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use rayon::{ThreadPool, Yield};

/// How long a thread without work waits before it looks for some again.
const PAUSES: usize = 20;
/// How often it looks in vain, some milliseconds long, before it takes naps: whoever brings work is held up then, and its
/// core may serve somebody else.
const PATIENCE: usize = 10_000;
const NAP: Duration = Duration::from_micros(100);

/// Threads that several batches may share.
#[derive(Debug)]
pub struct Pool {
    threads: ThreadPool,
    /// Odd while the threads stay awake; counted on at every change.
    turn: Arc<AtomicUsize>,
    /// Held for reading by whoever has work done.
    at_work: RwLock<()>,
}

impl Pool {
    /// Starts the threads.
    ///
    /// # Errors
    /// When they cannot be started.
    pub fn new(threads: usize) -> Result<Self, String> {
        let built = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let threads = built.map_err(|error| format!("cannot start {threads} threads: {error}"))?;
        Ok(Self { threads, turn: Arc::default(), at_work: RwLock::default() })
    }

    /// How many threads there are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// Has work done by the threads, which share it out among themselves with `rayon::join`.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        let _working = self.at_work.read().unwrap_or_else(PoisonError::into_inner);
        self.threads.install(work)
    }

    /// Keeps the threads from sleeping until `rest`, while work comes every few milliseconds: they are at once at what
    /// comes next, and nobody else has their cores. Waking a core that sleeps takes as long as some dozens of steps.
    ///
    /// It waits for work that is being done: a thread that began to wait for work while it waits for another thread's
    /// part would never come back to its own.
    pub fn stay_awake(&self) {
        let _resting = self.at_work.write().unwrap_or_else(PoisonError::into_inner);
        let before = self.turn.load(Ordering::Acquire);
        if !before.is_multiple_of(2) {
            return;
        }
        self.turn.store(before + 1, Ordering::Release);
        let here = Arc::new(AtomicUsize::new(0));
        let (turn, arrived) = (Arc::clone(&self.turn), Arc::clone(&here));
        self.threads.spawn_broadcast(move |_| {
            arrived.fetch_add(1, Ordering::AcqRel);
            look_for_work_during(&turn, before + 1);
        });
        while here.load(Ordering::Acquire) < self.size() {
            std::thread::yield_now();
        }
    }

    /// Lets the threads sleep when they have nothing to do.
    pub fn rest(&self) {
        let awake = self.turn.load(Ordering::Acquire);
        if !awake.is_multiple_of(2) {
            // Whoever comes first ends it; there is nothing left to do for the others.
            let _ = self.turn.compare_exchange(awake, awake + 1, Ordering::AcqRel, Ordering::Acquire);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.rest();
    }
}

fn look_for_work_during(turn: &AtomicUsize, own: usize) {
    let mut in_vain = 0;
    while turn.load(Ordering::Acquire) == own {
        if rayon::yield_now() == Some(Yield::Executed) {
            in_vain = 0;
        } else if in_vain < PATIENCE {
            in_vain += 1;
            (0..PAUSES).for_each(|_| std::hint::spin_loop());
        } else {
            std::thread::sleep(NAP);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_work_asleep_and_awake_and_after_every_change() {
        let pool = Pool::new(3).unwrap();
        for _ in 0..50 {
            assert_eq!(sum_of_halves(&pool, 1000), 499_500);
            pool.stay_awake();
            pool.stay_awake();
            assert_eq!(sum_of_halves(&pool, 1000), 499_500);
            pool.rest();
            pool.rest();
        }
    }

    #[test]
    fn threads_are_kept_awake_while_others_have_work_done() {
        let pool = Pool::new(2).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| (0..50).for_each(|_| assert_eq!(sum_of_halves(&pool, 1000), 499_500)));
            }
            for _ in 0..50 {
                pool.stay_awake();
                pool.rest();
            }
        });
    }

    #[test]
    fn threads_that_are_awake_end_with_their_pool() {
        let pool = Pool::new(2).unwrap();
        pool.stay_awake();
        let turn = Arc::clone(&pool.turn);
        drop(pool);
        assert!(turn.load(Ordering::Acquire).is_multiple_of(2));
    }

    fn sum_of_halves(pool: &Pool, count: u64) -> u64 {
        fn sum(from: u64, to: u64) -> u64 {
            if to - from <= 10 {
                return (from..to).sum();
            }
            let middle = u64::midpoint(from, to);
            let (left, right) = rayon::join(|| sum(from, middle), || sum(middle, to));
            left + right
        }
        pool.run(|| sum(0, count))
    }
}
