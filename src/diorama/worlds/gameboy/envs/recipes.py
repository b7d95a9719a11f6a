"""Start states as files: the actions that lead there, and the state they led to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import canonical_json
from diorama.storage.atomic_files import replace_file
from diorama.storage.json_text import decode_json
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.codec import require_codec
from diorama.worlds.gameboy.config import Byte, WorkRamAddress
from diorama.worlds.gameboy.envs.artifacts import read_artifact, read_meta
from diorama.worlds.gameboy.envs.replaying import Replayer, Setup
from diorama.worlds.gameboy.errors import SavestateError

ACTIONS_FILE: Final = "actions.jsonl"
RECIPE_FILE: Final = "recipe.json"
STATE_FILE: Final = "state.gbst"
_MAX_BYTES: Final = 1 << 24


class RecipeMeta(BaseModel):
    """What a trace of actions was replayed under, and the hash of the state it led to."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: int = 1
    rom_sha256: str
    boot: BootMode
    frames_per_step: int
    release_after_frames: int
    action_codec_id: str | None = None  # absent means another codec, which is told as such
    memory: Mapping[WorkRamAddress, Byte] = {}
    state_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredState:
    """A savestate and the recipe it was made by."""

    actions: tuple[int, ...]
    meta: RecipeMeta
    savestate: bytes


def make_state(setup: Setup, actions: Sequence[int], memory: Mapping[int, int] | None = None) -> StoredState:
    """Replay actions from power-on and keep the state they lead to."""
    replayer = Replayer(setup, memory or {})
    replayer.run(actions)
    savestate = replayer.lanes.snapshot(0)
    meta = RecipeMeta(
        rom_sha256=setup.rom.sha256,
        boot=setup.boot,
        frames_per_step=setup.schedule.frames_per_step,
        release_after_frames=setup.schedule.release_after_frames,
        action_codec_id=setup.action_codec_id,
        memory=memory or {},
        state_sha256=sha256(savestate).hexdigest(),
    )
    return StoredState(actions=tuple(actions), meta=meta, savestate=savestate)


def save_state(state: StoredState, folder: Path) -> None:
    """Write actions, savestate and recipe, the recipe last, so that a folder with one is complete."""
    lines = "".join(f"[{action}]\n" for action in state.actions)
    text = canonical_json(state.meta.model_dump(mode="json"))
    replace_file(folder / ACTIONS_FILE, lines.encode())
    replace_file(folder / STATE_FILE, state.savestate)
    replace_file(folder / RECIPE_FILE, f"{text}\n".encode())


def load_state(folder: Path, setup: Setup, *, verify: bool = False) -> StoredState:
    """Read a stored state; with `verify` its actions are replayed and must lead to it again.

    Raises:
        CodecMismatch: If its actions were counted by another codec, or it does not say by which.
        SavestateError: If ROM, boot mode, schedule or hashes differ; with both values.
        DocumentError: If a file is broken.
    """
    meta = read_meta(folder / RECIPE_FILE, RecipeMeta, most_bytes=_MAX_BYTES)
    require_codec(meta.action_codec_id, expected_id=setup.action_codec_id, artifact=f"state {folder}")
    expected = {
        "rom_sha256": setup.rom.sha256,
        "boot": setup.boot,
        "frames_per_step": setup.schedule.frames_per_step,
        "release_after_frames": setup.schedule.release_after_frames,
    }
    for field, value in expected.items():
        if getattr(meta, field) != value:
            raise SavestateError(f"state {folder}: {field} is {getattr(meta, field)!r}; expected {value!r}")
    savestate = read_artifact(folder / STATE_FILE, most_bytes=_MAX_BYTES)
    found = sha256(savestate).hexdigest()
    if found != meta.state_sha256:
        raise SavestateError(f"state {folder}: the savestate hashes to {found}; the recipe says {meta.state_sha256}")
    state = StoredState(actions=load_actions(folder / ACTIONS_FILE), meta=meta, savestate=savestate)
    if verify and make_state(setup, state.actions, state.meta.memory).meta.state_sha256 != meta.state_sha256:
        raise SavestateError(f"state {folder}: its actions do not lead to its savestate; make it anew")
    return state


def load_actions(path: Path, *, lane: int = 0) -> tuple[int, ...]:
    """Read one lane's actions from a trace: a JSON list a line, one integer for each lane.

    Raises:
        DocumentError: With the line that is none.
    """
    actions = []
    text = read_artifact(path, most_bytes=_MAX_BYTES).decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            entry = decode_json(line, list[int], where=str(path))
        except DocumentError:
            entry = []
        if lane >= len(entry):
            raise DocumentError(f"{path}, line {number}: is no list of integers that has lane {lane}")
        actions.append(entry[lane])
    return tuple(actions)
