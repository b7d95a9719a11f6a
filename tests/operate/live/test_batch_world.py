"""Any world live over a batch of one: exact snapshots, patches that add up, events of its catalogue."""

from pathlib import Path

import numpy as np
import pytest

import diorama
from diorama.contracts.errors import SnapshotError
from diorama.contracts.live.world import LiveWorld, Selection
from diorama.contracts.values import JsonObject
from diorama.operate.live.batch_world.offer import live_offer
from diorama.telemetry.live.merge_patch import apply_patch
from diorama.worlds.registry import load_world

WORLDS = (
    "prospector",
    pytest.param("tidebreak", marks=pytest.mark.slow),
    pytest.param("gameboy", marks=pytest.mark.slow),
    pytest.param("morphogenesis", marks=pytest.mark.slow),
)


def _opened(world_id: str, seed: int = 7) -> LiveWorld:
    world = load_world(world_id)
    config = world.config_type()
    return live_offer(world, config).open(config, None, seed)


def _live(world: LiveWorld, ticks: int, luck: np.random.Generator) -> None:
    for _ in range(ticks):
        world.schedule()
        view = world.view()
        actions = [[int(luck.choice(np.flatnonzero(row))) for row in _by_head(world, masks)] for masks in view.masks]
        world.decide(Selection(actions=np.array(actions, np.int32)))
        world.resolve()
        world.settle()
        world.advance()


def _by_head(world: LiveWorld, mask: np.ndarray) -> list[np.ndarray]:
    ends = np.cumsum([len(head.options) for head in world.spec.heads])
    return np.split(mask, ends[:-1])


@pytest.mark.parametrize("world_id", WORLDS)
def test_a_saved_world_goes_on_as_if_nothing_had_happened(world_id: str) -> None:
    one, other = _opened(world_id), _opened(world_id, seed=8)
    _live(one, 40, np.random.default_rng(1))

    other.load(one.save())
    for world in (one, other):
        _live(world, 30, np.random.default_rng(2))

    assert other.save() == one.save()
    assert (other.state_hash(), other.clock) == (one.state_hash(), one.clock)


@pytest.mark.parametrize("world_id", WORLDS)
def test_patches_add_up_to_the_whole_state(world_id: str) -> None:
    world, luck = _opened(world_id), np.random.default_rng(3)
    told: JsonObject = world.blocks()

    for _ in range(20):
        _live(world, 1, luck)
        patched = apply_patch(told, world.changes())
        assert isinstance(patched, dict)
        told = patched

    assert told == world.blocks()


def test_episodes_follow_one_another_and_are_told() -> None:
    world = load_world("prospector")
    config = world.config_type.model_validate({"time_max": 40})
    offer = live_offer(world, config)
    live = offer.open(config, None, 7)
    kinds = {kind.name: {field.name for field in kind.fields} for kind in offer.events}

    _live(live, 120, np.random.default_rng(4))
    events = live.take_events()

    endings = [event for event in events if event.name == "episode_over"]
    assert len(endings) >= 2
    assert [event.fields["episode"] for event in endings] == list(range(len(endings)))
    assert all(event.fields.keys() == kinds[event.name] for event in events)
    assert live.clock.tick >= 120
    assert live.take_events() == []


def test_it_steps_like_the_batch_it_is_made_of() -> None:
    live, batch = _opened("prospector"), diorama.make("prospector", seed=7)
    batch.reset()
    noop = np.array([batch.spec.noop], np.int32)

    for _ in range(25):
        live.decide(Selection(actions=noop))
        live.resolve()
        live.settle()
        live.advance()
        batch.step(noop)

    assert live.state_hash() == batch.state_hash(0)


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"snapshot": "!"},
        {"tick": -1},
        {"starts": [1, 1]},
        {"kpis": {}},
        {"window": 3},
        {"orders": {"deciders": {}}},
    ],
    ids=str,
)
def test_what_is_no_state_changes_nothing(broken: JsonObject) -> None:
    live = _opened("prospector")
    _live(live, 5, np.random.default_rng(5))
    before = live.save()

    with pytest.raises(SnapshotError):
        live.load({**before, **broken} if broken else {})

    assert live.save() == before


def test_no_part_of_a_batch_can_be_reloaded(tmp_path: Path) -> None:
    path = tmp_path / "belt.yaml"
    path.write_text("time_max: 300\n")
    world = load_world("prospector")
    config = world.config_type.model_validate({"time_max": 200})

    plan = live_offer(world, config).open(config, path, 0).plan_reload(None)

    assert plan.paths == plan.refused == ("time_max",)
    assert plan.checksum_before != plan.checksum_after
