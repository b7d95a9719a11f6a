from collections.abc import Mapping

import numpy as np
import pytest

from diorama.contracts.live.world import LiveWorld, Opinion, PolicyIdentity, Selection
from diorama.snapshots import hash_words
from diorama.worlds.townlet.live.town import LiveTown
from diorama.worlds.townlet.reference.console.executing import execute
from diorama.worlds.townlet.reference.opening import open_town
from diorama.worlds.townlet.reference.policy_runner import PolicyRunner, run_tick
from diorama.worlds.townlet.reference.simulation import TownletSimulation
from diorama.worlds.townlet.reference.state import Town
from diorama.worlds.townlet.reference.tick import clear_page
from diorama.worlds.townlet.reference.words import state_words
from tests.worlds.townlet.live.live_towns import LIVELY, quiet, watched
from tests.worlds.townlet.towns import PRIMITIVE, config_of, tables_of

COMMANDS: Mapping[int, tuple[str, tuple[object, ...]]] = {
    5: ("force_chat", ("citizen_000", "citizen_001")),
    30: ("spawn", ("guest",)),
    40: ("teleport", ("guest", 1, 1)),
    60: ("kill", ("citizen_002",)),
}


class Operator:
    """Gives the same commands to a town that runs by itself."""

    def before_stage(self, number: int, town: Town) -> None:
        if number == 1 and town.tick in COMMANDS:
            name, args = COMMANDS[town.tick]
            execute(town, name, *args)

    def after_stage(self, number: int, town: Town) -> None:
        pass


def test_a_live_town_goes_the_same_way_as_one_that_runs_by_itself() -> None:
    config = config_of(LIVELY)
    alone, runner = open_town(tables_of(config), config, 7), PolicyRunner()
    live = watched(LIVELY)

    for tick in range(150):
        run_tick(alone, runner, (Operator(),))
        if tick in COMMANDS:
            name, args = COMMANDS[tick]
            live.command(name, *args)
        live.run(1)

    clear_page(alone)
    assert live.live.state_hash() == hash_words(state_words(alone))
    assert [event.name for event in live.events] == [event.kind.name.lower() for event in alone.events]


def test_policies_see_what_they_see_in_a_batch() -> None:
    config = config_of(LIVELY)
    simulation, live = TownletSimulation(config), watched(LIVELY, seed=0).live
    live.schedule()
    expected = np.zeros_like(live.view().obs)
    masks, alive, starts = np.zeros((16, 8), np.uint8), np.zeros(16, np.uint8), np.zeros(16, np.uint8)
    simulation.observe(expected, np.zeros((16, 0), np.uint8))
    simulation.write_masks(masks)
    simulation.write_alive(alive)
    simulation.write_episode_starts(starts)

    view = live.view()

    assert np.array_equal(view.obs, expected)
    assert np.array_equal(view.masks, masks)
    assert np.array_equal(view.alive, alive)
    assert np.array_equal(view.starts, starts)


def test_the_tick_of_a_state_is_the_next_one_as_soon_as_a_tick_is_settled() -> None:
    live = watched(LIVELY).run(3)
    live.stages()

    told, clock = (live.live.state_hash(), live.live.save()["tick"]), live.live.clock.tick
    live.live.advance()

    assert told == (live.live.state_hash(), live.live.save()["tick"])
    assert (clock, live.live.clock.tick) == (3, 4)


def test_who_decided_is_told_with_what_a_learned_policy_thought() -> None:
    live = quiet()
    live.command("possess", "citizen_001", "acquire")
    world: LiveWorld = live.live
    world.schedule()
    opinion = Opinion(chances=(0.5, 0.25, 0.125, 0.125, 0.0, 0.0, 0.0, 0.0), value=1.5)
    learned = PolicyIdentity(source="learned", policy_hash="f" * 64, anneal_ratio=1.0)
    world.decide(Selection(actions=world.expert_actions(), policy=learned, opinions={0: opinion, 1: opinion}))
    world.resolve()
    world.settle()

    agents, policy = world.blocks()["agents"], world.blocks()["policy"]

    assert isinstance(agents, dict)
    assert isinstance(policy, dict)
    assert [agents[f"citizen_00{seat}"]["option_source"] for seat in range(3)] == ["learned", "possessed", "learned"]
    assert policy["possessed"] == ["citizen_001"]
    assert policy["identity"] == {
        "source": "learned",
        "variant": "hybrid",
        "anneal_ratio": 1.0,
        "policy_hash": "f" * 64,
    }
    shown = policy["inspector"]["citizen_000"]
    assert shown["value"] == 1.5
    assert [entry["chance"] for entry in shown["top"]] == [0.5, 0.25, 0.125]
    assert shown["entropy"] == pytest.approx(1.2130, abs=1e-4)


def test_a_town_of_primitives_is_advised_to_wait() -> None:
    live = watched(PRIMITIVE).run(2)

    assert not live.live.expert_actions().any()
    assert live.live.view().masks.shape == (16, 12)


def test_a_new_policy_finds_cleared_memories() -> None:
    live = quiet().run(2)
    assert not live.live.view().starts.any()

    live.live.forget_context()

    assert live.live.view().starts.sum() == 3


def test_a_live_town_is_a_live_world() -> None:
    world: LiveWorld = LiveTown(config_of(), None, 1)

    assert world.identity.config_id.startswith("townlet+hybrid.")
    assert world.identity.config_id.endswith(world.identity.structural_id)
    assert dict(world.people())["citizen_000"] == "Ada"
    assert world.scene()["time"] == 0
