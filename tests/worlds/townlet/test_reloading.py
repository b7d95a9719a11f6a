from pathlib import Path
from typing import Any

import pytest
import yaml

from diorama.contracts.errors import ConfigError
from diorama.worlds.townlet.codes import NOTHING, PerturbationKind, Price, Primitive
from diorama.worlds.townlet.config import TownletConfig
from diorama.worlds.townlet.data.reading import read_shipped
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.opening import open_town
from diorama.worlds.townlet.reference.reloading import apply_reload
from diorama.worlds.townlet.reference.state import Town
from diorama.worlds.townlet.reference.words import snapshot_words, state_words
from diorama.worlds.townlet.tables.compiling import load_tables
from tests.worlds.townlet.towns import obj, of_kind, put, put_at, tick

BASE: dict[str, Any] = {
    "world": {"population": 2},
    "policy_runtime": {"action_level": "primitive"},
    "perturbations": {"enabled": False},
    "affordances": {"affordances_file": "things.yaml"},
}
PIANO = {"type": "object", "id": "piano", "object_type": "piano", "position": [10, 2], "use_tile": [10, 3]}
PLAY = {"id": "play", "object_type": "piano", "duration": 20, "effects": {"energy": 0.1}, "costs": {"money": 0.5}}


class Office:
    """Writes manifests and compiles towns from them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._core = yaml.safe_load(read_shipped("town/core_affordances.yaml"))

    def compile(self, *entries: dict[str, Any], **changes: Any) -> tuple[TownletConfig, Any]:
        (self._folder / "things.yaml").write_text(yaml.safe_dump([*self._core, *entries]))
        config = TownletConfig.model_validate({**BASE, **changes})
        return config, load_tables(config, self._folder)

    def town(self, *entries: dict[str, Any]) -> Town:
        config, tables = self.compile(*entries)
        return open_town(tables, config, 1)


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path)


def test_new_objects_and_prices_are_there_at_once(office: Office) -> None:
    town = office.town()
    put(town, town.citizen(0), 10, 4)
    config, tables = office.compile(PIANO, PLAY, economy={"shower_cost": 0.1}, lifecycle={"max_exits_per_day": 9})

    changed = apply_reload(town, config, tables)

    assert changed == ("economy.shower_cost", "lifecycle.max_exits_per_day")
    assert town.economy.live[Price.SHOWER] == 0.1
    assert town.rules.max_exits_per_day == 9
    tick(town, {0: Primitive.INTERACT_0})
    assert town.citizen(0).holding == obj(town, "piano")


def test_what_runs_keeps_the_rules_it_began_with(office: Office) -> None:
    town = office.town(PIANO, PLAY)
    citizen = town.citizen(0)
    put_at(town, citizen, "piano")
    tick(town, {0: Primitive.INTERACT_0})
    config, tables = office.compile(PIANO, {**PLAY, "duration": 5})

    apply_reload(town, config, tables)
    events = tick(town, {}, 18)
    assert not of_kind(town, events, EventKind.AFFORDANCE_FINISH)
    events = tick(town)

    assert of_kind(town, events, EventKind.AFFORDANCE_FINISH)[0]["affordance_id"] == "play"


def test_what_runs_gives_what_it_promised_though_items_have_other_numbers(office: Office) -> None:
    play = {**PLAY, "yields": {"inventory.zebras": 2}}
    sit = {"id": "dream", "object_type": "piano", "duration": 9, "yields": {"inventory.apples": 1}}
    town = office.town(PIANO, play)
    citizen = town.citizen(0)
    put_at(town, citizen, "piano")
    tick(town, {0: Primitive.INTERACT_0})
    config, tables = office.compile(PIANO, sit, {**play, "duration": 5})

    apply_reload(town, config, tables)
    events = tick(town, {}, 19)

    assert of_kind(town, events, EventKind.AFFORDANCE_FINISH)[0]["affordance_id"] == "play"
    held = dict(zip(town.tables.items, citizen.inventory, strict=True))
    assert (held["apples"], held["zebras"]) == (0, 2)


def test_events_that_nobody_has_told_yet_keep_their_names(office: Office) -> None:
    spike = {"kind": "price_spike", "prob_per_day": 1.0, "duration": [5, 9], "magnitude": [2, 3], "targets": ["cafe"]}
    spikes = [{"id": name, **spike} for name in ("a", "b", "c")]
    config, tables = office.compile(PIANO, perturbations={"enabled": False, "events": spikes})
    town = open_town(tables, config, 1)
    town.events.clear()
    for number in range(3):
        town.record(EventKind.PERTURBATION_ENDED, number, number, PerturbationKind.PRICE_SPIKE)
    town.record(EventKind.STOCK_REPLENISH, obj(town, "piano"), 1, 5)
    config, tables = office.compile(
        {**PIANO, "id": "organ", "position": [14, 2], "use_tile": [14, 3]},
        PIANO,
        perturbations={"enabled": False, "events": spikes[:0:-1]},
    )

    apply_reload(town, config, tables)

    assert [told["spec"] for told in of_kind(town, town.events, EventKind.PERTURBATION_ENDED)] == [None, "b", "c"]
    (restocked,) = of_kind(town, town.events, EventKind.STOCK_REPLENISH)
    assert (restocked["object_id"], restocked["item"]) == ("piano", "groceries")


def test_an_object_that_is_gone_dissolves_its_queue_and_refunds(office: Office) -> None:
    town = office.town(PIANO, PLAY)
    first, second = town.living()
    put_at(town, first, "piano")
    put(town, second, 10, 4)
    wallet = first.wallet
    tick(town, {0: Primitive.INTERACT_0, 1: Primitive.INTERACT_0})
    assert second.queued == obj(town, "piano")
    config, tables = office.compile()
    town.events.clear()

    apply_reload(town, config, tables)

    assert (first.holding, first.is_running, first.wallet) == (NOTHING, False, wallet)
    assert second.queued == NOTHING
    assert of_kind(town, town.events, EventKind.AFFORDANCE_FAIL) == [
        {"agent_id": agent, "object_id": None, "affordance_id": None, "reason": "object_removed"}
        for agent in ("citizen_001", "citizen_000")
    ]
    assert len(town.objects) == 22
    tick(town)
    assert len(state_words(town))


def test_a_reload_that_needs_a_restart_changes_nothing(office: Office) -> None:
    town = office.town()
    before = snapshot_words(town)
    config, tables = office.compile(world={"population": 3})

    with pytest.raises(ConfigError, match=r"restart_required: world\.population"):
        apply_reload(town, config, tables)

    assert (snapshot_words(town) == before).all()
