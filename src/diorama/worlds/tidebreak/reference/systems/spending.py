"""The end of a munition."""

from diorama.worlds.tidebreak.codes import MunitionKind
from diorama.worlds.tidebreak.reference.components import Munition
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.state import Battle


def spend(battle: Battle, munition: Munition, *, has_effect: bool, cause: int = 0) -> None:
    """Note that a munition has ended; whoever calls takes it out of the battle.

    Args:
        battle: Where it was.
        munition: What ended.
        has_effect: A weapon that ends without effect counts as wasted by its owner; a decoy is no weapon.
        cause: Event that ended it; the shot itself unless given.
    """
    battle.record(
        EventKind.MUNITION_SPENT,
        munition.id,
        cause=cause or munition.fired_event,
        f0=munition.x,
        f1=munition.y,
        i0=munition.kind,
    )
    if not has_effect and munition.kind != MunitionKind.DECOY:
        battle.unit(munition.owner_id).scratch.wasted += 1
