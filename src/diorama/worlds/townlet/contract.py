"""The contract `townlet-v1`: what a citizen sees, what it can do, what is counted and what can happen."""

from collections.abc import Mapping
from typing import Final

from diorama.contracts.spec import (
    ActionGroup,
    ActionHead,
    Aggregate,
    Better,
    EventKind,
    Hotkey,
    Metric,
    ObservationField,
    WorldSpec,
)
from diorama.worlds.townlet.codes import OPTION_NAMES, PRIMITIVE_NAMES
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.events import EVENT_NAMES, SCHEMAS
from diorama.worlds.townlet.events import EventKind as TownEvent
from diorama.worlds.townlet.feature_meanings import meaning
from diorama.worlds.townlet.layout import FEATURE_NAMES, map_channels, map_shape

WORLD_ID: Final = "townlet"
INTERFACE_VERSION: Final = "townlet-v1"
SNAPSHOT_MAGIC: Final = b"TOWN"
SNAPSHOT_VERSION: Final = 2
TICK_SECONDS: Final = 0.25
VARIANTS: Final[Mapping[str, Mapping[str, object]]] = {
    "full": {"features": {"systems": {"observations": "full"}}},
    "compact": {"features": {"systems": {"observations": "compact"}}},
    "primitive": {"policy_runtime": {"action_level": "primitive"}},
}

TOWN_METRICS: Final = (
    Metric(key="self_sufficiency", label="Self-sufficiency", unit="share", better=Better.HIGHER),
    Metric(key="starvation_incidents", label="Starvation incidents", better=Better.LOWER),
    Metric(key="attendance", label="Attendance", unit="share", better=Better.HIGHER),
    Metric(key="lateness", label="Late shifts", unit="share", better=Better.LOWER),
    Metric(key="relationship_coverage", label="Citizens with ties", unit="share", better=Better.HIGHER),
    Metric(key="conflict_escalation", label="Conflicts that escalate", unit="share", better=Better.LOWER),
    Metric(key="option_thrash", label="Changes of mind", unit="share", better=Better.LOWER),
    Metric(key="exits_per_day", label="Exits per day", better=Better.LOWER),
)
CITIZEN_METRICS: Final = (
    Metric(key="lived_days", label="Days lived", unit="days", better=Better.HIGHER),
    Metric(key="mean_need", label="Mean of the needs", better=Better.HIGHER, aggregate=Aggregate.STEP_MEAN),
    Metric(key="wallet", label="Wallet", unit="coins", better=Better.HIGHER),
    Metric(key="wages_earned", label="Wages earned", unit="coins", better=Better.HIGHER),
)
METRICS: Final = (*TOWN_METRICS, *CITIZEN_METRICS)


def describe(config: SimulationConfig) -> WorldSpec:
    """Return the contract of a configuration: variant, action level and seats."""
    has_options = config.policy_runtime.action_level == "option"
    names = OPTION_NAMES if has_options else PRIMITIVE_NAMES
    return WorldSpec(
        world=WORLD_ID,
        interface_version=INTERFACE_VERSION,
        agents=config.world.seats,
        observation=_observation(config),
        heads=(ActionHead(name="option" if has_options else "primitive", options=names, noop=0),),
        has_mask=True,
        metrics=METRICS,
        events=tuple(
            EventKind(name=EVENT_NAMES[kind], payload=tuple(field.name for field in SCHEMAS[kind].fields))
            for kind in TownEvent
        ),
        tick_seconds=TICK_SECONDS,
        snapshot_magic=SNAPSHOT_MAGIC,
        snapshot_version=SNAPSHOT_VERSION,
        groups=_OPTION_GROUPS if has_options else _PRIMITIVE_GROUPS,
        hotkeys=_OPTION_KEYS if has_options else _PRIMITIVE_KEYS,
        headline=("self_sufficiency", "attendance"),
        end_events=(("agent_exit", "exit"),),
        real_time=True,
    )


def _observation(config: SimulationConfig) -> tuple[ObservationField, ...]:
    shape = map_shape(config)
    channels = ", ".join(map_channels(config))
    picture = (
        ObservationField(name="map", start=0, shape=tuple(shape), low=-1.0, high=1.0, meaning=f"Window: {channels}."),
    )
    features = tuple(
        ObservationField(name=name, start=shape.size + place, low=-1.0, high=1.0, meaning=meaning(name))
        for place, name in enumerate(FEATURE_NAMES)
    )
    return (*(picture if shape.size else ()), *features)


_OPTION_GROUPS: Final = (
    ActionGroup(id="needs", title="Needs", description="Looking after oneself.", actions=(1, 2, 5)),
    ActionGroup(id="duties", title="Duties", description="Work and supplies.", actions=(3, 4)),
    ActionGroup(id="company", title="Company", description="With others, or away from them.", actions=(6, 7, 0)),
)
_PRIMITIVE_GROUPS: Final = (
    ActionGroup(id="walk", title="Walk", description="One tile.", actions=(1, 2, 3, 4, 0)),
    ActionGroup(id="use", title="Use", description="The object in reach.", actions=(5, 6, 7, 8, 9)),
    ActionGroup(id="others", title="Others", description="Talk, or let somebody go first.", actions=(10, 11)),
)
_OPTION_KEYS: Final = tuple(
    Hotkey(key=str(number), action=number, hint=name) for number, name in enumerate(OPTION_NAMES)
)
_PRIMITIVE_KEYS: Final = tuple(
    Hotkey(key=key, action=action, hint=PRIMITIVE_NAMES[action])
    for key, action in (
        (" ", 0),
        ("ArrowUp", 1),
        ("ArrowRight", 2),
        ("ArrowDown", 3),
        ("ArrowLeft", 4),
        ("e", 5),
        ("r", 6),
        ("f", 7),
        ("g", 8),
        ("q", 9),
        ("t", 10),
        ("y", 11),
    )
)
