"""The contract `tidebreak-v1`: what a captain sees, what it can order, what is counted and what can happen."""

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import Final

from diorama.contracts.spec import (
    ActionGroup,
    ActionHead,
    Aggregate,
    Better,
    EventKind,
    Hotkey,
    Metric,
    Ratio,
    WorldSpec,
)
from diorama.worlds.tidebreak.config import ObservationProfile, TidebreakConfig
from diorama.worlds.tidebreak.layout import COMPACT_OBSERVATION, CONTACT_ROWS, OBSERVATION

WORLD_ID: Final = "tidebreak"
INTERFACE_VERSION: Final = "tidebreak-v1"
SNAPSHOT_MAGIC: Final = b"TBSN"
SNAPSHOT_VERSION: Final = 1

THROTTLES: Final = (-0.4, 0.0, 0.2, 0.4, 0.65, 0.85, 1.0)
RUDDERS: Final = (-1.0, -0.5, -0.2, 0.0, 0.2, 0.5, 1.0)  # positive turns left


class Head(IntEnum):
    """Place of each head in a decision."""

    THROTTLE = 0
    RUDDER = 1
    LAYER = 2
    EMISSIONS = 3
    WEAPON = 4
    TARGET = 5
    SUPPORT = 6


class LayerOrder(IntEnum):
    """Options of the layer head."""

    HOLD = 0
    UP = 1
    DOWN = 2
    POP_UP = 3


class EmissionsOrder(IntEnum):
    """Options of the emissions head; an order is one more than the `Emissions` it asks for."""

    KEEP = 0
    SILENT = 1
    PASSIVE = 2
    ACTIVE = 3


class WeaponOrder(IntEnum):
    """Options of the weapon head; 1-6 are the codes of `WeaponGroup`."""

    HOLD = 0
    GUN = 1
    TORPEDO = 2
    MISSILE = 3
    ASW = 4
    MINE = 5
    AIR = 6
    FREE = 7


class SupportOrder(IntEnum):
    """Options of the support head."""

    NONE = 0
    DECOY = 1
    DC_BALANCED = 2
    DC_FIRE = 3
    DC_FLOOD = 4
    DC_REPAIR = 5
    BOARD = 6
    SCUTTLE = 7


KEEP_TARGET: Final = 0
NOOP_THROTTLE: Final = 1
NOOP_RUDDER: Final = 3
FIRST_FOCUS_ORDER: Final = SupportOrder.DC_BALANCED

HEADS: Final = (
    ActionHead(
        name="throttle",
        options=("astern", "stop", "ahead_20", "ahead_40", "ahead_65", "ahead_85", "flank"),
        noop=NOOP_THROTTLE,
    ),
    ActionHead(
        name="rudder",
        options=("hard_right", "right", "slight_right", "midships", "slight_left", "left", "hard_left"),
        noop=NOOP_RUDDER,
    ),
    ActionHead(name="layer", options=("hold", "up", "down", "pop_up"), noop=LayerOrder.HOLD),
    ActionHead(name="emissions", options=("no_change", "silent", "passive", "active"), noop=EmissionsOrder.KEEP),
    ActionHead(
        name="weapon",
        options=("hold", "gun", "torpedo", "missile", "asw", "mine", "air", "free"),
        noop=WeaponOrder.HOLD,
    ),
    ActionHead(name="target", options=("keep", *(f"row_{row}" for row in range(CONTACT_ROWS))), noop=KEEP_TARGET),
    ActionHead(
        name="support",
        options=("none", "decoy", "dc_balanced", "dc_fire", "dc_flood", "dc_repair", "board", "scuttle"),
        noop=SupportOrder.NONE,
    ),
)
# Options that a decision of several ticks orders again on every tick; all others are orders of its first tick alone.
# A posture, a depth or a designation lasts by itself, and a named weapon group fires one salvo.
HELD_OPTIONS: Final[Mapping[Head, tuple[int, ...]]] = {
    Head.THROTTLE: tuple(range(len(THROTTLES))),
    Head.RUDDER: tuple(range(len(RUDDERS))),
    Head.LAYER: (),
    Head.EMISSIONS: (),
    Head.WEAPON: (WeaponOrder.FREE,),
    Head.TARGET: (),
    Head.SUPPORT: (SupportOrder.BOARD, SupportOrder.SCUTTLE),  # both are broken off on the first tick without the order
}
HEAD_SIZES: Final = tuple(len(head.options) for head in HEADS)
HEAD_OFFSETS: Final = tuple(sum(HEAD_SIZES[:head]) for head in range(len(HEADS)))
N_OPTIONS: Final = sum(HEAD_SIZES)


def _options(*heads: Head) -> tuple[int, ...]:
    return tuple(HEAD_OFFSETS[head] + option for head in heads for option in range(HEAD_SIZES[head]))


ACTION_GROUPS: Final = (
    ActionGroup(
        id="helm",
        title="Helm",
        description="How fast to go and where to turn.",
        actions=_options(Head.THROTTLE, Head.RUDDER),
    ),
    ActionGroup(
        id="depth_and_emissions",
        title="Depth and emissions",
        description="Change the layer, and how much the ship gives away of itself.",
        actions=_options(Head.LAYER, Head.EMISSIONS),
    ),
    ActionGroup(
        id="weapons",
        title="Weapons",
        description="What to fire, and at which contact.",
        actions=_options(Head.WEAPON, Head.TARGET),
    ),
    ActionGroup(
        id="support",
        title="Support",
        description="Decoys, damage control, boarding and the last way out.",
        actions=_options(Head.SUPPORT),
    ),
)


def _key(key: str, head: Head, option: int, hint: str) -> Hotkey:
    return Hotkey(key=key, action=HEAD_OFFSETS[head] + option, hint=hint)


HOTKEYS: Final = (
    _key("s", Head.THROTTLE, 0, "full astern"),
    _key("x", Head.THROTTLE, 1, "stop"),
    _key("w", Head.THROTTLE, 4, "ahead"),
    _key("e", Head.THROTTLE, 6, "flank speed"),
    _key("d", Head.RUDDER, 0, "hard right"),
    _key("c", Head.RUDDER, 3, "rudder midships"),
    _key("a", Head.RUDDER, 6, "hard left"),
    _key("u", Head.LAYER, LayerOrder.UP, "up one layer"),
    _key("j", Head.LAYER, LayerOrder.DOWN, "down one layer"),
    _key("z", Head.EMISSIONS, EmissionsOrder.SILENT, "silent"),
    _key("p", Head.EMISSIONS, EmissionsOrder.PASSIVE, "passive sensors"),
    _key("r", Head.EMISSIONS, EmissionsOrder.ACTIVE, "active sensors"),
    _key("f", Head.WEAPON, WeaponOrder.FREE, "fire at will"),
    _key("g", Head.WEAPON, WeaponOrder.GUN, "fire guns"),
    _key("t", Head.WEAPON, WeaponOrder.TORPEDO, "fire torpedoes"),
    _key("1", Head.TARGET, 1, "designate contact 1"),
    _key("2", Head.TARGET, 2, "designate contact 2"),
    _key("3", Head.TARGET, 3, "designate contact 3"),
    _key("q", Head.SUPPORT, SupportOrder.DECOY, "launch a decoy"),
    _key("b", Head.SUPPORT, SupportOrder.BOARD, "board the target"),
)

METRICS: Final = (
    Metric(key="win", label="Win", better=Better.HIGHER),  # a mean: a draw counts half
    Metric(key="survival", label="Survival", better=Better.HIGHER, aggregate=Aggregate.EPISODE_FINAL_RATE),
    Metric(key="cost_margin", label="Cost margin", unit="share", better=Better.HIGHER),
    Metric(key="damage_dealt", label="Damage dealt", unit="hp", better=Better.HIGHER),
    Metric(key="damage_taken", label="Damage taken", unit="hp", better=Better.LOWER),
    Metric(key="kills", label="Kills", better=Better.HIGHER),
    Metric(key="shots", label="Shots"),
    Metric(key="hits", label="Hits", better=Better.HIGHER),
    Metric(key="contacts_held", label="Contacts held", unit="tracks", better=Better.HIGHER),
    Metric(key="invalid_actions", label="Invalid orders", better=Better.LOWER),
    Metric(key="battle_ticks", label="Battle ticks", unit="ticks"),
)


class Event(StrEnum):
    """What can happen in a tick, in bit order."""

    BATTLE_START = "battle_start"
    BATTLE_END = "battle_end"
    WEAPON_FIRED = "weapon_fired"
    MUNITION_SPENT = "munition_spent"
    HIT = "hit"
    DAMAGE = "damage"
    CRITICAL = "critical"
    DESTROYED = "destroyed"
    DISABLED = "disabled"
    SURRENDERED = "surrendered"
    CAPTURED = "captured"
    SCUTTLED = "scuttled"
    EXITED = "exited"
    COLLISION = "collision"
    GROUNDING = "grounding"
    TRANSITION_START = "transition_start"
    TRANSITION_COMPLETE = "transition_complete"
    TRANSITION_BOTCHED = "transition_botched"
    PING = "ping"
    CONTACT_NEW = "contact_new"
    CONTACT_UPGRADED = "contact_upgraded"
    CONTACT_LOST = "contact_lost"
    DECOY = "decoy"
    PD_KILL = "pd_kill"
    FIRE_STARTED = "fire_started"
    FLOODING_STARTED = "flooding_started"
    BOARDING_STATE = "boarding_state"
    BEACHHEAD = "beachhead"
    REPULSED = "repulsed"
    SQUADRON_LAUNCHED = "squadron_launched"
    SQUADRON_LOST = "squadron_lost"
    OBJECTIVE_COMPLETED = "objective_completed"
    OBJECTIVE_FAILED = "objective_failed"
    LIGHTNING = "lightning"
    HAZARD = "hazard"
    FIELD_SATURATED = "field_saturated"
    MUNITION_CAP = "munition_cap"
    CONFLICT = "conflict"
    OPERATOR = "operator"


# Every event of the kind in the step: id, source, target, cause, f0, f1, i0, and its tick if decisions last several.
EVENT_PAYLOAD: Final = ("records",)

VARIANTS: Final = {"compact": {"observation": "compact"}}


def nearest_step(steps: tuple[float, ...], value: float) -> int:
    """Return the option of a head whose step, of `THROTTLES` or `RUDDERS`, lies nearest to a value."""
    return min(range(len(steps)), key=lambda option: abs(steps[option] - value))


def describe(config: TidebreakConfig) -> WorldSpec:
    """Return the contract; the configuration sets the seats and the observation profile."""
    is_compact = config.observation is ObservationProfile.COMPACT
    return WorldSpec(
        world=WORLD_ID,
        interface_version=INTERFACE_VERSION,
        agents=config.seats,
        observation=COMPACT_OBSERVATION if is_compact else OBSERVATION,
        heads=HEADS,
        has_mask=True,
        metrics=METRICS,
        events=tuple(EventKind(name=event.value, payload=EVENT_PAYLOAD) for event in Event),
        tick_seconds=1.0,
        snapshot_magic=SNAPSHOT_MAGIC,
        snapshot_version=SNAPSHOT_VERSION,
        groups=ACTION_GROUPS,
        hotkeys=HOTKEYS,
        headline=("win", "cost_margin"),
        risk_metrics=("damage_taken", "invalid_actions", "shots", "contacts_held"),
        aliases=(("win_rate", "win"), ("survival_rate", "survival")),
        milestones=(("win", (0.5, 0.65, 0.9)), ("survival", (1.0,))),
        end_events=((Event.BATTLE_END.value, "battle_end"),),
        ratios=(
            Ratio(key="ammo_per_kill", over="shots", under="kills"),
            Ratio(key="invalid_share", over="invalid_actions", under="battle_ticks"),
        ),
        rejects_unknown_options=True,
        real_time=True,
    )
