"""`WorldSpec`: everything the rest of the platform may know about a world."""

import math
import re
from dataclasses import dataclass, field
from enum import StrEnum

from diorama.contracts.errors import ContractError

MAX_EVENT_KINDS = 64  # the width of the batch's event words
_INTERFACE_VERSION = re.compile(r"(?P<world>[a-z][a-z0-9]*)-v(?P<number>[1-9][0-9]*)")


class Dtype(StrEnum):
    """Element types an observation field may have; each has a flat buffer of its own."""

    FLOAT32 = "float32"
    UINT8 = "uint8"


class Better(StrEnum):
    """Which way a metric improves."""

    HIGHER = "higher"
    LOWER = "lower"
    NONE = "none"


class Aggregate(StrEnum):
    """How a metric is summarized over a window."""

    EPISODE_FINAL_MEAN = "episode_final_mean"
    EPISODE_FINAL_RATE = "episode_final_rate"
    STEP_MEAN = "step_mean"


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationField:
    """A named block of the flat observation row of its dtype; `start` counts elements of that row."""

    name: str
    start: int
    shape: tuple[int, ...] = ()
    dtype: Dtype = Dtype.FLOAT32
    low: float = 0.0
    high: float = 1.0
    meaning: str

    @property
    def stop(self) -> int:
        """Index after the last element."""
        return self.start + math.prod(self.shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionHead:
    """One choice of a decision: named options, of which `noop` changes least."""

    name: str
    options: tuple[str, ...]
    noop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionGroup:
    """Options shown together to people; `actions` index the options of all heads one after another."""

    id: str
    title: str
    description: str
    actions: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hotkey:
    """A key that chooses an option in play."""

    key: str
    action: int
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """Which further heads matter to a decision, by the option chosen on `head`; the others carry their no-op.

    `heads` has every option of `head`, in order, with the heads that matter where it is chosen.
    """

    head: str
    heads: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A number reported after every step, one column of the metrics buffer."""

    key: str
    label: str
    unit: str = ""
    better: Better = Better.NONE
    aggregate: Aggregate = Aggregate.EPISODE_FINAL_MEAN


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """A number of a window: the sum of one metric over the episodes that ended, divided by that of another."""

    key: str
    over: str
    under: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventKind:
    """Something that can happen in a step; its bit is its place in the world's table."""

    name: str
    payload: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldSpec:
    """The frozen contract of one world in one configuration.

    A pure function of the configuration, never of a run. A change to the observation layout, the action
    indices, a reward profile or the metric order is a new `interface_version`, never an edit.

    Attributes:
        agents: Seats per copy.
        heads: What a decision consists of, one option of each.
        has_mask: Whether options can be invalid.
        tick_seconds: Simulated seconds of a tick; a step may take several ticks.
        snapshot_magic: Four letters that begin every snapshot of the world.
        snapshot_version: Of the state words behind them.
        groups: How options are shown to people.
        hotkeys: Keys that choose an option in play.
        headline: Metrics that are shown first and that contenders are compared by.
        risk_metrics: Metrics that say what was risked on the way.
        aliases: Further names of a window's numbers, each with the metric it is the mean of.
        milestones: Thresholds that earn a replay a tag, by metric, short name of a headline metric, or `return`.
        end_events: An event and the end reason it stands for; where several of them mark the last step of an episode,
            the first pair counts.
        ratios: Further numbers of a window, made from two metrics.
        rejects_unknown_options: Whether a decision outside of the heads' ranges is refused before anything is stepped;
            other worlds judge such decisions themselves.
        render_schema_version: Of the render state, for whoever draws it.
        real_time: Whether people play it by the clock, one tick in `tick_seconds`.
        relevance: Which heads matter to a decision; None where every head matters to every one.
        option_names: Options of all heads, one after another; masks have them in this order.
    """

    world: str
    interface_version: str
    agents: int
    observation: tuple[ObservationField, ...]
    heads: tuple[ActionHead, ...]
    has_mask: bool
    metrics: tuple[Metric, ...]
    events: tuple[EventKind, ...]
    tick_seconds: float
    snapshot_magic: bytes
    snapshot_version: int
    groups: tuple[ActionGroup, ...] = ()
    hotkeys: tuple[Hotkey, ...] = ()
    headline: tuple[str, ...] = ()
    risk_metrics: tuple[str, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    milestones: tuple[tuple[str, tuple[float, ...]], ...] = ()
    end_events: tuple[tuple[str, str], ...] = ()
    ratios: tuple[Ratio, ...] = ()
    rejects_unknown_options: bool = False
    render_schema_version: int = 1
    real_time: bool = False
    relevance: Relevance | None = None
    option_names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Refuse a contract that contradicts itself."""
        object.__setattr__(self, "option_names", tuple(name for head in self.heads for name in head.options))
        _check_version(self)
        _check_layout(self)
        _check_actions(self)
        _check_relevance(self)
        _check_tables(self)

    @property
    def obs_width(self) -> int:
        """Number of float32 entries in an observation row."""
        return _width(self.observation, Dtype.FLOAT32)

    @property
    def obs_u8_width(self) -> int:
        """Number of uint8 entries in an observation row."""
        return _width(self.observation, Dtype.UINT8)

    @property
    def noop(self) -> tuple[int, ...]:
        """The option of every head that changes least."""
        return tuple(head.noop for head in self.heads)

    @property
    def metric_keys(self) -> tuple[str, ...]:
        """Metric keys in column order."""
        return tuple(metric.key for metric in self.metrics)

    @property
    def event_names(self) -> tuple[str, ...]:
        """Event names in bit order."""
        return tuple(event.name for event in self.events)


def interface_number(interface_version: str) -> int:
    """Return the number of a version such as `prospector-v1`."""
    match = _INTERFACE_VERSION.fullmatch(interface_version)
    if match is None:
        raise ContractError(f"interface version {interface_version!r} is malformed; write it like 'prospector-v1'")
    return int(match["number"])


def _width(fields: tuple[ObservationField, ...], dtype: Dtype) -> int:
    return max((item.stop for item in fields if item.dtype is dtype), default=0)


def _check_version(spec: WorldSpec) -> None:
    interface_number(spec.interface_version)
    if not spec.interface_version.startswith(f"{spec.world}-v"):
        raise ContractError(f"interface version {spec.interface_version!r} does not belong to world {spec.world!r}")
    if not isinstance(spec.snapshot_magic, bytes) or len(spec.snapshot_magic) != 4:
        raise ContractError(f"snapshot magic {spec.snapshot_magic!r} must be four bytes")
    if not isinstance(spec.agents, int) or spec.agents < 1:
        raise ContractError(f"agents is {spec.agents}; it is a whole number, and a copy has at least one seat")


def _check_layout(spec: WorldSpec) -> None:
    for item in spec.observation:
        if not isinstance(item.dtype, Dtype):
            raise ContractError(
                f"observation field {item.name!r} has the dtype {item.dtype!r}; use Dtype.FLOAT32 or Dtype.UINT8"
            )
    for dtype in Dtype:
        end = 0
        for item in (item for item in spec.observation if item.dtype is dtype):
            if item.start != end:
                raise ContractError(
                    f"observation field {item.name!r} starts at {item.start}; the one before ends at {end}"
                )
            end = item.stop
    _check_unique("observation field", [item.name for item in spec.observation])


def _check_actions(spec: WorldSpec) -> None:
    for head in spec.heads:
        if not 0 <= head.noop < len(head.options):
            raise ContractError(f"head {head.name!r}: no-op {head.noop} is outside 0..{len(head.options) - 1}")
        _check_unique(f"option of head {head.name!r}", list(head.options))
    _check_unique("head", [head.name for head in spec.heads])
    shown = [action for group in spec.groups for action in group.actions] + [hotkey.action for hotkey in spec.hotkeys]
    for action in shown:
        if not 0 <= action < len(spec.option_names):
            raise ContractError(f"a group or hotkey names action {action}, outside 0..{len(spec.option_names) - 1}")


def _check_relevance(spec: WorldSpec) -> None:
    if spec.relevance is None:
        return
    heads = {head.name: head for head in spec.heads}
    deciding = heads.get(spec.relevance.head)
    if deciding is None:
        raise ContractError(f"relevance is decided by {spec.relevance.head!r}, which is no head of {spec.world!r}")
    if tuple(option for option, _ in spec.relevance.heads) != deciding.options:
        raise ContractError(f"relevance must name the options of head {deciding.name!r}, each once and in order")
    unknown = {name for _, names in spec.relevance.heads for name in names} - heads.keys()
    if unknown:
        raise ContractError(f"relevance names unknown heads: {', '.join(sorted(unknown))}")


def _check_tables(spec: WorldSpec) -> None:
    _check_unique("metric", list(spec.metric_keys))
    _check_unique("event", list(spec.event_names))
    if len(spec.events) > MAX_EVENT_KINDS:
        raise ContractError(f"{len(spec.events)} event kinds; a batch has bits for {MAX_EVENT_KINDS}")
    for key in (
        *spec.headline,
        *spec.risk_metrics,
        *(key for _, key in spec.aliases),
        *(key for ratio in spec.ratios for key in (ratio.over, ratio.under)),
    ):
        if key not in spec.metric_keys:
            raise ContractError(f"{key!r} is no metric of {spec.world!r}; there are: {', '.join(spec.metric_keys)}")
    for name, _ in spec.end_events:
        if name not in spec.event_names:
            raise ContractError(f"{name!r} is no event of {spec.world!r}; there are: {', '.join(spec.event_names)}")


def _check_unique(kind: str, names: list[str]) -> None:
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ContractError(f"{kind} named twice: {', '.join(repeated)}")
