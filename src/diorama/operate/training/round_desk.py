"""`RoundCallback`: closes the rounds of a world that plays in rounds, and keeps what they tell."""

from pathlib import Path
from typing import Final

import msgspec

from diorama.contracts.errors import DocumentError
from diorama.contracts.rounds import RoundsPlan
from diorama.contracts.updates import UpdateDetails
from diorama.contracts.values import JsonObject, JsonValue
from diorama.learn.settings import value_at
from diorama.operate.training.copies import Copies
from diorama.operate.training.plan import TrainingPlan
from diorama.runs.layout import RunLayout
from diorama.storage.line_files import LineFile

ROUNDS_FILE: Final = "rounds.jsonl"


class RoundCallback:
    """Hears every update in detail; one line per round goes to `telemetry/rounds.jsonl`."""

    def __init__(self, plan: TrainingPlan, copies: Copies, layout: RunLayout) -> None:
        """Listen to copies that have not been reset yet."""
        settings = plan.settings
        self._told: list[JsonObject] = []
        self._kept: int | None = 0  # lines that stand when the first one is written; None afterwards
        self._path: Path = layout.telemetry / ROUNDS_FILE
        self._keeper = copies.keep_rounds(
            RoundsPlan(
                rounds=-(-settings.steps // (settings.copies * settings.ppo.rollout_steps)),
                learning_rate=value_at(settings.optimizer.learning_rate, 0),
                clip_coef=settings.ppo.clip_coef,
                entropy_coefficient=value_at(settings.ppo.ent_coef, 0),
                device=settings.execution.device,
                level=settings.telemetry.world_events,
                collapse_rule=settings.telemetry.value_collapse_rule,
            ),
            self._told.append,
        )

    def close_round(self, details: UpdateDetails) -> None:
        """Close the round that was learned from."""
        line = self._keeper.close(details)
        with LineFile(self._path) as file:
            if self._kept is not None:
                file.keep(self._kept)
                self._kept = None
            file.append(msgspec.json.encode(line))

    def take_told(self) -> list[JsonObject]:
        """Return what was told since the last time, in order."""
        told, self._told[:] = list(self._told), []
        return told

    def state(self) -> JsonObject:
        """Return what must be known to go on."""
        return self._keeper.state()

    def load(self, state: JsonValue) -> None:
        """Go on after the rounds of a state; what a killed process wrote beyond them is taken back with the next line.

        Raises:
            DocumentError: The state is none of rounds.
        """
        if not isinstance(state, dict) or not isinstance(state.get("averages"), list):
            raise DocumentError("the stored state knows of no rounds; its settings must be the same")
        # What was told while the copies were opened is of a round that is not played.
        self._told.clear()
        self._keeper.load(state)
        self._kept = len(state["averages"])
