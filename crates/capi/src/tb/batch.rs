//! Many battles behind a `tb_batch` handle: templates, buffers, threads.

use std::sync::Arc;

use ::tidebreak::contract::{HEADS, N_METRICS, N_OPTIONS};
use ::tidebreak::decisions::check_decision;
use ::tidebreak::layout::{COMPACT_OBS_WIDTH, OBS_WIDTH};
use kernel::rows::Shape;
use rayon::ThreadPool;
use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

use crate::tb::buffers::{Described, Form, Sizes};
use crate::tb::code::{Code, Failure};
use crate::tb::columns::Columns;
use crate::tb::config::Plan;
use crate::tb::environment::Environment;
use crate::tb::share::{Share, cut};
use crate::tb::template::Template;

/// Most templates of a batch.
pub const TB_MAX_TEMPLATES: usize = 4096;
/// Most ticks of one call.
pub const TB_MAX_TICKS: i32 = 1 << 20;

/// A batch of battles.
#[derive(Debug)]
pub struct TbBatch {
    plan: Plan,
    shape: Shape,
    templates: Vec<Template>,
    /// None before there is a template.
    environments: Vec<Environment>,
    columns: Columns,
    pool: Option<Arc<ThreadPool>>,
}

impl TbBatch {
    /// A batch without templates.
    ///
    /// # Errors
    /// When the threads cannot be started.
    pub fn new(plan: Plan) -> Result<Self, Failure> {
        let obs = if plan.is_compact { COMPACT_OBS_WIDTH } else { OBS_WIDTH };
        let agents = plan.seats.seats;
        let shape = Shape { agents, heads: HEADS, options: N_OPTIONS, obs, obs_u8: 0, metrics: N_METRICS };
        let columns = Columns::new(&Sizes { envs: plan.envs, agents, obs });
        let pool = match plan.threads {
            1 => None,
            threads => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let reason = |error| Failure::new(Code::Capacity, format!("cannot start {threads} threads: {error}"));
                Some(Arc::new(pool.map_err(reason)?))
            }
        };
        Ok(Self { plan, shape, templates: Vec::new(), environments: Vec::new(), columns, pool })
    }

    /// Number of environments.
    #[must_use]
    pub const fn envs(&self) -> usize {
        self.plan.envs
    }

    /// Adds a battle and returns its id; every environment fights the first one until it is told otherwise.
    ///
    /// # Errors
    /// When the bytes are no resolved package, or there are too many.
    pub fn add_template(&mut self, document: &[u8]) -> Result<i32, Failure> {
        if self.templates.len() == TB_MAX_TEMPLATES {
            return Err(Failure::new(Code::Capacity, format!("a batch has at most {TB_MAX_TEMPLATES} templates")));
        }
        let template = Template::read(document, &self.plan)?;
        if self.templates.is_empty() {
            let Plan { envs, seed, collects_events, .. } = self.plan;
            let opened = (0..envs).map(|index| Environment::new(&template, seed, index, collects_events));
            self.environments = opened.collect();
        }
        self.templates.push(template);
        Ok(self.templates.len() as i32 - 1)
    }

    /// Lets an environment fight a template from its next reset on.
    ///
    /// # Errors
    /// When there is no such environment or template.
    pub fn assign(&mut self, env: usize, template: i32) -> Result<(), Failure> {
        let known = usize::try_from(template).ok().and_then(|place| self.templates.get(place)).cloned();
        let template = known.ok_or_else(|| Failure::new(Code::BadIndex, format!("there is no template {template}")))?;
        self.environment_mut(env)?.take(&template);
        Ok(())
    }

    /// Checks an array of the caller's and uses it from now on.
    ///
    /// # Errors
    /// With what is wrong with it; nothing changes then.
    pub fn register(&mut self, kind: i32, first: *mut u8, described: &Described<'_>) -> Result<(), Failure> {
        let sizes = Sizes { envs: self.plan.envs, agents: self.shape.agents, obs: self.shape.obs };
        let known = usize::try_from(kind).ok().and_then(|kind| Some((kind, Form::of(kind, &sizes)?)));
        let (kind, form) =
            known.ok_or_else(|| Failure::new(Code::BadValue, format!("there is no buffer kind {kind}")))?;
        described.check(kind, &form)?;
        self.columns.register(kind, first)
    }

    /// Resets the environments whose mask is set, all without a mask; without seeds with the next of their sequences.
    ///
    /// # Safety
    /// All memory that was registered is still there, and nobody else uses it now.
    ///
    /// # Errors
    /// Before there is a template, or when a battle cannot be opened.
    pub unsafe fn reset(&mut self, mask: Option<&[u8]>, seeds: Option<&[u64]>) -> Result<(), Failure> {
        self.check_templates()?;
        // SAFETY: the caller vouches for the memory.
        let mut shares = unsafe { self.shares() };
        for (env, share) in shares.iter_mut().enumerate() {
            if mask.is_none_or(|mask| mask[env] != 0) {
                share.environment.reset(seeds.map(|seeds| seeds[env]), &mut share.rows)?;
                share.write_opening();
            }
        }
        Ok(())
    }

    /// Advances every environment by so many ticks, with the same actions; one whose battle ends stops there.
    ///
    /// # Safety
    /// All memory that was registered is still there, and nobody else uses it now.
    ///
    /// # Errors
    /// When an option does not exist or an environment was never reset, nothing changes; when one is poisoned, before
    /// or by this call, the others have advanced.
    pub unsafe fn step(&mut self, ticks: i32) -> Result<(), Failure> {
        if !(1..=TB_MAX_TICKS).contains(&ticks) {
            return Err(Failure::new(Code::BadValue, format!("ticks is {ticks}; it must be 1 to {TB_MAX_TICKS}")));
        }
        self.check_templates()?;
        let unready = self.environments.iter().filter_map(|environment| environment.check_usable().err());
        if let Some(failure) = unready.into_iter().find(|failure| failure.code == Code::NotReady) {
            return Err(failure);
        }
        let pool = self.pool.clone();
        // SAFETY: the caller vouches for the memory.
        let mut shares = unsafe { self.shares() };
        for (row, options) in shares.iter().flat_map(|share| share.actions.chunks_exact(HEADS)).enumerate() {
            check_decision(options)
                .map_err(|reason| Failure::of_core(&format!("{reason} (row {row})"), Code::BadAction))?;
        }
        let outcomes: Vec<Result<(), Failure>> = match pool {
            Some(pool) => pool.install(|| shares.par_iter_mut().map(|share| share.play(ticks)).collect()),
            None => shares.iter_mut().map(|share| share.play(ticks)).collect(),
        };
        let failed = outcomes.into_iter().enumerate().find_map(|(env, outcome)| Some((env, outcome.err()?)));
        failed.map_or(Ok(()), |(env, failure)| {
            Err(Failure { message: format!("{} (environment {env})", failure.message), ..failure })
        })
    }

    /// Continues an environment from a snapshot; on an error nothing changes.
    ///
    /// # Safety
    /// All memory that was registered is still there, and nobody else uses it now.
    ///
    /// # Errors
    /// When there is no such environment, or the bytes are no snapshot of its battle.
    pub unsafe fn restore(&mut self, env: usize, data: &[u8]) -> Result<(), Failure> {
        self.environment(env)?;
        // SAFETY: the caller vouches for the memory.
        let mut shares = unsafe { self.shares() };
        let share = &mut shares[env];
        share.environment.restore(data, &mut share.rows)?;
        share.write_opening();
        Ok(())
    }

    /// An environment, for reading.
    ///
    /// # Errors
    /// When there is none of this index.
    pub fn environment(&self, env: usize) -> Result<&Environment, Failure> {
        self.check_templates()?;
        self.environments.get(env).ok_or_else(|| unknown(env))
    }

    /// An environment.
    ///
    /// # Errors
    /// When there is none of this index.
    pub fn environment_mut(&mut self, env: usize) -> Result<&mut Environment, Failure> {
        self.check_templates()?;
        self.environments.get_mut(env).ok_or_else(|| unknown(env))
    }

    fn check_templates(&self) -> Result<(), Failure> {
        let reason = "the batch has no template; add one first";
        if self.templates.is_empty() { Err(Failure::new(Code::NotReady, reason)) } else { Ok(()) }
    }

    /// # Safety
    /// All memory that was registered is still there, and nobody else uses it while the shares live.
    unsafe fn shares(&mut self) -> Vec<Share<'_>> {
        // SAFETY: the caller vouches for the memory.
        let views = unsafe { self.columns.views() };
        cut(&mut self.environments, views, &self.shape)
    }
}

fn unknown(env: usize) -> Failure {
    Failure::new(Code::BadIndex, format!("there is no environment {env}"))
}
