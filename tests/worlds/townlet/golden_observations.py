"""Observation tensors that never change: `python -m tests.worlds.townlet.golden_observations` writes them anew.

They are taken from two scenarios, in all three variants; a row is kept as the places and values of what is not zero.
"""

import json
from pathlib import Path
from typing import Final

import numpy as np

from diorama.contracts.values import F32
from diorama.worlds.townlet.reference.names import agent_id
from diorama.worlds.townlet.reference.observe import Observer
from diorama.worlds.townlet.scenarios import ScenarioRun, load_scenario
from diorama.worlds.townlet.scenarios.loading import StoredScenario

GOLDEN: Final = Path(__file__).parents[2] / "golden" / "townlet-observations.json"
VARIANTS: Final = ("hybrid", "full", "compact")
MOMENTS: Final = (("observation_baseline", 19), ("queue_conflict", 33))


def observed(name: str, tick: int, variant: str) -> dict[str, F32]:
    """Rows of all citizens, by id, at a tick of a scenario."""
    scenario = load_scenario(name).scenario
    features = {**scenario.overrides.get("features", {}), "systems": {"observations": variant}}
    changed = scenario.model_copy(update={"overrides": {**scenario.overrides, "features": features}})
    run = ScenarioRun(StoredScenario(scenario=changed, folder=None))
    for _ in range(tick):
        run.step()
    run.begin()
    observer = Observer(run.town.tables, run.town.config)
    return {agent_id(run.town, citizen.number): observer.row_of(run.town, citizen) for citizen in run.town.living()}


def document() -> dict[str, dict[str, object]]:
    """Everything that is kept."""
    return {
        f"{name}@{tick}/{variant}": {agent: sparse(row) for agent, row in observed(name, tick, variant).items()}
        for name, tick in MOMENTS
        for variant in VARIANTS
    }


def sparse(row: F32) -> dict[str, object]:
    """A row by its width, and what is not zero in it."""
    return {"width": len(row), "values": {str(place): float(row[place]) for place in np.flatnonzero(row).tolist()}}


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(document(), indent=1) + "\n", encoding="utf-8")
