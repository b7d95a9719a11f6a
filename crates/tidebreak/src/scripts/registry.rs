//! Controllers by name.

use std::sync::Arc;

use super::aggressor::aggressor;
use super::ambusher::ambusher;
use super::auto::auto;
use super::boarder::boarder;
use super::drifter::drifter;
use super::escort::escort;
use super::evader::evader;
use super::idle::idle;
use super::kiter::kiter;
use crate::orders::{Controller, Order};
use crate::state::Battle;

const AGENT: &str = "agent";
const PREFIX: &str = "script:";

/// A captain by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "a script is its name")]
pub enum Script {
    Idle,
    Drifter,
    Aggressor,
    Kiter,
    Ambusher,
    Escort,
    Evader,
    Boarder,
    Auto,
}

const SCRIPTS: [(&str, Script); 9] = [
    ("idle", Script::Idle),
    ("drifter", Script::Drifter),
    ("aggressor", Script::Aggressor),
    ("kiter", Script::Kiter),
    ("ambusher", Script::Ambusher),
    ("escort", Script::Escort),
    ("evader", Script::Evader),
    ("boarder", Script::Boarder),
    ("auto", Script::Auto),
];

impl Script {
    /// The script with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        SCRIPTS.iter().find(|(known, _)| *known == name).map(|&(_, script)| script)
    }

    /// Gives a unit (by place) its order for this tick.
    #[must_use]
    pub fn order(self, battle: &Battle, unit: usize) -> Order {
        match self {
            Self::Idle => idle(battle, unit),
            Self::Drifter => drifter(battle, unit),
            Self::Aggressor => aggressor(battle, unit),
            Self::Kiter => kiter(battle, unit),
            Self::Ambusher => ambusher(battle, unit),
            Self::Escort => escort(battle, unit),
            Self::Evader => evader(battle, unit),
            Self::Boarder => boarder(battle, unit),
            Self::Auto => auto(battle, unit),
        }
    }
}

/// The controller of an agent.
#[must_use]
pub fn agent() -> Controller {
    Controller { name: Arc::from(AGENT), script: None, skill: 1.0 }
}

/// Looks a controller up: `agent`, `script:kiter`, or `script:kiter@0.6` for one that is heard on 60% of ticks.
///
/// # Errors
/// When there is no such controller.
pub fn controller_named(name: &str) -> Result<Controller, String> {
    if name == AGENT {
        return Ok(agent());
    }
    let plain = name.strip_prefix(PREFIX).unwrap_or(name);
    let (script_name, skill_text) = match plain.split_once('@') {
        Some((script_name, skill_text)) => (script_name, Some(skill_text)),
        None => (plain, None),
    };
    let Some(script) = Script::named(script_name) else {
        let names = SCRIPTS.map(|(known, _)| known).join(", ");
        return Err(format!("controller '{name}' is unknown; use 'agent' or 'script:' and one of {names}"));
    };
    let skill = skill_text.map_or(Ok(1.0), |text| skill_of(name, text))?;
    Ok(Controller { name: Arc::from(name), script: Some(script), skill })
}

fn skill_of(name: &str, text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(skill) if (0.0..=1.0).contains(&skill) => Ok(skill),
        _ => Err(format!("controller '{name}': what follows '@' must be a share from 0 to 1")),
    }
}
