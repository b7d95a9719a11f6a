"""Exports a policy to ONNX and compares the export with the policy."""

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

from diorama.contracts.errors import CheckpointMismatch
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

OUTPUTS: Final = ("actions", "probabilities", "values", "next_memory")


class PolicyStep(nn.Module):
    """One step of a policy: most likely actions, probabilities, values and the next recurrent state.

    Attributes:
        inputs: Width of every input, by name and in order: `obs` (float32), `obs_u8` and `mask` (uint8), `memory`
            (float32), `starts` (uint8, non-zero where an episode starts), then extra masks (uint8). Inputs that the
            policy does not read are left out.
        outputs: Names of the outputs: `actions` (rows × heads), `probabilities` (rows × options of all heads, given the
            actions of the heads they depend on), `values` (rows) and, with a memory, `next_memory`.
    """

    def __init__(self, policy: Policy, spec: WorldSpec) -> None:
        """Wrap a policy, whose weights are shared."""
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
        """Return zero arrays of the right shapes and types."""
        return tuple(
            torch.zeros(rows, width, dtype=torch.float32 if name in ("obs", "memory") else torch.uint8)
            for name, width in self.inputs.items()
        )

    def forward(self, *arrays: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return the outputs for arrays in the order of `inputs`."""
        named = dict(zip(self.inputs, arrays, strict=True))
        rows = arrays[0].shape[0]
        obs = named.get("obs", torch.zeros(rows, 0))
        memory = named.get("memory", torch.zeros(rows, 0))
        starts = named.get("starts", torch.zeros(rows, 1, dtype=torch.uint8))
        obs_u8 = named.get("obs_u8", torch.zeros(rows, 0, dtype=torch.uint8))
        features, memory = self.policy.features(obs, obs_u8, memory, starts.reshape(1, rows))
        actions, probabilities = self._act(features.actor, named)
        outputs = (actions, probabilities, self.policy.values(features))
        return (*outputs, memory) if self.policy.memory_width else outputs

    def _act(self, features: torch.Tensor, named: Mapping[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        heads, plan = self.policy.heads, self.policy.heads.plan
        columns = plan.layout.slices()
        chosen = [torch.full((features.shape[0],), noop, dtype=torch.int64) for noop in plan.layout.noops]
        probabilities = [features] * len(columns)
        for head in plan.order:
            actions = torch.stack(chosen, dim=1)
            logits = heads.logits(features, actions)[:, columns[head]]
            valid = head_mask(plan, head, named.get("mask"), named, actions)
            (p,) = head_probabilities(logits, valid, plan.layout.only(head), (0.0,))
            probabilities[head] = p
            best = torch.where((p > 0).any(dim=1), p.argmax(dim=1), plan.layout.noops[head])
            relevant = is_relevant(plan, head, actions)
            chosen[head] = best if relevant is None else torch.where(relevant, best, plan.heads[head].placeholder)
        return torch.stack(chosen, dim=1), torch.cat(probabilities, dim=1)


METADATA_KEY: Final = "diorama"
_EXAMPLE_ROWS: Final = 2  # torch.export would treat a single row as a constant
_MAX_ROWS: Final = 1 << 20


def write_onnx(step: PolicyStep, path: Path, metadata: JsonObject) -> None:
    """Write the graph with its weights, and metadata as one JSON text."""
    require_onnx()
    rows = torch.export.Dim("rows", min=1, max=_MAX_ROWS)
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
        raise RuntimeError("torch.onnx.export returned no program")
    program.model.metadata_props[METADATA_KEY] = json.dumps(metadata, sort_keys=True)
    model = program.model_proto
    _drop_origins(model.graph)
    replace_file(path, model.SerializeToString())


def _drop_origins(graph: "GraphProto") -> None:
    """Drop the source locations that torch stores: paths of the machine that exports."""
    graph.ClearField("metadata_props")
    for part in (*graph.node, *graph.value_info, *graph.input, *graph.output, *graph.initializer):
        part.ClearField("metadata_props")


def onnx_metadata(step: PolicyStep, facts: Mapping[str, object]) -> JsonObject:
    """Return the metadata of an export: facts about the policy, and its inputs, outputs and heads."""
    plan = step.policy.heads.plan
    layout = plan.layout
    return {
        **facts,  # type: ignore[dict-item]
        "arch": step.policy.arch,
        "inputs": dict(step.inputs),
        "outputs": list(step.outputs),
        "heads": [{"name": name, "options": size} for name, size in zip(layout.names, layout.sizes, strict=True)],
        "independent_heads": not any(head.depends_on for head in plan.heads),
    }


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence messages of torch about operators of packages that are not installed."""
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
    """Differences between a policy and its export.

    Attributes:
        decisions: Number of rows compared.
        probabilities: Largest difference of a probability.
        values: Largest difference of a value, relative to the largest value or 1.
        memories: Largest difference in the recurrent state; 0 without memory.
        other_choices: Number of different actions whose probabilities differ by more than the tolerance.
    """

    decisions: int = 0
    probabilities: float = 0.0
    values: float = 0.0
    memories: float = 0.0
    other_choices: int = 0

    @property
    def is_close(self) -> bool:
        """Whether all differences are within the tolerance."""
        differences = (self.probabilities, self.values, self.memories)
        return self.other_choices == 0 and all(difference <= TOLERANCE for difference in differences)

    def to_json(self) -> JsonObject:
        """Return a JSON report."""
        return {**asdict(self), "tolerance": TOLERANCE, "is_close": self.is_close}

    def joined(self, other: "Agreement") -> "Agreement":
        """Return the combined differences; unlike `max`, `np.maximum` keeps a NaN, which is never close."""
        return Agreement(
            decisions=self.decisions + other.decisions,
            probabilities=float(np.maximum(self.probabilities, other.probabilities)),
            values=float(np.maximum(self.values, other.values)),
            memories=float(np.maximum(self.memories, other.memories)),
            other_choices=self.other_choices + other.other_choices,
        )


def compare(step: PolicyStep, path: Path, batch: Batch, *, decisions: int) -> Agreement:
    """Run policy and export on a new batch until at least this many decisions were compared.

    Actions are sampled from the policy's probabilities. Policy and export each keep their own recurrent state.

    Raises:
        CheckpointMismatch: The export takes other inputs than the policy.
    """
    import onnxruntime

    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    taken = {item.name: item.shape[-1] for item in session.get_inputs()}
    if taken != step.inputs:
        raise CheckpointMismatch(
            f"{path.name} takes the inputs {taken} and the policy {dict(step.inputs)}; export the policy again",
            code="export_inputs_differ",
            file=path.name,
        )
    draws = np.random.default_rng(_SEED)
    empty = np.zeros((batch.rows, step.policy.memory_width), np.float32)
    memory, exported_memory = empty, empty
    agreement = Agreement()
    batch.reset()
    while agreement.decisions < decisions:
        inputs = _inputs(step, batch)
        with torch.inference_mode():
            arrays = {**inputs, "memory": memory}
            tensors = [torch.from_numpy(np.ascontiguousarray(arrays[name])) for name in step.inputs]
            expected = dict(zip(step.outputs, (tensor.numpy() for tensor in step(*tensors)), strict=True))
        arrays = {**inputs, "memory": exported_memory}
        outputs = session.run(list(step.outputs), {name: arrays[name] for name in step.inputs})
        exported = dict(zip(step.outputs, outputs, strict=True))
        agreement = agreement.joined(_agreement(step, expected, exported))
        if step.policy.memory_width:
            memory, exported_memory = expected["next_memory"], exported["next_memory"]
        batch.step(_sample(step, expected["probabilities"], draws))
    return agreement


def _inputs(step: PolicyStep, batch: Batch) -> _Arrays:
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


def _agreement(step: PolicyStep, expected: _Arrays, exported: _Arrays) -> Agreement:
    differences = {
        name: float(np.abs(expected[name] - exported[name]).max()) for name in step.outputs if name != "actions"
    }
    return Agreement(
        decisions=len(expected["actions"]),
        probabilities=differences["probabilities"],
        values=differences["values"] / max(1.0, float(np.abs(expected["values"]).max())),
        memories=differences.get("next_memory", 0.0),
        other_choices=_other_choices(step, expected, exported),
    )


def _other_choices(step: PolicyStep, expected: _Arrays, exported: _Arrays) -> int:
    rows = np.arange(len(expected["actions"]))
    count = 0
    for head, columns in enumerate(step.policy.heads.plan.layout.slices()):
        p = expected["probabilities"][:, columns]
        own, other = expected["actions"][:, head], exported["actions"][:, head]
        gap = p[rows, own] - p[rows, other]
        count += int(np.count_nonzero((own != other) & (np.abs(gap) > TOLERANCE)))
    return count


def _sample(step: PolicyStep, probabilities: NDArray[Any], draws: np.random.Generator) -> I32:
    layout = step.policy.heads.plan.layout
    columns = []
    for noop, options in zip(layout.noops, layout.slices(), strict=True):
        reached = np.cumsum(probabilities[:, options].astype(np.float64), axis=1)
        passed = (reached <= draws.random((len(reached), 1)) * reached[:, -1:]).sum(axis=1)
        columns.append(np.where(reached[:, -1] > 0, np.minimum(passed, reached.shape[1] - 1), noop))
    return np.stack(columns, axis=1).astype(np.int32)
