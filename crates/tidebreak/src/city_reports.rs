//! How a city at sea came out of a battle.

use kernel::numerics::fmin;

use crate::codes::{boarding_status, component_status, system};
use crate::judge::standing::hp_share;
use crate::state::{Battle, Unit};
use crate::systems::compartments::usable;

const SHOCK_PER_DAMAGE: f64 = 1.2;
const SHOCK_OF_BEACHHEAD: f64 = 0.3;
const LEGITIMACY_PER_SHOCK: f64 = -0.25;
const HABITABLE_ABOVE: f64 = 0.5;
const EVACUATION_SHARE: f64 = 0.3;

/// Districts of a city, by compartment.
pub const DISTRICT_NAMES: [&str; 12] = [
    "bow_quarter",
    "port_fore",
    "starboard_fore",
    "port_mid",
    "starboard_mid",
    "port_aft",
    "starboard_aft",
    "stern_works",
    "upper_city",
    "lower_decks",
    "cic_tower",
    "government_seat",
];

/// A city's damage, summed up for its government; statuses are of `component_status`.
#[derive(Clone, Debug, PartialEq)]
pub struct MegashipReport {
    /// Of its propulsion.
    pub propulsion_status: i64,
    /// Of its sensors.
    pub cic_status: i64,
    /// Of its weapons.
    pub primary_weapons: i64,
    /// Of its power.
    pub power_systems: i64,
    /// 1 - integrity, by district.
    pub district_damage: Vec<f64>,
    /// Killed and wounded.
    pub casualty_estimate: i64,
    /// Share of its people that could get away.
    pub evacuation_status: f64,
    /// How deep the shock goes, 0 to 1.
    pub morale_shock: f64,
    /// What that costs its government.
    pub legitimacy_impact: f64,
}

/// Sums up a city's damage.
#[must_use]
pub fn megaship_report(battle: &Battle, city: &Unit) -> MegashipReport {
    let has_beachhead = battle.units.iter().any(|unit| {
        unit.boarding.target_id == city.identity.id && unit.boarding.status == boarding_status::ESTABLISHED
    });
    let of_beachhead = if has_beachhead { SHOCK_OF_BEACHHEAD } else { 0.0 };
    let shock = fmin(1.0, SHOCK_PER_DAMAGE * (1.0 - hp_share(city)) + of_beachhead);
    let habitable = city.compartments.iter().filter(|part| part.integrity > HABITABLE_ABOVE).count();
    let share = if city.compartments.is_empty() { 0.0 } else { habitable as f64 / city.compartments.len() as f64 };
    let status = |which| component_status(usable(city, which));
    MegashipReport {
        propulsion_status: status(system::PROPULSION),
        cic_status: status(system::SENSORS),
        primary_weapons: status(system::WEAPONS),
        power_systems: status(system::POWER),
        district_damage: city.compartments.iter().map(|part| 1.0 - part.integrity).collect(),
        casualty_estimate: city.crew.killed + city.crew.wounded,
        evacuation_status: EVACUATION_SHARE * share,
        morale_shock: shock,
        legitimacy_impact: LEGITIMACY_PER_SHOCK * shock,
    }
}
