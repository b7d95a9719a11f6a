"""Public single-step vectors: all of them come out, and what is no vector is refused."""

import gzip
import json
from pathlib import Path

import pytest

from diorama.contracts.errors import ConfigError, DocumentError
from diorama.worlds.gameboy.harness.vectors import Vector, check_vector, draw_vectors, read_vectors
from tests.worlds.gameboy.vectors import INC_B


def test_a_vector_comes_out_or_is_told_what_differs() -> None:
    wrong_flags: Vector = {**INC_B, "final": {**INC_B["final"], "f": 0}}
    wrong_memory: Vector = {**INC_B, "final": {**INC_B["final"], "ram": [(0xC000, 5)]}}
    wrong_slots: Vector = {**INC_B, "cycles": [(0xC000, 0x04, "r-m"), None]}

    assert check_vector("04", INC_B) is None
    assert check_vector("04", wrong_flags) == "f is 32, should be 0"
    assert check_vector("04", wrong_memory) == "memory at $C000 is 4, should be 5"
    assert "the slots are" in (check_vector("04", wrong_slots) or "")


def test_folders_files_and_packed_samples_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "v1"
    folder.mkdir()
    for name in ("04.json", "cb 1f.json"):
        (folder / name).write_text(json.dumps([INC_B, INC_B]))
    packed = tmp_path / "vectors.json.gz"
    packed.write_bytes(gzip.compress(json.dumps({"04": [INC_B]}).encode()))

    assert {opcode: len(cases) for opcode, cases in read_vectors(folder).items()} == {"04": 2, "cb 1f": 2}
    assert list(read_vectors(folder / "cb 1f.json")) == ["cb 1f"]
    assert list(read_vectors(packed)) == ["04"]


def test_the_same_seed_draws_the_same_vectors() -> None:
    vectors = {"04": [{**INC_B, "name": f"04 {number:04}"} for number in range(50)]}

    first, again, other = (draw_vectors(vectors, per_opcode=5, seed=seed)["04"] for seed in (1, 1, 2))  # type: ignore[arg-type]  # a spread of a typed dictionary

    assert first == again != other
    assert len(first) == 5


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{", id="no-json"),
        pytest.param('[{"name": "x"}]', id="no-states"),
        pytest.param("3", id="no-list"),
        pytest.param(json.dumps([{**INC_B, "cycles": [[1, 2, "huh"]]}]), id="unknown-slot"),
        pytest.param(json.dumps([{**INC_B, "initial": {"pc": 1}}]), id="missing-register"),
    ],
)
def test_what_is_no_vector_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "04.json"
    path.write_text(text)

    with pytest.raises(DocumentError, match="holds no single-step vectors"):
        read_vectors(path)


def test_nothing_to_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no vectors"):
        read_vectors(tmp_path)
    with pytest.raises(ConfigError, match="does not exist"):
        read_vectors(tmp_path / "absent.json")
