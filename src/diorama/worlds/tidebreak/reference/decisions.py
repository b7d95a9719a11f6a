"""From a decision, one option per head, to the orders of a tick."""

from collections.abc import Sequence
from typing import Final

from diorama.contracts.errors import ContractError
from diorama.contracts.records import Decision
from diorama.worlds.tidebreak.codes import DcFocus, Emissions, WeaponGroup
from diorama.worlds.tidebreak.contract import (
    FIRST_FOCUS_ORDER,
    HEAD_OFFSETS,
    HEADS,
    HELD_OPTIONS,
    KEEP_TARGET,
    RUDDERS,
    THROTTLES,
    EmissionsOrder,
    Head,
    LayerOrder,
    SupportOrder,
    WeaponOrder,
)
from diorama.worlds.tidebreak.layout import HOSTILE_ROWS
from diorama.worlds.tidebreak.reference.components import Track
from diorama.worlds.tidebreak.reference.masks import action_mask, boardable_track
from diorama.worlds.tidebreak.reference.orders import FREE_FIRE, Order
from diorama.worlds.tidebreak.reference.outputs import LayerDirection
from diorama.worlds.tidebreak.reference.state import Battle, Unit

_DIRECTIONS: Final = {
    LayerOrder.UP: LayerDirection.UP,
    LayerOrder.DOWN: LayerDirection.DOWN,
    LayerOrder.POP_UP: LayerDirection.POP_UP,
}
_FOCI: Final = (DcFocus.BALANCED, DcFocus.FIRE, DcFocus.FLOOD, DcFocus.REPAIR)


def check_decision(decision: Sequence[int]) -> None:
    """Refuse options that do not exist.

    Raises:
        ContractError: With the head and the option; the message starts with C002.
    """
    if len(decision) != len(HEADS):
        raise ContractError(f"C002 a decision has {len(decision)} options; it must have {len(HEADS)}")
    for head, option in zip(HEADS, decision, strict=True):
        if not 0 <= option < len(head.options):
            raise ContractError(f"C002 {head.name} is {option}; it must be 0 to {len(head.options) - 1}")


def order_of(battle: Battle, unit: Unit, decision: Sequence[int]) -> Order:
    """Turn a checked decision into orders; rows mean the contacts of the last observation."""
    track = _named_track(unit, decision[Head.TARGET])
    support = SupportOrder(decision[Head.SUPPORT])
    boarded = _boarded_unit(battle, unit, track) if support is SupportOrder.BOARD else 0
    is_row_empty = decision[Head.TARGET] != KEEP_TARGET and track is None
    is_board_empty = support is SupportOrder.BOARD and boarded == 0
    return Order(
        throttle=THROTTLES[decision[Head.THROTTLE]],
        rudder=RUDDERS[decision[Head.RUDDER]],
        layer=_DIRECTIONS.get(LayerOrder(decision[Head.LAYER])),
        emissions=_emissions(decision[Head.EMISSIONS]),
        groups=_groups(decision[Head.WEAPON]),
        track_id=0 if track is None else track.track_id,
        focus=_focus(support),
        decoy=support is SupportOrder.DECOY,
        board_id=boarded,
        scuttle=support is SupportOrder.SCUTTLE,
        invalid=int(is_row_empty) + int(is_board_empty),
    )


def repeated(battle: Battle, unit: Unit, decision: Sequence[int]) -> Decision:
    """Return what a decision orders on a tick after its first: what is held and the mask allows, else the no-op."""
    mask = action_mask(battle, unit)
    return tuple(
        option if option in HELD_OPTIONS[head] and mask[HEAD_OFFSETS[head] + option] else HEADS[head].noop
        for head, option in zip(Head, decision, strict=True)
    )


def _named_track(unit: Unit, option: int) -> Track | None:
    row = option - 1
    if option == KEEP_TARGET or row >= HOSTILE_ROWS:
        return None
    return unit.tracks.get(unit.memory.contact_rows[row])


def _boarded_unit(battle: Battle, unit: Unit, named: Track | None) -> int:
    track = boardable_track(battle, unit, named)
    return 0 if track is None else track.target_id


def _emissions(option: int) -> Emissions | None:
    return None if option == EmissionsOrder.KEEP else Emissions(option - 1)


def _groups(option: int) -> tuple[WeaponGroup, ...]:
    if option == WeaponOrder.HOLD:
        return ()
    return FREE_FIRE if option == WeaponOrder.FREE else (WeaponGroup(option),)


def _focus(support: SupportOrder) -> DcFocus | None:
    place = support - FIRST_FOCUS_ORDER
    return _FOCI[place] if 0 <= place < len(_FOCI) else None
