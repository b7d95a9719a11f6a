"""`RoundCallback`: closes the rounds of a world that plays in rounds, and writes a line for each."""

from pathlib import Path
from typing import Final

import msgspec

from diorama.contracts.errors import DocumentError
from diorama.contracts.rounds import RoundsPlan
from diorama.contracts.training_reports import UpdateReport
from diorama.contracts.updates import UpdateDetails
from diorama.contracts.values import JsonObject, JsonValue
from diorama.learn.settings import value_at
from diorama.runs.layout import RunLayout
from diorama.storage.line_files import LineFile
from diorama.telemetry.events import WorldTold
from diorama.training.callbacks.base import RunCallback
from diorama.training.envs import ReplaceableEnvs
from diorama.training.plan import TrainingPlan

ROUNDS_FILE: Final = "rounds.jsonl"


class RoundCallback(RunCallback):
    """Closes a round with every diagnosed update; one line per round goes to `telemetry/rounds.jsonl`."""

    state_key = "rounds"

    def __init__(self, plan: TrainingPlan, envs: ReplaceableEnvs, layout: RunLayout) -> None:
        """Attach to environments that have not been reset yet."""
        settings = plan.settings
        self._events: list[JsonObject] = []
        self._lines_to_keep: int | None = 0  # of an earlier process, when the first line is written; None afterwards
        self._path: Path = layout.telemetry / ROUNDS_FILE
        self._rounds = envs.track_rounds(
            RoundsPlan(
                rounds=-(-settings.steps // (settings.copies * settings.ppo.rollout_steps)),
                learning_rate=value_at(settings.optimizer.learning_rate, 0),
                clip_coef=settings.ppo.clip_coef,
                entropy_coefficient=value_at(settings.ppo.ent_coef, 0),
                device=settings.execution.device,
                level=settings.telemetry.world_events,
                collapse_rule=settings.telemetry.value_collapse_rule,
            ),
            self._events.append,
        )

    def on_details(self, details: UpdateDetails) -> None:
        """Close the round that was learned from."""
        line = self._rounds.close(details)
        with LineFile(self._path) as file:
            if self._lines_to_keep is not None:
                file.keep(self._lines_to_keep)
                self._lines_to_keep = None
            file.append(msgspec.json.encode(line))

    def on_update(self, report: UpdateReport) -> None:
        """Publish the world's events since the last update, in order."""
        for event in self._events:
            self.run.hub.publish(WorldTold(at=str(event["timestamp"]), body=event))
        self._events.clear()

    def state(self) -> JsonObject:
        """Return everything later rounds depend on."""
        return self._rounds.state()

    def after_restore(self, state: JsonValue) -> None:
        """Continue after the rounds of a state; the next line replaces what a killed process wrote beyond them.

        Raises:
            DocumentError: It is of another kind of run.
        """
        if not isinstance(state, dict) or not isinstance(state.get("averages"), list):
            raise DocumentError(
                "the stored state has no rounds; resume the run with the settings it was trained with",
                code="stored_rounds_missing",
            )
        # Events from opening the environments belong to a round that is not played.
        self._events.clear()
        self._rounds.load(state)
        self._lines_to_keep = len(state["averages"])
