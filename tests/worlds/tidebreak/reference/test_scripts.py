"""Scripted controllers, each in the situation it was made for."""

from math import pi
from typing import Any

import pytest

from diorama.contracts.errors import ConfigError
from diorama.numerics import atan2, hyp, wrap
from diorama.worlds.tidebreak.codes import NO_LAYER, DcFocus, Emissions, Iff, Layer, WeaponGroup
from diorama.worlds.tidebreak.reference.arena import Arena
from diorama.worlds.tidebreak.reference.components import MateFix, Track
from diorama.worlds.tidebreak.reference.orders import Order
from diorama.worlds.tidebreak.reference.outputs import LayerDirection
from diorama.worlds.tidebreak.reference.scripts import SCRIPTS, controller_named
from diorama.worlds.tidebreak.reference.scripts.auto import suitable_script
from diorama.worlds.tidebreak.reference.scripts.course import SEARCH_CIRCLE, clear_of_mates, search_heading
from diorama.worlds.tidebreak.reference.scripts.evader import nearest_edge_heading
from diorama.worlds.tidebreak.reference.scripts.targeting import best_track
from diorama.worlds.tidebreak.reference.state import Unit
from tests.worlds.tidebreak.reference.battles import SIDE_M, Document, arena, run, ship, unit_of
from tests.worlds.tidebreak.reference.munitions import torpedo


def track(track_id: int, x: float, y: float, **more: object) -> Track:
    values: dict[str, object] = {
        "track_id": track_id,
        "target_id": 0,
        "x": x,
        "y": y,
        "vx": 0.0,
        "vy": 0.0,
        "P": 100.0,
        "quality": 2,
        "age": 0,
        "hits": 10,
        "bearing_only": False,
        "layer_est": int(Layer.SURFACE),
        "class_level": 0,
        "id_conf": 0.0,
        "iff": int(Iff.UNKNOWN),
        "is_munition": False,
        "modalities": 1,
        "shared": False,
    }
    return Track(**values | more)  # type: ignore[arg-type]  # a table of defaults


def alone(class_id: str = "corvette", area: Document | None = None, **more: Any) -> tuple[Arena, Unit]:
    """A unit at the origin, heading east, that knows of nobody."""
    battle = arena(ship("a", class_id=class_id, **more), area=area)
    unit = unit_of(battle.battle, "a")
    unit.tracks.tracks.clear()
    return battle, unit


def order_with(name: str, battle: Arena, unit: Unit, *tracks: Track) -> Order:
    unit.tracks.tracks[:] = tracks
    return SCRIPTS[name](battle.battle, unit)


def test_best_is_the_nearest_with_cues_farther_away() -> None:
    battle, unit = alone()
    unit.tracks.tracks[:] = [
        track(1, 3_000.0, 0.0, quality=0),
        track(2, 6_000.0, 0.0),
        track(3, 500.0, 0.0, iff=Iff.FRIENDLY_ASSUMED),
        track(4, 400.0, 0.0, is_munition=True),
    ]

    best = best_track(battle.battle, unit)

    assert best is not None
    assert best.track_id == 2


def test_idle_lies_still() -> None:
    battle, unit = alone()

    order = order_with("idle", battle, unit, track(1, 1_000.0, 0.0))

    assert (order.throttle, order.groups) == (0.0, ())


def test_the_drifter_keeps_a_heading_for_a_minute() -> None:
    battle, unit = alone()
    rudders = []
    for tick in (0, 30, 59, 60):
        battle.battle.tick = tick
        rudders.append(order_with("drifter", battle, unit).rudder)

    assert rudders[0] == rudders[1] == rudders[2] != rudders[3]


def test_the_aggressor_closes_then_circles() -> None:
    battle, unit = alone()

    far = order_with("aggressor", battle, unit, track(1, 5_000.0, 0.0))
    near = order_with("aggressor", battle, unit, track(1, 3_000.0, 0.0))

    assert (far.throttle, far.rudder, far.emissions) == (1.0, 0.0, Emissions.ACTIVE)
    assert (near.throttle, near.rudder) == (0.85, 1.0)
    assert near.groups == (WeaponGroup.GUN, WeaponGroup.MISSILE, WeaponGroup.TORPEDO, WeaponGroup.ASW)
    assert WeaponGroup.TORPEDO not in far.groups
    assert far.track_id == 1


@pytest.mark.parametrize(("range_m", "throttle"), [(4_000.0, 0.65), (2_000.0, 0.5), (400.0, 0.5)])
def test_the_aggressor_stalks_submarines(range_m: float, throttle: float) -> None:
    battle, unit = alone()

    order = order_with("aggressor", battle, unit, track(1, range_m, 0.0, layer_est=int(Layer.SUBMERGED)))

    assert order.throttle == throttle
    assert (order.rudder > 0.0) == (range_m < 500.0)


@pytest.mark.parametrize(
    ("range_m", "rudder"), [pytest.param(4_000.0, 1.0, id="away"), pytest.param(6_900.0, 0.0, id="closer")]
)
def test_the_kiter_keeps_its_distance(range_m: float, rudder: float) -> None:
    battle, unit = alone()

    order = order_with("kiter", battle, unit, track(1, range_m, 0.0))

    assert abs(order.rudder) == rudder
    assert order.throttle == 1.0


def test_the_kiter_circles_at_its_range() -> None:
    battle, unit = alone()

    order = order_with("kiter", battle, unit, track(1, 5_600.0, 0.0))

    assert (order.rudder, order.throttle) == (1.0, 0.85)


@pytest.mark.parametrize(
    ("range_m", "throttle", "rudder"),
    [
        pytest.param(9_000.0, 0.65, 0.0, id="far"),
        pytest.param(5_000.0, 0.4, 0.0, id="creeping"),
        pytest.param(2_000.0, 0.2, 1.0, id="lurking"),
    ],
)
def test_the_ambusher_creeps_up(range_m: float, throttle: float, rudder: float) -> None:
    battle, unit = alone("attack_sub", layer="SUBMERGED")

    order = order_with("ambusher", battle, unit, track(1, range_m, 0.0))

    assert (order.throttle, order.rudder) == (throttle, rudder)
    assert order.layer is None


def test_the_ambusher_slips_away_after_firing_and_dives() -> None:
    battle, unit = alone("attack_sub")
    for mount in unit.mounts:
        mount.ready_at = 50

    order = order_with("ambusher", battle, unit, track(1, 2_000.0, 0.0))

    assert (order.throttle, order.rudder) == (0.4, 1.0)
    assert order.layer is LayerDirection.DOWN


def test_the_escort_takes_station_toward_the_threat() -> None:
    task = {"objective_id": "o", "type": "PROTECT", "asset": "b"}
    battle = arena(ship("a", objective=task), ship("b", class_id="freighter", x=3_000.0))
    unit = unit_of(battle.battle, "a")

    far = order_with("escort", battle, unit, track(1, 3_000.0, 7_500.0))
    near = order_with("escort", battle, unit, track(1, 0.0, -5_000.0))

    # Station is 1,000 m north of the freighter.
    assert far.rudder == pytest.approx(wrap(atan2(1_000.0, 3_000.0)) / 0.35)
    assert (near.rudder, near.throttle) == (-1.0, 1.0)


def test_the_evader_runs_for_the_nearest_open_edge() -> None:
    battle, unit = alone("freighter", {"edges": "open"}, y=7_000.0)

    order = order_with("evader", battle, unit)

    assert nearest_edge_heading(battle.battle, unit) == pytest.approx(pi / 2.0)
    assert (order.throttle, order.rudder) == (1.0, 1.0)


def test_the_evader_throws_decoys_when_pinged() -> None:
    battle, unit = alone("corvette", {"edges": "open"})
    quiet = order_with("evader", battle, unit)
    unit.contact_memory.pinged_at = battle.battle.tick

    pinged = order_with("evader", battle, unit)

    assert not quiet.decoy
    assert pinged.decoy


def test_the_boarder_waits_until_the_target_lies_still() -> None:
    battle = arena(ship("a", class_id="assault_transport"), ship("b", "blue", "freighter", x=2_000.0))
    unit, victim = unit_of(battle.battle, "a"), unit_of(battle.battle, "b")

    moving = order_with("boarder", battle, unit, track(1, 2_000.0, 0.0, target_id=victim.id, vx=6.0))
    still = order_with("boarder", battle, unit, track(1, 2_000.0, 0.0, target_id=victim.id, vx=1.0))
    close = order_with("boarder", battle, unit, track(1, 500.0, 0.0, target_id=victim.id))
    drifting = order_with("boarder", battle, unit, track(1, 500.0, 0.0, target_id=victim.id, vx=3.0))

    assert (moving.board_id, bool(moving.groups)) == (0, True)
    assert (still.board_id, still.groups) == (victim.id, ())
    assert close.throttle == pytest.approx((2.0 / 12.0) ** 2)
    assert drifting.throttle == pytest.approx((5.0 / 12.0) ** 2)


def test_a_boarder_near_its_target_does_not_give_way_to_those_alongside() -> None:
    battle = arena(
        ship("a", class_id="assault_transport"),
        ship("b", "blue", "freighter", x=600.0),
        ship("c", class_id="assault_transport", x=250.0, y=60.0),
    )
    unit, victim = unit_of(battle.battle, "a"), unit_of(battle.battle, "b")
    mate = unit_of(battle.battle, "c")
    unit.memory.mate_fixes = [MateFix(mate.id, mate.x, mate.y, 0.0, 0.0, 0, 0)]

    near = order_with("boarder", battle, unit, track(1, 600.0, 0.0, target_id=victim.id))
    far = order_with("boarder", battle, unit, track(1, 2_000.0, 0.0, target_id=victim.id))

    assert near.rudder == pytest.approx(0.0)
    assert far.rudder < -0.1


@pytest.mark.parametrize(
    ("class_id", "name"),
    [
        ("attack_sub", "ambusher"),
        ("deep_runner", "ambusher"),
        ("freighter", "evader"),
        ("assault_transport", "boarder"),
        ("carrier", "kiter"),
        ("corvette", "aggressor"),
    ],
)
def test_auto_goes_by_class(class_id: str, name: str) -> None:
    _, unit = alone(class_id)

    assert suitable_script(unit) is SCRIPTS[name]


def test_auto_goes_by_objective_first() -> None:
    task = {"objective_id": "o", "type": "DELIVER", "destination": [0, 5000]}
    _, unit = alone("corvette", objective=task)

    assert suitable_script(unit) is SCRIPTS["evader"]


def test_everybody_keeps_off_closed_edges() -> None:
    battle, unit = alone(x=SIDE_M - 300.0)

    order = order_with("aggressor", battle, unit, track(1, SIDE_M - 50.0, 0.0))

    assert abs(order.rudder) == 1.0


def test_everybody_runs_from_torpedoes() -> None:
    battle, unit = alone()
    coming = torpedo(battle.battle, 800.0, 0.0, pi, owner_id=2, launch_layer=0, target_layers=1)
    battle.battle.munitions.append(coming)

    order = order_with("aggressor", battle, unit)

    assert (order.throttle, abs(order.rudder), order.decoy) == (1.0, 1.0, True)


def test_damage_control_follows_the_damage() -> None:
    battle, unit = alone()
    unit.hull.flood = 0.4
    assert order_with("aggressor", battle, unit).focus is DcFocus.FLOOD
    unit.hull.fire = 0.4

    assert order_with("aggressor", battle, unit).focus is DcFocus.FIRE


def test_a_duller_script_acts_less_often() -> None:
    battle = arena(ship("a"), ship("b", "blue", x=6_000.0), controllers={"a": "script:aggressor@0.5"})
    unit = unit_of(battle.battle, "a")
    throttles = []

    for _ in range(60):
        run(battle, 1)
        throttles.append(unit.motion.cmd_throttle)

    assert 15 < throttles.count(0.0) < 45


@pytest.mark.parametrize("name", ["script:nobody", "script:kiter@2", "script:kiter@x", ""])
def test_unknown_controllers_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="controller"):
        controller_named(name)


def test_tracks_without_a_layer_are_not_below() -> None:
    battle, unit = alone()

    order = order_with("aggressor", battle, unit, track(1, 5_000.0, 0.0, layer_est=NO_LAYER))

    assert order.throttle == 1.0
    assert hyp(unit.x, unit.y) == 0.0


def test_a_search_circles_the_middle_at_a_distance() -> None:
    battle, unit = alone(area={"edges_open": True})
    circle_m = SEARCH_CIRCLE * SIDE_M

    unit.transform.x = circle_m
    assert wrap(search_heading(battle.battle, unit) - pi / 2.0) == pytest.approx(0.0, abs=1e-9)
    unit.transform.x = 2.0 * circle_m
    assert wrap(search_heading(battle.battle, unit) - 0.75 * pi) == pytest.approx(0.0, abs=1e-9)
    unit.transform.x = 1.0
    assert wrap(search_heading(battle.battle, unit)) == pytest.approx(0.0, abs=1e-9)


def test_a_heading_bends_away_from_a_mate_that_is_close_in_the_same_layer() -> None:
    battle = arena(ship("a"), ship("b", x=0.0, y=100.0))
    unit, mate = unit_of(battle.battle, "a"), unit_of(battle.battle, "b")

    def heading_past(x: float, y: float, layer: Layer) -> float:
        unit.memory.mate_fixes = [MateFix(mate.id, x, y, 0.0, 0.0, int(layer), 0)]
        return wrap(clear_of_mates(battle.battle, unit, 0.0))

    assert heading_past(unit.x, unit.y + 100.0, Layer.SURFACE) < -0.5
    assert heading_past(unit.x, unit.y - 100.0, Layer.SURFACE) > 0.5
    assert heading_past(unit.x, unit.y + 1_000.0, Layer.SURFACE) == 0.0
    assert heading_past(unit.x, unit.y + 100.0, Layer.SUBMERGED) == 0.0
