"""One tick as a list of phases; each phase is plugins, then resolvers.

Plugins read the state as it stood when the phase began and emit outputs; resolvers then write, in the order shown, and
nothing else writes. Both are plain functions:

    plugin(battle: Battle, unit: Unit, emit: Emit) -> None         once per present unit, by id
    resolver(battle: Battle, outputs: Outputs) -> None             once per phase (per substep in SUBSTEP)

A resolver takes `outputs.of(Kind)` and may `outputs.emit(Plugin.X, output)` for resolvers after it in the same phase
(collisions emit Damage, which `resolve_damage` takes). A `StampField` of any phase waits for FIELDS.

What this module asks of those beside it:

    systems/compartments.py    usable(unit, system) -> float: a system's fraction under the cap of its hosts
    systems/point_defence.py   point_defence(battle, unit, emit): emits FireGroup(AUTOMATIC, slot, target)
    systems/fire.py            resolve_fire(battle, outputs): FireGroup -> munitions, squadrons, PD kills
    systems/munitions.py       guide(battle, munition, emit): plugin per torpedo and missile, emits Steer
                               move_and_impact(battle, outputs): Steer -> flight, HIT events, Damage, StampField;
                               removes what is spent
    systems/damage.py          resolve_damage(battle, outputs): Damage -> Hull, Crew, fates, DAMAGE events; adds what
                               took effect to `layer.trans_damage` of a unit in transit; scratch and memory of both
                               finish_hulls(battle, outputs): last of SUSTAIN, derives the status bits of hulls
    systems/damage_control.py  damage_control(battle, unit, emit): burning and flooding as Damage
                               resolve_sustain(battle, outputs): Modify of HULL, then fire, flood and repair
    systems/boarding.py        resolve_boarding(battle, outputs): reads `scratch.board_target`
    systems/squadrons.py       move_squadrons(battle, outputs): flight and strikes, in SUBSTEP
                               squadron_spec(battle, unit_id, team) -> ResolvedUnit, for restored squadrons
    systems/morale.py          resolve_morale(battle, outputs)
    observe/__init__.py        publish_contacts(battle): what contact rows stand for, until the next decision
    sensing/__init__.py        sense(battle, unit, emit): plugin of every present unit, emits Measure
                               resolve_detections, resolve_tracks, resolve_links (battle, outputs)
                               sensed_munitions(battle, unit) -> list[Munition]: hostile torpedoes and missiles that the
                               unit can sense, nearest first

Rewards change nothing here: they are read off `unit.scratch` once the tick is done.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from diorama.worlds.tidebreak.codes import MunitionKind
from diorama.worlds.tidebreak.reference.components import Scratch
from diorama.worlds.tidebreak.reference.judge.objectives import judge_objective, resolve_objectives
from diorama.worlds.tidebreak.reference.judge.termination import resolve_termination
from diorama.worlds.tidebreak.reference.observe import publish_contacts
from diorama.worlds.tidebreak.reference.outputs import Emit, Outputs, Plugin
from diorama.worlds.tidebreak.reference.sensing import resolve_detections, resolve_links, resolve_tracks, sense
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.boarding import resolve_boarding
from diorama.worlds.tidebreak.reference.systems.command import control, resolve_command
from diorama.worlds.tidebreak.reference.systems.currents import sample_currents
from diorama.worlds.tidebreak.reference.systems.damage import finish_hulls, resolve_damage
from diorama.worlds.tidebreak.reference.systems.damage_control import damage_control, resolve_sustain
from diorama.worlds.tidebreak.reference.systems.fire import resolve_fire
from diorama.worlds.tidebreak.reference.systems.fuel import burn_fuel, resolve_stores
from diorama.worlds.tidebreak.reference.systems.hazards import hazard, resolve_hazards
from diorama.worlds.tidebreak.reference.systems.layers import resolve_layer_orders, resolve_layer_timers, transition
from diorama.worlds.tidebreak.reference.systems.morale import resolve_morale
from diorama.worlds.tidebreak.reference.systems.munitions import guide, move_and_impact
from diorama.worlds.tidebreak.reference.systems.physics import resolve_physics
from diorama.worlds.tidebreak.reference.systems.point_defence import point_defence
from diorama.worlds.tidebreak.reference.systems.squadrons import move_squadrons
from diorama.worlds.tidebreak.reference.systems.stamping import keep_stamps, resolve_fields, stamp_sources
from diorama.worlds.tidebreak.reference.systems.storms import resolve_environment
from diorama.worlds.tidebreak.reference.systems.support import resolve_support

UnitPlugin = Callable[[Battle, Unit, Emit], None]
Resolver = Callable[[Battle, Outputs], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """One row of the pipeline; each plugin in turn runs for every present unit, or for those that are gone too."""

    name: str
    plugins: tuple[tuple[Plugin, UnitPlugin], ...] = ()
    resolvers: tuple[Resolver, ...]
    includes_absent: bool = False


ENVIRONMENT: Final = Phase(name="ENVIRONMENT", resolvers=(resolve_environment,))
COMMAND: Final = Phase(
    name="COMMAND",
    plugins=((Plugin.CONTROLLER, control), (Plugin.POINT_DEFENCE, point_defence)),
    resolvers=(resolve_command, resolve_layer_orders, resolve_fire, resolve_support, keep_stamps),
)
SUBSTEP: Final = Phase(
    name="SUBSTEP",
    resolvers=(resolve_physics, move_squadrons, move_and_impact, resolve_damage, keep_stamps),
)
SUSTAIN: Final = Phase(
    name="SUSTAIN",
    plugins=(
        (Plugin.DAMAGE_CONTROL, damage_control),
        (Plugin.HAZARD, hazard),
        (Plugin.TRANSITION, transition),
        (Plugin.FUEL, burn_fuel),
    ),
    resolvers=(
        resolve_layer_timers,
        resolve_hazards,
        resolve_sustain,
        resolve_stores,
        resolve_boarding,
        resolve_damage,
        resolve_morale,
        finish_hulls,
        keep_stamps,
    ),
)
FIELDS: Final = Phase(name="FIELDS", plugins=((Plugin.STAMPS, stamp_sources),), resolvers=(resolve_fields,))
SENSE: Final = Phase(
    name="SENSE",
    plugins=((Plugin.SENSOR, sense),),
    resolvers=(resolve_detections, resolve_tracks, resolve_links),
)
JUDGE: Final = Phase(
    name="JUDGE",
    plugins=((Plugin.OBJECTIVE, judge_objective),),
    resolvers=(resolve_objectives, resolve_termination),
    includes_absent=True,
)


def advance(battle: Battle) -> None:
    """Advance one tick. Reordering phases or resolvers breaks every stored replay."""
    for unit in battle.units:
        unit.memory.was_effective = unit.is_effective
        unit.scratch = Scratch()
    run_phase(battle, ENVIRONMENT)
    run_phase(battle, COMMAND)
    sample_currents(battle)
    for _ in range(battle.rules.substeps):
        run_phase(battle, SUBSTEP)
    run_phase(battle, SUSTAIN)
    run_phase(battle, FIELDS)
    run_phase(battle, SENSE)
    run_phase(battle, JUDGE)
    battle.latched.clear()
    battle.tick += 1
    publish_contacts(battle)


def look_around_first(battle: Battle) -> None:
    """Let the units of a new battle sense once, so that the first observation has contacts; no time passes."""
    run_phase(battle, SENSE)
    publish_contacts(battle)


def run_phase(battle: Battle, phase: Phase) -> None:
    """Let every plugin speak, then let the resolvers write."""
    outputs = Outputs()
    units = battle.units if phase.includes_absent else battle.present_units()
    for code, plugin in phase.plugins:
        emit = outputs.emitter(code)
        for unit in units:
            plugin(battle, unit, emit)
    if phase is SUBSTEP:
        _guide_munitions(battle, outputs)
    for resolver in phase.resolvers:
        resolver(battle, outputs)


def _guide_munitions(battle: Battle, outputs: Outputs) -> None:
    emit = outputs.emitter(Plugin.GUIDANCE)
    for munition in battle.munitions:
        if munition.kind in (MunitionKind.TORPEDO, MunitionKind.MISSILE):
            guide(battle, munition, emit)
