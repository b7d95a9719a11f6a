//! A town for tests: a street of eight by two tiles, one zone, a shower at (2, 0) and another at (6, 0).

use serde_json::{from_str, from_value, json};

use crate::config::SimulationConfig;
use crate::opening::empty_town;
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::town::Town;
use crate::tables::town_tables::{TablesDocument, TownTables};

/// Columns of the map; the objects stand in the first row, which nobody can enter.
pub const WIDTH: i64 = 8;
/// Ticks a shower takes.
pub const DURATION: i64 = 3;

/// The town's tables, and the default configuration with ties.
pub fn small_setup() -> Setup {
    let objects: Vec<_> = [2, 6]
        .iter()
        .enumerate()
        .map(|(index, &tile)| {
            json!({
                "index": index, "id": format!("shower_{index}"), "type": 0, "tile": tile, "use_tile": tile + WIDTH, "queue_tiles": [tile + 2 * WIDTH],
                "zone": 0, "stock": [0, 0, 0], "caps": [9, 9, 9], "price_factor": 1.0, "is_residents": false,
                "linked": -1, "owner_id": ""
            })
        })
        .collect();
    let nothing = json!({"constant": 0.0, "fields": []});
    let shower = json!({
        "index": 0, "id": "use_shower", "type": 0, "rank": 0, "duration": DURATION, "conditions": [], "money": {"constant": 0.0, "fields": [[2, 1.0]]},
        "stock_costs": [0, 0, 0], "inventory_costs": [0, 0, 0],
        "effects": [nothing, {"constant": 0.5, "fields": []}, nothing], "mode": 0,
        "inventory_yields": [0, 0, 0], "stock_yields": [0, 0, 0], "linked_yields": [0, 0, 0], "cooldown": -1,
        "is_owner_only": false, "before": [0], "after": [1], "fail": [2], "needs_power": true, "needs_water": true
    });
    let profile = json!({
        "index": 0, "traits": [0.0, 0.0, 0.0], "need_factors": [1.0, 1.0, 1.0], "social_bias": 1.0,
        "employment_bias": 1.0, "survival_bias": 1.0, "chat_preference": 1.0, "work_affinity": 1.0,
        "conflict_tolerance": 1.0
    });
    let tiles = 3 * WIDTH;
    let document: TablesDocument = from_value(json!({
        "map": {
            "width": WIDTH, "height": 3, "tile_class": vec![0; tiles as usize], "zone_of": vec![0; tiles as usize],
            "object_at": vec![-1; tiles as usize], "walkable": (0..tiles).map(|tile| tile >= WIDTH).collect::<Vec<_>>(),
            "zones": [{"index": 0, "is_building": false, "rect": [0, 0, WIDTH, 3], "door": -1, "stand_tiles": [23]}],
            "spawn_tiles": [8]
        },
        "objects": objects, "types": ["shower"], "items": ["meals", "groceries", "food_raw"],
        "affordances": [shower], "by_type": [[0]], "roles": [-1, -1, 0, -1, -1], "jobs": [], "profiles": [profile],
        "perturbations": [], "buckets": [], "beds": [], "reach": vec![-1; tiles as usize], "open_to": vec![vec![Vec::<i64>::new()]; 5],
        "home_fridge": [-1], "home_stove": [-1], "cafe_zone": -1, "park_zone": -1
    }))
    .expect("the tables are complete");
    let config: SimulationConfig = from_str(include_str!("small_town.json")).expect("the configuration is complete");
    Setup { tables: TownTables::from(document), config }
}

/// A town with a citizen on each of these tiles, by seat, all of them rich and content.
pub fn town_with(setup: &Setup, tiles: &[i64]) -> Town {
    let mut town = empty_town(setup, 7);
    for (seat, &tile) in tiles.iter().enumerate() {
        let mut citizen = Citizen::new(seat as i64, seat as i64, seat as i64, 0);
        citizen.tile = tile;
        citizen.needs = [0.7; 3];
        citizen.wallet = 100.0;
        citizen.inventory = vec![0; 3];
        town.occupancy[tile as usize] += 1;
        town.seats[seat] = Some(Box::new(citizen));
    }
    town
}
