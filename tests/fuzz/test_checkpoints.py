"""Checkpoints and what a resume needs: tensors and plain values, whatever the bytes."""

import json
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.runs.checkpoints.files import read_checkpoint_header
from diorama.runs.checkpoints.resume import newest_resume_point, save_training
from diorama.runs.layout import RunLayout
from diorama.training.policy_files import load_policy
from tests.fuzz.damage import Blob, as_text, damaged_bytes, damaged_json, damaged_value
from tests.fuzz.effort import examples, put_back, read_or_refused
from tests.runs.factories import CONFIG_HASH
from tests.runs.test_checkpoints import SPEC, header, random_header, training


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> RunLayout:
    found = RunLayout(tmp_path_factory.mktemp("runs") / "run-a")
    save_training(found, header(), training(), config_hash=CONFIG_HASH, services={"windows": {"a": 1}})
    return found


@st.composite
def damaged_tensors(draw: st.DrawFn, whole: bytes) -> bytes:
    """Return a file of tensors whose table, document or bytes are damaged; its lengths mostly still fit."""
    (length,) = struct.unpack_from("<Q", whole)
    table: dict[str, Any] = json.loads(whole[8 : 8 + length])
    body = whole[8 + length :]
    match draw(st.integers(0, 3)):
        case 0:
            return draw(damaged_bytes(whole))
        case 1:
            document = json.loads(table["__metadata__"]["diorama"])
            table["__metadata__"]["diorama"] = as_text(draw(damaged_value(document)))
        case 2:
            table = draw(damaged_value(table))
        case _:
            names = [name for name in table if name != "__metadata__"]
            one, other = draw(st.sampled_from(names)), draw(st.sampled_from(names))
            table[one], table[other] = table[other], table[one]
    text = as_text(table).encode()
    return Blob(struct.pack("<Q", len(text)) + text + body)


def test_whatever_a_checkpoint_holds_it_is_loaded_or_refused(layout: RunLayout) -> None:
    path = layout.checkpoints / "ckpt_000003.safetensors"
    with put_back(path) as whole:

        @examples(5)
        @given(data=damaged_tensors(whole))
        def check(data: bytes) -> None:
            path.write_bytes(data)
            with read_or_refused():
                read_checkpoint_header(path)
            with read_or_refused():
                load_policy(path, SPEC)

        check()


def test_whatever_there_is_to_resume_from_it_is_read_or_refused(layout: RunLayout) -> None:
    path = layout.checkpoints / "resume_000003.safetensors"
    with put_back(path) as whole:

        @examples(5)
        @given(data=damaged_tensors(whole))
        def check(data: bytes) -> None:
            path.write_bytes(data)
            with read_or_refused():
                newest_resume_point(layout)

        check()


def test_whatever_a_checkpoint_without_tensors_says_it_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "ckpt_000003.json"

    @examples(5)
    @given(data=damaged_json({name: getattr(random_header(), name) for name in random_header().__struct_fields__}))
    def check(data: bytes) -> None:
        path.write_bytes(data)
        with read_or_refused():
            read_checkpoint_header(path)

    check()
