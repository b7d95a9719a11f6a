"""Mismatch bundles: the case and its actions, read back."""

import io
import json
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from diorama.parity.bundle import read_bundle
from diorama.worlds.registry import load_world
from tests.fuzz.damage import damaged_bytes, damaged_json
from tests.fuzz.effort import examples, read_or_refused

HEADER = {
    "schema_version": 1,
    "world": "prospector",
    "interface_version": "prospector-v1",
    "suite": "random",
    "seed": 3,
    "label": "default",
    "config": {"time_max": 300.0},
    "profile": "exact",
    "step": 4,
}


def test_whatever_a_bundle_holds_it_is_read_or_refused(tmp_path: Path) -> None:
    world = load_world("prospector")
    file = io.BytesIO()
    np.save(file, np.zeros((5, 1, 1), np.int32))
    whole, actions = json.dumps(HEADER).encode(), file.getvalue()
    (tmp_path / "mismatch.json").write_bytes(whole)
    (tmp_path / "actions.npy").write_bytes(actions)
    assert read_bundle(tmp_path, world).step == 4

    @examples(5)
    @given(told=damaged_json(HEADER) | st.just(whole), played=damaged_bytes(actions) | st.just(actions))
    def check(told: bytes, played: bytes) -> None:
        (tmp_path / "mismatch.json").write_bytes(told)
        (tmp_path / "actions.npy").write_bytes(played)
        with read_or_refused():
            read_bundle(tmp_path, world)

    check()
