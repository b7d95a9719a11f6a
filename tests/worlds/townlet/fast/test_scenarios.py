"""Every scenario tick by tick on both tiers; the core takes over what scripts and operators have changed."""

import numpy as np
import pytest

from diorama.contracts.buffers import Buffers
from diorama.engine.reference_core import opening_snapshot
from diorama.engine.reference_core import snapshot_words as core_words
from diorama.worlds.townlet.contract import describe
from diorama.worlds.townlet.fast import open_core
from diorama.worlds.townlet.reference.words import read_town, snapshot_words, state_words
from diorama.worlds.townlet.scenarios import ScenarioRun, load_scenario, scenario_names
from diorama.worlds.townlet.scenarios.opening import config_of

SHORT = {"kitchen_breakfast", "observation_baseline", "outage_mid_shower", "queue_conflict"}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in SHORT else pytest.mark.slow) for name in scenario_names()],
)
def test_a_scenario_goes_alike(name: str) -> None:
    stored = load_scenario(name)
    config, run = config_of(stored), ScenarioRun(stored)
    spec, tables = describe(config), run.town.tables
    buffers = Buffers.allocate(spec, 1)
    core = open_core(tables, config, copies=1, seed=0, threads=1)
    commanded = {0, *(entry.tick for entry in stored.scenario.timeline)}
    compared = 0

    while True:
        selections = run.begin()
        town = run.town
        if town.tick not in commanded:
            own = read_town(core_words(spec, core.snapshot(0)), tables, config)
            for citizen in town.living():  # scripts put their next move there, before they are compared
                own.citizen(citizen.seat).possessed_primitive = citizen.possessed_primitive
            np.testing.assert_array_equal(state_words(own), state_words(town), err_msg=f"tick {town.tick}")
            compared += 1
        if town.tick in commanded or any(citizen.is_possessed for citizen in town.living()):
            core.restore(0, opening_snapshot(spec, config, town.seed, snapshot_words(town)), buffers)
        run.finish(selections)
        if run.is_over:
            break
        actions = np.array([[selections.get(seat, 0)] for seat in range(spec.agents)], np.int32)
        core.step(actions, buffers)

    assert town.tables is tables
    assert compared > 0.9 * stored.scenario.ticks - len(commanded)
