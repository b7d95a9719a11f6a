"""Snapshots of live worlds: gzip-compressed documents, sealed or not, loaded into a world that runs."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.contracts.live.refusals import CommandError
from diorama.contracts.values import canonical_json, sha256_hex
from diorama.operate.live.runtime import LiveRuntime
from diorama.operate.snapshots.loading import open_snapshot
from diorama.operate.snapshots.migrations import MigrationGraph
from tests.fuzz.damage import as_text, damaged_bytes, damaged_json, damaged_value, packed_blob
from tests.fuzz.effort import examples, read_or_refused
from tests.operate.live.runtimes import open_live_world


@pytest.fixture(params=["prospector", "townlet"])
def live(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LiveRuntime]:
    runtime = open_live_world(tmp_path, request.param, seed=5)
    runtime.run_ticks(5)
    yield runtime
    runtime.close()


def _sealed(document: Any) -> bytes:
    """Write a document whose checksum is that of its damaged body."""
    if isinstance(document, dict):
        try:
            body = json.loads(as_text(document.get("body")))
            document = {**document, "body_sha256": sha256_hex(canonical_json(body))}
        except (ValueError, RecursionError):
            pass
    return as_text(document).encode()


def test_whatever_a_snapshot_holds_the_world_goes_on_from_it_or_from_where_it_was(
    live: LiveRuntime, tmp_path: Path
) -> None:
    live.save("given")
    (saved,) = (tmp_path / "snapshots").rglob("given.json.gz")
    whole = saved.read_bytes()
    document = json.loads(gzip.decompress(whole))
    texts = st.one_of(damaged_value(document).map(_sealed), damaged_json(document)).map(packed_blob)

    @examples(5, share=0.25)
    @given(data=st.one_of(texts, texts, damaged_bytes(whole)))
    def check(data: bytes) -> None:
        saved.write_bytes(data)
        with read_or_refused():
            open_snapshot(saved, MigrationGraph())
        before, is_loaded = live.world.state_hash(), False
        with read_or_refused(CommandError):
            live.load(str(saved.relative_to(tmp_path / "snapshots")))
            is_loaded = True
        assert is_loaded or live.world.state_hash() == before, "a refused snapshot changed the world"
        live.run_ticks(1)
        saved.write_bytes(whole)
        live.load(str(saved.relative_to(tmp_path / "snapshots")))

    check()
