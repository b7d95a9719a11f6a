from collections.abc import Callable

import pytest

from diorama.worlds.tidebreak.packages import PackageError
from diorama.worlds.tidebreak.packages.problems import CODE_MEANINGS
from diorama.worlds.tidebreak.resolve import read_package
from tests.worlds.tidebreak.samples import DELETE, Document, changed, demo, of_no_class

SHIP = "ships.0"
STATE = "ships.0.initial_state"
OBJECTIVE = "ships.0.objective"
POLYGON = {"shape": {"type": "polygon", "vertices": [[0, 0], [10, 0], [0, 10]]}, "position": [0, 0]}


def one(path: str, value: object) -> Callable[[Document], Document]:
    return lambda document: changed(document, path, value)


def polygon(*vertices: list[float]) -> Callable[[Document], Document]:
    shape = {"type": "polygon", "vertices": list(vertices)}
    return one("map.obstacles", [{"shape": shape, "position": [3000, 3000]}])


def weapons(*types: str, slots: list[int] | None = None) -> Callable[[Document], Document]:
    numbers = slots or list(range(len(types)))
    return one(
        f"{SHIP}.weapons", [{"slot": slot, "weapon_type": name} for slot, name in zip(numbers, types, strict=True)]
    )


def another_ship(**changes: str) -> Callable[[Document], Document]:
    """Add a freighter of the first team's in open water."""

    def change(document: Document) -> Document:
        ship = {**document["ships"][1], "ship_id": "acc-freighter-2", **changes}
        ship["initial_state"] = {"x": -5600, "y": -2000, "heading": 0}
        return {**document, "ships": [*document["ships"], ship]}

    return change


def alone(document: Document) -> Document:
    return changed({**document, "teams": document["teams"][:1]}, "ships.2.team_id", "accord")


def many_ships(document: Document) -> Document:
    template = document["ships"][0]
    extra = [
        {
            **template,
            "ship_id": f"x{i}",
            "objective": None,
            "initial_state": {"x": -7000 + i * 200, "y": 7000, "heading": 0},
        }
        for i in range(62)
    ]
    return {**document, "ships": document["ships"] + extra}


WRONG = [
    ("P001", "schema_version", one("schema_version", DELETE)),
    ("P001", "schema_version", one("schema_version", "battle.v1")),
    ("P001", "schema_version", one("schema_version", "arena.first")),
    ("P001", "schema_version", one("schema_version", 1)),
    ("P002", "battle_id", one("battle_id", DELETE)),
    ("P002", "time_limit_s", one("time_limit_s", DELETE)),
    ("P002", f"{STATE}.heading", one(f"{STATE}.heading", DELETE)),
    ("P002", "map.bounds.max_y", one("map.bounds.max_y", DELETE)),
    ("P002", "map.bathymetry.kind", one("map.bathymetry", {"style": "shelf"})),
    ("P002", "map.bathymetry.style", one("map.bathymetry", {"kind": "procedural"})),
    ("P003", "seed", one("seed", "424242")),
    ("P003", "seed", one("seed", True)),
    ("P003", f"{STATE}.x", one(f"{STATE}.x", "0")),
    ("P003", "rules.fields", one("rules.fields", 1)),
    ("P003", "ships", one("ships", "many")),
    ("P003", "map.weather.precipitation", one("map.weather.precipitation", 1)),
    ("P004", "battle_id", one("battle_id", "no spaces")),
    ("P004", "battle_id", one("battle_id", "x" * 65)),
    ("P004", "ships.0.crew.morale", one("ships.0.crew.morale", 1.01)),
    ("P004", f"{STATE}.x", one(f"{STATE}.x", float("nan"))),
    ("P004", f"{STATE}.speed", one(f"{STATE}.speed", float("inf"))),
    ("P004", "time_limit_s", one("time_limit_s", 7201)),
    ("P004", "content_hash", one("content_hash", "abc")),
    ("P004", "rules.field_period", one("rules.field_period", 11)),
    ("P004", "map.weather.visibility_km", one("map.weather.visibility_km", 0.05)),
    ("P004", "map.obstacles", one("map.obstacles", [POLYGON] * 129)),
    ("P004", f"{SHIP}.extras.a.0", one(f"{SHIP}.extras", {"a": [float("nan")]})),
    (
        "P004",
        f"{SHIP}.sensors.1.sensor_type",
        one(f"{SHIP}.sensors", [{"sensor_type": "RADAR", "range_m": 9}] * 2),
    ),
    ("P005", f"{STATE}.layer", one(f"{STATE}.layer", "SKY")),
    ("P005", f"{STATE}.layer", one(f"{STATE}.layer", "surface")),
    ("P005", f"{OBJECTIVE}.type", one(f"{OBJECTIVE}.type", "DANCE")),
    ("P005", "map.bathymetry.kind", one("map.bathymetry.kind", "flat")),
    ("P005", "map.bathymetry.style", one("map.bathymetry.style", "reef")),
    ("P005", "map.edges", one("map.edges", "ajar")),
    ("P010", "seed", one("seed", 0)),
    ("P010", "seed", one("seed", 2**53)),
    ("P011", "time_step_s", one("time_step_s", 0.3)),
    ("P011", "time_limit_s", one("time_limit_s", 100.5)),
    ("P020", "teams.2.team_id", lambda d: {**d, "teams": [*d["teams"], d["teams"][0]]}),
    ("P021", "teams", alone),
    ("P021", "teams", lambda d: {**d, "teams": d["teams"] + [{"team_id": f"t{i}"} for i in range(3)]}),
    ("P021", "teams.2", lambda d: {**d, "teams": [*d["teams"], {"team_id": "nobody"}]}),
    ("P022", "ships.3.team_id", another_ship(team_id="pirates")),
    ("P030", "ships.3.ship_id", another_ship(ship_id="acc-corvette-1")),
    ("P031", "ships", many_ships),
    ("P032", f"{SHIP}.class_id", one(f"{SHIP}.class_id", "galleon")),
    ("P032", f"{SHIP}.capabilities", lambda document: of_no_class(document, without="capabilities")),
    ("P032", f"{SHIP}.capabilities.dive_s", one(f"{SHIP}.capabilities", {"can_submerge": True})),
    ("P033", f"{SHIP}.weapons.0.weapon_type", weapons("G99")),
    ("P033", f"{SHIP}.weapons.1.slot", weapons("G76", "G76", slots=[2, 2])),
    ("P033", f"{SHIP}.weapons", weapons(*["G76"] * 13, slots=[*range(12), 0])),
    ("P034", STATE, one(f"{STATE}.x", 8001)),
    ("P034", STATE, lambda d: changed(changed(d, f"{STATE}.x", 1200), f"{STATE}.y", -900)),
    ("P034", STATE, one("map.bathymetry", {"kind": "grid", "rows": [[-5, -5], [-5, -5]]})),
    ("P034", "ships.2.initial_state", one("map.bathymetry", {"kind": "uniform", "depth_m": 20})),
    ("P034", "ships.1.initial_state", one("ships.1.initial_state", {"x": -5000, "y": 340, "heading": 0})),
    ("P035", f"{STATE}.layer", one(f"{STATE}.layer", "SUBMERGED")),
    ("P036", f"{STATE}.speed", one(f"{STATE}.speed", 15.1)),
    ("P036", f"{STATE}.hp", one(f"{STATE}.hp", 361)),
    ("P036", f"{STATE}.hp", one(f"{STATE}.hp", 0)),
    ("P036", f"{STATE}.ammo.0", one(f"{STATE}.ammo", {"0": 161})),
    ("P036", f"{STATE}.ammo.9", one(f"{STATE}.ammo", {"9": 1})),
    (
        "P036",
        f"{SHIP}.weapons.0.ammunition",
        one(f"{SHIP}.weapons", [{"slot": 0, "weapon_type": "G76", "ammunition": 161}]),
    ),
    ("P040", f"{OBJECTIVE}.asset", one(f"{OBJECTIVE}.asset", "ghost")),
    ("P040", f"{OBJECTIVE}.asset", one(f"{OBJECTIVE}.asset", DELETE)),
    ("P040", f"{OBJECTIVE}.destination.ship_id", one(f"{OBJECTIVE}.destination", "ghost")),
    ("P041", f"{OBJECTIVE}.zone", one(f"{OBJECTIVE}.zone", {"shape": "circle", "center": [0, 0]})),
    ("P041", f"{OBJECTIVE}.zone", one(f"{OBJECTIVE}.zone", {"shape": "circle", "radius": 5})),
    ("P041", f"{OBJECTIVE}.zone.shape", one(f"{OBJECTIVE}.zone", {"shape": "star", "center": [0, 0]})),
    ("P041", f"{OBJECTIVE}.destination", one(f"{OBJECTIVE}.destination", {})),
    ("P041", f"{OBJECTIVE}.destination.position", one(f"{OBJECTIVE}.destination", {"position": [1, 2, 3]})),
    ("P041", "map.zones.0", one("map.zones.0.modifier_type", "CURRENT")),
    ("P050", "map.obstacles.0.shape.vertices", polygon([0, 0], [0, 10], [10, 0])),
    ("P050", "map.obstacles.0.shape.vertices", polygon([0, 0], [10, 0], [2, 2], [0, 10])),
    ("P050", "map.obstacles.0.shape.vertices", polygon([0, 0], [10, 0])),
    ("P050", "map.obstacles.0.shape.vertices", polygon(*[[float(i), float(i * i)] for i in range(17)])),
    ("P050", "map.obstacles.0.shape.vertices", polygon([0, 4], [-2, -3], [4, 1], [-4, 1], [2, -3])),
    ("P051", "map.bathymetry.rows", one("map.bathymetry", {"kind": "grid", "rows": [[1, 2], [3]]})),
    ("P051", "map.bathymetry.rows", one("map.bathymetry", {"kind": "grid", "rows": [[1.0] * 130] * 2})),
    (
        "P051",
        "map.currents.rows.surface",
        one("map.currents", {"kind": "grid", "rows": {"surface": [[[0, 0]] * 16] * 17}}),
    ),
    ("P052", "map.bounds", one("map.bounds.max_x", -9000)),
    ("P052", "map.bounds", one("map.bounds.max_x", -6001)),
    ("P052", "map.bounds", one("map.bounds.max_x", 30000)),
    ("P060", "content_hash", one("content_hash", "0" * 64)),
]


@pytest.mark.parametrize(
    ("code", "path", "change"), WRONG, ids=[f"{code}-{path}-{i}" for i, (code, path, _) in enumerate(WRONG)]
)
def test_what_is_wrong_is_told_by_code_and_path_and_nothing_else_is(
    code: str, path: str, change: Callable[[Document], Document]
) -> None:
    with pytest.raises(PackageError) as caught:
        read_package(change(demo()))

    assert {problem.code for problem in caught.value.errors} == {code}
    assert path in [problem.path for problem in caught.value.errors]
    assert f"{code} {path}: " in str(caught.value)


def test_every_code_of_an_error_is_produced_here() -> None:
    codes = {code for code in CODE_MEANINGS if code.startswith("P")}

    assert {code for code, _path, _change in WRONG} == codes - {"P061"}


def test_a_block_newer_than_the_version_is_ignored_with_a_warning() -> None:
    read = read_package(changed(demo(), "ships.0.supply", {"days_of_supply": "nonsense"}))

    assert [(problem.code, problem.path) for problem in read.warnings] == [("P061", "ships.0.supply")]
    assert read.package.ships[0].supply is None


def test_a_hull_without_a_class_is_accepted_once_it_is_complete() -> None:
    package = read_package(of_no_class(demo())).package

    assert package.ships[0].class_id is None


def test_everything_wrong_is_reported_at_once() -> None:
    document = demo()
    for path, value in (
        ("seed", 0),
        ("teams.1.team_id", "accord"),
        ("ships.0.crew.morale", 3),
        ("ships.1.class_id", "galleon"),
        ("ships.2.initial_state.layer", "ABYSSAL"),
        ("map.weather.sea_state", 10),
        ("ships.1.initial_state.y", "south"),
    ):
        document = changed(document, path, value)

    with pytest.raises(PackageError) as caught:
        read_package(document)

    found = {(problem.code, problem.path) for problem in caught.value.errors}
    assert found == {
        ("P010", "seed"),
        ("P004", "map.weather.sea_state"),
        ("P004", "ships.0.crew.morale"),
        ("P003", "ships.1.initial_state.y"),
        ("P020", "teams.1.team_id"),
        ("P022", "ships.2.team_id"),
        ("P035", "ships.2.initial_state.layer"),
    }
