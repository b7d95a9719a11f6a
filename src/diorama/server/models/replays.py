"""Replays: index entries, and what is known beside their frames."""

from typing import Literal

from diorama.server.models.base import Answer, JsonObject, OpenAnswer


class Fork(Answer):
    """Where a replay leaves another one."""

    replay_id: str
    frame: int


class ReplayEntry(OpenAnswer):
    """One entry of a replay index; the world's headline metrics stand beside these keys under their short names."""

    run_id: str
    world: str
    window_id: int
    replay_id: str
    replay_path: str
    meta_path: str
    checkpoint_path: str | None
    tags: list[str]
    trainer_backend: str
    seed: int
    return_total: float
    steps: int
    ticks: int
    metrics: dict[str, float]
    terminated: bool
    truncated: bool
    end_reason: str | None
    checkpoint_env_steps_total: int | None
    created_at: str
    forked_from: Fork | None = None


class Player(Answer):
    """Who chose the actions of a seat."""

    kind: Literal["checkpoint", "bot", "actions", "human"]
    name: str
    checkpoint_path: str | None = None
    sha256: str | None = None
    deterministic: bool


class ReplayMeta(Answer):
    """What is needed to play the episode again; `policy` in a world of one seat, `policies` in one of several."""

    schema_version: Literal[1] = 1
    replay_id: str
    run_id: str
    world: str
    interface_version: str
    config: JsonObject
    config_hash: str
    seed: int
    policy: Player | None = None
    policies: list[Player] | None = None
    initial_render_state: JsonObject
    frame_count: int
    actions_sha256: str
    member_frames: int
    member_offsets: list[int]
    forked_from: Fork | None = None


class ReplayList(Answer):
    """Replays of a run that passed the filter, newest first; `index_path` is null before the first replay."""

    run_id: str
    index_path: str | None
    count: int
    replays: list[ReplayEntry]


class ReplayDetail(Answer):
    """One replay."""

    run_id: str
    replay: ReplayEntry
    meta: ReplayMeta
