"""Pages of frames."""

from typing import Literal

from diorama.server.models.base import Answer, JsonObject


class Frame(Answer):
    """What one step did.

    In a world of several seats action, reward and flags are lists over seats, null for a seat that took no decision;
    a factored action is a list with one option per head.
    """

    schema_version: Literal[1]
    frame_index: int
    t: int
    dt: int
    action: int | list[int | list[int] | None]
    reward: float | list[float | None]
    terminated: bool | list[bool | None]
    truncated: bool | list[bool | None]
    render_state: JsonObject
    events: list[str]
    event_data: JsonObject | None = None
    info: JsonObject | None = None
    commands: list[JsonObject] | None = None
    state_hash: str | None = None


class FramePage(Answer):
    """Frames `offset` to `next_offset` - 1; `has_more` says whether the replay goes on after them."""

    run_id: str
    replay_id: str
    offset: int
    next_offset: int
    count: int
    has_more: bool
    frames: list[Frame]
