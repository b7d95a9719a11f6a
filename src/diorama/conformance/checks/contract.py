"""The contract itself: names, bounds, tables, and the document that clients read."""

import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import Final

from diorama.conformance.report import Report
from diorama.conformance.subject import Subject
from diorama.contracts.config import parse_config
from diorama.contracts.descriptor import describe_world
from diorama.contracts.spec import Dtype, ObservationField, WorldSpec

_KEY: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_BYTE: Final = 255.0


def check_contract(subject: Subject, report: Report) -> None:
    """Look at what `describe` returns."""
    world, spec = subject.world, subject.spec
    report.expect(
        spec.world == world.id,
        f"the contract is of {spec.world!r}, the registration of {world.id!r}",
        fix="give WorldSpec.world and World.id the same id",
    )
    report.expect(bool(world.summary.strip()), "the world has no summary", fix="write one sentence in World.summary")
    report.expect(
        world.describe(subject.config) == spec,
        "describe() returns another contract when it is asked again",
        fix="make describe() a pure function of the configuration",
    )
    for item in spec.observation:
        _check_field(item, report)
    _check_sizes(spec, report)
    _check_names(spec, report)
    _check_variants(subject, report)
    json.dumps(describe_world(world, subject.config), allow_nan=False)
    report.note(f"{spec.interface_version}: {len(spec.observation)} fields, {len(spec.option_names)} options")


def _check_field(item: ObservationField, report: Report) -> None:
    is_bounded = math.isfinite(item.low) and math.isfinite(item.high) and item.low < item.high
    report.expect(
        is_bounded,
        f"observation field {item.name!r} has the bounds {item.low:g}..{item.high:g}",
        fix="give finite bounds, the lower one first",
    )
    if item.dtype is Dtype.UINT8:
        report.expect(
            item.low >= 0 and item.high <= _BYTE,
            f"the bytes of {item.name!r} have the bounds {item.low:g}..{item.high:g}",
            fix="a byte is 0..255",
        )
    report.expect(bool(item.meaning), f"observation field {item.name!r} has no meaning", fix="say what it measures")
    report.expect(
        item.stop > item.start, f"observation field {item.name!r} is empty", fix="leave it out, or give it a shape"
    )


def _check_sizes(spec: WorldSpec, report: Report) -> None:
    for count, what in (
        (len(spec.observation), "observation field"),
        (len(spec.heads), "action head"),
        (len(spec.metrics), "metric"),
        (len(spec.headline), "headline metric"),
    ):
        report.expect(count > 0, f"the contract has no {what}", fix=f"name at least one {what}")
    report.expect(
        math.isfinite(spec.tick_seconds) and spec.tick_seconds > 0,
        f"a tick takes {spec.tick_seconds} seconds",
        fix="give tick_seconds a finite number above 0",
    )
    report.expect(
        spec.snapshot_magic.isalnum(),
        f"snapshots begin with {spec.snapshot_magic!r}",
        fix="give snapshot_magic four letters or digits",
    )


def _check_names(spec: WorldSpec, report: Report) -> None:
    for kind, names in _names(spec):
        for name in names:
            report.expect(
                _KEY.fullmatch(name) is not None,
                f"{kind} {name!r} cannot be a key",
                fix="use letters, digits and underscores, a letter first",
            )
    for kind, chosen in (
        ("group", [group.id for group in spec.groups]),
        ("hotkey", [hotkey.key for hotkey in spec.hotkeys]),
    ):
        repeated = sorted({name for name in chosen if chosen.count(name) > 1})
        report.expect(not repeated, f"{kind} given twice: {', '.join(repeated)}", fix=f"make every {kind} unique")


def _names(spec: WorldSpec) -> Iterator[tuple[str, Iterable[str]]]:
    yield "observation field", (item.name for item in spec.observation)
    yield "head", (head.name for head in spec.heads)
    yield "metric", spec.metric_keys
    yield "event", spec.event_names


def _check_variants(subject: Subject, report: Report) -> None:
    world = subject.world
    for name, settings in world.variants.items():
        version = world.describe(parse_config(world.id, world.config_type, settings)).interface_version
        report.expect(
            version == subject.spec.interface_version,
            f"variant {name!r} has the contract {version}",
            fix=f"variants share the interface version {subject.spec.interface_version}",
        )
