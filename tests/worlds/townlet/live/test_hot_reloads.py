from pathlib import Path
from typing import Any

import pytest
import yaml

from diorama.contracts.errors import ConfigError
from diorama.worlds.townlet.config import TownletConfig
from diorama.worlds.townlet.data.reading import read_shipped
from diorama.worlds.townlet.live.town import LiveTown
from tests.worlds.townlet.live.live_towns import Watched, merged

CORE: list[dict[str, Any]] = yaml.safe_load(read_shipped("town/core_affordances.yaml"))
PIANO = {"type": "object", "id": "piano", "object_type": "piano", "position": [10, 2], "use_tile": [10, 3]}
BASE: dict[str, Any] = {"affordances": {"affordances_file": "things.yaml"}, "world": {"population": 2}}


class Desk:
    """A folder with a configuration and its manifest, and the town that runs from them."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "town.yaml"
        self.write({})
        self.things(*CORE)
        config = TownletConfig.model_validate(yaml.safe_load(self._path.read_text()))
        self.live = Watched(LiveTown(config, self._path, 5)).run(3)

    def write(self, changes: dict[str, Any]) -> None:
        self._path.write_text(yaml.safe_dump({**BASE, **changes}))

    def spoil(self, text: str) -> None:
        self._path.write_text(text)

    def things(self, *entries: dict[str, Any]) -> None:
        (self._path.parent / "things.yaml").write_text(yaml.safe_dump([*entries]))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_nothing_has_changed_where_nothing_was_touched(desk: Desk) -> None:
    reload = desk.live.live.plan_reload(None)

    assert (reload.paths, reload.refused) == ((), ())
    assert reload.checksum_before == reload.checksum_after


def test_hot_values_are_taken_over_when_the_reload_is_applied(desk: Desk) -> None:
    desk.write(
        {
            "economy": {"ingredients_cost": 0.2},
            "telemetry": {"snapshot_every": 9},
            "stability": {"lateness_threshold": 7},
        }
    )
    reload = desk.live.live.plan_reload(None)
    planned = desk.live.live.town.config.economy.ingredients_cost

    reload.apply()
    desk.live.run(1)

    assert planned == 0.15
    assert set(reload.paths) == {"economy.ingredients_cost", "telemetry.snapshot_every", "stability.lateness_threshold"}
    assert reload.refused == ()
    assert reload.settings.telemetry.snapshot_every == 9
    assert reload.checksum_before != reload.checksum_after
    state: Any = desk.live.state
    assert state["economy"]["baselines"]["ingredients_cost"] == 0.2
    thresholds: Any = desk.live.records[-1].facts["stability"]
    assert thresholds["lateness_threshold"] == 7
    assert desk.live.live.plan_reload(None).paths == ()


def test_a_new_object_is_there_at_once(desk: Desk) -> None:
    desk.things(*CORE, PIANO)
    reload = desk.live.live.plan_reload(None)

    reload.apply()
    desk.live.run(1)

    assert reload.paths == ("affordances.affordances_file (contents)",)
    assert reload.checksum_before != reload.checksum_after
    state: Any = desk.live.state
    assert state["objects"]["piano"]["pos"] == [10, 2]
    assert state["map"]["objects"]["piano"]["use"] == [10, 3]
    desk.live.live.town.tick -= 1
    assert state == merged({}, desk.live.live.blocks())


def test_what_needs_a_restart_is_named_and_nothing_is_taken_over(desk: Desk) -> None:
    desk.write({"world": {"population": 3}, "economy": {"ingredients_cost": 0.2}})

    reload = desk.live.live.plan_reload(None)

    assert reload.refused == ("world.population",)
    assert set(reload.paths) == {"world.population", "economy.ingredients_cost"}
    with pytest.raises(ConfigError, match="restart_required"):
        reload.apply()
    assert desk.live.live.town.config.economy.ingredients_cost == 0.15


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("economy: {meal_cost: -1}", "meal_cost", id="wrong-value"),
        pytest.param("economy: [", "must be YAML", id="no-yaml"),
        pytest.param("econmy: {}", "econmy", id="unknown-section"),
        pytest.param("affordances: {affordances_file: nowhere.yaml}", "nowhere.yaml", id="missing-file"),
    ],
)
def test_what_is_wrong_is_refused_as_a_whole(desk: Desk, text: str, words: str) -> None:
    before = desk.live.live.town.config
    desk.spoil(text)

    with pytest.raises(ConfigError, match=words):
        desk.live.live.plan_reload(None)

    assert desk.live.live.town.config is before


def test_one_section_can_be_taken_over_alone(desk: Desk) -> None:
    desk.write({"economy": {"ingredients_cost": 0.2}, "perturbations": {"enabled": False}, "world": {"population": 3}})
    desk.things(*CORE, PIANO)

    reload = desk.live.live.plan_reload("economy")
    reload.apply()

    assert (reload.paths, reload.refused) == (("economy.ingredients_cost",), ())
    assert desk.live.live.town.config.economy.ingredients_cost == 0.2
    assert desk.live.live.town.config.perturbations.enabled
    assert desk.live.live.plan_reload("affordances").paths == ("affordances.affordances_file (contents)",)
    with pytest.raises(ConfigError, match="there is no section 'meals'"):
        desk.live.live.plan_reload("meals")


def test_a_town_without_a_file_reads_its_shipped_files_again() -> None:
    live = LiveTown(TownletConfig(), None, 1)

    assert live.plan_reload(None).paths == ()
