"""A training run tells its rounds: events in order, an update's payload, a line per round, also across a resume."""

import json
from pathlib import Path
from threading import Event
from typing import Any

from diorama.contracts.training_reports import UpdateReport
from diorama.runs.clock import SystemClock
from diorama.training.callbacks.progress import NoProgress
from diorama.training.plan import plan_training
from diorama.training.run import resume, train
from diorama.worlds.morphogenesis.contracts.events import EVENT_PAYLOADS, TelemetryEventType
from diorama.worlds.morphogenesis.contracts.payloads.policy import PPOMetrics
from diorama.worlds.morphogenesis.rounds.recorded import read_recording
from tests.worlds.morphogenesis.learners import controller_settings
from tests.worlds.morphogenesis.small_worlds import SMALL

COPIES, EPOCHS = 2, 6
ROUND = COPIES * EPOCHS
PLANNED = 5
TAIL = ("PPO_UPDATE_COMPLETED", "batch_stats", "BATCH_EPOCH_COMPLETED", "action_distribution")
BEFORE_TAIL = ("EPISODE_OUTCOME", "shapley_computed", "PERFORMANCE_DEGRADATION")
NO_TIMES = ("update_time_ms",)


class Impatient(NoProgress):
    """Stops a run after so many updates: a run that ends by itself records a last replay, which takes its time."""

    def __init__(self, updates: int) -> None:
        self.stop = Event()
        self._left = updates

    def update(self, report: UpdateReport) -> None:
        self._left -= 1
        if self._left == 0:
            self.stop.set()


def run(root: Path, run_id: str, rounds: int, *, go_on: bool = False) -> Path:
    settings = controller_settings(
        "demo",
        copies=COPIES,
        config={**SMALL},
        steps=PLANNED * ROUND,
        windows={"env_steps": ROUND},
        evaluation={"replays_per_window": 0, "closing_episodes": 0},
    )
    watch = Impatient(rounds)
    if go_on:
        resume(
            plan_training(settings),
            root,
            run_id,
            steps=PLANNED * ROUND,
            progress=watch,
            stop=watch.stop,
            clock=SystemClock(),
        )
    else:
        train(plan_training(settings), root, run_id, progress=watch, stop=watch.stop, clock=SystemClock())
    return root / run_id


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def kinds(events: list[dict[str, Any]]) -> list[str]:
    return [
        event["data"]["kind"] if event["event_type"] == "ANALYTICS_SNAPSHOT" else event["event_type"]
        for event in events
    ]


def test_a_run_tells_its_rounds_in_order_and_goes_on_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    whole = run(tmp_path, "whole", 3)
    run(tmp_path, "parts", 2)
    parts = run(tmp_path, "parts", 1, go_on=True)

    events = [event for event in lines(whole / "telemetry" / "events.jsonl") if "group_id" in event]
    told = kinds(events)
    assert told[0] == "TRAINING_STARTED"
    assert told.count("TRAINING_STARTED") == 1
    ends = [place for place, kind in enumerate(told) if kind == "PPO_UPDATE_COMPLETED"]
    for end in ends:
        tail = [kind for kind in told[end : end + 5] if not kind.endswith("_DETECTED")][: len(TAIL)]
        assert tuple(tail) == TAIL
        assert told[end - 1] in BEFORE_TAIL or told[end - 1].endswith("_DETECTED")
    assert len(ends) == 3
    assert told.count("last_action") == 3 * ROUND
    decided = [event["data"] for event, kind in zip(events, told, strict=True) if kind == "last_action"]
    assert any(0.0 < decision["action_confidence"] < 1.0 for decision in decided)
    assert len({decision["value_estimate"] for decision in decided}) > ROUND
    assert told.count("EPISODE_OUTCOME") == 3 * COPIES
    for event in events:
        kind = TelemetryEventType[event["event_type"]]
        if kind in EVENT_PAYLOADS:
            EVENT_PAYLOADS[kind].from_dict(event["data"])
    recording = read_recording(whole / "telemetry" / "events.jsonl")
    assert (recording.malformed, recording.others) == (0, recording.lines - len(events))

    rounds, again = lines(whole / "telemetry" / "rounds.jsonl"), lines(parts / "telemetry" / "rounds.jsonl")
    assert [line["batch"] for line in rounds] == [1, 2, 3]
    for one, other in zip(rounds, again, strict=True):
        for name in NO_TIMES:
            del one["ppo_metrics"][name], other["ppo_metrics"][name]
        assert one == other
    resumed = kinds([event for event in lines(parts / "telemetry" / "events.jsonl") if "group_id" in event])
    assert resumed.count("CHECKPOINT_LOADED") == 1
    assert resumed.count("last_action") == 3 * ROUND


def test_an_update_says_which_heads_it_could_learn_from(tmp_path: Path) -> None:
    directory = run(tmp_path, "short", 1)

    metrics = PPOMetrics.from_dict({**lines(directory / "telemetry" / "rounds.jsonl")[0]["ppo_metrics"]})

    assert metrics.head_op_learnable_fraction == 1.0
    assert metrics.head_op_gradient_state == "active"
    assert metrics.batch == metrics.ppo_updates_count == 1
    assert metrics.forced_step_ratio is not None
    assert metrics.usable_actor_timesteps == round(ROUND * (1.0 - metrics.forced_step_ratio))
    assert metrics.lstm_h_rms is not None
    assert metrics.lstm_h_rms > 0.0
    assert metrics.ratio_max is not None
    assert metrics.ratio_max >= 1.0
