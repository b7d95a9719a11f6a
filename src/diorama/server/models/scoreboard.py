"""Scoreboards."""

from typing import Literal

from pydantic import Field

from diorama.server.models.base import Answer, JsonObject
from diorama.server.models.champions import Score


class ScoreboardMetric(Answer):
    """A metric that rows are compared by."""

    key: str
    label: str
    unit: str
    better: Literal["higher", "lower"]


class ScoreboardRow(Answer):
    """One player; what it reached is null until it is known."""

    name: str
    kind: Literal["script", "champion", "run", "person"]
    run_id: str | None = Field(description="The run, or the champion as addresses name it; null for anyone else.")
    status: Literal["known", "playing", "missing", "unfit"]
    problem: str | None = Field(default=None, description="Why it cannot play in this configuration.")
    episodes: int | None = None
    seed: int | None = Field(default=None, description="Of the only episode of a person.")
    scores: dict[str, Score] | None = Field(
        default=None, description="Headline metrics by key, and for those who play all seeds `return_PROFILE`."
    )
    replay_run_id: str | None = None
    replay_id: str | None = None
    computed_at: str | None = None


class Scoreboard(Answer):
    """Everyone of a world on the same seeds: scripts, the champion, runs, then people."""

    world: str
    interface_version: str
    config: JsonObject
    seeds: list[int]
    metrics: list[ScoreboardMetric]
    is_playable: bool = Field(description="Whether an ordinary play session is in this configuration.")
    is_playing: bool = Field(description="Whether missing results are being made.")
    rows: list[ScoreboardRow]
