"""Everything in flight, once per substep and by id: it moves, strikes, bursts, waits or runs out."""

from typing import assert_never

from diorama.worlds.tidebreak.codes import MunitionKind
from diorama.worlds.tidebreak.reference.components import Munition
from diorama.worlds.tidebreak.reference.outputs import Outputs, Steer
from diorama.worlds.tidebreak.reference.state import Battle
from diorama.worlds.tidebreak.reference.systems.charges_and_mines import burst_charge, trigger_mine
from diorama.worlds.tidebreak.reference.systems.decoys import drift_decoy
from diorama.worlds.tidebreak.reference.systems.guidance import guide
from diorama.worlds.tidebreak.reference.systems.homing import run_and_strike
from diorama.worlds.tidebreak.reference.systems.salvos import fall

__all__ = ["guide", "move_and_impact"]


def move_and_impact(battle: Battle, outputs: Outputs) -> None:
    """Advance every munition by one substep and take out those that end."""
    steers = {steer.source: steer for steer in outputs.of(Steer)}
    for munition in list(battle.munitions):
        # A decoy may have been destroyed by a munition with a lower id.
        is_gone = munition.kind == MunitionKind.DECOY and battle.find_munition(munition.id) is None
        if not is_gone and _advance(battle, munition, steers, outputs):
            battle.munitions.remove(munition)


def _advance(battle: Battle, munition: Munition, steers: dict[int, Steer], outputs: Outputs) -> bool:
    """Return whether the munition ends."""
    kind = MunitionKind(munition.kind)
    match kind:
        case MunitionKind.SALVO:
            return fall(battle, munition, outputs)
        case MunitionKind.TORPEDO | MunitionKind.MISSILE:
            return run_and_strike(battle, munition, steers[munition.id], outputs)
        case MunitionKind.CHARGE:
            return burst_charge(battle, munition, outputs)
        case MunitionKind.MINE:
            return trigger_mine(battle, munition, outputs)
        case MunitionKind.DECOY:
            return drift_decoy(battle, munition)
        case unknown:
            assert_never(unknown)
