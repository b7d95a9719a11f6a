"""Files around the Game Boys: traces of actions, single-step vectors, reference pictures, states and goals."""

import gzip
import io
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from diorama.contracts.errors import DocumentError
from diorama.worlds.gameboy.envs.goals.template import META_FILE, PICTURE_FILE, Expected, GoalMeta, load_template
from diorama.worlds.gameboy.envs.recipes import load_actions
from diorama.worlds.gameboy.harness.accuracy.png_files import read_shades
from diorama.worlds.gameboy.harness.actions import read_trace
from diorama.worlds.gameboy.harness.vectors import REGISTERS, check_vector, read_vectors
from tests.fuzz.damage import damaged_bytes, damaged_json, damaged_lines, packed_blob
from tests.fuzz.effort import examples, read_or_refused

STATE: dict[str, Any] = {**dict.fromkeys(REGISTERS, 1), "ram": [[256, 0], [257, 0x3E]]}
VECTORS = {"00": [{"name": "00 0000", "initial": STATE, "final": STATE, "cycles": [[1, 0, "r-m"], None]}]}


def test_whatever_a_trace_holds_it_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "actions.jsonl"

    @examples(5)
    @given(data=damaged_lines([[1, 2], [3, 4], [0, 0]]))
    def check(data: bytes) -> None:
        path.write_bytes(data)
        with read_or_refused():
            read_trace(path).actions(0, 2)
        with read_or_refused():
            load_actions(path, lane=1)

    check()


def test_whatever_vectors_hold_they_are_checked_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "sample.json.gz"
    packed = damaged_json(VECTORS).map(packed_blob)

    @examples(5)
    @given(data=packed | damaged_bytes(gzip.compress(json.dumps(VECTORS).encode())))
    def check(data: bytes) -> None:
        path.write_bytes(data)
        with read_or_refused():
            for opcode, cases in read_vectors(path).items():
                for vector in cases:
                    check_vector(opcode, vector)

    check()


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def _png(depth: int = 2, kind: int = 0, rows: bytes = bytes(144 * 41)) -> bytes:
    head = struct.pack(">IIBBBBB", 160, 144, depth, kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def test_whatever_a_reference_picture_holds_it_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(_png())
    assert read_shades(path).shape == (144, 160)
    kinds = st.builds(_png, st.integers(0, 9), st.integers(0, 7), st.sampled_from([b"", bytes(9), bytes(144 * 641)]))

    @examples(5)
    @given(data=damaged_bytes(_png()) | kinds)
    @example(data=_png(depth=0))
    @example(data=_png(rows=b"\x09" * (144 * 41)))
    def check(data: bytes) -> None:
        path.write_bytes(data)
        with read_or_refused():
            read_shades(path)

    check()


def test_a_picture_that_unpacks_to_more_than_its_pixels_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.png"
    path.write_bytes(_png(rows=bytes(1 << 20)))

    with pytest.raises(DocumentError, match="more than"):
        read_shades(path)


def test_whatever_a_goal_holds_it_is_loaded_or_refused(tmp_path: Path) -> None:
    expected = Expected(
        rom_sha256="ab" * 32, action_codec_id="codec", frames_per_step=4, release_after_frames=2, stack_k=2
    )
    picture = io.BytesIO()
    np.save(picture, np.ones((72, 80), np.uint8))
    meta = GoalMeta(
        created_at="then",
        rom_sha256="ab" * 32,
        rom_name="x",
        state_sha256="",
        actions_sha256="",
        action_codec_id="codec",
        frames_per_step=4,
        release_after_frames=2,
        stack_k=2,
        tau=0.1,
        k_consecutive=1,
        template_sha256="",
    ).model_dump(mode="json")

    @examples(5)
    @given(data=damaged_bytes(picture.getvalue()), told=damaged_json(meta) | st.just(json.dumps(meta).encode()))
    def check(data: bytes, told: bytes) -> None:
        (tmp_path / PICTURE_FILE).write_bytes(data)
        (tmp_path / META_FILE).write_bytes(told)
        with read_or_refused():
            load_template(tmp_path, expected)

    check()
