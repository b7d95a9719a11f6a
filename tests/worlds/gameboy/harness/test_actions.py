"""Action sources: the same name and seed give the same stream."""

from pathlib import Path

import numpy as np
import pytest

from diorama.contracts.errors import ConfigError, DocumentError
from diorama.worlds.gameboy.harness.actions import (
    Noop,
    SeededRandom,
    Striped,
    Trace,
    parse_source,
    read_trace,
    write_trace,
)


def test_random_actions_depend_on_seed_and_step_alone() -> None:
    source = SeededRandom(7)

    drawn = [source.actions(step, 64) for step in (-10, 0, 1)]

    expected = np.random.default_rng([7, 1_000_001]).integers(0, 8, 64)
    np.testing.assert_array_equal(drawn[2], expected)
    assert all(row.dtype == np.int32 for row in drawn)
    assert len({row.tobytes() for row in drawn}) == 3
    np.testing.assert_array_equal(source.actions(1, 64), drawn[2])
    assert source.describe() == {"name": "seeded_random", "version": "2.0", "seed": 7}


def test_stripes_cycle_through_the_directions() -> None:
    assert Striped().actions(3, 6).tolist() == [4, 5, 6, 7, 4, 5]


def test_a_trace_comes_back_from_its_file_and_ends_in_no_ops(tmp_path: Path) -> None:
    path = tmp_path / "actions.jsonl"
    write_trace(path, [np.array([1, 7], np.int32), np.array([0, 3], np.int32)])

    source = read_trace(path)

    assert source.rows == ((1, 7), (0, 3))
    assert [source.actions(step, 2).tolist() for step in range(3)] == [[1, 7], [0, 3], [0, 0]]
    with pytest.raises(ConfigError, match="step 0 has 2 actions; there are 3 lanes"):
        source.actions(0, 3)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[1, 8]", id="no-such-action"),
        pytest.param("[true]", id="no-number"),
        pytest.param("{", id="no-json"),
        pytest.param("7", id="no-list"),
    ],
)
def test_what_is_no_trace_is_refused_with_its_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "actions.jsonl"
    path.write_text(f"[0, 1]\n{text}\n")

    with pytest.raises(DocumentError, match="line 2 is no list of actions 0 to 7"):
        read_trace(path)


def test_sources_are_read_from_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text("[5]\n")

    assert parse_source("noop") == Noop()
    assert parse_source("seeded_random", seed=4) == SeededRandom(4)
    assert parse_source("seeded_random:9", seed=4) == SeededRandom(9)
    assert parse_source("striped") == Striped()
    assert parse_source(f"trace:{tmp_path / 't.jsonl'}") == Trace(((5,),))
    for wrong in ("trace", "mash", "noop:3", "seeded_random:x"):
        with pytest.raises(ConfigError, match="is unknown; use noop"):
            parse_source(wrong)
