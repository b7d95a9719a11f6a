"""Champions and their cards."""

from typing import Literal

from pydantic import Field

from diorama.server.models.base import Answer, JsonObject
from diorama.server.models.replays import ReplayEntry


class CardFile(Answer):
    """A file of a champion."""

    path: str
    sha256: str
    size_bytes: int


class Score(Answer):
    """A mean or a rate over episodes, with its 95% bootstrap interval."""

    value: float
    low: float
    high: float


class CardRow(Answer):
    """How one player did; `scores` holds headline metrics by key and returns as `return_PROFILE`."""

    name: str
    kind: Literal["bot", "run"]
    scores: dict[str, Score]


class CardEpisode(Answer):
    """The record of one seat in an episode that a check plays again."""

    seed: int
    seat: int
    decisions: int
    ticks: int
    returns: dict[str, float]
    metrics: dict[str, float]


class CardEvaluation(Answer):
    """The champion beside every script on held-out episodes."""

    first_seed: int
    episodes: int
    max_decisions: int
    tier: str
    rows: list[CardRow]
    sample_decisions: int
    sample: list[CardEpisode]


class ChampionCard(Answer):
    """What a champion says about itself."""

    schema_version: Literal[1]
    world: str
    interface_version: str
    config: JsonObject
    config_hash: str
    origin_run_id: str
    seed: int
    revision: str | None
    diorama_version: str
    built_at: str
    env_steps_total: int
    window_id: int
    policy_arch: str
    parameters: int
    deterministic: bool
    settings: JsonObject
    policy: CardFile
    onnx: CardFile
    frames: CardFile
    sidecar: CardFile
    replay_id: str
    evaluation: CardEvaluation


class ChampionRow(Answer):
    """A champion in the list."""

    world: str
    run_id: str = Field(description="What to ask for where a run is asked for: `champion:` and the world.")
    replay_id: str
    policy_arch: str
    env_steps_total: int
    built_at: str


class ChampionList(Answer):
    """The champions of all worlds that come with one."""

    champions: list[ChampionRow]


class ChampionDetail(Answer):
    """One champion: its card, and the entry of its replay."""

    world: str
    run_id: str
    card: ChampionCard
    replay: ReplayEntry


class BestReplay(Answer):
    """The best replay of a world by its headline metric, the newest of equals."""

    world: str
    run_id: str
    metric: str
    value: float | None
    replay: ReplayEntry


class BestReplays(Answer):
    """One per world that has a replay, in the order of the worlds."""

    replays: list[BestReplay]
