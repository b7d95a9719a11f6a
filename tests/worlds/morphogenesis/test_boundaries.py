"""What may know what, and what must not stay or travel: imports, host syncs of an epoch, tensors of past rounds."""

import ast
import gc
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import numpy as np
import pytest
import torch

import diorama.worlds.morphogenesis as package
from diorama.worlds.morphogenesis.contracts.actions import GerminationStyle
from diorama.worlds.morphogenesis.contracts.blueprints import TOPOLOGY_BLUEPRINTS
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.engine.stacked import StackedEngine
from tests.worlds.morphogenesis.small_setups import small_setup
from tests.worlds.morphogenesis.small_worlds import play, small_world

ROOT = Path(package.__file__).parent
NAME = package.__name__
BELOW = {
    "contracts": (),
    "data": ("contracts", "hosting", "streams"),
    "hosting": ("contracts", "streams"),
    "rewards": ("contracts", "controller", "vectorized_types"),
    "safety": ("contracts", "rewards"),
    "contributions": ("contracts", "rewards"),
    "controller": ("contracts", "hosting", "rewards", "vectorized_types", "streams"),
}
"""What each part may import beside itself."""


def imports_of(path: Path) -> Iterator[str]:
    """Yield the modules of this world that a file imports when it is loaded."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    loaded = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    for node in loaded:
        if node.module is not None and node.module.startswith(f"{NAME}."):
            module = node.module.removeprefix(f"{NAME}.")
            for alias in node.names:
                yield f"{module}.{alias.name}" if f"{module}.{alias.name}" in MODULES else module


MODULES = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in sorted(ROOT.rglob("*.py"))}


def test_no_module_of_the_world_imports_itself_in_a_circle() -> None:
    graph = {name.removesuffix(".__init__"): set(imports_of(path)) for name, path in MODULES.items()}

    order = list(TopologicalSorter(graph).static_order())

    assert order.index("contracts.stages") < order.index("hosting.slot") < order.index("engine.world")


@pytest.mark.parametrize("part", BELOW)
def test_parts_import_only_what_lies_below(part: str) -> None:
    inside = {name: path for name, path in MODULES.items() if name.split(".")[0] == part}

    reached = {module.split(".")[0] for path in inside.values() for module in imports_of(path)}

    assert inside
    assert reached <= {part, *BELOW[part]}


def test_what_runs_on_the_device_knows_nothing_of_rewards_or_records() -> None:
    hot = [path for name, path in MODULES.items() if name.startswith("engine.stacked")]

    reached = {module for path in hot for module in imports_of(path)}

    assert not [name for name in reached if name.split(".")[0] in ("rewards", "vectorized_types", "rounds", "learning")]


def test_a_round_becomes_a_dictionary_at_one_place() -> None:
    texts = {name: path.read_text(encoding="utf-8") for name, path in MODULES.items() if name != "vectorized_types"}

    callers = [name for name, text in texts.items() if "BatchSummary" in text and "summary.to_dict()" in text]

    assert callers == ["rounds.history"]


def planted_engine(max_batches: int) -> StackedEngine:
    engine = StackedEngine(small_setup(envs=3, max_batches=max_batches))
    engine.reset(0)
    for row in range(3):
        bed, blueprint = engine.bed(row), TOPOLOGY_BLUEPRINTS["cnn"][row]
        bed.plant("r0c1", blueprint, GerminationStyle.LINEAR_ADD.traits.operator, 0)
        for stage in (SeedStage.TRAINING, SeedStage.BLENDING)[: row + 1]:
            bed.set_stage("r0c1", stage)
        bed.set_alpha("r0c1", 0.5 if row else 0.0, frozen=False)
    return engine


def test_training_and_validation_leave_the_device_in_one_piece_each(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = 0

    def counted(name: str) -> None:
        original = getattr(torch.Tensor, name)

        def read(tensor: torch.Tensor, *args: object) -> object:
            nonlocal reads
            reads += 1
            return original(tensor, *args)

        monkeypatch.setattr(torch.Tensor, name, read)

    engines = [planted_engine(batches) for batches in (2, 6)]
    for name in ("item", "cpu", "tolist", "__bool__", "__float__", "__int__"):
        counted(name)
    counts = []
    for engine in engines:
        reads = 0
        engine.train_epoch(1)
        counts.append(reads)
        engine.validate(np.full((1, 4, 3), np.nan))
        counts.append(reads)

    assert counts == [1, 2, 1, 2]


@pytest.mark.slow
def test_a_round_leaves_no_tensors_behind() -> None:
    world = small_world(make_engine=StackedEngine, envs=2)

    alive = []
    for round_index in range(3):
        play(world, (), round_index=round_index)
        gc.collect()
        alive.append(sum(issubclass(type(item), torch.Tensor) for item in gc.get_objects()))

    assert alive[1] == alive[2]
    assert np.isfinite(world.envs[0].reading.val_loss)
