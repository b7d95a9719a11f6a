//! A resolved package that environments can fight.

use std::sync::Arc;

use ::tidebreak::checks::check_battle;
use ::tidebreak::generation::episodes::EpisodePlan;
use ::tidebreak::records::ResolvedBattle;
use ::tidebreak::simulation::{Settings, Tidebreak};
use ::tidebreak::static_fields::open_fields;
use kernel::simulation::Simulation;
use kernel::state_hash::{byte_words, hash_words};

use crate::tb::code::{Code, Failure};
use crate::tb::config::Plan;
use crate::tb::guard::guarded;

/// A battle with its seats, ready to be opened with any seed.
#[derive(Clone, Debug)]
pub struct Template {
    settings: Arc<Settings>,
    /// What its snapshots carry, so that those of other battles are refused.
    pub header: Arc<[u8]>,
}

impl Template {
    /// Reads a resolved package and opens it once, to see that it can be fought.
    ///
    /// # Errors
    /// When it cannot, or lacks the side that the plan asks for.
    pub fn read(document: &[u8], plan: &Plan) -> Result<Self, Failure> {
        let battle = Arc::new(read_battle(document)?);
        let episodes = EpisodePlan::of_battle(plan.seats.clone(), Arc::clone(&battle))
            .map_err(|reason| Failure::new(Code::BadConfig, reason))?;
        let settings = Arc::new(Settings {
            plan: episodes,
            seats: plan.seats.seats,
            is_compact: plan.is_compact,
            rule: plan.rule,
            credit_dead: plan.credit_dead,
            decision_ticks: 1, // a call is a tick: C programs repeat their actions themselves
        });
        let header = serde_json::json!({
            "agents_per_env": plan.seats.seats,
            "content_hash": battle.content_hash,
            "package_hash": format!("{:016x}", hash_words(&byte_words(document))),
            "plays_all": plan.seats.plays_all,
            "side": plan.seats.side,
        });
        let template = Self { settings, header: header.to_string().as_bytes().into() };
        let is_sound = guarded(|| template.simulation().reset(plan.seed)).is_some();
        if is_sound { Ok(template) } else { Err(Failure::new(Code::BadPackage, "the battle cannot be opened")) }
    }

    /// A copy that must be reset before it is stepped.
    #[must_use]
    pub fn simulation(&self) -> Tidebreak {
        Tidebreak::new(Arc::clone(&self.settings))
    }
}

/// Reads a resolved package.
///
/// # Errors
/// When the bytes are none.
pub fn read_battle(document: &[u8]) -> Result<ResolvedBattle, Failure> {
    let battle: ResolvedBattle = serde_json::from_slice(document)
        .map_err(|error| Failure::new(Code::BadPackage, format!("not a resolved package: {error}")))?;
    check_battle(&battle).map_err(|reason| Failure::of_core(&reason, Code::BadPackage))?;
    match guarded(|| open_fields(&battle)) {
        Some(Ok(_)) => Ok(battle),
        Some(Err(reason)) => Err(Failure::new(Code::BadPackage, format!("not a resolved package: {reason}"))),
        None => Err(Failure::new(Code::BadPackage, "the map of the package cannot be laid out")),
    }
}
