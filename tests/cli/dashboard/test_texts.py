"""What the dashboard says of worlds that have no citizens, and how it writes numbers."""

from pathlib import Path
from typing import Any

from diorama.cli.dashboard.live_judging import judgement, kpis, moment
from diorama.cli.dashboard.live_news import event_text, news
from diorama.cli.dashboard.live_tables import figures, inhabitants
from diorama.cli.dashboard.texts import bar, curve, duration, number
from diorama.contracts.values import JsonObject, JsonValue
from tests.operate.live.runtimes import command, open_live_world


def test_a_world_without_citizens_shows_its_seats_numbers_and_events(tmp_path: Path) -> None:
    runtime = open_live_world(tmp_path, "prospector", policy="greedy_miner")
    watching = runtime.publisher.subscribe()
    runtime.run_ticks(3)
    command(runtime, "policy_swap", "idle", cmd_id="swap")
    message: dict[str, Any] = dict(runtime.publisher.latest_snapshot())
    state = message["state"]
    runtime.close()

    seats, numbers = inhabitants(state), figures(state)

    assert watching.next(0.0) is not None
    assert (seats.title, seats.columns) == ("Seats", ("seat", "does", "reward"))
    assert [str(row[0]) for row in seats.rows] == ["0"]
    assert "net profit" in {str(row[0]) for row in numbers.rows}
    assert moment(message, state).startswith("tick ")
    assert "Reward per step" in kpis(state).plain
    assert "idle" in judgement(state).plain


def test_events_are_told_in_words_and_of_a_town_only_those_that_matter() -> None:
    frame: dict[str, JsonValue] = {"tick": 3, "seq_in_tick": 0}
    chat: JsonObject = {
        "event": "chat_success",
        **frame,
        "priority": "P1",
        "speaker": "c1",
        "listener": "c2",
        "quality": 0.5,
    }
    left: JsonObject = {
        "event": "agent_exit",
        **frame,
        "priority": "P0",
        "agent_id": "c1",
        "reason": "faint",
        "afi": None,
    }
    given: JsonObject = {
        "event": "console_result",
        **frame,
        "priority": "P0",
        "issuer": "olga",
        "name": "kill",
        "status": "error",
        "error": {"code": "not_found"},
    }
    town: JsonObject = {"c1": {"name": "Ada"}, "c2": {"name": "Bram"}}
    message = {"events": [chat, left, given], "narrations": [{"tick": 2, "message": "Ada left", "priority": True}]}

    assert event_text(chat, town) == "chat success · speaker Ada · listener Bram · quality 0.5"
    assert [line.plain.strip() for line in news(message, town)] == [
        "2  Ada left",
        "3  agent exit · agent Ada · reason faint",
        "3  olga gave kill: not_found",
    ]
    assert len(news(message, {})) == 4


def test_alerts_and_numbers_beyond_their_bounds_stand_out() -> None:
    target: JsonObject = {
        "title": "Lateness",
        "better": "lower",
        "target": 0.15,
        "amber": 0.15,
        "red": 0.3,
        "at": False,
    }
    state: JsonObject = {
        "kpis": {"targets": {"lateness": target}, "current": {"lateness": 0.4}},
        "stability": {"alerts": {"lateness_spike": {}}, "metrics": {"lateness_spike": {"value": 4, "threshold": 3}}},
        "promotion": {
            "state": "ready",
            "release": {"checkpoint": "scripted"},
            "shadow": {"checkpoint": "runs/tuesday/checkpoints/window-000003.safetensors"},
            "streak": 2,
            "required_passes": 2,
        },
    }

    assert "bold red" in {str(span.style) for span in kpis(state).spans}
    assert judgement(state).plain.splitlines() == [
        "! lateness spike: 4, threshold 3",
        "release    scripted",
        "candidate  tuesday window-000003, 2 of 2 windows passed",
        "promotion  ready",
    ]


def test_numbers_bars_curves_and_durations() -> None:
    assert [number(value) for value in (3, 12_345, 0.5, 12_345.6, None, True)] == [
        "3",
        "12,345",
        "0.5",
        "12,346",
        "-",
        "-",
    ]
    assert bar(0.5, 4) == "██░░"
    assert curve([0.0, 1.0, 2.0]) == "▁▅█"
    assert [duration(seconds) for seconds in (5, 65, 3700, 90000)] == ["5 s", "1 min 5 s", "1 h 1 min", "1 d 1 h"]
