"""`LiveWorld`: one copy of a world that runs live, as the services see it. `LiveOffer`: how a world opens one.

A tick has seven stages. The orchestrator runs them in order: 1 commands, 6 telling and 7 keeping are the services',
2 to 5 are the world's. Observations are read between `schedule` and `decide`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from diorama.contracts.config import WorldConfig
from diorama.contracts.live.commands import Command
from diorama.contracts.live.events import EventKind, LiveEvent, Narration
from diorama.contracts.live.kpis import KpiTarget
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.stability import Analyzer, TickRecord
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import F32, I32, U8, JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveIdentity:
    """What is stamped on everything that leaves a live world.

    Attributes:
        config_id: Effective id of the configuration: its label, and a hash of what cannot change while it runs.
        structural_id: The hash alone; configurations that share it can load each other's snapshots.
        variant: Of the observation; a policy is bound to one.
        checksums: Of further files that shape the world, by name.
    """

    world: str
    config_id: str
    structural_id: str
    variant: str
    seed: int
    checksums: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """When it is; `tod` counts ticks since midnight, 0 in worlds without days."""

    tick: int
    day: int
    tod: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class View:
    """What policies see: one row per seat.

    Attributes:
        alive: 1 where the seat takes a decision.
        starts: 1 where the memory of the seat must be cleared first.
    """

    obs: F32
    obs_u8: U8
    masks: U8
    alive: U8
    starts: U8


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What a learned policy thought of a seat: chances of all options of all heads, and a value."""

    chances: Sequence[float]
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyIdentity:
    """Who was asked what to do.

    Attributes:
        source: `scripted` or `learned`.
        policy_hash: Of a learned policy; None for a script.
        anneal_ratio: Share of the decisions that are the learned policy's.
    """

    source: str = "scripted"
    policy_hash: str | None = None
    anneal_ratio: float = 0.0

    def to_json(self, variant: str) -> JsonObject:
        """As telemetry tells it; `variant` is that of the observation. What is nothing is left out."""
        told: JsonObject = {"source": self.source, "variant": variant, "anneal_ratio": self.anneal_ratio}
        return told if self.policy_hash is None else {**told, "policy_hash": self.policy_hash}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Selection:
    """What was selected for a tick.

    Attributes:
        actions: Seats × heads.
        policy: Who selected it.
        opinions: By seat, where a learned policy decided.
    """

    actions: I32
    policy: PolicyIdentity = field(default_factory=PolicyIdentity)
    opinions: Mapping[int, Opinion] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """`scripted` or `learned`."""
        return self.policy.source


class LiveWorld(Protocol):
    """One copy of a world that runs live."""

    @property
    def identity(self) -> LiveIdentity:
        """Who it is; changes with a reload."""

    @property
    def spec(self) -> WorldSpec:
        """Its contract."""

    @property
    def clock(self) -> Clock:
        """The tick that is being or will next be executed."""

    @property
    def subject(self) -> object:
        """What the world's own console commands are given."""

    def schedule(self) -> None:
        """Stage 2: what is due happens, seats are taken, an episode that is over begins anew."""

    def view(self) -> View:
        """What policies see before stage 3; the arrays are reused by the next call."""

    def expert_actions(self) -> I32:
        """What the world's own controller, or the no-op, selects now: seats × heads."""

    def decide(self, selection: Selection) -> None:
        """Stage 3."""

    def resolve(self) -> None:
        """Stage 4."""

    def settle(self) -> None:
        """Stage 5: afterwards `take_events` and `record` are complete."""

    def advance(self) -> None:
        """Go on to the next tick, after stage 7."""

    def take_events(self) -> Sequence[LiveEvent]:
        """Hand over what happened since the last call, in order."""

    def record(self, events: Sequence[LiveEvent], transport: JsonObject) -> TickRecord:
        """Describe the tick for the stability monitor."""

    def narrate(self, events: Sequence[LiveEvent]) -> Sequence[Narration]:
        """Say what of this is worth a sentence; nothing is limited here."""

    def blocks(self) -> JsonObject:
        """The whole state by block, as a telemetry snapshot tells it; `map` and the like included."""

    def changes(self) -> JsonObject:
        """A merge patch from what `blocks` or `changes` told last to now; found by what was marked as changed."""

    def scene(self) -> JsonObject:
        """What a viewer needs to draw this moment: the world's render state."""

    def people(self) -> Iterable[tuple[str, str]]:
        """Id and shown name of everybody who ever had a seat, for whoever must hide them."""

    def kpis(self) -> Mapping[str, float]:
        """KPI values of the running window."""

    def close_window(self) -> Mapping[str, float]:
        """KPI values of the promotion window that ends now, and begin the next."""

    def forget_context(self) -> None:
        """Clear what policies remember of every seat: the policy has changed."""

    def state_hash(self) -> int:
        """Hash of the canonical state."""

    def save(self) -> JsonObject:
        """Everything that can influence the future, as JSON values."""

    def load(self, body: JsonObject) -> None:
        """Take over what `save` wrote; on an error nothing changes.

        Raises:
            SnapshotError: It is no state of this world.
        """

    def plan_reload(self, section: str | None) -> "Reload":
        """Read the configuration and its files again and say what would change.

        Raises:
            ConfigError: What is there now is wrong.
        """


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reload:
    """A reload that was checked and can be applied.

    Attributes:
        paths: What differs.
        refused: Paths that need a restart; nothing is applied while there are any.
        settings: The services' settings afterwards.
        apply: Do it, at the start of stage 1.
    """

    paths: tuple[str, ...]
    refused: tuple[str, ...]
    checksum_before: str
    checksum_after: str
    settings: LiveSettings
    apply: Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LiveOffer:
    """How a world runs live.

    Attributes:
        open: From a configuration, the file it came from if any, and a seed.
        settings: The services' settings that a configuration holds.
        commands: The world's own console commands; they are given `LiveWorld.subject`.
        events: Its catalogue.
        analyzers: Made for a configuration's thresholds.
        canaries: Alerts that recommend a rollback while a release is on probation.
        kpis: How its numbers are judged; keys are those of `LiveWorld.kpis`.
    """

    open: Callable[[WorldConfig, Path | None, int], LiveWorld]
    settings: Callable[[WorldConfig], LiveSettings]
    commands: tuple[Command[Any, Any], ...]
    events: tuple[EventKind, ...]
    analyzers: Callable[[WorldConfig], tuple[Analyzer, ...]]
    canaries: frozenset[str]
    kpis: tuple[KpiTarget, ...]
