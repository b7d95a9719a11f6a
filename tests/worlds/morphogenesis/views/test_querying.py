"""Recorded events, asked in SQL."""

import json
from pathlib import Path

import pytest

from diorama.contracts.errors import ConfigError
from diorama.worlds.morphogenesis.contracts.events import TelemetryEventType
from diorama.worlds.morphogenesis.views.query_views import VIEW_NAMES
from diorama.worlds.morphogenesis.views.querying import EventQueries

RECORDED = Path(__file__).parent / "growth.jsonl"
ASKED_FOR = {
    "runs", "epochs", "ppo_updates", "batch_epochs", "trends", "seed_lifecycle", "decisions", "action_distribution",
    "rewards", "batch_stats", "phase_occupancy", "shapley", "anomalies", "run_confounders", "episode_outcomes",
    "reward_calibration", "causal_log", "topology_manifests",
}  # fmt: skip


@pytest.fixture(scope="module")
def queries() -> EventQueries:
    found = EventQueries()
    found.load(RECORDED)
    return found


def lines(kind: TelemetryEventType, snapshot: str | None = None) -> list[dict[str, object]]:
    events = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]
    found = [event["data"] for event in events if event["event_type"] == kind.name]
    return [data for data in found if snapshot is None or data["kind"] == snapshot]


def test_every_view_is_there_and_can_be_read(queries: EventQueries) -> None:
    assert set(VIEW_NAMES) == ASKED_FOR
    for name in VIEW_NAMES:
        assert queries.ask(f"SELECT * FROM {name}").columns


def test_views_hold_what_the_events_say(queries: EventQueries) -> None:
    counts = queries.counts()
    epochs = lines(TelemetryEventType.EPOCH_COMPLETED)
    decisions = lines(TelemetryEventType.ANALYTICS_SNAPSHOT, "last_action")

    assert counts["raw_events"] == queries.lines == len(RECORDED.read_text(encoding="utf-8").splitlines())
    assert counts["epochs"] == len(epochs)
    assert counts["decisions"] == counts["rewards"] == len(decisions)
    answer = queries.ask("SELECT env_id, inner_epoch, val_accuracy FROM epochs ORDER BY event_id")
    assert answer.rows == [(data["env_id"], data["inner_epoch"], data["val_accuracy"]) for data in epochs]
    paid = queries.ask("SELECT round(sum(total_reward), 6) FROM rewards").rows[0][0]
    parts = [data["reward_components"] for data in decisions]
    assert paid == pytest.approx(sum(part["total_reward"] for part in parts), abs=1e-5)  # type: ignore[index]


def test_stages_take_no_more_than_the_whole_of_an_episode(queries: EventQueries) -> None:
    rows = queries.ask(
        "SELECT slot_id, stage, sum(epochs), sum(share) FROM phase_occupancy"
        " GROUP BY group_id, env_id, episode_idx, slot_id"
    ).rows
    seen = [data["seeds"] for data in lines(TelemetryEventType.EPOCH_COMPLETED)]

    spent, shares = [float(str(row[2])) for row in rows], [float(str(row[3])) for row in rows]
    assert sum(spent) == sum(len(seeds) for seeds in seen if isinstance(seeds, dict))
    assert 0.0 < min(shares) <= max(shares) <= 1.0


def test_an_episode_stands_beside_what_it_was_paid(queries: EventQueries) -> None:
    outcomes = lines(TelemetryEventType.EPISODE_OUTCOME)

    rows = queries.ask("SELECT env_id, episode_reward, gain_over_control FROM reward_calibration").rows

    wanted = {
        (data["env_id"], data["episode_reward"], data["final_accuracy"] - data["control_accuracy"])  # type: ignore[operator]
        for data in outcomes
    }
    assert set(rows) == wanted


def test_broken_lines_and_events_of_others_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    first = RECORDED.read_text(encoding="utf-8").splitlines()[0]
    path.write_text(f'{first}\n{{"half\n{{"event": "platform"}}\n\n{first[:-1]}, "group_id": "A", "data": {{}}}}\n')
    found = EventQueries()

    found.load(path)

    assert (found.lines, found.malformed, found.others) == (4, 2, 1)
    assert found.counts()["runs"] == 1


@pytest.mark.parametrize(
    ("column", "value"),
    [
        pytest.param("severity", ["info"], id="list"),
        pytest.param("seed_id", [], id="empty-list"),
        pytest.param("message", {"text": "so"}, id="object"),
        pytest.param("epoch", 10**30, id="large"),
        pytest.param("message", "\ud800", id="no-unicode"),
    ],
)
def test_what_no_column_can_hold_is_counted_as_malformed(column: str, value: object, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    first = RECORDED.read_text(encoding="utf-8").splitlines()[0]
    path.write_text(f"{json.dumps({**json.loads(first), column: value})}\n{first}\n")
    found = EventQueries()

    found.load(path)

    assert (found.lines, found.malformed, found.counts()["raw_events"]) == (2, 1, 1)


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("SELECT nothing FROM nowhere", id="unknown"),
        pytest.param("DELETE FROM raw_events", id="writing"),
        pytest.param("ATTACH 'other.db' AS other", id="another-file"),
        pytest.param("SELECT 1; SELECT 2", id="two-at-once"),
        pytest.param("", id="empty"),
    ],
)
def test_what_is_no_question_is_refused_and_changes_nothing(
    queries: EventQueries, sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = queries.counts()

    with pytest.raises(ConfigError, match="query"):
        queries.ask(sql)

    assert queries.counts() == before
    assert list(tmp_path.iterdir()) == []
