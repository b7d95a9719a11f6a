"""The directory that holds everything about one mismatch, and a command that reproduces it.

mismatch.json                    case, configuration, step, and everything that differs there
actions.npy                      int32, steps by seats by heads, up to the offending step
reference_trace.npz, fast_trace.npz          what both sides showed (`trace.py`)
state_before_reference.bin, state_before_fast.bin    snapshots just before the offending step
repro.sh                         plays the actions again; exits 1 while the sides still differ
"""

import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np
from pydantic import BaseModel, ConfigDict, NonNegativeInt, ValidationError

from diorama.contracts.config import WorldConfig, config_hash, parse_config
from diorama.contracts.errors import ConfigError, DocumentError, UnknownName
from diorama.contracts.foreign_config import EVERY_FILE, parse_foreign_config
from diorama.contracts.validation import first_problem
from diorama.contracts.values import I32, JsonObject
from diorama.contracts.world import World
from diorama.engine.system_facts import system_facts
from diorama.parity.builds import build_identifiers
from diorama.parity.cases import Case, Column
from diorama.parity.lockstep import Mismatch, Walk, states_before
from diorama.parity.profiles import Profile
from diorama.parity.sides import Sides
from diorama.storage.array_files import parse_npy
from diorama.storage.artifact_files import read_artifact
from diorama.storage.json_text import check_count
from diorama.storage.report_files import write_repro

BUNDLE_VERSION: Final = 1
_MISMATCH_FILE: Final = "mismatch.json"
_ACTIONS_FILE: Final = "actions.npy"
_MAX_ACTIONS_BYTES: Final = 1 << 28
_MAX_HEADER_BYTES: Final = 64 << 20


def write_bundle(
    root: Path, world: World[WorldConfig], case: Case, sides: Sides, profile: Profile, walk: Walk, mismatch: Mismatch
) -> Path:
    """Write the bundle of a mismatch below `root` and return its directory, which appears whole or not at all."""
    root.mkdir(parents=True, exist_ok=True)
    noop = world.describe(parse_config(world.id, world.config_type, case.column.config)).noop
    states = states_before(case, sides, walk.actions, mismatch)
    unfinished = Path(tempfile.mkdtemp(dir=root, prefix=".unfinished-"))
    try:
        document = _document(world, case, profile, walk, mismatch)
        (unfinished / _MISMATCH_FILE).write_text(json.dumps(document, indent=2, allow_nan=False) + "\n", "utf-8")
        np.save(unfinished / _ACTIONS_FILE, walk.actions, allow_pickle=False)
        walk.reference_trace.save(unfinished / "reference_trace.npz", noop=noop)
        walk.fast_trace.save(unfinished / "fast_trace.npz", noop=noop)
        (unfinished / "state_before_reference.bin").write_bytes(states[0])
        (unfinished / "state_before_fast.bin").write_bytes(states[1])
        # Not `--replay .`: what the command says names the bundle.
        write_repro(
            unfinished / "repro.sh",
            f'parity {world.id} --replay "$PWD"',
            comment="Plays the recorded actions on both tiers again: exits 1 while they differ, 0 once they agree.",
        )
        unfinished.chmod(0o755)
        return unfinished.rename(root / _directory_name(case))
    except BaseException:
        shutil.rmtree(unfinished)
        raise


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCase:
    """A case read back from a bundle."""

    case: Case
    profile: Profile
    actions: I32
    step: int


def read_bundle(directory: Path, world: World[WorldConfig]) -> RecordedCase:
    """Read what is needed to play a bundle's case again.

    Raises:
        ConfigError: The directory is no bundle of this world, or of another version of its contract, or its
            configuration names a module that is not allowed.
    """
    header = _read_header(directory)
    if header.world != world.id:
        raise ConfigError(f"{directory}: the bundle is of world {header.world!r}, not of {world.id!r}")
    spec = world.describe(parse_foreign_config(world, header.config, str(directory), files=EVERY_FILE))
    if header.interface_version != spec.interface_version:
        raise ConfigError(f"{directory}: the bundle is of {header.interface_version}; this is {spec.interface_version}")
    actions = _read_actions(directory, (spec.agents, len(spec.heads)))
    column = Column(label=header.label, config=header.config)
    case = Case(world=world.id, suite=header.suite, seed=header.seed, column=column, steps=len(actions))
    return RecordedCase(case=case, profile=header.profile, actions=actions, step=header.step)


class _Header(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    world: str
    interface_version: str
    suite: str
    seed: int
    label: str
    config: dict[str, object]
    profile: Profile
    step: NonNegativeInt


def _document(
    world: World[WorldConfig], case: Case, profile: Profile, walk: Walk, mismatch: Mismatch
) -> Mapping[str, object]:
    config = parse_config(world.id, world.config_type, case.column.config)
    spec = world.describe(config)
    first = mismatch.differences[0]
    facts: JsonObject = {
        "schema_version": BUNDLE_VERSION,
        "world": world.id,
        "interface_version": spec.interface_version,
        "suite": case.suite,
        "seed": case.seed,
        "label": case.column.label,
        "config": config.model_dump(mode="json"),
        "config_hash": config_hash(spec.interface_version, world.id, config),
        "builds": build_identifiers(),
        "system": system_facts(),
        "profile": profile.value,
        "phase": mismatch.phase.value,
        "step": mismatch.step,
        "episode": mismatch.episode,
        "episode_seed": case.seed + mismatch.episode,
        "steps_played": len(walk.actions),
    }
    return {**facts, **first.document(), "differences": [item.document() for item in mismatch.differences]}


def _directory_name(case: Case) -> str:
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    return f"{moment}_suite-{case.suite}_seed-{case.seed}_{case.column.label}"


def _read_header(directory: Path) -> _Header:
    path = directory / _MISMATCH_FILE
    try:
        data = read_artifact(path, most_bytes=_MAX_HEADER_BYTES)
        check_count(data, str(path))
        return _Header.model_validate_json(data)
    except (UnknownName, DocumentError) as error:
        raise ConfigError(f"{directory} is no mismatch bundle: {error}") from None
    except ValidationError as error:
        raise ConfigError(f"{path}: {first_problem(error)}") from None


def _read_actions(directory: Path, row_shape: tuple[int, int]) -> I32:
    path = directory / _ACTIONS_FILE
    try:
        actions = parse_npy(read_artifact(path, most_bytes=_MAX_ACTIONS_BYTES), path.name)
    except (UnknownName, DocumentError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from None
    if actions.dtype != np.int32 or actions.shape[1:] != row_shape:
        raise ConfigError(
            f"{path} is {actions.dtype} of shape {actions.shape}; it must be int32, steps by {row_shape[0]} seats by "
            f"{row_shape[1]} heads"
        )
    recorded: I32 = actions
    return recorded
