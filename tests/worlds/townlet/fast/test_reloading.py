"""Hot reloads in running rows: both tiers take over, or refuse, the same and go on alike."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import diorama
from diorama.contracts.errors import ConfigError, ContractError, SnapshotError
from diorama.engine.batch import Batch
from diorama.worlds.townlet.codes import Primitive
from diorama.worlds.townlet.config import TownletConfig
from diorama.worlds.townlet.config.identity import leaves
from diorama.worlds.townlet.data.reading import read_shipped
from diorama.worlds.townlet.random_configs import random_config
from diorama.worlds.townlet.reference.opening import open_town
from diorama.worlds.townlet.reference.unfinished import Unfinished
from diorama.worlds.townlet.tables.compiling import load_tables
from tests.worlds.townlet.fast.lockstep import assert_same, both_tiers, valid_actions

CORE: list[dict[str, Any]] = yaml.safe_load(read_shipped("town/core_affordances.yaml"))
BENCH = {"type": "object", "id": "a_bench", "object_type": "bench", "position": [10, 2], "use_tile": [10, 3]}
PIANO = {"type": "object", "id": "piano", "object_type": "piano", "position": [12, 2], "use_tile": [12, 3]}
PLAY = {
    "id": "play",
    "object_type": "piano",
    "duration": 8,
    "costs": {"money": 0.1},
    "effects": {"energy": 0.1},
    "yields": {"inventory.applause": 2},
}
SIT = {"id": "a_sit", "object_type": "bench", "duration": 3, "yields": {"inventory.apples": 1}}
INTERACTIONS = slice(Primitive.INTERACT_0, Primitive.INTERACT_3 + 1)
MANIFESTS = (
    [*CORE, PIANO, PLAY],
    [*CORE, BENCH, SIT, PIANO, {**PLAY, "duration": 2, "yields": {}}],  # another item, another length
    [*CORE, PIANO, BENCH, SIT],  # what is being played is gone, the piano is not
    [*CORE, BENCH, SIT],
    [*CORE, BENCH, SIT, PIANO, PLAY],
)


def stepped(reference: Batch, fast: Batch, steps: int, rng: np.random.Generator) -> set[str]:
    """Take both tiers some steps on, with citizens who use what they can; returns what happened."""
    happened: set[str] = set()
    for _ in range(steps):
        masks = reference.masks.copy()
        if masks.shape[1] == len(Primitive):
            can_use = masks[:, INTERACTIONS].any(axis=1)
            masks[can_use, : Primitive.INTERACT_0] = 0
            masks[:, Primitive.RELEASE] = 0
            masks[masks.sum(axis=1) == 0, 0] = 1
        actions = valid_actions(masks, rng)
        for batch in (reference, fast):
            batch.step(actions)
        assert_same(fast, reference)
        happened |= set(fast.step_record(0).events)
    return happened


def _small_town(folder: Path) -> tuple[Path, dict[str, Any]]:
    """Return a configuration and the file of its affordances, which begins with the first manifest."""
    file = folder / "things.yaml"
    file.write_text(yaml.safe_dump(MANIFESTS[0]))
    return file, {
        "world": {"population": 4, "spawn_tiles": [[12, 3], [10, 3], [12, 4], [10, 4]]},
        "affordances": {"affordances_file": str(file)},
        "policy_runtime": {"action_level": "primitive"},
        "queue_fairness": {"request_radius": 2, "cooldown_ticks": 2},
    }


def test_things_come_and_go_in_a_running_row(tmp_path: Path) -> None:
    file, config = _small_town(tmp_path)
    reference, fast = both_tiers(config, seed=3)
    rng = np.random.default_rng(3)
    happened = stepped(reference, fast, 12, rng)

    for turn in range(6):
        file.write_text(yaml.safe_dump(MANIFESTS[(turn + 1) % len(MANIFESTS)]))
        prices = {"economy": {"shower_cost": 0.02 * turn, "slack_max": 2.0}}
        assert fast.reload({**config, **prices}) == reference.reload({**config, **prices})
        happened |= stepped(reference, fast, 5 + turn % 3, rng)

    assert {"affordance_start", "affordance_fail", "affordance_finish", "economy_price_update"} <= happened
    assert fast.snapshot(0) == reference.snapshot(0)


@pytest.mark.parametrize(
    ("first", "others"),
    [
        pytest.param(1, (2, 3), id="quick"),
        *(
            pytest.param(seed, tuple(range(seed + 1, seed + 9)), id=f"random-{seed}", marks=pytest.mark.slow)
            for seed in range(10, 40, 3)
        ),
    ],
)
def test_whatever_may_change_changes_alike(first: int, others: tuple[int, ...]) -> None:
    config = {**random_config(first), "episode_ticks": 300}
    reference, fast = both_tiers(config, seed=first)
    rng = np.random.default_rng(first)
    stepped(reference, fast, 25, rng)
    taken = 0

    for other in others:
        try:
            mixed = TownletConfig.model_validate(_with_hot_values(config, random_config(other)))
        except ValueError:  # the two contradict each other
            continue
        assert fast.reload(mixed) == reference.reload(mixed) != ()
        stepped(reference, fast, 40, rng)
        taken += 1

    assert taken > 0


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"world": {"population": 3}}, id="population"),
        pytest.param({"features": {"stages": {"relationships": "C1"}}, "economy": {"meal_cost": 0.3}}, id="stage"),
        pytest.param({"economy": {"meal_cost": -1.0}}, id="wrong"),
    ],
)
def test_what_may_not_change_is_refused_alike(changes: dict[str, object]) -> None:
    reference, fast = both_tiers({}, seed=3)
    refusals = []

    for batch in (reference, fast):
        with pytest.raises(ConfigError) as refusal:
            batch.reload(changes)
        refusals.append(str(refusal.value))
        assert batch.config == TownletConfig()

    assert refusals[0] == refusals[1]
    stepped(reference, fast, 3, np.random.default_rng(3))


def test_a_reload_waits_for_the_next_tick_and_stays_in_later_episodes() -> None:
    config = {"economy": {"meal_cost": 0.35}}
    batch = diorama.make("townlet", config={"episode_ticks": 5}, copies=2, tier="fast", threads=1)
    batch.reset([1, 2])
    before = batch.snapshot(1)

    batch.reload({"episode_ticks": 5, **config})
    assert batch.snapshot(1) == before
    parts = batch.split(2)
    for part in parts:
        for _ in range(8):
            part.step(part.expert_actions())

    again = diorama.make("townlet", config={"episode_ticks": 5, **config}, tier="fast", threads=1)
    again.reset([1])
    again.restore(0, parts[1].snapshot(0))
    assert again.state_hash(0) == parts[1].state_hash(0)


def test_what_runs_by_older_rules_is_not_written_down_before_it_is_done(tmp_path: Path) -> None:
    file, config = _small_town(tmp_path)
    reference, fast = both_tiers(config, seed=3)
    rng = np.random.default_rng(3)
    while "affordance_start" not in stepped(reference, fast, 1, rng):
        pass

    for batch in (reference, fast):  # prices alone change nothing that runs
        batch.reload({**config, "economy": {"shower_cost": 0.02}})
    stepped(reference, fast, 1, rng)
    assert fast.snapshot(0) == reference.snapshot(0)
    longer = [{**entry, "duration": entry["duration"] + 1} if "duration" in entry else entry for entry in CORE]
    file.write_text(yaml.safe_dump([*longer, PIANO, PLAY]))
    for batch in (reference, fast):
        batch.reload({**config, "economy": {"shower_cost": 0.02}})
    stepped(reference, fast, 1, rng)
    refusal = _refusal(fast)
    assert refusal is not None
    assert refusal == _refusal(reference)
    until = int(refusal.split("over at tick ")[1].split()[0])
    while int(str(fast.step_record(0).info["tick"])) < until:
        stepped(reference, fast, 1, rng)
        assert (_refusal(fast) is None) == (_refusal(reference) is None)

    assert _refusal(fast) is None
    before = fast.snapshot(0)
    stepped(reference, fast, 12, rng)
    for batch in (reference, fast):
        batch.restore(0, before)
        assert batch.snapshot(0) == before


def test_what_an_episode_left_unfinished_says_nothing_about_the_next() -> None:
    tables = load_tables(TownletConfig())
    town = open_town(tables, TownletConfig(), 3)
    town.objects[0].running, town.objects[0].remaining = 0, 5
    left = Unfinished(seed=town.seed, objects=frozenset({0}), until_tick=4)

    assert Unfinished.after_reload(town, tables) is None
    assert Unfinished.after_reload(town, tables, left) == replace(left, until_tick=town.tick + 5)
    assert Unfinished.after_reload(town, tables, replace(left, seed=2)) is None


def _refusal(batch: Batch) -> str | None:
    try:
        batch.snapshot(0)
    except SnapshotError as error:
        return str(error)
    return None


def test_worlds_that_cannot_change_say_so() -> None:
    for tier in ("reference", "fast"):
        batch = diorama.make("prospector", tier=tier)
        batch.reset()
        with pytest.raises(ContractError, match="takes no other configuration while it runs"):
            batch.reload({})


def _with_hot_values(config: Mapping[str, object], other: Mapping[str, object]) -> dict[str, Any]:
    """A configuration with everything of another one that needs no restart."""
    mixed = TownletConfig.model_validate(config).model_dump(mode="json")
    for path, is_fixed, value in leaves(TownletConfig.model_validate(other)):
        if is_fixed:
            continue
        *sections, name = path.split(".")
        section: dict[str, Any] = mixed
        for key in sections:
            section = section[key]
        section[name] = value
    return mixed
