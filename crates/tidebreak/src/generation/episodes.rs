//! Which battle an episode fights, and who commands each of its units.
//!
//! A stage draws a battle from the episode's seed, now and then one of an earlier stage; a given battle is the same in
//! every episode but for its luck.

use std::sync::Arc;

use crate::generation::generator::Generator;
use crate::generation::lineup::TEAM_IDS;
use crate::generation::seats::SeatRules;
use crate::generation::seeds::battle_seed;
use crate::generation::stages::{STAGE_COUNT, episode_stage, hardest_script};
use crate::orders::Controller;
use crate::records::ResolvedBattle;
use crate::scripts::controller_named;

/// Stage of a battle that was not drawn.
pub const NO_STAGE: i64 = 0;

const FIRST_TEAM: i64 = 0;
const ANY_SCRIPT: &str = "script:auto";

/// A battle before its first tick, and who commands.
#[derive(Clone, Debug)]
pub struct Episode {
    /// What is fought.
    pub spec: Arc<ResolvedBattle>,
    /// Of every draw of the battle.
    pub seed: u64,
    /// Stage it was drawn from, 0 for a given battle.
    pub stage: i64,
    /// Unit id of every seat, 0 where nobody sits.
    pub seats: Vec<i64>,
    /// Of every unit, by place.
    pub controllers: Vec<Controller>,
}

#[derive(Clone, Debug)]
enum Source {
    Stage { number: i64, earlier_stages: bool, generator: Arc<Generator>, opponents: Vec<Controller> },
    Given { spec: Arc<ResolvedBattle>, seats: Vec<i64>, controllers: Vec<Controller> },
}

/// Turns episode seeds into episodes.
#[derive(Clone, Debug)]
pub struct EpisodePlan {
    rules: SeatRules,
    source: Source,
    time_limit_ticks: Option<i64>,
}

impl EpisodePlan {
    /// Episodes of a stage, or of it and the earlier ones.
    ///
    /// # Errors
    /// When there is no such stage, or its battles do not have the side that the rules ask for.
    pub fn of_stage(
        rules: SeatRules,
        number: i64,
        earlier_stages: bool,
        generator: Arc<Generator>,
    ) -> Result<Self, String> {
        if !(1..=STAGE_COUNT).contains(&number) {
            return Err(format!("stage {number} does not exist; stages are 1 to {STAGE_COUNT}"));
        }
        if let Some(side) = rules.side.as_deref().filter(|side| !TEAM_IDS.contains(side)) {
            return Err(format!("there is no side '{side}'; there are: {}", TEAM_IDS.join(", ")));
        }
        let opponents = (1..=STAGE_COUNT).map(|stage| controller_named(hardest_script(stage)));
        let opponents = opponents.collect::<Result<_, String>>()?;
        Ok(Self {
            rules,
            source: Source::Stage { number, earlier_stages, generator, opponents },
            time_limit_ticks: None,
        })
    }

    /// Episodes of a battle that is given.
    ///
    /// # Errors
    /// When it does not have the side that the rules ask for.
    pub fn of_battle(rules: SeatRules, spec: Arc<ResolvedBattle>) -> Result<Self, String> {
        let seats = rules.seats(&spec, FIRST_TEAM)?;
        let controllers = rules.controllers(&spec, &seats, &controller_named(ANY_SCRIPT)?);
        Ok(Self { rules, source: Source::Given { spec, seats, controllers }, time_limit_ticks: None })
    }

    /// The same episodes, with this limit in battles that are drawn; None leaves them the limit of their stage.
    #[must_use]
    pub fn limited(self, time_limit_ticks: Option<i64>) -> Self {
        Self { time_limit_ticks, ..self }
    }

    /// The episode of a seed.
    #[must_use]
    pub fn episode(&self, episode_seed: u64) -> Episode {
        let seed = battle_seed(episode_seed);
        let (number, earlier_stages, generator, opponents) = match &self.source {
            Source::Given { spec, seats, controllers } => {
                let (spec, seats, controllers) = (Arc::clone(spec), seats.clone(), controllers.clone());
                return Episode { spec, seed, stage: NO_STAGE, seats, controllers };
            }
            Source::Stage { number, earlier_stages, generator, opponents } => {
                (*number, *earlier_stages, generator, opponents)
            }
        };
        let stage = if earlier_stages { episode_stage(number, episode_seed) } else { number };
        let mut scenario = generator.generate(stage, episode_seed);
        if let Some(limit) = self.time_limit_ticks {
            scenario.battle.rules.time_limit_ticks = limit;
        }
        let spec = Arc::new(scenario.battle);
        let seats = self.rules.seats(&spec, scenario.agent_team).expect("every stage has both sides");
        let controllers = self.rules.controllers(&spec, &seats, &opponents[stage as usize - 1]);
        Episode { spec, seed, stage, seats, controllers }
    }
}
