"""Plays a world with an exported policy beside the policy it came from, and says how far apart they are."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from diorama.contracts.values import I32, JsonObject
from diorama.engine.batch import Batch
from diorama.learn.exporting.step import DecisionStep

TOLERANCE: Final = 1e-4
_SEED: Final = 20_261

_Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far an export is from its origin.

    Attributes:
        decisions: Rows compared.
        probabilities: Largest difference of a probability.
        values: Largest difference of a value, as a share of the largest value or of 1.
        memories: Largest difference of a remembered number; 0 without memory.
        other_choices: Options chosen differently although they were not equally likely within the tolerance.
    """

    decisions: int = 0
    probabilities: float = 0.0
    values: float = 0.0
    memories: float = 0.0
    other_choices: int = 0

    @property
    def is_close(self) -> bool:
        """Whether everything lies within the tolerance."""
        return self.other_choices == 0 and max(self.probabilities, self.values, self.memories) <= TOLERANCE

    def to_json(self) -> JsonObject:
        """Return it as a report."""
        return {**asdict(self), "tolerance": TOLERANCE, "is_close": self.is_close}

    def joined(self, other: "Agreement") -> "Agreement":
        """Return both as one."""
        return Agreement(
            decisions=self.decisions + other.decisions,
            probabilities=max(self.probabilities, other.probabilities),
            values=max(self.values, other.values),
            memories=max(self.memories, other.memories),
            other_choices=self.other_choices + other.other_choices,
        )


def compare(step: DecisionStep, path: Path, batch: Batch, *, decisions: int) -> Agreement:
    """Let both decide for the rows of a fresh batch, until at least so many decisions were compared.

    Decisions are drawn from what the origin finds likely, so that the batch sees more than one course of events. Each
    of the two keeps a memory of its own.
    """
    import onnxruntime

    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    draws = np.random.default_rng(_SEED)
    empty = np.zeros((batch.rows, step.policy.memory_width), np.float32)
    kept, exported = empty, empty
    agreement = Agreement()
    batch.reset()
    while agreement.decisions < decisions:
        seen = _seen(step, batch)
        with torch.inference_mode():
            given = [torch.from_numpy(np.ascontiguousarray({**seen, "memory": kept}[name])) for name in step.inputs]
            origin = dict(zip(step.outputs, (tensor.numpy() for tensor in step(*given)), strict=True))
        answers = session.run(list(step.outputs), {name: {**seen, "memory": exported}[name] for name in step.inputs})
        export = dict(zip(step.outputs, answers, strict=True))
        agreement = agreement.joined(_agreement(step, origin, export))
        if step.policy.memory_width:
            kept, exported = origin["next_memory"], export["next_memory"]
        batch.step(_drawn(step, origin["probabilities"], draws))
    return agreement


def _seen(step: DecisionStep, batch: Batch) -> _Arrays:
    arrays: dict[str, NDArray[Any]] = {
        "obs": batch.obs,
        "obs_u8": batch.obs_u8,
        "mask": batch.masks,
        "starts": batch.episode_start[:, None],
    }
    extras = {
        name: batch.extra(name).reshape(batch.rows, -1) for name in step.inputs if name not in {*arrays, "memory"}
    }
    return {**arrays, **extras}


def _agreement(step: DecisionStep, origin: _Arrays, export: _Arrays) -> Agreement:
    apart = {name: float(np.abs(origin[name] - export[name]).max()) for name in step.outputs if name != "actions"}
    return Agreement(
        decisions=len(origin["actions"]),
        probabilities=apart["probabilities"],
        values=apart["values"] / max(1.0, float(np.abs(origin["values"]).max())),
        memories=apart.get("next_memory", 0.0),
        other_choices=_other_choices(step, origin, export),
    )


def _other_choices(step: DecisionStep, origin: _Arrays, export: _Arrays) -> int:
    rows = np.arange(len(origin["actions"]))
    count = 0
    for head, columns in enumerate(step.policy.heads.plan.layout.slices()):
        shares = origin["probabilities"][:, columns]
        wanted, got = origin["actions"][:, head], export["actions"][:, head]
        gap = shares[rows, wanted] - shares[rows, got]
        count += int(np.count_nonzero((wanted != got) & (np.abs(gap) > TOLERANCE)))
    return count


def _drawn(step: DecisionStep, probabilities: NDArray[Any], draws: np.random.Generator) -> I32:
    layout = step.policy.heads.plan.layout
    columns = []
    for noop, options in zip(layout.noops, layout.slices(), strict=True):
        reached = np.cumsum(probabilities[:, options].astype(np.float64), axis=1)
        passed = (reached <= draws.random((len(reached), 1)) * reached[:, -1:]).sum(axis=1)
        columns.append(np.where(reached[:, -1] > 0, np.minimum(passed, reached.shape[1] - 1), noop))
    return np.stack(columns, axis=1).astype(np.int32)
