import pytest

from diorama.numerics import PI, norm2pi
from diorama.worlds.tidebreak.codes import Layer, SizeClass, System, UnitKind
from diorama.worlds.tidebreak.resolve import ResolvedUnit, read_package, resolve
from diorama.worlds.tidebreak.resolve.unit_records import ResolvedBattle
from tests.worlds.tidebreak.samples import CLASS_NAMES, Document, changed, demo, full, of_no_class


def battle(document: Document) -> ResolvedBattle:
    return resolve(read_package(document).package).battle


def unit(document: Document, ship_id: str) -> ResolvedUnit:
    return next(unit for unit in battle(document).units if unit.ship_id == ship_id)


def second(block: str, value: object) -> ResolvedUnit:
    document = changed(demo(), "schema_version", "arena.v3")
    return unit(changed(document, f"ships.0.{block}", value), "acc-corvette-1")


def test_ids_count_by_byte_order_and_remember_the_place_in_the_package() -> None:
    document = demo()
    for index, name in enumerate(("b", "Z", "é")):
        document = changed(document, f"ships.{index}.ship_id", name)
    document["ships"][0]["objective"]["asset"] = "Z"
    document["ships"][2]["objective"]["target"] = "Z"

    units = battle(document).units

    assert [(one.id, one.ship_id, one.package_index) for one in units] == [(1, "Z", 1), (2, "b", 0), (3, "é", 2)]
    assert units[1].objective is not None
    assert units[1].objective.asset_id == 1


@pytest.mark.parametrize("name", CLASS_NAMES)
def test_every_class_resolves(name: str) -> None:
    document = changed(demo(), "ships.1", {"ship_id": "acc-freighter-1", "team_id": "accord", "class_id": name})
    document["ships"][1]["initial_state"] = {"x": -2000, "y": -2000, "heading": -1}

    one = unit(document, "acc-freighter-1")

    assert one.hull.class_code == CLASS_NAMES.index(name)
    assert one.start.hp == one.hull.hp_max
    assert one.start.heading == norm2pi(-1.0)
    assert len(one.start.compartments) == one.hull.compartments
    assert (one.hull.kind == UnitKind.PLATFORM) == (one.fuel_capacity_s == -1.0)
    expected = {"dreadnought": 8, "carrier": 8, "fortress": 8, "arcology": 12}.get(name, 0)
    assert one.hull.compartments == expected


def test_a_corvette_is_as_its_class_says() -> None:
    one = unit(demo(), "acc-corvette-1")

    assert (one.hull.speed_ms, one.hull.layers_mask, one.hull.is_submarine) == ((15.0, 0.0, 0.0), 0b001, False)
    assert [(mount.slot, mount.weapon, mount.ammo) for mount in one.mounts][:3] == [
        (0, 2, 160),
        (1, 2, 160),
        (2, 0, 120),
    ]
    assert [mount.facing_rad for mount in one.mounts[:3]] == [0.0, PI, 0.0]
    assert [mount.any_arc for mount in one.mounts[:3]] == [False, False, True]
    assert one.crew.crew_start == 90
    assert (one.crew.gunnery, one.crew.engineering, one.crew.command) == (0.55, 0.6, 0.5)


def test_changes_replace_the_class_where_they_speak() -> None:
    document = full()
    corvette, submarine = unit(document, "acc-corvette-1"), unit(document, "dom-sub-1")

    assert [(mount.slot, mount.ammo_max, mount.ammo) for mount in corvette.mounts] == [(0, 160, 20), (3, 5, 2)]
    assert (corvette.sensors.radar_range_m, corvette.sensors.di_db, corvette.sensors.ping_db) == (9000.0, 10.0, None)
    assert corvette.sensors.visual_factor == 1.2
    assert (submarine.hull.hp_max, submarine.hull.dive_s) == (300.0, 20.0)
    assert submarine.hull.speed_ms == (11.0, 12.0, 0.0)
    assert (submarine.crew.marines, submarine.crew.security, submarine.start.decoys) == (1, 2, 3)


def test_a_hull_without_a_class_borrows_what_a_package_cannot_say() -> None:
    one = unit(of_no_class(demo()), "acc-corvette-1")

    assert (one.hull.class_code, one.hull.class_name, one.hull.size) == (15, "custom", SizeClass.S)
    assert one.hull.cost == 70.0 * (300.0 / 360.0)
    assert one.signature.radar_index == 100.0
    assert one.mounts == ()
    assert one.sensors.radar_range_m is None


def test_leadership_changes_command_and_helm() -> None:
    one = second("leadership", {"command_competence": 0.9, "operations_competence": 1.0})

    assert one.crew.command == 0.9
    assert one.hull.turn_lag_s == 2.5 * 0.75


@pytest.mark.parametrize(
    ("supply", "factor"),
    [
        ({"days_of_supply": 7}, 1.0),
        ({"days_of_supply": 6.9}, 0.85),
        ({"supply_quality": 0.49}, 0.85),
        ({"days_of_supply": 0}, 0.6),
    ],
)
def test_short_supply_costs_skill(supply: Document, factor: float) -> None:
    one = second("supply", supply)

    assert (one.crew.gunnery, one.crew.engineering) == (0.55 * factor, 0.6 * factor)


def test_reserves_cap_every_mount() -> None:
    assert [mount.ammo for mount in second("supply", {"ammo_reserves": 10}).mounts] == [10, 10, 10, 2, 6, 10, 10]


def test_carried_damage_is_there_at_the_start() -> None:
    one = second("damage_state", {"systems": {"WEAPONS": {"fraction": 0.4}}, "fire": 0.3})

    assert one.start.systems == (1.0, 0.4, 1.0, 1.0, 1.0)
    assert one.start.ceilings == (1.0, 0.7, 1.0, 1.0, 1.0)
    assert (one.start.fire, one.start.flood) == (0.3, 0.0)


def test_defenses_override_armour() -> None:
    one = second("defenses", {"armor": 9, "bulkhead": 0.2})

    assert (one.hull.armour, one.hull.bulkhead) == (9.0, 0.2)


def test_a_siege_holds_systems_and_sectors_down() -> None:
    city = unit(full(), "dom-city")

    assert city.start.systems[System.SENSORS] == 0.5
    assert city.start.ceilings[System.SENSORS] == 0.5
    assert city.start.systems[System.PROPULSION] == 1.0
    assert [part.integrity for part in city.start.compartments] == [1.0, 0.3] + [1.0] * 7 + [0.0, 1.0, 1.0]
    assert [part.breached for part in city.start.compartments].index(True) == 9
    assert city.start.compartments[1].crew == 900
    assert city.start.compartments[0].crew == 20000 // 12
    assert city.start.flood == 0.3 / 12.0


@pytest.mark.parametrize(("controlled", "propulsion"), [([], 0.5), (["engineering"], 0.0)])
def test_engines_are_halved_while_contested_and_stop_once_taken(controlled: list[str], propulsion: float) -> None:
    force = {"faction_id": "dominion", "controlled_systems": controlled}

    one = second("siege_state", {"contested_systems": ["engineering"], "attacker_forces": [force]})

    assert one.start.systems[System.PROPULSION] == propulsion


def test_a_contested_flight_deck_launches_nothing() -> None:
    carrier = changed(changed(demo(), "schema_version", "arena.v3"), "ships.1.class_id", "carrier")
    contested = changed(carrier, "ships.1.siege_state", {"contested_systems": ["flight_deck"]})

    assert [mount.ammo for mount in unit(carrier, "acc-freighter-1").mounts][:4] == [-1, -1, -1, 140]
    assert [mount.ammo for mount in unit(contested, "acc-freighter-1").mounts][:4] == [0, 0, 0, 140]


def test_objectives_point_at_units_and_count_in_ticks() -> None:
    objective = unit(full(), "acc-freighter-1").objective

    assert objective is not None
    assert (objective.target_id, objective.destination_id) == (1, 1)
    assert (objective.destination_x, objective.destination_y) == (0.0, 0.0)
    assert (objective.duration_ticks, objective.deadline_ticks) == (13, 600)
    assert objective.zone is not None
    assert objective.zone.vertices == ((10.0, 20.0), (110.0, 20.0), (10.0, 120.0))


def test_teams_without_factions_all_fight_each_other_and_with_factions_only_enemies_do() -> None:
    third = {"ship_id": "zed", "team_id": "league", "class_id": "cutter"}
    start = {"x": 0, "y": 5000, "heading": 0, "layer": Layer.SURFACE.name}
    document = demo()
    document["ships"].append({**third, "initial_state": start})
    document["teams"].append({"team_id": "league", "faction_context": {"faction_id": "league"}})

    assert [team.enemies for team in battle(document).teams] == [(1,), (0,), ()]
    for team in document["teams"]:
        team.pop("faction_context")
    assert [team.enemies for team in battle(document).teams] == [(1, 2), (0, 2), (0, 1)]
