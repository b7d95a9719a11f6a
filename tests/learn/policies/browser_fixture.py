"""A small exported policy and what torch decides with it, for tests of the runtime in the browser.

`python -m tests.learn.policies.browser_fixture` writes them.
"""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from diorama.engine.venue import open_venue
from diorama.learn.policies.export import PolicyStep, onnx_metadata, write_onnx
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


def policy_step() -> PolicyStep:
    """Return one step of an untrained policy with memory."""
    spec = open_venue(_WORLD, {}).spec
    settings = PolicySettings.model_validate({"arch": "mingru-16-v1", "actor_gain": 1.0})
    return PolicyStep(Policy(spec, settings, NormalizationSettings(), seed=_SEED).eval(), spec)


def answers(step: PolicyStep) -> dict[str, object]:
    """Return inputs and torch's outputs of two rows in a dozen decisions, decisions × rows × numbers."""
    venue = open_venue(_WORLD, {"time_max": _TIME_MAX})
    batch = venue.batch(venue.config, _ROWS)
    batch.reset([1, 2])
    memory = np.zeros((_ROWS, step.policy.memory_width), np.float32)
    recorded: dict[str, list[NDArray[Any]]] = {}
    for _ in range(_DECISIONS):
        inputs = {"obs": batch.obs, "mask": batch.masks, "starts": batch.episode_start[:, None]}
        tensors = [torch.from_numpy(np.array({**inputs, "memory": memory}[name])) for name in step.inputs]
        with torch.inference_mode():
            outputs = dict(zip(step.outputs, (tensor.numpy() for tensor in step(*tensors)), strict=True))
        memory = outputs["next_memory"]
        outputs["actions"] = outputs["actions"].astype(np.uint8)
        outputs["values"] = outputs["values"][:, None]
        for name, array in {**inputs, **outputs}.items():
            recorded.setdefault(name, []).append(np.array(array))
        batch.step(outputs["actions"].astype(np.int32))
    batch.close()
    arrays = {name: _packed(np.stack(parts)) for name, parts in recorded.items()}
    return {"first": 0, "count": _DECISIONS, "seats": _ROWS, "arrays": arrays}


def _packed(array: NDArray[Any]) -> dict[str, object]:
    return {"dtype": array.dtype.name, "width": array.shape[2], "data": b64encode(array.tobytes()).decode()}


if __name__ == "__main__":
    step = policy_step()
    facts = {
        "world": _WORLD,
        "interface_version": open_venue(_WORLD, {}).spec.interface_version,
        "run_id": "fixture",
        "env_steps_total": 0,
        "is_drawn": False,
    }
    write_onnx(step, MODEL, onnx_metadata(step, facts))
    ANSWERS.write_text(json.dumps(answers(step), indent=2) + "\n", encoding="utf-8")
    print(MODEL.name, ANSWERS.name)
