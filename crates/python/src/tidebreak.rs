//! Makes batches of `tidebreak` and shows the core's tables to the contract tests.

use std::sync::Arc;

use ::tidebreak::bots::{Captain, Hull};
use ::tidebreak::checks::check_battle;
use ::tidebreak::contract::{
    HEAD_NAMES, HEAD_SIZES, HELD_OPTIONS, METRIC_NAMES, N_REWARD_COMPONENTS, REWARD_COMPONENT_NAMES,
};
use ::tidebreak::events::EVENT_NAMES;
use ::tidebreak::generation::episodes::EpisodePlan;
use ::tidebreak::generation::seats::SeatRules;
use ::tidebreak::layout::{COMPACT_OBS_WIDTH, OBS_WIDTH};
use ::tidebreak::orders::Controller;
use ::tidebreak::records::ResolvedBattle;
use ::tidebreak::reward::RewardRule;
use ::tidebreak::scripts::controller_named;
use ::tidebreak::simulation::{Settings, Tidebreak};
use kernel::batch::Batch;
use kernel::bots::Bots;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Deserialize;

use crate::batch::NativeBatch;
use crate::bots::NativeBots;
use crate::tidebreak_generation::read_generator;

/// What a configuration comes to, worked out by `worlds/tidebreak/fast.py`; controllers are named as in `Arena`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanJson {
    stage: Option<i64>,
    time_limit_ticks: Option<i64>,
    earlier_stages: bool,
    seats: usize,
    plays_all: bool,
    side: Option<String>,
    ships: Vec<String>,
    scripted: Vec<(String, String)>,
    teammates: String,
    opponents: Option<String>,
    is_compact: bool,
    weights: [f64; N_REWARD_COMPONENTS],
    team_share: f64,
    discount: Option<f64>,
    credit_dead: bool,
    decision_ticks: u16,
}

impl PlanJson {
    fn settings(self, content: &[u8]) -> Result<Settings, String> {
        let scripted: Vec<(String, Controller)> = self
            .scripted
            .into_iter()
            .map(|(ship, name)| Ok((ship, controller_named(&name)?)))
            .collect::<Result<_, String>>()?;
        let seats = SeatRules {
            seats: self.seats,
            plays_all: self.plays_all,
            side: self.side,
            ships: self.ships,
            scripted,
            teammates: controller_named(&self.teammates)?,
            opponents: self.opponents.as_deref().map(controller_named).transpose()?,
        };
        let plan = match self.stage {
            Some(number) => {
                EpisodePlan::of_stage(seats, number, self.earlier_stages, Arc::new(read_generator(content)?))
            }
            None => EpisodePlan::of_battle(seats, Arc::new(read_battle(content)?)),
        };
        Ok(Settings {
            plan: plan?.limited(self.time_limit_ticks),
            seats: self.seats,
            is_compact: self.is_compact,
            rule: RewardRule { weights: self.weights, team_share: self.team_share, discount: self.discount },
            credit_dead: self.credit_dead,
            decision_ticks: self.decision_ticks,
        })
    }
}

/// Reads a resolved package.
///
/// # Errors
/// When the bytes are none; the message starts with C001, or C030 where a limit is exceeded.
pub fn read_battle(document: &[u8]) -> Result<ResolvedBattle, String> {
    let battle = serde_json::from_slice(document).map_err(|error| format!("C001 not a resolved package: {error}"))?;
    check_battle(&battle)?;
    Ok(battle)
}

#[pyfunction]
fn tidebreak_batch(
    header: &str,
    plan: &str,
    content: &[u8],
    copies: usize,
    seed: u64,
    threads: usize,
) -> PyResult<NativeBatch> {
    let plan: PlanJson = serde_json::from_str(plan).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let settings = plan.settings(content).map_err(PyValueError::new_err)?;
    let batch = Batch::new(Tidebreak::new(Arc::new(settings)), copies, seed, threads, header.as_bytes());
    Ok(NativeBatch::new(batch.map_err(PyValueError::new_err)?))
}

/// Scripted captains for so many rows; of every known class its cost, armour, reach of torpedoes and whether it dives.
#[pyfunction]
fn tidebreak_bots(name: &str, rows: usize, hulls: Vec<(f64, f64, f64, bool)>) -> PyResult<NativeBots> {
    let hulls = hulls
        .into_iter()
        .map(|(cost, armour, torpedo_m, is_submarine)| Hull { cost, armour, torpedo_m, is_submarine })
        .collect();
    Ok(NativeBots::new(Bots::new(Captain::named(name, hulls).map_err(PyValueError::new_err)?, rows)))
}

#[pyfunction]
fn tidebreak_tables(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let shown = PyDict::new(py);
    shown.set_item("obs_widths", (OBS_WIDTH, COMPACT_OBS_WIDTH))?;
    shown.set_item("heads", HEAD_NAMES.into_iter().zip(HEAD_SIZES).collect::<Vec<_>>())?;
    shown.set_item("held_options", HELD_OPTIONS.map(<[usize]>::to_vec).to_vec())?;
    shown.set_item("metrics", METRIC_NAMES.to_vec())?;
    shown.set_item("events", EVENT_NAMES.to_vec())?;
    shown.set_item("reward_components", REWARD_COMPONENT_NAMES.to_vec())?;
    Ok(shown)
}

/// Adds the functions of this world to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(tidebreak_batch, module)?)?;
    module.add_function(wrap_pyfunction!(tidebreak_bots, module)?)?;
    module.add_function(wrap_pyfunction!(tidebreak_tables, module)?)?;
    Ok(())
}
