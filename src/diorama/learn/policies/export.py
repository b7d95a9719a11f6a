"""Writes one decision of a policy as an ONNX graph and compares the graph with its origin."""

import json
import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import I32, JsonObject
from diorama.engine.batch import Batch
from diorama.learn.policies.distributions import head_probabilities
from diorama.learn.policies.export_packages import require_onnx
from diorama.learn.policies.heads import head_mask, is_relevant
from diorama.learn.policies.policy import Policy
from diorama.storage.atomic_files import replace_file

if TYPE_CHECKING:
    from onnx import GraphProto

_PACKAGES: Final = ("onnx", "onnxscript", "onnxruntime")


OUTPUTS: Final = ("actions", "probabilities", "values", "next_memory")


class DecisionStep(nn.Module):
    """From what rows see to their likeliest options, all probabilities, their values and their next memory.

    Attributes:
        inputs: Width of every array it takes, by name and in order, all with one row per decision: `obs` (float32),
            `obs_u8` and `mask` (uint8), `memory` (float32), `starts` (uint8, non-zero where an episode opens), then
            extra masks (uint8). What the policy has no use for is left out.
        outputs: Names of what it gives: `actions` (rows × heads), `probabilities` (rows × options of all heads, each
            head given the options of those it waits for), `values` (rows) and, with a memory, `next_memory`.
    """

    def __init__(self, policy: Policy, spec: WorldSpec) -> None:
        """Share the weights of a policy."""
        super().__init__()
        self.policy = policy
        widths = {
            "obs": spec.obs_width,
            "obs_u8": spec.obs_u8_width,
            "mask": policy.heads.plan.layout.options if spec.has_mask else 0,
            "memory": policy.memory_width,
            "starts": min(1, policy.memory_width),
            **policy.heads.plan.mask_extras,
        }
        self.inputs: Mapping[str, int] = {name: width for name, width in widths.items() if width}
        self.outputs = OUTPUTS if policy.memory_width else OUTPUTS[:-1]

    def examples(self, rows: int) -> tuple[torch.Tensor, ...]:
        """Return arrays that fit, with zeros in them."""
        return tuple(
            torch.zeros(rows, width, dtype=torch.float32 if name in ("obs", "memory") else torch.uint8)
            for name, width in self.inputs.items()
        )

    def forward(self, *arrays: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Decide for every row of the arrays, which are those of `inputs` in order."""
        given = dict(zip(self.inputs, arrays, strict=True))
        rows = arrays[0].shape[0]
        obs = given.get("obs", torch.zeros(rows, 0))
        memory = given.get("memory", torch.zeros(rows, 0))
        starts = given.get("starts", torch.zeros(rows, 1, dtype=torch.uint8))
        obs_u8 = given.get("obs_u8", torch.zeros(rows, 0, dtype=torch.uint8))
        features, memory = self.policy.features(obs, obs_u8, memory, starts.reshape(1, rows))
        actions, probabilities = self._decide(features.actor, given)
        decided = (actions, probabilities, self.policy.values(features))
        return (*decided, memory) if self.policy.memory_width else decided

    def _decide(self, features: torch.Tensor, given: Mapping[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        heads, plan = self.policy.heads, self.policy.heads.plan
        columns = plan.layout.slices()
        chosen = [torch.full((features.shape[0],), noop, dtype=torch.int64) for noop in plan.layout.noops]
        shares = [features] * len(columns)
        for head in plan.order:
            decided = torch.stack(chosen, dim=1)
            logits = heads.logits(features, decided)[:, columns[head]]
            valid = head_mask(plan, head, given.get("mask"), given, decided)
            (shares[head],) = head_probabilities(logits, valid, plan.layout.only(head), (0.0,))
            best = torch.where((shares[head] > 0).any(dim=1), shares[head].argmax(dim=1), plan.layout.noops[head])
            relevant = is_relevant(plan, head, decided)
            chosen[head] = best if relevant is None else torch.where(relevant, best, plan.heads[head].placeholder)
        return torch.stack(chosen, dim=1), torch.cat(shares, dim=1)


METADATA_KEY: Final = "diorama"
_EXAMPLE_ROWS: Final = 2  # one row would be taken for a constant
_MOST_ROWS: Final = 1 << 20


def write_onnx(step: DecisionStep, path: Path, metadata: JsonObject) -> None:
    """Write the graph with its weights and, as one JSON text, what it is."""
    require_onnx()
    rows = torch.export.Dim("rows", min=1, max=_MOST_ROWS)
    examples = step.examples(_EXAMPLE_ROWS)
    with _quiet():
        program = torch.onnx.export(
            step,
            examples,
            dynamo=True,
            dynamic_shapes=(tuple({0: rows} for _ in examples),),
            input_names=list(step.inputs),
            output_names=list(step.outputs),
            verbose=False,
        )
    if program is None:
        raise RuntimeError("torch wrote the graph to no program")
    program.model.metadata_props[METADATA_KEY] = json.dumps(metadata, sort_keys=True)
    model = program.model_proto
    _forget_origins(model.graph)
    replace_file(path, model.SerializeToString())


def _forget_origins(graph: "GraphProto") -> None:
    """Drop what torch notes about where each part came from: lines of files on the machine that exported it."""
    graph.ClearField("metadata_props")
    for part in (*graph.node, *graph.value_info, *graph.input, *graph.output, *graph.initializer):
        part.ClearField("metadata_props")


def described(step: DecisionStep, facts: Mapping[str, object]) -> JsonObject:
    """Return what goes into the file beside the graph: facts of the policy, and how its rows are laid out."""
    plan = step.policy.heads.plan
    layout = plan.layout
    return {
        **facts,  # type: ignore[dict-item]
        "arch": step.policy.arch,
        "inputs": dict(step.inputs),
        "outputs": list(step.outputs),
        "heads": [{"name": name, "options": size} for name, size in zip(layout.names, layout.sizes, strict=True)],
        "independent_heads": not any(head.waits_for for head in plan.heads),
    }


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep torch from telling about operators of packages that nobody asked for."""
    log = logging.getLogger("torch.onnx")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        log.setLevel(level)


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
