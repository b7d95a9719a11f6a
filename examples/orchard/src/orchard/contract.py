"""The contract `orchard-v1`: what the picker sees, what it can do, what is counted and what can happen."""

from typing import Final

from pydantic import Field

from diorama.contracts.config import WorldConfig
from diorama.contracts.spec import (
    ActionGroup,
    ActionHead,
    Better,
    EventKind,
    Hotkey,
    Metric,
    ObservationField,
    WorldSpec,
)

WORLD_ID: Final = "orchard"
SIZE: Final = 5  # the orchard is a square of trees
MAX_CARRIED: Final = 4

WAIT, NORTH, EAST, SOUTH, WEST, PICK, EMPTY = range(7)
ACTIONS: Final = ("WAIT", "NORTH", "EAST", "SOUTH", "WEST", "PICK", "EMPTY")
MOVES: Final = {NORTH: (-1, 0), EAST: (0, 1), SOUTH: (1, 0), WEST: (0, -1)}


class OrchardConfig(WorldConfig):
    """What may differ from one orchard to another."""

    length: int = Field(default=120, ge=1, le=10_000, description="Ticks after which an episode is cut off.")
    ripening: float = Field(default=0.8, gt=0.0, le=1.0, description="Chance per tick that an apple ripens somewhere.")


SPEC: Final = WorldSpec(
    world=WORLD_ID,
    interface_version="orchard-v1",
    agents=1,
    observation=(
        ObservationField(name="place", start=0, shape=(2,), meaning="row and column of the picker / 4"),
        ObservationField(name="carried", start=2, meaning="apples in the apron / 4"),
        ObservationField(name="time_left", start=3, meaning="ticks left / length of the episode"),
        ObservationField(name="ripe", start=4, shape=(SIZE, SIZE), meaning="1 where an apple is ripe"),
    ),
    heads=(ActionHead(name="action", options=ACTIONS, noop=WAIT),),
    has_mask=True,
    metrics=(
        Metric(key="delivered", label="Apples delivered", unit="apples", better=Better.HIGHER),
        Metric(key="picked", label="Apples picked", unit="apples", better=Better.HIGHER),
    ),
    events=(
        EventKind(name="invalid_action"),
        EventKind(name="picked"),
        EventKind(name="delivered", payload=("apples",)),
        EventKind(name="time_up"),
    ),
    tick_seconds=1.0,
    snapshot_magic=b"ORCH",
    snapshot_version=1,
    groups=(
        ActionGroup(id="walk", title="Walk", description="One tree further, or stay.", actions=(0, 1, 2, 3, 4)),
        ActionGroup(id="work", title="Work", description="Pick here, or empty the apron.", actions=(PICK, EMPTY)),
    ),
    hotkeys=(
        Hotkey(key="w", action=NORTH, hint="north"),
        Hotkey(key="d", action=EAST, hint="east"),
        Hotkey(key="s", action=SOUTH, hint="south"),
        Hotkey(key="a", action=WEST, hint="west"),
        Hotkey(key="e", action=PICK, hint="pick"),
        Hotkey(key="q", action=EMPTY, hint="empty the apron"),
    ),
    headline=("delivered",),
    end_events=(("time_up", "time_up"),),
)


def describe(_config: OrchardConfig) -> WorldSpec:
    """Return the contract; it is the same in every configuration."""
    return SPEC
