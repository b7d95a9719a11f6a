"""The list of worlds, and the descriptor of one."""

from typing import Literal

from pydantic import Field

from diorama.server.models.base import Answer, JsonObject


class WorldList(Answer):
    """The ids of all worlds, and one sentence about each."""

    worlds: list[str]
    count: int
    summaries: dict[str, str]


class ObservationBlock(Answer):
    """A named block of the observation."""

    name: str
    start: int
    stop: int
    shape: list[int]
    dtype: Literal["float32", "uint8"]
    low: float
    high: float
    meaning: str


class ActionHead(Answer):
    """One choice of a decision."""

    name: str
    options: list[str]
    noop: int


class ActionGroup(Answer):
    """Options shown together."""

    id: str
    title: str
    description: str
    actions: list[int]


class Hotkey(Answer):
    """A key that chooses an option."""

    key: str
    action: int
    hint: str


class Metric(Answer):
    """A number reported after every step."""

    key: str
    label: str
    unit: str
    better: Literal["higher", "lower", "none"]
    aggregate: Literal["episode_final_mean", "episode_final_rate", "step_mean"]


class Relevance(Answer):
    """Which further heads matter to a decision, by the option chosen on one of them."""

    head: str
    heads: dict[str, list[str]]


class EventKind(Answer):
    """Something that can happen in a step."""

    name: str
    bit: int
    payload: list[str]


class EndEvent(Answer):
    """An event that tells why an episode ended."""

    event: str
    reason: str


class Presentation(Answer):
    """Addresses of the three manifests by which the client draws and sounds the world."""

    graphics: str
    audio: str
    effects: str


class WorldDescriptor(Answer):
    """Everything a client may know about a world in one configuration."""

    world: str
    interface_version: str
    agents: int
    tick_seconds: float
    has_sides: bool = Field(description="Whether it is fought by sides.")
    real_time: bool = Field(description="Whether people play it by the clock instead of decision by decision.")
    obs_dim: int
    obs_layout: list[ObservationBlock]
    n_actions: int
    action_labels: list[str]
    action_heads: list[ActionHead]
    action_groups: list[ActionGroup]
    action_mask: bool
    action_relevance: Relevance | None = Field(description="Absent where every head matters to every decision.")
    hotkeys: list[Hotkey]
    metrics: list[Metric]
    headline: list[str]
    risk_metrics: list[str]
    aliases: dict[str, str]
    milestones: dict[str, list[float]]
    events: list[EventKind]
    end_events: list[EndEvent]
    render_schema_version: int
    presentation: Presentation
    config_schema: JsonObject
    baselines: list[str]
    variant: str | None = Field(
        description="The variant that has this contract; null for that of the default configuration, or any other."
    )
    variants: list[str] = Field(description="The named variants of the world, beside its default configuration.")
