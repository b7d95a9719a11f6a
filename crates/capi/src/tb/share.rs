//! One environment and its part of every buffer: what a thread works on in a call.

use ::tidebreak::contract::{HEADS, N_REWARD_COMPONENTS};
use kernel::rows::{Rows, Shape};

use crate::tb::code::Failure;
use crate::tb::columns::Views;
use crate::tb::environment::Environment;

/// One environment and its part of every buffer.
pub(super) struct Share<'a> {
    pub(super) environment: &'a mut Environment,
    pub(super) actions: &'a [i32],
    pub(super) rows: Rows<'a>,
    reward_components: Option<&'a mut [f32]>,
    env_done: &'a mut u8,
    tick: &'a mut i64,
    state_hash: Option<&'a mut u64>,
}

/// Cuts every buffer into the parts of single environments.
pub(super) fn cut<'a>(environments: &'a mut [Environment], views: Views<'a>, shape: &Shape) -> Vec<Share<'a>> {
    let mut rest = views.rows;
    let mut actions = views.actions.chunks_exact(shape.agents * HEADS);
    let mut parts = views.reward_components.map(|parts| parts.chunks_exact_mut(shape.agents * N_REWARD_COMPONENTS));
    let mut hashes = views.state_hash.map(|hashes| hashes.iter_mut());
    let mut shares = Vec::with_capacity(environments.len());
    for ((environment, env_done), tick) in environments.iter_mut().zip(views.env_done).zip(views.tick) {
        let (rows, tail) = rest.split_at(1, shape);
        rest = tail;
        shares.push(Share {
            environment,
            actions: actions.next().unwrap_or_default(),
            rows,
            reward_components: parts.as_mut().and_then(Iterator::next),
            env_done,
            tick,
            state_hash: hashes.as_mut().and_then(Iterator::next),
        });
    }
    shares
}

impl Share<'_> {
    /// Steps; what a tick pays and notes is summed over the ticks.
    pub(super) fn play(&mut self, ticks: i32) -> Result<(), Failure> {
        if let Some(parts) = &mut self.reward_components {
            parts.fill(0.0);
        }
        let mut earlier: Option<Sums> = None;
        let mut is_over = false;
        for _ in 0..ticks {
            is_over = self.environment.step(self.actions, &mut self.rows)?;
            if let Some(parts) = &mut self.reward_components {
                self.environment.add_reward_components(parts);
            }
            if let Some(earlier) = &earlier {
                earlier.add_to(&mut self.rows);
            }
            if is_over || ticks == 1 {
                break;
            }
            earlier = Some(Sums::of(&self.rows));
        }
        *self.env_done = u8::from(is_over);
        self.write_clock();
        Ok(())
    }

    /// Writes what the simulation does not, after a reset or a restore.
    pub(super) fn write_opening(&mut self) {
        *self.env_done = 0;
        if let Some(parts) = &mut self.reward_components {
            parts.fill(0.0);
        }
        self.write_clock();
    }

    fn write_clock(&mut self) {
        *self.tick = self.environment.tick();
        if let Some(hash) = &mut self.state_hash {
            **hash = self.environment.state_hash();
        }
    }
}

/// What the ticks of a call have paid and noted so far.
struct Sums {
    rewards: Vec<f32>,
    terminated: Vec<u8>,
    truncated: Vec<u8>,
    dt: u16,
    events: u64,
}

impl Sums {
    fn of(rows: &Rows<'_>) -> Self {
        Self {
            rewards: rows.rewards.to_vec(),
            terminated: rows.terminated.to_vec(),
            truncated: rows.truncated.to_vec(),
            dt: rows.dt[0],
            events: rows.events[0],
        }
    }

    fn add_to(&self, rows: &mut Rows<'_>) {
        for (reward, earlier) in rows.rewards.iter_mut().zip(&self.rewards) {
            *reward += earlier;
        }
        for (flag, earlier) in rows.terminated.iter_mut().zip(&self.terminated) {
            *flag |= earlier;
        }
        for (flag, earlier) in rows.truncated.iter_mut().zip(&self.truncated) {
            *flag |= earlier;
        }
        rows.dt[0] = rows.dt[0].saturating_add(self.dt);
        rows.events[0] |= self.events;
    }
}
