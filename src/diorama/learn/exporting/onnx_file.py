"""Writes a policy's decision as an ONNX file."""

import json
import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import torch

from diorama.contracts.values import JsonObject
from diorama.contracts.whole_files import replace_file
from diorama.learn.exporting.packages import require_onnx
from diorama.learn.exporting.step import DecisionStep

if TYPE_CHECKING:
    from onnx import GraphProto

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
