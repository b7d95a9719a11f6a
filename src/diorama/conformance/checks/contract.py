"""The contract itself: names, bounds, tables, and the document that clients read."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from diorama.conformance.report import Report
from diorama.conformance.subject import Subject
from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.descriptor import describe_world
from diorama.contracts.errors import PluginError
from diorama.contracts.spec import Dtype, ObservationField, WorldSpec
from diorama.contracts.world import World
from diorama.worlds.registry import interface_version, load_world, world_ids

_KEY: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_BYTE: Final = 255.0
_MOST_VERSIONS: Final = 65_535  # a snapshot has 16 bits for it


def check_contract(subject: Subject, report: Report) -> None:
    """Look at what `describe` returns."""
    world = subject.world
    if not _is_registration(world, report) or not _is_contract(subject.spec, report):
        report.stop()
        return
    spec = subject.spec
    report.expect(
        spec.world == world.id,
        f"the contract is of {spec.world!r}, the registration of {world.id!r}",
        fix="give WorldSpec.world and World.id the same id",
    )
    report.expect(
        isinstance(world.summary, str) and bool(world.summary.strip()),
        "the world has no summary",
        fix="write one sentence in World.summary",
    )
    _check_version(subject, report)
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


def _is_registration(world: World[WorldConfig], report: Report) -> bool:
    is_config = isinstance(world.config_type, type) and issubclass(world.config_type, WorldConfig)
    report.expect(
        is_config,
        f"World.config_type is {world.config_type!r}",
        fix="derive the configuration from diorama.contracts.config.WorldConfig",
    )
    for name in ("describe", "simulate", "accelerate"):
        report.expect(
            callable(getattr(world, name)),
            f"World.{name} is a {type(getattr(world, name)).__name__}",
            fix="give a function or a class; a world without a fast tier raises TierUnavailable in accelerate",
        )
    report.expect(
        isinstance(world.bots, Mapping) and all(map(callable, world.bots.values())),
        "World.bots is no mapping from names to what makes a bot",
        fix="give {'name': BotClass}: the class, not one bot, because every seat gets its own",
    )
    return not report.findings


def _is_contract(spec: object, report: Report) -> bool:
    if not report.expect(
        isinstance(spec, WorldSpec), f"describe() returned a {type(spec).__name__}", fix="return a WorldSpec"
    ):
        return False
    try:
        hash(spec)
    except TypeError as error:
        report.fail(f"the contract is not frozen ({error})", fix="use tuples, not lists, everywhere in WorldSpec")
        return False
    return True


def _check_version(subject: Subject, report: Report) -> None:
    spec, is_entered = subject.spec, subject.world.id in world_ids()
    entered = interface_version(subject.world.id) if is_entered else spec.interface_version
    report.expect(
        spec.interface_version == entered,
        f"in this configuration the contract is {spec.interface_version}; the world is entered as {entered}",
        fix="all configurations of a world share one interface version",
    )
    for other in world_ids():
        magic = None if other == subject.world.id else _magic(other)
        report.expect(
            magic != spec.snapshot_magic,
            f"snapshots begin with {spec.snapshot_magic!r}, like those of {other!r}",
            fix="give snapshot_magic four letters that no other world has",
        )


def _magic(world_id: str) -> bytes | None:
    try:
        world = load_world(world_id)
    except PluginError:  # somebody else's plug-in, which `diorama worlds` tells of
        return None
    return world.describe(world.config_type()).snapshot_magic


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
        1 <= spec.snapshot_version <= _MOST_VERSIONS,
        f"snapshots have the version {spec.snapshot_version}",
        fix=f"count snapshot_version from 1, to {_MOST_VERSIONS} at most",
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
    for option in spec.option_names:
        report.expect(bool(option.strip()), f"an option is called {option!r}", fix="give every option a name")
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
