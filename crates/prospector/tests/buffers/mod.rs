//! The arrays a batch writes, as a caller would own them.

use kernel::rows::{Rows, Shape};

pub struct Buffers {
    pub obs: Vec<f32>,
    pub masks: Vec<u8>,
    pub rewards: Vec<f32>,
    pub terminated: Vec<u8>,
    pub truncated: Vec<u8>,
    pub alive: Vec<u8>,
    pub episode_start: Vec<u8>,
    pub metrics: Vec<f32>,
    pub dt: Vec<u16>,
    pub events: Vec<u64>,
    pub final_obs: Vec<f32>,
}

impl Buffers {
    pub fn new(shape: Shape, copies: usize) -> Self {
        Self {
            obs: vec![0.0; copies * shape.obs],
            masks: vec![0; copies * shape.options],
            rewards: vec![0.0; copies],
            terminated: vec![0; copies],
            truncated: vec![0; copies],
            alive: vec![0; copies],
            episode_start: vec![0; copies],
            metrics: vec![0.0; copies * shape.metrics],
            dt: vec![0; copies],
            events: vec![0; copies],
            final_obs: vec![0.0; copies * shape.obs],
        }
    }

    pub fn rows(&mut self) -> Rows<'_> {
        Rows {
            obs: &mut self.obs,
            obs_u8: &mut [],
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            alive: &mut self.alive,
            episode_start: &mut self.episode_start,
            metrics: &mut self.metrics,
            dt: &mut self.dt,
            events: &mut self.events,
            final_obs: &mut self.final_obs,
            final_obs_u8: &mut [],
        }
    }
}
