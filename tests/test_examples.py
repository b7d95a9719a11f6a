"""The examples run, and learn."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"examples_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by name.
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
    return module


def test_stable_baselines_trains_through_the_adapter(capsys: pytest.CaptureFixture[str]) -> None:
    load("train_sb3").main(["--steps", "512", "--copies", "4", "--episodes", "2"])

    assert "net profit" in capsys.readouterr().out


def test_the_single_file_learns_to_lose_less() -> None:
    trainer = load("cleanrl_style").main(["--steps", "32768"])

    first, last = trainer.returns[:100], trainer.returns[-100:]
    assert sum(last) / len(last) > sum(first) / len(first)


def test_the_single_file_expects_nothing_after_an_end() -> None:
    module = load("cleanrl_style")
    trainer = module.Trainer(module.Arguments(num_envs=4, rollout_steps=64))

    rollout = trainer.collect()

    # So short a rollout sees no episode cut off by time: all that ended are over.
    assert rollout.ended.any()
    assert (rollout.next_values[rollout.ended] == 0.0).all()
    assert (rollout.next_values[~rollout.ended] != 0.0).all()
