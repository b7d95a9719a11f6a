"""Orders of agents and scripts become outputs; helm, emissions, focus and designation are carried out here."""

from diorama.worlds.tidebreak.codes import UnitKind
from diorama.worlds.tidebreak.reference.draws import Stream, uniform
from diorama.worlds.tidebreak.reference.orders import Controller, Order
from diorama.worlds.tidebreak.reference.outputs import (
    Board,
    Designate,
    Emit,
    FireGroup,
    LaunchDecoy,
    LayerOrder,
    Outputs,
    Scuttle,
    SetEmissions,
    SetFocus,
    SetHelm,
)
from diorama.worlds.tidebreak.reference.state import Battle, Unit


def control(battle: Battle, unit: Unit, emit: Emit) -> None:
    """Emit what the unit's latched order or script says; nothing tells the two apart."""
    order = _order(battle, unit)
    if order is None or not unit.is_effective or unit.identity.kind == UnitKind.SQUADRON:
        return
    if order.emissions is not None:
        emit(SetEmissions(unit.id, order.emissions))
    if order.focus is not None:
        emit(SetFocus(unit.id, order.focus))
    emit(SetHelm(unit.id, order.throttle, order.rudder))
    track_id = order.track_id or unit.memory.designated_track
    if order.track_id:
        emit(Designate(unit.id, order.track_id))
    if order.layer is not None:
        emit(LayerOrder(unit.id, order.layer))
    for group in order.groups:
        emit(FireGroup(unit.id, group, track_id))
    if order.decoy:
        emit(LaunchDecoy(unit.id))
    if order.board_id:
        emit(Board(unit.id, order.board_id))
    if order.scuttle:
        emit(Scuttle(unit.id))


def _order(battle: Battle, unit: Unit) -> Order | None:
    controller = battle.controllers.get(unit.id)
    if controller is None or controller.script is None:
        return battle.latched.get(unit.id)
    if not _is_heard(battle, unit, controller):
        return Order(throttle=0.0, rudder=0.0)
    return controller.script(battle, unit)


def _is_heard(battle: Battle, unit: Unit, controller: Controller) -> bool:
    return controller.skill >= 1.0 or uniform(battle, Stream.SCRIPTS, unit.id, 0, 1) < controller.skill


def resolve_command(battle: Battle, outputs: Outputs) -> None:
    """Set emissions, focus, helm and designation; whoever cannot fight on lets go of the helm."""
    for posture in outputs.of(SetEmissions):
        battle.unit(posture.source).posture.emissions = int(posture.code)
    for focus in outputs.of(SetFocus):
        battle.unit(focus.source).posture.dc_focus = int(focus.code)
    for helm in outputs.of(SetHelm):
        motion = battle.unit(helm.source).motion
        motion.cmd_throttle, motion.cmd_rudder = helm.throttle, helm.rudder
    for designation in outputs.of(Designate):
        battle.unit(designation.source).memory.designated_track = designation.track_id
    for unit in battle.units:
        if not unit.is_effective:
            unit.motion.cmd_throttle, unit.motion.cmd_rudder = 0.0, 0.0
    for unit_id, order in battle.latched.items():
        for _ in range(order.invalid):
            battle.unit(unit_id).note_invalid()
