"""Bodies and answers of play sessions."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt

from diorama.server.models.base import Answer, JsonObject
from diorama.server.parameters import ID_PATTERN, RUN_ID_PATTERN

MAX_UNDO_STEPS = 64
_SEED_LIMIT = 1 << 64

Seed = Annotated[StrictInt, Field(ge=0, lt=_SEED_LIMIT)]
ActionBody = StrictInt | Annotated[list[StrictInt], Field(min_length=1, max_length=64)]
Name = Annotated[str, Field(min_length=1, max_length=128)]
Speed = Annotated[float, Field(ge=0.01, le=1000.0)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class CreateSession(_Body):
    """Opens a session; whatever is left out takes its default."""

    world: Name | None = Field(default=None, description="World id; the first of the list of worlds if left out.")
    seed: Seed | None = Field(default=None, description="Episode seed; drawn by the operating system if left out.")
    env_time_max: float | None = Field(
        default=None, gt=0.0, description="Ticks after which the episode is cut off; the world's default if left out."
    )
    variant: Name | None = Field(default=None, description="A named variant of the world, instead of `config`.")
    config: JsonObject | None = Field(default=None, description="The world's own configuration.")
    seat: Annotated[StrictInt, Field(ge=0)] = Field(default=0, description="The seat that is played by hand.")
    others: Name | None = Field(
        default=None,
        description="Bot or run that plays the other seats; if left out, the world's own choice, else no-ops.",
    )
    both_sides: StrictBool = Field(
        default=False, description="Gives seats to every side of a world that is fought by sides."
    )


class ResetSession(_Body):
    """Opens the next episode of a session."""

    seed: Seed | None = Field(default=None, description="Episode seed; the previous one plus 1 if left out.")
    seat: Annotated[StrictInt, Field(ge=0)] | None = Field(
        default=None, description="The seat that is played by hand from now on; the same as before if left out."
    )


class SeatDecision(_Body):
    """What a seat that is not played by hand decides."""

    seat: Annotated[StrictInt, Field(ge=0)]
    action: ActionBody


OtherDecisions = Annotated[list[SeatDecision], Field(max_length=256)]


class StepSession(_Body):
    """One decision."""

    action: ActionBody = Field(description="An option, or one option per head where there are several heads.")
    others: OtherDecisions | None = Field(
        default=None, description="Decides for other seats in this step, instead of whoever plays them."
    )


class UndoSession(_Body):
    """Takes decisions back."""

    steps: Annotated[StrictInt, Field(ge=1, le=MAX_UNDO_STEPS)] = Field(default=1, description="How many decisions.")


class ForkSession(_Body):
    """Opens a session that continues a recorded replay."""

    run_id: str = Field(pattern=RUN_ID_PATTERN, description="Run the replay belongs to.")
    replay_id: str = Field(pattern=ID_PATTERN, description="Replay that is continued.")
    frame: Annotated[StrictInt, Field(ge=-1)] = Field(description="The last frame that is kept; -1 keeps none.")
    seat: Annotated[StrictInt, Field(ge=0)] = Field(default=0, description="The seat that is played by hand.")
    others: Name | None = Field(default=None, description="Bot or run that plays the other seats.")


class ForkOrigin(Answer):
    """The replay a session continues, and the last frame they have in common."""

    run_id: str
    replay_id: str
    frame: int


class PictureField(Answer):
    """A picture of the observation; over the socket its bytes follow as a binary message, row by row."""

    name: str
    shape: list[int]


class SessionState(Answer):
    """Where a session stands, as the seat that is played by hand sees it."""

    session_id: str = Field(description="32 hexadecimal digits.")
    world: str
    interface_version: str
    seed: int
    seat: int
    agents: int
    sides: list[int] | None = Field(
        description="Side of every seat, -1 where nobody sits; null in a world that is not fought by sides."
    )
    others: str | None = Field(description="Bot or run that plays the other seats.")
    env_time_max: float | None = Field(description="Ticks after which the episode is cut off; null if never.")
    config: JsonObject = Field(description="The world's configuration, defaults included.")
    config_hash: str = Field(description="SHA-256 of world, interface version and configuration.")
    obs: list[float] = Field(description="The float32 part of the observation.")
    obs_u8: list[int] = Field(description="The byte part of the observation without its pictures.")
    pictures: list[PictureField]
    action: int | list[int] | None = Field(description="The last decision as it was sent; null at the opening.")
    reward: float
    terminated: bool
    truncated: bool
    is_over: bool = Field(description="Whether nothing more can be decided.")
    info: JsonObject
    events: list[str]
    event_data: JsonObject
    action_mask: list[int] = Field(description="1 for every option that is valid now, over the options of all heads.")
    action_reasons: list[str] | None = Field(
        description="Why an option is not valid, empty where it is; null where the world does not say."
    )
    metrics: dict[str, float]
    render_state: JsonObject
    steps: int
    dt: int
    ticks: int
    return_total: float
    undo_available: int = Field(description="How many decisions can be taken back.")
    forked_from: ForkOrigin | None
    created_at: str
    updated_at: str


class SessionMoments(Answer):
    """What the viewer drew at earlier moments of a session, as its seat sees them."""

    session_id: str
    steps: int = Field(description="Decisions taken so far; the last moment is the one after all of them.")
    first: int = Field(description="Decisions that had been taken at the first moment; 0 is the opening.")
    count: int = Field(description="So many moments; ask for more where they do not reach `steps`.")
    render_states: list[JsonObject]


class SessionDeleted(Answer):
    """A session that is no more."""

    session_id: str
    deleted: Literal[True] = True


class HeadAdvice(Answer):
    """What a policy would choose on one head."""

    name: str
    options: list[str]
    probabilities: list[float] = Field(description="One per option; 0 where the mask rules it out.")


class AdvisorFacts(Answer):
    """The checkpoint that was asked."""

    run_id: str
    window_id: int
    env_steps_total: int
    sha256: str
    policy_arch: str


class Hint(Answer):
    """What a trained policy thinks of the present decision."""

    session_id: str
    steps: int
    policy: AdvisorFacts
    heads: list[HeadAdvice]
    probabilities: list[float] = Field(description="Over the options of all heads, in the order of the mask.")
    action: int | list[int] = Field(description="The likeliest decision.")
    value: float = Field(description="Return the policy expects from here on, in its own units.")


class RowArray(Answer):
    """Numbers of several decisions, for each of them one row per seat."""

    dtype: Literal["float32", "uint8"] = Field(description="Little-endian.")
    width: int = Field(description="Numbers of one row.")
    data: str = Field(description="The bytes in Base64: decisions × seats × width.")


class SeatRows(Answer):
    """What seats saw before decisions, as a policy takes it."""

    session_id: str
    steps: int = Field(description="Decisions taken so far; the last row is that of the next one.")
    first: int = Field(description="The decision of the first row.")
    count: int = Field(description="For so many decisions; ask for more where they do not reach `steps`.")
    seats: list[int]
    arrays: dict[str, RowArray] = Field(
        description="`obs`, `obs_u8`, `mask`, `starts` (1 where the seat's player begins anew) and what `extra` named."
    )


class Standing(Answer):
    """How one player fared, or fares, on this seed."""

    name: str
    kind: Literal["human", "bot", "run"]
    finished: bool = Field(description="Whether the episode was played to its end.")
    steps: int
    ticks: int
    return_total: float | None
    metrics: dict[str, float]
    end_reason: str | None


class Standings(Answer):
    """The session beside scripted baselines, and a policy if one was named, on the same seed and configuration."""

    session_id: str
    world: str
    seed: int
    headline: list[str] = Field(description="The metrics to compare by.")
    complete: bool = Field(description="False where the time ran out before everybody had played.")
    rows: list[Standing]


class PlayCommand(_Body):
    """What a client sends over the socket; the newest action is held until another one comes."""

    action: ActionBody | None = None
    others: OtherDecisions | None = Field(
        default=None, description="Decides for other seats, held like the action; an empty list lets go of them."
    )
    paused: StrictBool | None = None
    speed: Speed | None = Field(default=None, description="How many simulated seconds pass in one.")


class SocketState(SessionState):
    """A `state` message; the pictures it lists follow as binary messages in the same order."""

    type: Literal["state"] = "state"
    paused: bool


class SocketComplete(Answer):
    """The last message of a session that ended."""

    type: Literal["complete"] = "complete"
    session_id: str
    steps: int
