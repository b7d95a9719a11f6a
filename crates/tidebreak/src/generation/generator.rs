//! The scenario generator: stage and seed in, a battle that can be played out.

use crate::generation::catalogue::{Catalogue, ContentTables};
use crate::generation::draws::{Draws, Purpose};
use crate::generation::forces::{Forces, forces_of};
use crate::generation::lineup::{Axis, Ship, TEAM_IDS, TEAM_NAMES, line_up};
use crate::generation::seeds::battle_seed;
use crate::generation::stages::{STAGE_COUNT, time_limit_ticks};
use crate::generation::tasks::{cripple, give_boarding_orders, give_convoy_orders};
use crate::generation::units::resolve_units;
use crate::generation::waters::{OBSTACLE_CLEARANCE_M, clearance, draw_map};
use crate::records::{FORMAT, ResolvedBattle, ResolvedMap, ResolvedRules, ResolvedTeam};
use crate::resolve::terrain::depth_at;

const ATTEMPTS_MAX: u64 = 20;
const CONVOY: i64 = 8;
const BOARDING: i64 = 11;
const OPEN: i64 = 12;
const FOG_FROM: i64 = 2;
const FIELDS_FROM: i64 = 3;
const DOUBTFUL_IFF_FROM: i64 = 5;
const CLUTTER_FROM: i64 = 6;
const SUBSTEPS: i64 = 10;
const FIELD_PERIOD: i64 = 2;
const MAX_BRICKS: usize = 192;

/// A generated battle and who plays which side.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The stage whose content it has; another than the one asked for only in the open stage.
    pub content_stage: i64,
    /// The battle.
    pub battle: ResolvedBattle,
    /// Index of the learner's team.
    pub agent_team: i64,
}

/// Draws battles from content.
#[derive(Clone, Debug)]
pub struct Generator {
    catalogue: Catalogue,
}

impl Generator {
    /// A generator that builds from this content.
    ///
    /// # Errors
    /// When the content lacks a class that scenarios draw.
    pub fn new(tables: ContentTables) -> Result<Self, String> {
        Ok(Self { catalogue: Catalogue::new(tables)? })
    }

    /// Draws a battle of a stage from 1 to 12.
    ///
    /// # Panics
    /// When there is no such stage, or when none of 20 draws can be played, which the shipped content never causes.
    #[must_use]
    pub fn generate(&self, stage: i64, seed: u64) -> Scenario {
        assert!((1..=STAGE_COUNT).contains(&stage), "stage {stage} does not exist; stages are 1 to {STAGE_COUNT}");
        let content_stage = match stage {
            OPEN => 1 + Draws { seed, stage, attempt: 0 }.whole((0, STAGE_COUNT - 2), Purpose::Stage, 0),
            _ => stage,
        };
        for attempt in 0..ATTEMPTS_MAX {
            let draws = Draws { seed, stage: content_stage, attempt };
            let forces = forces_of(&draws, &self.catalogue);
            let ships = self.ships(&forces, &draws);
            let map = draw_map(&draws, &ships, time_limit_ticks(content_stage));
            if self.is_playable(&map, &ships) {
                let agent_team = draws.whole((0, 1), Purpose::Side, 0);
                return Scenario {
                    content_stage,
                    battle: self.battle(stage, &draws, &forces, &ships, map),
                    agent_team,
                };
            }
        }
        panic!("stage {stage} with seed {seed}: none of {ATTEMPTS_MAX} draws can be played");
    }

    fn ships(&self, forces: &Forces, draws: &Draws) -> Vec<Ship> {
        let axis = Axis::drawn(draws);
        let mut ships = line_up(draws, &axis, 0, &forces.first, &self.catalogue);
        ships.extend(line_up(draws, &axis, 1, &forces.second, &self.catalogue));
        match (draws.stage, forces.crippled) {
            (CONVOY, _) => give_convoy_orders(&mut ships, &axis),
            (BOARDING, Some(crippled)) => {
                for ship in ships.iter_mut().filter(|ship| ship.side == 1 && ship.class == crippled) {
                    cripple(ship, draws, &self.catalogue);
                }
                give_boarding_orders(&mut ships, crippled);
            }
            _ => {}
        }
        ships
    }

    /// Whether nobody starts aground and obstacles keep their distance; nothing else that makes a package unsound can
    /// come out of the draws.
    fn is_playable(&self, map: &ResolvedMap, ships: &[Ship]) -> bool {
        let bounds = [map.min_x, map.min_y, map.max_x, map.max_y];
        let floats =
            |ship: &Ship| depth_at(&map.depth, bounds, ship.x, ship.y) > self.catalogue.unit(ship.class).hull.draught_m;
        ships.iter().all(floats)
            && map.obstacles.iter().all(|obstacle| {
                let shape = &obstacle.shape;
                clearance((shape.x, shape.y), shape.radius_m, ships) >= OBSTACLE_CLEARANCE_M
            })
    }

    fn battle(&self, stage: i64, draws: &Draws, forces: &Forces, ships: &[Ship], map: ResolvedMap) -> ResolvedBattle {
        let tables = &self.catalogue.tables;
        ResolvedBattle {
            format: FORMAT.to_owned(),
            schema_version: if forces.crippled.is_some() { "arena.v2" } else { "arena.v1" }.to_owned(),
            battle_id: format!("stage-{stage:02}-{:016x}", draws.seed),
            seed: battle_seed(draws.seed),
            torch_seed: None,
            content_hash: tables.content_hash.clone(),
            rules: rules(draws.stage),
            teams: teams(),
            map,
            weapons: tables.weapons.clone(),
            decoy_signature: tables.decoy_signature,
            mine_signature: tables.mine_signature,
            units: resolve_units(ships, &self.catalogue),
        }
    }
}

fn rules(stage: i64) -> ResolvedRules {
    ResolvedRules {
        substeps: SUBSTEPS,
        dt_s: 1.0 / SUBSTEPS as f64,
        time_limit_ticks: time_limit_ticks(stage),
        margin_on_timeout: false,
        fields: stage >= FIELDS_FROM,
        field_period: FIELD_PERIOD,
        max_bricks: MAX_BRICKS,
        fog: stage >= FOG_FROM,
        perfect_iff: stage < DOUBTFUL_IFF_FROM,
        friendly_fire: true,
        allow_friendly_orders: false,
        boarding: true,
        surrender: true,
        clutter: stage >= CLUTTER_FROM,
        objective_ends_battle: stage == BOARDING, // a beachhead ends no battle by itself
    }
}

fn teams() -> Vec<ResolvedTeam> {
    let team = |index: usize| ResolvedTeam {
        index: index as i64,
        team_id: TEAM_IDS[index].to_owned(),
        name: TEAM_NAMES[index].to_owned(),
        enemies: vec![1 - index as i64],
    };
    vec![team(0), team(1)]
}
