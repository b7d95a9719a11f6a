//! What a tick was worth to a unit, part by part, and how a team shares it.
//!
//! Everything is read off the state once the tick is done; nothing here changes it.

use crate::codes::{end_reason, unit_status};
use crate::contract::{N_REWARD_COMPONENTS, REWARD_COMPONENT_NAMES};
use crate::judge::score::starting_cost;
use crate::judge::termination::teams_standing;
use crate::limits::TEAMS_MAX;
use crate::state::{Battle, NO_WINNER, Unit};

const OWN_TEAM_HITS: f64 = -2.0;
const EFFECTIVE_BONUS: f64 = 1.2;
const FAILED: f64 = -0.5;
const DRAW: f64 = -0.2;

/// The parts of a reward in the order of `REWARD_COMPONENT_NAMES`.
pub type Components = [f64; N_REWARD_COMPONENTS];

/// How parts become a reward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RewardRule {
    /// Weights of the parts, in their order.
    pub weights: Components,
    /// Weight of the team's mean, 0 to 1.
    pub team_share: f64,
    /// Discount of potential-based shaping, `None` without it.
    pub discount: Option<f64>,
}

/// What a unit is paid, for one tick or summed over several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reward {
    /// The reward.
    pub total: f64,
    /// The twelve parts as they are, before weights.
    pub components: Components,
    /// What the mean of the team adds.
    pub team: f64,
    /// What potential-based shaping adds.
    pub shaping: f64,
}

impl Reward {
    /// Adds another reward.
    pub fn add(&mut self, other: &Self) {
        self.total += other.total;
        for (sum, part) in self.components.iter_mut().zip(&other.components) {
            *sum += part;
        }
        self.team += other.team;
        self.shaping += other.shaping;
    }

    /// The parts it is the sum of, by name.
    #[must_use]
    pub fn terms(&self, rule: &RewardRule) -> Vec<(&'static str, f64)> {
        let own_share = 1.0 - rule.team_share;
        let weighted = rule.weights.iter().zip(&self.components).map(|(weight, part)| own_share * weight * part);
        let mut terms: Vec<_> = REWARD_COMPONENT_NAMES.into_iter().zip(weighted).collect();
        terms.push(("team", self.team));
        if rule.discount.is_some() {
            terms.push(("shaping", self.shaping));
        }
        terms
    }
}

/// Writes what the tick just passed was worth to every starting unit, by place.
pub fn tick_rewards(battle: &Battle, rule: &RewardRule, rewards: &mut Vec<Reward>) {
    rewards.clear();
    for place in 0..battle.starting_units() {
        let components = reward_components(battle, place);
        // The own reward stands in for the total until the means of the teams are known.
        rewards.push(Reward { total: weigh(&components, &rule.weights), components, team: 0.0, shaping: 0.0 });
    }
    let means = team_means(battle, rewards);
    let mut shapings = [0.0; TEAMS_MAX];
    if let Some(discount) = rule.discount {
        for (team, shown) in shapings[..battle.spec.teams.len()].iter_mut().enumerate() {
            *shown = shaping(battle, team as i64, discount);
        }
    }
    for (spec, reward) in battle.spec.units.iter().zip(rewards.iter_mut()) {
        reward.team = rule.team_share * means[spec.team as usize];
        reward.total = (1.0 - rule.team_share) * reward.total + reward.team;
        if rule.discount.is_some() {
            reward.shaping = shapings[spec.team as usize];
            reward.total += reward.shaping;
        }
    }
}

/// The twelve parts for the tick just passed.
#[must_use]
pub fn reward_components(battle: &Battle, place: usize) -> Components {
    let unit = &battle.units[place];
    let (scratch, hp_max, team) = (&unit.scratch, unit.spec.hull.hp_max, unit.team());
    let per_enemy = |value: f64| if value == 0.0 { 0.0 } else { per_cost(value, enemy_starting_cost(battle, team)) };
    [
        per_enemy(scratch.dealt) + OWN_TEAM_HITS * per_enemy(scratch.dealt_own),
        -scratch.effective_taken / hp_max,
        per_enemy(scratch.credited_cost),
        if has_just_fallen(unit) { -1.0 } else { 0.0 },
        -lost_by_mates(battle, place),
        scratch.objective_delta,
        objective_result(unit),
        scratch.raised as f64,
        -(scratch.wasted as f64),
        -(scratch.mishaps as f64) - scratch.hazard_damage / hp_max,
        if unit.memory.was_effective { -1.0 } else { 0.0 },
        terminal(battle, team),
    ]
}

/// The sum of the weighted parts, in their order.
#[must_use]
pub fn weigh(components: &Components, weights: &Components) -> f64 {
    let mut total = 0.0;
    for (part, weight) in components.iter().zip(weights) {
        total += weight * part;
    }
    total
}

/// Mean of the totals of each team, by its index; `own` has every starting unit, by place.
fn team_means(battle: &Battle, own: &[Reward]) -> [f64; TEAMS_MAX] {
    let mut totals = [0.0; TEAMS_MAX];
    let mut members = [0.0; TEAMS_MAX];
    for (spec, reward) in battle.spec.units.iter().zip(own) {
        totals[spec.team as usize] += reward.total;
        members[spec.team as usize] += 1.0;
    }
    std::array::from_fn(|team| totals[team] / members[team])
}

/// What potential-based shaping adds: the change of the cost margin, which is worth nothing after the end.
#[must_use]
pub fn shaping(battle: &Battle, team: i64, discount: f64) -> f64 {
    let after = if battle.outcome.is_over() { 0.0 } else { cost_margin(battle, team) };
    discount * after - margin(battle, team, |unit| unit.memory.was_effective)
}

/// Own minus enemy share of starting cost that is still effective.
#[must_use]
pub fn cost_margin(battle: &Battle, team: i64) -> f64 {
    margin(battle, team, Unit::is_effective)
}

/// Whether the episode of the unit at a place has ended by the rules, and whether it was cut off.
///
/// With `credit_dead` a unit that is out waits for the end of the battle, and its episode then ends by the rules;
/// without, it ends in the tick in which the unit falls, and once.
#[must_use]
pub fn ending_flags(battle: &Battle, place: usize, credit_dead: bool) -> (bool, bool) {
    let (unit, is_over) = (&battle.units[place], battle.outcome.is_over());
    if !credit_dead && !unit.memory.was_effective {
        return (false, false);
    }
    if !unit.is_effective() {
        return (is_over || !credit_dead, false);
    }
    if !is_over {
        return (false, false);
    }
    let is_cut = matches!(battle.outcome.end_reason, end_reason::TIME_LIMIT | end_reason::ABORTED);
    (!is_cut, is_cut)
}

/// Cost of everything the enemies of a team brought.
#[must_use]
pub fn enemy_starting_cost(battle: &Battle, team: i64) -> f64 {
    let mut total = 0.0;
    for &enemy in &battle.spec.teams[team as usize].enemies {
        total += starting_cost(battle, enemy);
    }
    total
}

/// Whether the unit stopped being effective in this tick other than by leaving the map.
#[must_use]
pub const fn has_just_fallen(unit: &Unit) -> bool {
    unit.memory.was_effective && !unit.is_effective() && !unit.has(unit_status::EXITED)
}

/// Whether the team won, alone or beside a winner that it is not at war with.
#[must_use]
pub fn has_won(battle: &Battle, team: i64) -> bool {
    let winner = battle.outcome.winner;
    if winner == NO_WINNER || team == winner {
        return winner != NO_WINNER;
    }
    !battle.are_enemies(team, winner) && teams_standing(battle) >> team & 1 == 1
}

fn per_cost(value: f64, cost: f64) -> f64 {
    if cost > 0.0 { value / cost } else { 0.0 }
}

fn lost_by_mates(battle: &Battle, place: usize) -> f64 {
    let team = battle.spec.units[place].team;
    let mut lost = 0.0;
    for (other, mate) in battle.units[..battle.starting_units()].iter().enumerate() {
        if other != place && has_just_fallen(mate) && mate.spec.team == team {
            lost += mate.spec.hull.cost / starting_cost(battle, team);
        }
    }
    lost
}

fn objective_result(unit: &Unit) -> f64 {
    match unit.scratch.objective_result {
        0 => 0.0,
        result if result < 0 => FAILED,
        _ if unit.is_effective() => EFFECTIVE_BONUS,
        _ => 1.0,
    }
}

fn terminal(battle: &Battle, team: i64) -> f64 {
    if !battle.outcome.is_over() {
        return 0.0;
    }
    if battle.outcome.winner == NO_WINNER {
        return DRAW;
    }
    if has_won(battle, team) { 1.0 } else { -1.0 }
}

fn margin(battle: &Battle, team: i64, is_left: impl Fn(&Unit) -> bool) -> f64 {
    let (mut own_left, mut enemy_left) = (0.0, 0.0);
    for unit in battle.units[..battle.starting_units()].iter().filter(|unit| is_left(unit)) {
        if unit.spec.team == team {
            own_left += unit.spec.hull.cost;
        } else if battle.are_enemies(team, unit.spec.team) {
            enemy_left += unit.spec.hull.cost;
        }
    }
    per_cost(own_left, starting_cost(battle, team)) - per_cost(enemy_left, enemy_starting_cost(battle, team))
}
