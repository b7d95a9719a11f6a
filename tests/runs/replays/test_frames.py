import json

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import JsonObject
from diorama.runs.documents import encode
from diorama.runs.replays.frames import Action, ActionDigest, Frame, action_of, action_rows, per_seat, rounded
from diorama.storage.json_text import decode_json
from tests.engine.toy_world import ToyConfig, toy_spec
from tests.runs.replays.plain_frames import FRAME, read
from tests.runs.windows.naive import window_spec


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"event_data": {"travel": {"to": 3}}, "info": {"ticks": 3}, "state_hash": "0123456789abcdef"},
        {"commands": [{"name": "spawn"}]},
        {"action": [1, 0]},
        {"action": [[1, 0], None], "reward": [0.5, None], "terminated": [True, None], "truncated": [False, None]},
        {"reward": 1},
    ],
    ids=["plain", "optional", "commands", "factored", "seats", "whole-reward"],
)
def test_a_frame_comes_back_as_it_was_written(change: dict[str, object]) -> None:
    frame = read({**FRAME, **change})

    assert decode_json(encode(frame), Frame, where="again") == frame
    assert json.loads(encode(frame)) == {**FRAME, **change}


@pytest.mark.parametrize("key", list(FRAME))
def test_a_missing_key_is_refused_by_name(key: str) -> None:
    frame = {name: value for name, value in FRAME.items() if name != key}

    with pytest.raises(DocumentError, match=f"here: .*{key}"):
        read(frame)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("schema_version", 2),
        ("schema_version", "1"),
        ("frame_index", -1),
        ("t", 0),
        ("dt", 0),
        ("dt", -1),
        ("dt", 1.5),
        ("dt", True),
        ("action", "6"),
        ("action", 1 << 31),
        ("action", None),
        ("reward", "1"),
        ("reward", None),
        ("terminated", 0),
        ("truncated", "no"),
        ("render_state", []),
        ("events", "travel"),
        ("events", [1]),
        ("event_data", []),
        ("state_hash", "0123"),
        ("state_hash", "0123456789ABCDEF"),
        ("color", "red"),
    ],
)
def test_wrong_values_are_refused_by_key(key: str, value: object) -> None:
    with pytest.raises(DocumentError, match=key):
        read({**FRAME, key: value})


def test_pictures_are_rounded_to_six_decimals_and_nothing_else_changes() -> None:
    picture: JsonObject = {"a": 0.1234567891, "b": [1, True, None, "x", {"c": -1e-9}], "d": (2.0,)}

    assert rounded(picture) == {"a": 0.123457, "b": [1, True, None, "x", {"c": -0.0}], "d": [2.0]}


decisions = st.integers(-(1 << 31), (1 << 31) - 1)


@given(option=decisions)
def test_a_plain_action_is_one_number(option: int) -> None:
    rows = np.array([[option]], np.int32)

    stored = action_of(rows, np.ones(1, np.uint8))

    assert stored == option
    assert (action_rows(window_spec(), stored, where="here") == rows).all()


@given(
    rows=st.lists(st.tuples(decisions, decisions), min_size=2, max_size=2),
    alive=st.tuples(st.booleans(), st.booleans()),
)
def test_actions_of_several_seats_and_heads_come_back(rows: list[tuple[int, int]], alive: tuple[bool, bool]) -> None:
    spec = toy_spec(ToyConfig())

    stored = action_of(np.array(rows, np.int32), np.array(alive, np.uint8))
    again = action_rows(spec, stored, where="here")

    assert stored == [list(row) if lives else None for row, lives in zip(rows, alive, strict=True)]
    assert again.tolist() == [list(row) if lives else [0, 0] for row, lives in zip(rows, alive, strict=True)]


@pytest.mark.parametrize("action", [1, [1], [1, 0], [[1, 0]], [[1, 0], [1]], [[1, 0], 1], [[1, 0], [1, 0], [1, 0]]])
def test_an_action_that_does_not_fit_the_world_is_refused(action: Action) -> None:
    with pytest.raises(DocumentError, match=r"does not fit 2 seat\(s\) with 2 head\(s\)"):
        action_rows(toy_spec(ToyConfig()), action, where="here")


def test_a_value_per_seat_is_a_list_only_where_there_are_several() -> None:
    assert per_seat((0.5,), np.ones(1, np.uint8)) == 0.5
    assert per_seat((0.5, 0.0), np.array([1, 0], np.uint8)) == [0.5, None]


def test_the_digest_of_actions_depends_on_every_one_and_their_order() -> None:
    def digest(*actions: Action) -> str:
        taken = ActionDigest()
        for action in actions:
            taken.add(action)
        return taken.hexdigest()

    assert digest(1, [2, 3]) == digest(1, [2, 3])
    assert len({digest(), digest(1), digest(1, 2), digest(2, 1), digest([1, 2]), digest(12)}) == 6


def test_a_frame_is_written_without_what_it_does_not_have() -> None:
    assert set(msgspec.json.decode(encode(read(FRAME)))) == set(FRAME)
