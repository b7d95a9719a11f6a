"""Guns: lead, dispersion, hits and whom they spare."""

from math import exp

import pytest

from diorama.worlds.tidebreak.codes import Layer
from diorama.worlds.tidebreak.reference.components import IN_TRANSIT
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.state import Battle
from diorama.worlds.tidebreak.reference.systems.ballistics import (
    effective_gunnery,
    gun_spread_m,
    lead_point,
    reload_ticks,
)
from tests.worlds.tidebreak.reference.weapons.scenes import battle_of, events, fly, ship, shoot


def test_the_lead_point_is_where_a_steady_target_will_be() -> None:
    x, y = lead_point((0.0, 0.0), (8000.0, 0.0), (0.0, 15.0), 850.0)

    assert x == 8000.0
    assert y == pytest.approx(15.0 * 8000.0 / 850.0, rel=0.01)


def test_a_shot_that_does_not_fly_is_aimed_at_the_target_itself() -> None:
    assert lead_point((0.0, 0.0), (30.0, 40.0), (5.0, 5.0), 0.0) == (30.0, 40.0)


def test_spread_grows_with_range_sea_and_fear_and_never_vanishes(duel: Battle) -> None:
    gun = duel.spec.weapons[2]

    assert gun_spread_m(gun, 5000.0, gunnery=0.5, size=0, sea_state=0.0, morale=0.5) == pytest.approx(30.0)
    assert gun_spread_m(gun, 5000.0, gunnery=0.5, size=0, sea_state=5.0, morale=0.5) == pytest.approx(36.0)
    assert gun_spread_m(gun, 5000.0, gunnery=0.5, size=3, sea_state=5.0, morale=0.5) == pytest.approx(31.2)
    assert gun_spread_m(gun, 5000.0, gunnery=0.5, size=0, sea_state=0.0, morale=0.0) == pytest.approx(36.0)
    assert gun_spread_m(gun, 10.0, gunnery=1.0, size=0, sea_state=0.0, morale=1.0) == 3.0


@pytest.mark.parametrize(
    ("gunnery", "weapons", "power", "ticks"), [(0.5, 1.0, 1.0, 12), (1.0, 1.0, 1.0, 9), (0.5, 0.0, 0.0, 24)]
)
def test_skill_shortens_and_damage_lengthens_the_reload(
    duel: Battle, gunnery: float, weapons: float, power: float, ticks: int
) -> None:
    heavy_gun = duel.spec.weapons[4]

    assert reload_ticks(heavy_gun, gunnery=gunnery, weapons=weapons, power=power) == ticks


def test_tired_gunners_are_worse_gunners() -> None:
    assert effective_gunnery(0.5, 1.0) == pytest.approx(0.35)


def bell_hit_rate(radius: float, sigma: float, steps: int = 400) -> float:
    """Share of fall points inside a circle when each axis is a scaled sum of four uniform lanes.

    The density of the sum of four uniforms on [0, 1) is the cubic B-spline; one axis is integrated numerically
    against the distribution function of the other.
    """
    unit = 37837.227 / 65536.0

    def density(z: float) -> float:
        t = abs(z) * unit
        if t >= 2.0:
            return 0.0
        return unit * ((2.0 - t) ** 3 / 6.0 if t >= 1.0 else 2.0 / 3.0 - t * t + t**3 / 2.0)

    def below(z: float) -> float:
        width = (z + 3.5) / steps
        return sum(density(-3.5 + (index + 0.5) * width) for index in range(steps)) * width

    total = 0.0
    reach = radius / sigma
    width = 2.0 * reach / steps
    for index in range(steps):
        u = -reach + (index + 0.5) * width
        half = (reach * reach - u * u) ** 0.5
        total += density(u) * (below(half) - below(-half)) * width
    return total


@pytest.mark.parametrize("sigma", [12.0, 22.0, 40.0])
def test_hits_on_a_still_target_follow_the_closed_form(sigma: float) -> None:
    battle = battle_of(ship("corvette", 0), ship("dreadnought", 1, x=3000.0))
    target = battle.units[1]
    rounds = 6000
    salvo = shoot(battle, battle.units[0], "G76", (3000.0, 0.0))
    salvo.rounds, salvo.spread, salvo.damage, salvo.remaining = rounds, sigma * 60.0 / 22.0, 0.0, 0.05

    fly(battle, 1)

    rate = len(events(battle, EventKind.HIT)) / rounds
    expected = bell_hit_rate(target.spec.hull.radius_m, sigma * 60.0 / 22.0)
    assert rate == pytest.approx(expected, abs=0.03 * expected + 0.01)
    assert expected == pytest.approx(1.0 - exp(-(22.0**2) / (2.0 * sigma**2)), abs=0.03)


def test_a_salvo_falls_after_its_time_of_flight(duel: Battle) -> None:
    shoot(duel, duel.units[0], "G76", (3000.0, 0.0)).spread = 0.0

    fly(duel, 35)
    assert not events(duel, EventKind.HIT)

    fly(duel, 1)
    assert [event.target for event in events(duel, EventKind.HIT)] == [2, 2]
    assert not duel.munitions


@pytest.mark.parametrize(
    ("layer", "mode", "hits"),
    [
        pytest.param(Layer.SURFACE, 0, 2, id="surface"),
        pytest.param(Layer.SUBMERGED, 0, 0, id="submerged"),
        pytest.param(Layer.SUBMERGED, IN_TRANSIT, 2, id="coming-up"),
    ],
)
def test_guns_hit_what_touches_the_surface(layer: Layer, mode: int, hits: int) -> None:
    battle = battle_of(ship("corvette", 0), ship("attack_sub", 1, x=3000.0))
    target = battle.units[1]
    target.layer.layer, target.layer.mode, target.layer.target_layer = layer, mode, Layer.SURFACE
    shoot(battle, battle.units[0], "G76", (3000.0, 0.0)).spread = 0.0

    fly(battle, 40)

    assert target.scratch.hits_taken == hits


@pytest.mark.parametrize(("friendly_fire", "hits"), [(True, 2), (False, 0)])
def test_rounds_spare_friends_only_if_the_rules_say_so(friendly_fire: bool, hits: int) -> None:
    battle = battle_of(
        ship("corvette", 0),
        ship("corvette", 0, x=3000.0),
        ship("corvette", 1, x=9000.0),
        rules={"friendly_fire": friendly_fire},
    )
    shoot(battle, battle.units[0], "G76", (3000.0, 0.0)).spread = 0.0

    fly(battle, 40)

    assert battle.units[1].scratch.hits_taken == hits
    assert battle.units[0].scratch.dealt == 0.0
    assert (battle.units[0].scratch.dealt_own > 0.0) is friendly_fire


def test_rounds_never_fall_on_the_ship_that_fired_them(duel: Battle) -> None:
    shoot(duel, duel.units[0], "G76", (0.0, 0.0)).spread = 0.0

    fly(duel, 2)

    assert duel.units[0].scratch.hits_taken == 0
    assert duel.units[0].scratch.wasted == 1


def test_the_chain_of_causes_leads_from_the_damage_to_the_shot(duel: Battle) -> None:
    gun = duel.units[0]
    fired = duel.record(EventKind.WEAPON_FIRED, gun.id)
    salvo = shoot(duel, gun, "G76", (3000.0, 0.0))
    salvo.spread, salvo.fired_event = 0.0, fired

    fly(duel, 40)

    damage = events(duel, EventKind.DAMAGE)[0]
    kinds = [link.kind for link in duel.log.chain(damage.id)]
    assert kinds == [EventKind.DAMAGE, EventKind.HIT, EventKind.WEAPON_FIRED]
    assert damage.trace == fired
