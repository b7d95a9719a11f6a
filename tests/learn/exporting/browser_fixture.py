"""A small exported policy and what torch decides with it, for tests of the runtime in the browser.

`python -m tests.learn.exporting.browser_fixture` writes them.
"""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from diorama.engine.venue import open_venue
from diorama.learn.policies.export import DecisionStep, described, write_onnx
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import NormalizationSettings, PolicySettings

FOLDER: Final = Path(__file__).resolve().parents[3] / "web" / "src" / "policy" / "testing"
MODEL: Final = FOLDER / "prospector-mingru.onnx"
ANSWERS: Final = FOLDER / "prospector-mingru.json"
_WORLD: Final = "prospector"
_ROWS: Final = 2
_DECISIONS: Final = 12
_SEED: Final = 3
_TIME_MAX: Final = 60.0  # short, so that episodes end on the way and memory is reset


def decision_step() -> DecisionStep:
    """Return one decision of an untrained policy with memory."""
    spec = open_venue(_WORLD, {}).spec
    settings = PolicySettings.model_validate({"arch": "mingru-16-v1", "actor_gain": 1.0})
    return DecisionStep(Policy(spec, settings, NormalizationSettings(), seed=_SEED).eval(), spec)


def answers(step: DecisionStep) -> dict[str, object]:
    """Return what two rows see in a dozen decisions, and what torch makes of it, decisions by rows by numbers."""
    venue = open_venue(_WORLD, {"time_max": _TIME_MAX})
    batch = venue.batch(venue.config, _ROWS)
    batch.reset([1, 2])
    memory = np.zeros((_ROWS, step.policy.memory_width), np.float32)
    kept: dict[str, list[NDArray[Any]]] = {}
    for _ in range(_DECISIONS):
        seen = {"obs": batch.obs, "mask": batch.masks, "starts": batch.episode_start[:, None]}
        given = [torch.from_numpy(np.array({**seen, "memory": memory}[name])) for name in step.inputs]
        with torch.inference_mode():
            told = dict(zip(step.outputs, (tensor.numpy() for tensor in step(*given)), strict=True))
        memory = told["next_memory"]
        told["actions"] = told["actions"].astype(np.uint8)
        told["values"] = told["values"][:, None]
        for name, array in {**seen, **told}.items():
            kept.setdefault(name, []).append(np.array(array))
        batch.step(told["actions"].astype(np.int32))
    batch.close()
    arrays = {name: _packed(np.stack(parts)) for name, parts in kept.items()}
    return {"first": 0, "count": _DECISIONS, "seats": _ROWS, "arrays": arrays}


def _packed(array: NDArray[Any]) -> dict[str, object]:
    return {"dtype": array.dtype.name, "width": array.shape[2], "data": b64encode(array.tobytes()).decode()}


if __name__ == "__main__":
    step = decision_step()
    facts = {
        "world": _WORLD,
        "interface_version": open_venue(_WORLD, {}).spec.interface_version,
        "run_id": "fixture",
        "env_steps_total": 0,
        "is_drawn": False,
    }
    write_onnx(step, MODEL, described(step, facts))
    ANSWERS.write_text(json.dumps(answers(step), indent=2) + "\n", encoding="utf-8")
    print(MODEL.name, ANSWERS.name)
