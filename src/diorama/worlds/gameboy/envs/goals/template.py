"""Goal templates as files: a picture, and everything it was captured under."""

import io
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np
from pydantic import BaseModel, ConfigDict

from diorama.contracts.errors import DocumentError, StorageError
from diorama.contracts.values import U8, canonical_json
from diorama.storage.array_files import parse_npy
from diorama.storage.atomic_files import replace_file
from diorama.worlds.gameboy.codec import require_codec
from diorama.worlds.gameboy.config import MOST_CONSECUTIVE
from diorama.worlds.gameboy.envs.artifacts import read_artifact, read_meta
from diorama.worlds.gameboy.envs.pixels import HALF_SHAPE, SHADES
from diorama.worlds.gameboy.errors import CodecMismatch, GoalCodecMismatch, GoalTemplateMismatch

PICTURE_FILE: Final = "goal_template.npy"
META_FILE: Final = "goal_template.meta.json"
SCHEMA_VERSION: Final = 1
PIPELINE_VERSION: Final = 2  # the scanline-drawn last frame of a step
DIST_METRIC: Final = "l1_mean_norm"
_MAX_BYTES: Final = 1 << 20


class GoalMeta(BaseModel):
    """What stands beside the picture."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: int = SCHEMA_VERSION
    created_at: str
    rom_sha256: str
    rom_name: str
    state_sha256: str
    actions_sha256: str
    action_codec_id: str | None = None  # absent means another codec, which is told as such
    frames_per_step: int
    release_after_frames: int
    downsample_h: int = HALF_SHAPE[0]
    downsample_w: int = HALF_SHAPE[1]
    stack_k: int
    shade_levels: int = SHADES
    dist_metric: str = DIST_METRIC
    tau: float
    k_consecutive: int
    pipeline_version: int = PIPELINE_VERSION
    template_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalTemplate:
    """A goal: shades of (72, 80), compared with the newest picture, or (k, 72, 80), compared with the whole stack."""

    picture: U8
    meta: GoalMeta


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a template must have been captured under to be used."""

    rom_sha256: str
    action_codec_id: str
    frames_per_step: int
    release_after_frames: int
    stack_k: int


def picture_sha256(picture: U8) -> str:
    """Hash of the pixels, row by row."""
    return sha256(np.ascontiguousarray(picture).tobytes()).hexdigest()


def save_template(template: GoalTemplate, folder: Path, *, force: bool = False) -> None:
    """Write both files, each whole or not at all; the picture first, so that a folder with a meta file is complete.

    Raises:
        StorageError: If a template is there already and `force` is not given, or the folder cannot be written.
    """
    if not force and ((folder / PICTURE_FILE).exists() or (folder / META_FILE).exists()):
        raise StorageError(f"{folder}: there is a goal template already; use force to write over it")
    picture = io.BytesIO()
    np.save(picture, template.picture, allow_pickle=False)
    text = canonical_json(template.meta.model_dump(mode="json"))
    replace_file(folder / PICTURE_FILE, picture.getvalue())
    replace_file(folder / META_FILE, f"{text}\n".encode())


def load_template(folder: Path, expected: Expected) -> GoalTemplate:
    """Read a template and check every field of it against what is running.

    Raises:
        GoalCodecMismatch: If its actions were counted by another codec, or it does not say by which.
        GoalTemplateMismatch: If anything else differs; with the field, the stored value and the expected one.
    """
    try:
        meta = read_meta(folder / META_FILE, GoalMeta, most_bytes=_MAX_BYTES)
    except DocumentError as error:
        raise GoalTemplateMismatch(str(error)) from None
    try:
        require_codec(meta.action_codec_id, expected_id=expected.action_codec_id, artifact=f"goal template {folder}")
    except CodecMismatch as error:
        raise GoalCodecMismatch(str(error)) from None
    fixed: dict[str, object] = {
        "schema_version": SCHEMA_VERSION,
        "rom_sha256": expected.rom_sha256,
        "frames_per_step": expected.frames_per_step,
        "release_after_frames": expected.release_after_frames,
        "downsample_h": HALF_SHAPE[0],
        "downsample_w": HALF_SHAPE[1],
        "stack_k": expected.stack_k,
        "shade_levels": SHADES,
        "dist_metric": DIST_METRIC,
        "pipeline_version": PIPELINE_VERSION,
    }
    for field, value in fixed.items():
        _expect(folder, field, getattr(meta, field), value)
    if not 0.0 < meta.tau <= 1.0:
        raise GoalTemplateMismatch.of(folder, "tau", meta.tau, "more than 0 and at most 1")
    if not 1 <= meta.k_consecutive <= MOST_CONSECUTIVE:
        raise GoalTemplateMismatch.of(folder, "k_consecutive", meta.k_consecutive, f"1 to {MOST_CONSECUTIVE}")
    return GoalTemplate(picture=_read_picture(folder, meta), meta=meta)


def _read_picture(folder: Path, meta: GoalMeta) -> U8:
    path = folder / PICTURE_FILE
    try:
        picture = parse_npy(read_artifact(path, most_bytes=_MAX_BYTES), str(path))
    except DocumentError as error:
        raise GoalTemplateMismatch(str(error)) from None
    _expect(folder, "dtype", str(picture.dtype), "uint8")
    if picture.shape not in (HALF_SHAPE, (meta.stack_k, *HALF_SHAPE)):
        expected = f"{list(HALF_SHAPE)} or {[meta.stack_k, *HALF_SHAPE]}"
        raise GoalTemplateMismatch.of(folder, "shape", list(picture.shape), expected)
    if picture.max(initial=0) >= SHADES:
        raise GoalTemplateMismatch.of(folder, "largest shade", int(picture.max()), f"0 to {SHADES - 1}")
    _expect(folder, "template_sha256", meta.template_sha256, picture_sha256(picture))
    found: U8 = picture
    return found


def _expect(folder: Path, field: str, stored: object, expected: object) -> None:
    if stored != expected:
        raise GoalTemplateMismatch.of(folder, field, stored, expected)
