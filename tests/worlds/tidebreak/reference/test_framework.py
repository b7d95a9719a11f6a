"""Outputs, events, static fields: the parts rules stand on."""

from diorama.worlds.tidebreak.codes import Layer
from diorama.worlds.tidebreak.reference.events import EventKind, EventLog
from diorama.worlds.tidebreak.reference.fields import Field
from diorama.worlds.tidebreak.reference.orders import Order
from diorama.worlds.tidebreak.reference.outputs import Outputs, Plugin, Scuttle, SetHelm
from tests.worlds.tidebreak.reference.battles import arena, run, ship


def test_outputs_go_by_source_then_plugin_then_sequence() -> None:
    outputs = Outputs()
    outputs.emit(Plugin.HAZARD, SetHelm(2, 0.1, 0.0))
    outputs.emit(Plugin.CONTROLLER, SetHelm(2, 0.2, 0.0))
    outputs.emit(Plugin.CONTROLLER, SetHelm(1, 0.3, 0.0))
    outputs.emit(Plugin.CONTROLLER, Scuttle(1))
    outputs.emit(Plugin.CONTROLLER, SetHelm(1, 0.4, 0.0))

    assert [helm.throttle for helm in outputs.of(SetHelm)] == [0.3, 0.4, 0.2, 0.1]


def test_event_ids_do_not_depend_on_collecting() -> None:
    quiet, loud = EventLog(), EventLog(is_collecting=True)
    for log in (quiet, loud):
        shot = log.record(0, EventKind.WEAPON_FIRED, 1, 2)
        log.record(1, EventKind.HIT, 1, 2, cause=shot)

    assert quiet.next_event_id == loud.next_event_id == 3
    assert len(quiet) == 0
    assert [event.trace for event in loud] == [1, 1]


def test_the_map_is_in_the_static_fields() -> None:
    rock = {"shape": {"type": "circle", "radius": 600}, "position": [2000, 0], "layers": ["SURFACE"]}
    weed = {"shape": {"type": "circle", "radius": 600}, "position": [-2000, 0], "material": "soft", "intensity": 0.6}
    area = {
        "obstacles": [rock, weed],
        "bathymetry": {"kind": "grid", "rows": [[100, 100], [100, 100]]},
        "currents": {"kind": "uniform", "vector": [1.0, 0.5]},
    }
    fields = arena(ship("a"), area=area).battle.fields

    assert fields.point(Layer.SURFACE, 2_000.0, 0.0)[Field.OCCUPANCY] == 1.0
    assert fields.point(Layer.SUBMERGED, 2_000.0, 0.0)[Field.OCCUPANCY] == 0.0
    assert abs(fields.point(Layer.SURFACE, -2_000.0, 0.0)[Field.OCCUPANCY] - 0.3) < 1e-6
    assert fields.point(Layer.ABYSSAL, 0.0, 0.0)[Field.OCCUPANCY] == 1.0
    assert fields.point(Layer.SURFACE, 0.0, 0.0)[Field.DEPTH] == 100.0
    assert fields.point(Layer.SURFACE, 0.0, 0.0)[Field.CURRENT_Y] == 0.5


def test_ships_leave_wakes_and_fires_smoke() -> None:
    battle = arena(ship("a", speed=12.0), ship("b", y=3_000.0), rules={"fields": True})
    battle.battle.units[1].hull.fire = 0.9

    run(battle, 3, a=Order(throttle=1.0, rudder=0.0))

    fields, units = battle.battle.fields, battle.battle.units
    assert fields.point(Layer.SURFACE, units[0].x, units[0].y)[Field.WAKE] > 0.3
    assert fields.point(Layer.SURFACE, units[1].x, units[1].y)[Field.SMOKE] > 0.05
    assert not battle.battle.stamps


def test_without_fields_nothing_is_stamped() -> None:
    battle = arena(ship("a", speed=12.0))

    run(battle, 3, a=Order(throttle=1.0, rudder=0.0))

    assert battle.battle.fields.brick_keys == []
