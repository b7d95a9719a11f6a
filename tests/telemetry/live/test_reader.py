"""What a reader does with gaps, repeats, and versions it does not know."""

from typing import Any

import pytest

from diorama.contracts.errors import DocumentError
from diorama.telemetry.live.reader import LiveState


def message(kind: str, seq: int, **fields: Any) -> dict[str, Any]:
    return {"schema_version": "0.3.0", "payload_type": kind, "seq": seq, "tick": seq, "state": {}, **fields}


def test_after_a_gap_diffs_are_left_out_until_a_snapshot() -> None:
    state = LiveState()

    fitted = [
        state.apply(message("diff", 3, base_seq=2)),
        state.apply(message("snapshot", 4, state={"a": {"x": 1}})),
        state.apply(message("diff", 6, base_seq=5, state={"a": None})),
        state.apply(message("diff", 7, base_seq=6)),
        state.apply(message("snapshot", 8, state={"b": {"y": 1}})),
        state.apply(message("heartbeat", 9)),
        state.apply(message("diff", 12, base_seq=9, state={"b": {"y": None}})),
    ]

    assert fitted == [False, True, False, False, True, True, True]
    assert state.state == {"b": {}}
    assert (state.seq, state.discarded, state.needs_snapshot) == (12, 3, False)


def test_a_message_that_was_seen_already_changes_nothing() -> None:
    state = LiveState()
    state.apply(message("snapshot", 1, state={"a": 1}))
    repeated = message("diff", 2, base_seq=1, state={"a": 2})

    assert [state.apply(repeated), state.apply(repeated)] == [True, False]
    assert state.state == {"a": 2}
    assert not state.needs_snapshot


def test_another_major_version_is_refused_and_a_newer_minor_one_told_once() -> None:
    said: list[str] = []
    state = LiveState(said.append)
    for seq in range(3):
        assert state.apply(message("snapshot", seq, schema_version="0.4.1"))

    assert len(said) == 1
    with pytest.raises(DocumentError, match=r"version 1\.0\.0; this reader knows 0\.3\.0"):
        state.apply(message("snapshot", 4, schema_version="1.0.0"))


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ({"payload_type": "news"}, "payload_type is 'news'"),
        ({"schema_version": "3"}, "three numbers"),
        ({"seq": True}, "seq is True"),
        ({"state": []}, "state is no object"),
    ],
)
def test_what_is_no_message_is_refused(broken: dict[str, Any], reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        LiveState().apply({**message("snapshot", 0), **broken})
