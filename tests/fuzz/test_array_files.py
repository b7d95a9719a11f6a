"""Arrays of NumPy, datasets to imitate, and the binary files of CIFAR-10."""

import io
import json
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from diorama.contracts.errors import DocumentError
from diorama.learn.imitation.datasets import audit, open_dataset, write_dataset
from diorama.learn.imitation.episodes import episode_from_npz
from diorama.storage import array_files
from diorama.storage.array_files import parse_npy, parse_npz
from diorama.worlds.morphogenesis.data.cifar import RECORD_BYTES, read_records
from tests.fuzz.damage import damaged_bytes, damaged_json
from tests.fuzz.effort import examples, read_or_refused
from tests.learn.imitation.episodes import PLAN, SPEC, episode, recorded_episodes
from tests.refusals import refused

ARRAY = np.arange(24, dtype=np.int32).reshape(4, 3, 2)


def _npy(header: str, body: bytes = b"", version: tuple[int, int] = (1, 0)) -> bytes:
    text = header.encode("latin-1") + b"\n"
    form = "<H" if version == (1, 0) else "<I"
    return b"\x93NUMPY" + bytes(version) + struct.pack(form, len(text)) + text + body


def _saved(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_comes_back_as_it_was_saved(order: str) -> None:
    array = np.asarray(ARRAY, order=order)  # type: ignore[call-overload]

    found = parse_npy(_saved(array), "x.npy")

    np.testing.assert_array_equal(found, ARRAY)
    assert found.flags.writeable


@examples(5)
@given(data=damaged_bytes(_saved(ARRAY)) | st.text(max_size=60).map(lambda text: _npy(text.encode().decode("latin-1"))))
@example(data=_npy("{'descr': '<i4', 'fortran_order': False, 'shape': (1000000000000,), }"))
@example(data=_npy("{'descr': '<i4', 'fortran_order': False, 'shape': (-1, -1), }"))
@example(data=_npy("{'descr': '|O', 'fortran_order': False, 'shape': (0,), }"))
@example(data=_npy("{'descr': '|S0', 'fortran_order': False, 'shape': (3,), }"))
@example(data=_npy("{'descr': '|V0', 'fortran_order': False, 'shape': (0,), }"))
@example(data=_npy("{'descr': '<U0', 'fortran_order': False, 'shape': (), }"))
@example(data=_npy(f"{{'descr': '<i4', 'fortran_order': True, 'shape': ({2**70}, 0), }}"))
@example(data=_npy("(" * 3000))
@example(data=_npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }", bytes(8), (9, 9)))
def test_whatever_an_array_holds_it_is_read_or_refused(data: bytes) -> None:
    with read_or_refused():
        parse_npy(data, "x.npy")


@examples(5)
@given(data=damaged_bytes(episode(3, frames=5).to_npz()))
@example(data=b"PK\x05\x06" + bytes(18))
def test_whatever_an_episode_holds_it_is_read_or_refused(data: bytes) -> None:
    with read_or_refused():
        episode_from_npz(data, ("map", "features"), where="x.npz")


def test_an_archive_that_would_fill_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_files, "MAX_ARCHIVE_BYTES", 1 << 16)
    file = io.BytesIO()
    np.savez_compressed(file, a=np.zeros(1 << 17, np.uint8))

    with pytest.raises(DocumentError, match="unpacks to more than"):
        parse_npz(file.getvalue(), ["a"], "bomb.npz")


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
def test_a_broken_member_is_refused_however_it_was_packed(method: int) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("a.npy", _saved(np.arange(500)))
    data = bytearray(file.getvalue())
    data[60:70] = b"\xff" * 10

    with refused(DocumentError, "zip_invalid", where="x.npz"):
        parse_npz(bytes(data), ["a"], "x.npz")


def test_whatever_a_dataset_says_of_itself_it_is_opened_or_refused(tmp_path: Path) -> None:
    write_dataset(tmp_path, PLAN, recorded_episodes())
    folder = tmp_path / PLAN.name
    manifest, index = folder / "manifest.json", tmp_path / "index.json"
    whole = {path: json.loads(path.read_text()) for path in (manifest, index)}

    @examples(5)
    @given(
        told=damaged_json(whole[manifest]) | st.just(json.dumps(whole[manifest]).encode()),
        listed=damaged_json(whole[index]),
    )
    def check(told: bytes, listed: bytes) -> None:
        manifest.write_bytes(told)
        index.write_bytes(listed)
        with read_or_refused():
            open_dataset(folder, SPEC)
        audit(folder)

    check()


def test_whatever_a_file_of_cifar_holds_it_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "data_batch_1.bin"
    whole = bytes([3, *([128] * (RECORD_BYTES - 1))]) * 2

    @examples(5)
    @given(data=damaged_bytes(whole))
    def check(data: bytes) -> None:
        path.write_bytes(data)
        with read_or_refused():
            read_records(path, records=2)

    check()
