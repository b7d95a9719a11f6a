"""Accuracies are percent, and the inputs of rewards have one place where they are put together."""

import ast
import logging
from pathlib import Path

import pytest

import diorama.worlds.morphogenesis as package
from diorama.worlds.morphogenesis.contracts.errors import ContractError
from diorama.worlds.morphogenesis.contracts.units import AccuracyWatch

INPUTS = frozenset({"ContributionRewardInputs", "LossRewardInputs", "LiveSeedInput", "SeedInfo"})


def test_a_share_of_one_that_is_told_as_accuracy_is_warned_about_once(caplog: pytest.LogCaptureFixture) -> None:
    watch = AccuracyWatch()

    with caplog.at_level(logging.WARNING):
        told = [
            watch.check(value, epoch=epoch)
            for value, epoch in ((0.9, 1), (0.0, 2), (1.1, 2), (1.0, 3), (0.5, 4), (42.0, 5))
        ]

    assert told == [0.9, 0.0, 1.1, 1.0, 0.5, 42.0]
    (record,) = caplog.records
    assert "epoch 3 is 1.0" in record.getMessage()
    with pytest.raises(ContractError):
        watch.check(100.1, epoch=6)


def test_the_inputs_of_rewards_are_put_together_in_one_place() -> None:
    root = Path(package.__file__).parent
    found = {
        (node.func.id, path.relative_to(root).as_posix())
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in INPUTS
    }

    assert found == {(name, "engine/reward_inputs.py") for name in INPUTS}
