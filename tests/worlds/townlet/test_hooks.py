from pathlib import Path

import pytest
import yaml

from diorama.contracts.errors import ConfigError
from diorama.worlds.townlet.codes import NOTHING, Primitive
from diorama.worlds.townlet.config import TownletConfig
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.opening import open_town
from diorama.worlds.townlet.reference.state import Town
from diorama.worlds.townlet.tables.compiling import load_tables, require_batch_hooks
from tests.worlds.townlet import custom_hooks, deferred_hooks
from tests.worlds.townlet.towns import of_kind, put_at, tick


@pytest.fixture
def town(tmp_path: Path) -> Town:
    manifest = [
        {"id": "rest_sleep", "object_type": "bed", "duration": 60, "effects": {"energy": 0.8}},
        {
            "id": "sit",
            "object_type": "bench",
            "duration": 3,
            "effects": {"energy": 0.1},
            "hooks": {"before": ["forbid", "on_attempt_buy"], "after": ["forbid"], "fail": ["forbid"]},
        },
    ]
    (tmp_path / "things.yaml").write_text(yaml.safe_dump(manifest))
    config = TownletConfig.model_validate(
        {
            "world": {"population": 2},
            "affordances": {
                "affordances_file": "things.yaml",
                "hook_modules": ["tests.worlds.townlet.custom_hooks"],
            },
            "policy_runtime": {"action_level": "primitive"},
        }
    )
    custom_hooks.CALLS.clear()
    return open_town(load_tables(config, tmp_path), config, 1)


def test_custom_hooks_run_in_order(town: Town) -> None:
    put_at(town, town.citizen(0), "bench_1")

    tick(town, {0: Primitive.INTERACT_0}, 1)
    tick(town, {}, 2)

    assert custom_hooks.CALLS == ["before sit bench_1 0", "after sit bench_1 2"]
    assert town.citizen(0).tally.attempts == 1


def test_a_hook_cancels_a_start(town: Town) -> None:
    put_at(town, town.citizen(1), "bench_1")

    events = tick(town, {1: Primitive.INTERACT_0})

    assert of_kind(town, events, EventKind.AFFORDANCE_FAIL)[0]["reason"] == "hook_cancelled"
    assert town.citizen(1).holding == NOTHING
    assert custom_hooks.CALLS == ["before sit bench_1 0", "fail sit bench_1 0"]


def test_deferred_hooks_listen_after_the_tick_and_may_run_in_batches(tmp_path: Path) -> None:
    manifest = [
        {"id": "rest_sleep", "object_type": "bed", "duration": 60, "effects": {"energy": 0.8}},
        {
            "id": "sit",
            "object_type": "bench",
            "duration": 2,
            "effects": {"energy": 0.1},
            "hooks": {"before": ["listen"], "after": ["listen"]},
        },
    ]
    (tmp_path / "things.yaml").write_text(yaml.safe_dump(manifest))
    config = TownletConfig.model_validate(
        {
            "world": {"population": 1},
            "affordances": {
                "affordances_file": "things.yaml",
                "hook_modules": ["tests.worlds.townlet.deferred_hooks"],
            },
            "policy_runtime": {"action_level": "primitive"},
        }
    )
    tables = load_tables(config, tmp_path)
    require_batch_hooks(tables)
    town = open_town(tables, config, 1)
    put_at(town, town.citizen(0), "bench_1")
    deferred_hooks.HEARD.clear()

    tick(town, {0: Primitive.INTERACT_0})
    tick(town)

    assert deferred_hooks.HEARD == ["before citizen_000 0", "after citizen_000 1"]


def test_modules_without_hooks_are_refused() -> None:
    for module, expected in (("nowhere.at.all", "cannot be imported"), ("json", "no mapping HOOKS")):
        config = TownletConfig.model_validate({"affordances": {"hook_modules": [module]}})
        with pytest.raises(ConfigError, match=expected):
            load_tables(config)
