from pathlib import Path
from typing import Any

import pytest
import yaml

from diorama.contracts.errors import ConfigError
from diorama.worlds.townlet.config import TownletConfig
from diorama.worlds.townlet.data.reading import read_shipped
from diorama.worlds.townlet.tables.compiling import compile_tables, goal_tiles, load_tables
from diorama.worlds.townlet.tables.documents import ObjectEntry
from diorama.worlds.townlet.tables.paths import UNREACHABLE
from diorama.worlds.townlet.tables.sources import Source, Sources, read_sources
from diorama.worlds.townlet.tables.town_tables import TownTables
from tests.worlds.townlet.towns import config_of, tables_of


@pytest.fixture(scope="module")
def tables() -> TownTables:
    return tables_of(config_of())


def test_the_canonical_map_has_the_stand_tiles_of_the_specification(tables: TownTables) -> None:
    counts = {zone.id: len(zone.stand_tiles) for zone in tables.map.zones}

    assert counts == {
        "home_1": 6, "home_2": 6, "home_3": 6, "home_4": 6,
        "cafe": 15, "gym": 10, "office": 36, "grocer": 17, "park": 25,
    }  # fmt: skip


def test_the_queue_of_the_first_shower_forms_where_the_specification_says(tables: TownTables) -> None:
    row = tables.objects[tables.object_index("shower_1")]

    assert [tables.map.xy(tile) for tile in row.queue_tiles] == [(40, 18), (39, 19), (38, 18), (40, 17)]


@pytest.mark.parametrize(
    ("home", "expected"), [("home_1", [18, 28, 9, 32]), ("home_4", [35, 45, 24, 49])], ids=["nearest", "farthest"]
)
def test_path_distances_are_those_of_the_specification(tables: TownTables, home: str, expected: list[int]) -> None:
    door = tables.map.zones[tables.map.zone_index(home)].door
    goals = [
        tables.objects[tables.object_index(name)].use_tile
        for name in ("cafe_fridge_1", "shower_1", "till_1", "bench_1")
    ]

    assert [tables.paths.distance(goal, door) for goal in goals] == expected


def test_the_canonical_town_has_22_objects_in_manifest_order(tables: TownTables) -> None:
    assert len(tables.objects) == 22
    assert [row.id for row in tables.objects][:5] == ["fridge_1", "stove_1", "bed_1a", "bed_1b", "fridge_2"]
    assert [tables.objects[bed].id for bed in tables.beds][:3] == ["bed_1a", "bed_1b", "bed_2a"]
    assert tables.items[:3] == ("meals", "groceries", "food_raw")
    assert not tables.warnings
    assert len(goal_tiles(tables.map, tables.objects, tables.jobs)) < 512


def test_a_field_is_followed_north_east_south_west_and_around_crowds(tables: TownTables) -> None:
    goal = tables.map.tile(10, 2)
    start = tables.map.tile(12, 4)
    empty = [0] * len(tables.map.walkable)
    crowded = [*empty]
    crowded[tables.map.tile(12, 3)] = 1

    assert tables.paths.next_dir(goal, start, empty) == 0
    assert tables.paths.next_dir(goal, start, crowded) == 3
    assert tables.paths.distance(goal, tables.map.tile(5, 8)) == UNREACHABLE


def test_checksums_and_identity_are_recorded(tables: TownTables) -> None:
    assert tables.manifest.affordance_count == 6
    assert len(tables.manifest.sha256) == 64
    assert tables.effective_id.startswith("townlet+hybrid.")


def _town(**changes: Any) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(read_shipped("town/core_town.yaml"))
    document.update(changes)
    return document


def _compile(town: dict[str, Any], affordances: list[Any] | None = None, **config: Any) -> TownTables:
    configured = TownletConfig.model_validate(config)
    shipped = read_sources(configured)
    return compile_tables(
        configured,
        Sources(
            town=Source(name="town.yaml", data=yaml.safe_dump(town).encode()),
            affordances=shipped.affordances
            if affordances is None
            else Source(name="things.yaml", data=yaml.safe_dump(affordances).encode()),
            perturbations=shipped.perturbations,
        ),
    )


def test_every_mistake_of_a_town_file_is_told_with_its_place() -> None:
    town = _town()
    town["zones"][0]["door"] = [17, 18]
    town["zones"][4]["rect"] = [27, 16, 34, 99]
    town["objects"][0]["id"] = "stove_1"
    town["objects"][2]["zone"] = "home_9"

    with pytest.raises(ConfigError) as refusal:
        _compile(town)

    for place in ("zones.home_1.door", "zones.cafe.rect", "objects.stove_1: the id stands twice", "home_9"):
        assert place in str(refusal.value)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param({"use_tile": [20, 17]}, "objects.fridge_1.use_tile", id="use-tile-far-away"),
        pytest.param({"position": [14, 16]}, "taken by a wall", id="in-a-wall"),
        pytest.param({"stock": {"meals": 9}}, "more than its cap of 6", id="stock-above-cap"),
        pytest.param({"queue_tiles": [[14, 16]]}, "queue_tiles.0", id="queue-in-a-wall"),
        pytest.param({"linked": "moon"}, "there is no object 'moon'", id="linked-to-nothing"),
        pytest.param({"color": "red"}, "there is no such key", id="unknown-key"),
    ],
)
def test_a_misplaced_object_is_refused(change: dict[str, Any], expected: str) -> None:
    town = _town()
    town["objects"][0].update(change)

    with pytest.raises(ConfigError, match=expected):
        _compile(town)


@pytest.mark.parametrize("stand_rect", [[40, 27, 44, 10**9], [0, 0, 30_000, 30_000], [44, 33, 40, 27]])
def test_a_place_to_stand_outside_of_its_zone_is_refused(stand_rect: list[int]) -> None:
    town = _town()
    town["zones"][-1]["stand_rect"] = stand_rect

    with pytest.raises(ConfigError, match=r"zones\.park\.stand_rect: .* is not inside the zone"):
        _compile(town)


def test_what_cannot_be_reached_is_refused() -> None:
    town = _town()
    town["objects"].append({"id": "bench_3", "object_type": "bench", "position": [18, 22], "use_tile": [17, 22]})

    with pytest.raises(ConfigError, match=r"zones\.home_1\.door: \[18, 21\] cannot be reached"):
        _compile(town)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        pytest.param({"world": {"population": 9, "seats": 9}}, "the town has 8 beds", id="too-few-beds"),
        pytest.param({"world": {"grid_size": [50, 48]}}, "not the configured grid_size", id="other-size"),
        pytest.param({"personalities": {"overrides": {"citizen_000": "grumpy"}}}, "no profile 'grumpy'", id="profile"),
        pytest.param({"observations": {"compact": {"object_channels": ["piano"]}}}, "'piano'", id="channel"),
        pytest.param(
            {
                "jobs": {
                    "cook": {"start_tick": 0, "end_tick": 200, "wage_rate": 0.02, "location": [31, 19], "zone": "gym"}
                }
            },
            "is not in the zone 'gym'",
            id="job-elsewhere",
        ),
    ],
)
def test_a_configuration_that_does_not_fit_its_town_is_refused(config: dict[str, Any], expected: str) -> None:
    with pytest.raises(ConfigError, match=expected):
        load_tables(TownletConfig.model_validate(config))


def _entry(**changes: Any) -> dict[str, Any]:
    return {"id": "rest", "object_type": "bench", "duration": 5, "effects": {"energy": 0.1}, **changes}


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        pytest.param({"a": 1}, "must be a list", id="no-list"),
        pytest.param([_entry(), _entry()], "rest: the id stands twice", id="twice"),
        pytest.param([_entry(duration=0)], "rest.duration", id="no-time"),
        pytest.param([_entry(effects={"mood": 1.0})], "effects names 'mood'", id="unknown-need"),
        pytest.param([_entry(effects={"energy": "lots"})], "'lots' is neither a number", id="no-number"),
        pytest.param([_entry(effects={})], "neither effects nor yields", id="does-nothing"),
        pytest.param([_entry(color="red")], "rest.color: there is no such key", id="unknown-key"),
        pytest.param([_entry(preconds=["moon == true"])], "no identifier 'moon'", id="unknown-identifier"),
        pytest.param([_entry(costs={"money": "@gold"})], "'@gold' is neither", id="unknown-price"),
        pytest.param([_entry(costs={"stock.meals": -1})], "no whole number from 1 to 30000", id="negative-stock"),
        pytest.param([_entry(costs={"stock.meals": 1e300})], "no whole number from 1 to 30000", id="huge-stock"),
        pytest.param([_entry(costs={"inventory.": 1})], "rest.costs.inventory.: costs are money", id="nameless-cost"),
        pytest.param([_entry(costs={"luck": 1})], "costs are money", id="unknown-cost"),
        pytest.param([_entry(yields={"meals": 1})], "yields are inventory", id="unknown-yield"),
        pytest.param([_entry(hooks={"after": ["os.system"]})], "there is no hook 'os.system'", id="unknown-hook"),
        pytest.param([_entry(id=f"rest{n}") for n in range(5)], "at most 4 can be addressed", id="too-many-per-type"),
        pytest.param([_entry(type="ghost")], "use affordance or object", id="unknown-type"),
        pytest.param(["text"], "must be a mapping", id="no-mapping"),
    ],
)
def test_a_wrong_manifest_is_refused_with_its_place(entries: Any, expected: str) -> None:
    with pytest.raises(ConfigError, match=r"things\.yaml") as refusal:
        _compile(_town(), entries)

    assert expected in str(refusal.value)


def test_objects_of_a_manifest_follow_those_of_the_town() -> None:
    manifest = yaml.safe_load(read_shipped("town/core_affordances.yaml"))
    manifest.append({"type": "object", "id": "bench_3", "object_type": "bench", "position": [2, 2]})

    tables = _compile(_town(), manifest)

    assert tables.objects[-1].id == "bench_3"
    assert tables.map.xy(tables.objects[-1].use_tile) == (2, 1)


def test_further_objects_behave_like_those_of_files() -> None:
    config = TownletConfig()
    entry = ObjectEntry(id="piano", object_type="piano", position=(2, 2))

    tables = compile_tables(config, read_sources(config), (entry,))

    assert tables.objects[-1].id == "piano"
    assert tables.warnings == ("object piano: nothing can be done with a piano",)


def test_files_beside_the_configuration_come_before_shipped_ones(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        yaml.safe_dump({"noon": {"kind": "outage", "prob_per_day": 1, "duration": [3, 3]}})
    )
    config = TownletConfig.model_validate({"perturbations": {"file": "mine.yaml"}})

    tables = load_tables(config, tmp_path)

    assert [row.name for row in tables.perturbations] == ["noon"]
    with pytest.raises(ConfigError, match="no such file"):
        load_tables(config)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        pytest.param("[{kind: blackout}]", "needs an id", id="list-without-ids"),
        pytest.param("5", "must be a mapping", id="a-number"),
        pytest.param("noon: {kind: comet, prob_per_day: 1, duration: [1, 2]}", "noon: kind", id="unknown-kind"),
        pytest.param("noon: {kind: blackout, prob_per_day: 1, duration: [1, 2], targets: [cafe]}", "nothing a blackout",
                     id="field-of-another-kind"),
        pytest.param("noon: {kind: arranged_meet, prob_per_day: 1, duration: [1, 2], location: moon}", "no zone 'moon'",
                     id="unknown-zone"),
        pytest.param("noon: {kind: price_spike, prob_per_day: 1, duration: [1, 2], magnitude: [1, 2], targets: [x]}",
                     "neither a price group", id="unknown-target"),
    ],
)  # fmt: skip
def test_a_wrong_file_of_perturbations_is_refused(tmp_path: Path, document: str, expected: str) -> None:
    (tmp_path / "mine.yaml").write_text(document)
    config = TownletConfig.model_validate({"perturbations": {"file": "mine.yaml"}})

    with pytest.raises(ConfigError, match=r"mine\.yaml") as refusal:
        load_tables(config, tmp_path)

    assert expected in str(refusal.value)


@pytest.mark.parametrize("section", [{"world": {"town_file": "/dev/zero"}}, {"perturbations": {"file": "/dev/zero"}}])
def test_a_file_without_an_end_is_refused(section: dict[str, Any]) -> None:
    config = TownletConfig.model_validate(section)

    with pytest.raises(ConfigError, match="/dev/zero is no file"):
        load_tables(config)
