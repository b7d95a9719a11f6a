//! From words to a state; words that describe no state of this world are refused.

use kernel::pcg32::Pcg32;
use kernel::snapshot::SnapshotError;
use kernel::state_hash::WordReader;

use crate::belt::{Beliefs, Belt, Makeup, Node, NodeKind};
use crate::config::Config;
use crate::constants::{
    ALERT_MAX, ASTEROIDS_MIN, CARGO_MAX, ESCAPE_TICKS, FUEL_MAX, HEAT_MAX, HULL_MAX, MAX_ASTEROIDS, MAX_NEIGHBORS,
    MAX_NODES, N_COMMODITIES, NODES_MIN, PERIOD_RANGE_TICKS, PRICE_MAX, PRICE_MIN, RICHNESS_RANGE, STABILIZED_TICKS,
    STATION, SUPPLIES_MAX, TOOL_MAX, TRAVEL_FUEL_SCALE, TRAVEL_TICKS_MAX, TRAVEL_TICKS_MIN,
};
use crate::market::Market;
use crate::ship::Ship;
use crate::state::{Counters, State};

impl State {
    /// Reads what `write_words` wrote under the same configuration.
    pub fn read_words(words: &mut WordReader<'_>, config: &Config) -> Result<Self, SnapshotError> {
        let rng = Pcg32::from_parts(words.unsigned()?, words.unsigned()?, words.unsigned()?);
        let seed = words.unsigned()?;
        let ticks = count(words, "ticks", 0, i64::from(u32::MAX))? as u32;
        let [time_remaining] = bounded(words, "time_remaining", [0.0], [config.time_max])?;
        let is_over = count(words, "is_over", 0, 1)? == 1;
        let node_count = count(words, "node_count", NODES_MIN as i64, MAX_NODES as i64)? as usize;
        let node = count(words, "node", 0, node_count as i64 - 1)? as u8;
        let selection = count(words, "selection", -1, MAX_ASTEROIDS as i64 - 1)?;
        let belt = read_belt(words, node_count)?;
        let asteroid_count = i64::from(belt.fields[usize::from(node)].asteroid_count);
        within("selection", selection, -1, asteroid_count - 1)?;
        let ship = Ship { node, selection: u8::try_from(selection).ok(), ..read_ship(words)? };
        let market = read_market(words)?;
        let counters = read_counters(words)?;
        let hold_total = ship.cargo_total();
        let hold_value = ship.cargo_value(&market.price);
        Ok(Self { rng, seed, time_remaining, ticks, is_over, ship, market, counters, hold_total, hold_value, belt })
    }
}

fn read_belt(words: &mut WordReader<'_>, node_count: usize) -> Result<Belt, SnapshotError> {
    let mut belt = Belt::empty();
    belt.node_count = node_count;
    for node in 0..node_count {
        let (least, most) = if node == usize::from(STATION) { (0, 0) } else { (1, 2) };
        belt.kinds[node] = match count(words, "node type", least, most)? {
            0 => NodeKind::Station,
            1 => NodeKind::Cluster,
            _ => NodeKind::Hazard,
        };
        belt.nodes[node].hazard = share(words, "hazard")?;
        belt.nodes[node].pirate = share(words, "pirate")?;
        belt.nodes[node].hops = count(words, "hops", 0, MAX_NODES as i64 - 1)? as u8;
    }
    for node in &mut belt.nodes[..node_count] {
        read_edges(words, node, node_count)?;
    }
    let mut makeups = Vec::with_capacity(MAX_ASTEROIDS);
    for node in 0..node_count {
        let (least, most) = if node == usize::from(STATION) { (0, 0) } else { (ASTEROIDS_MIN, MAX_ASTEROIDS) };
        makeups.clear();
        for _ in 0..count(words, "asteroid_count", least as i64, most as i64)? {
            makeups.push(read_makeup(words)?);
        }
        belt.settle(node, &makeups);
    }
    for beliefs in &mut belt.beliefs {
        *beliefs = read_beliefs(words)?;
    }
    Ok(belt)
}

fn read_edges(words: &mut WordReader<'_>, node: &mut Node, node_count: usize) -> Result<(), SnapshotError> {
    for slot in 0..MAX_NEIGHBORS {
        let neighbor = count(words, "neighbor", -1, node_count as i64 - 1)?;
        let is_used = neighbor >= 0;
        if is_used && slot > usize::from(node.degree) {
            return Err(SnapshotError::Invalid(format!("neighbor slot {slot} is in use but the one before is not")));
        }
        let (least, most) = if is_used { (TRAVEL_TICKS_MIN, TRAVEL_TICKS_MAX) } else { (0, 0) };
        node.neighbors[slot] = u8::try_from(neighbor).unwrap_or_default();
        node.travel_ticks[slot] = count(words, "travel_time", i64::from(least), i64::from(most))? as u8;
        let (most_fuel, most_threat) = if is_used { (TRAVEL_FUEL_SCALE, 1.0) } else { (0.0, 0.0) };
        [node.fuel[slot]] = bounded(words, "edge fuel", [0.0], [most_fuel])?;
        [node.threat[slot]] = bounded(words, "threat", [0.0], [most_threat])?;
        [node.threat_estimate[slot]] = bounded(words, "threat_estimate", [0.0], [most_threat])?;
        node.degree += u8::from(is_used);
    }
    Ok(())
}

fn read_makeup(words: &mut WordReader<'_>) -> Result<Makeup, SnapshotError> {
    Ok(Makeup {
        true_comp: floats(words, "true_comp")?,
        richness: bounded(words, "richness", [RICHNESS_RANGE.0], [RICHNESS_RANGE.1])?[0],
        stability: share(words, "stability")?,
        noise: share(words, "noise")?,
    })
}

fn read_beliefs(words: &mut WordReader<'_>) -> Result<Beliefs, SnapshotError> {
    Ok(Beliefs {
        comp_est: floats(words, "comp_est")?,
        stability_est: share(words, "stability_est")?,
        scan_conf: share(words, "scan_conf")?,
        depletion: share(words, "depletion")?,
    })
}

fn read_ship(words: &mut WordReader<'_>) -> Result<Ship, SnapshotError> {
    let [fuel, hull, heat, tool, alert] = bounded(
        words,
        "fuel, hull, heat, tool or alert",
        [0.0; 5],
        [FUEL_MAX, HULL_MAX, HEAT_MAX, TOOL_MAX, ALERT_MAX],
    )?;
    let credits = float(words, "credits")?;
    let cargo = bounded(words, "cargo", [0.0; N_COMMODITIES], [CARGO_MAX; N_COMMODITIES])?;
    let repair_kits = small(words, "repair_kits", SUPPLIES_MAX)?;
    let stabilizers = small(words, "stabilizers", SUPPLIES_MAX)?;
    let decoys = small(words, "decoys", SUPPLIES_MAX)?;
    let escape_ticks = small(words, "escape_ticks", ESCAPE_TICKS)?;
    let mut stabilize_ticks = [0; MAX_ASTEROIDS];
    for left in &mut stabilize_ticks {
        *left = small(words, "stabilize_ticks", STABILIZED_TICKS)?;
    }
    Ok(Ship {
        fuel,
        hull,
        heat,
        tool,
        alert,
        credits,
        cargo,
        repair_kits,
        stabilizers,
        decoys,
        escape_ticks,
        stabilize_ticks,
        ..Ship::default()
    })
}

fn read_market(words: &mut WordReader<'_>) -> Result<Market, SnapshotError> {
    Ok(Market {
        price: bounded(words, "price", PRICE_MIN, PRICE_MAX)?,
        prev_price: bounded(words, "prev_price", PRICE_MIN, PRICE_MAX)?,
        inventory: bounded(words, "inventory", [0.0; N_COMMODITIES], [f64::MAX; N_COMMODITIES])?,
        phase: floats(words, "phase")?,
        period: bounded(words, "period", [PERIOD_RANGE_TICKS.0; N_COMMODITIES], [PERIOD_RANGE_TICKS.1; N_COMMODITIES])?,
        amp: floats(words, "amp")?,
        recent_sales: floats(words, "recent_sales")?,
    })
}

fn read_counters(words: &mut WordReader<'_>) -> Result<Counters, SnapshotError> {
    Ok(Counters {
        total_spend: float(words, "total_spend")?,
        gross_revenue: float(words, "gross_revenue")?,
        overheat_ticks: tally(words, "overheat_ticks")?,
        pirate_encounters: tally(words, "pirate_encounters")?,
        value_lost_to_pirates: float(words, "value_lost_to_pirates")?,
        scan_count: tally(words, "scan_count")?,
        mining_ticks: tally(words, "mining_ticks")?,
        fuel_used: float(words, "fuel_used")?,
        hull_damage: float(words, "hull_damage")?,
        tool_wear: float(words, "tool_wear")?,
        utilization_sum: float(words, "utilization_sum")?,
        utilization_ticks: tally(words, "utilization_ticks")?,
    })
}

fn count(words: &mut WordReader<'_>, name: &str, least: i64, most: i64) -> Result<i64, SnapshotError> {
    let value = words.signed()?;
    within(name, value, least, most)?;
    Ok(value)
}

fn within(name: &str, value: i64, least: i64, most: i64) -> Result<(), SnapshotError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(SnapshotError::Invalid(format!("{name} is {value}; it must be {least} to {most}")))
}

fn small(words: &mut WordReader<'_>, name: &str, most: u8) -> Result<u8, SnapshotError> {
    Ok(count(words, name, 0, i64::from(most))? as u8)
}

fn tally(words: &mut WordReader<'_>, name: &str) -> Result<u32, SnapshotError> {
    Ok(count(words, name, 0, i64::from(u32::MAX))? as u32)
}

fn float(words: &mut WordReader<'_>, name: &str) -> Result<f64, SnapshotError> {
    let [value] = floats(words, name)?;
    Ok(value)
}

fn share(words: &mut WordReader<'_>, name: &str) -> Result<f64, SnapshotError> {
    let [value] = bounded(words, name, [0.0], [1.0])?;
    Ok(value)
}

fn bounded<const N: usize>(
    words: &mut WordReader<'_>,
    name: &str,
    least: [f64; N],
    most: [f64; N],
) -> Result<[f64; N], SnapshotError> {
    let values = floats::<N>(words, name)?;
    for ((value, least), most) in values.into_iter().zip(least).zip(most) {
        if !(least..=most).contains(&value) {
            return Err(SnapshotError::Invalid(format!("{name} is {value}; it must be {least} to {most}")));
        }
    }
    Ok(values)
}

fn floats<const N: usize>(words: &mut WordReader<'_>, name: &str) -> Result<[f64; N], SnapshotError> {
    let values = words.floats::<N>()?;
    match values.iter().find(|value| !value.is_finite()) {
        None => Ok(values),
        Some(value) => Err(SnapshotError::Invalid(format!("{name} is {value}; it must be a finite number"))),
    }
}
