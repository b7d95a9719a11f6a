"""Battles that cannot be: both tiers refuse their snapshots in the same words."""

from collections.abc import Callable

import pytest

from diorama.worlds.tidebreak.config import TidebreakConfig
from diorama.worlds.tidebreak.reference.components import IN_TRANSIT, MateFix, Track
from diorama.worlds.tidebreak.reference.simulation import TidebreakSimulation
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from tests.worlds.spoiled import Spoiled

NO_SUCH = 99


def _first(change: Callable[[Unit], None]) -> Callable[[Battle], None]:
    return lambda battle: change(battle.units[0])


def _set(path: str, value: object) -> Callable[[Battle], None]:
    """Set a field of the first unit."""

    def change(unit: Unit) -> None:
        component, field = path.split(".")
        setattr(getattr(unit, component), field, value)

    return _first(change)


def _sink(unit: Unit) -> None:
    unit.layer.mode = IN_TRANSIT


def _track(target_id: int, **other: int) -> Callable[[Battle], None]:
    def change(unit: Unit) -> None:
        fields = {
            "quality": 0,
            "age": 3,
            "hits": 1,
            "layer_est": 3,
            "class_level": 0,
            "iff": 0,
            "modalities": 1,
            **other,
        }
        unit.tracks.tracks = [
            Track(
                track_id=track_id,
                target_id=target_id,
                x=0.0,
                y=0.0,
                vx=0.0,
                vy=0.0,
                P=1.0,
                bearing_only=False,
                id_conf=0.0,
                is_munition=False,
                shared=False,
                **fields,
            )
            for track_id in (1, 2)
        ]
        unit.tracks.next_track_id = 3

    return _first(change)


def _end(battle: Battle) -> None:
    battle.outcome.winner = NO_SUCH


def _drop_mounts(unit: Unit) -> None:
    del unit.mounts[-1:]


def _hear_nobody(unit: Unit) -> None:
    unit.memory.mate_fixes = [MateFix(NO_SUCH, 0.0, 0.0, 0.0, 0.0, 0, 0)]


def _lose_count(battle: Battle) -> None:
    battle.next_entity_id = 1


@pytest.fixture(scope="module")
def spoiled() -> Spoiled[TidebreakSimulation]:
    config = TidebreakConfig()
    simulation = TidebreakSimulation(config)
    simulation.reset(5)
    return Spoiled("tidebreak", config, simulation)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        pytest.param(_set("identity.team", 2), "unit 1 does not fit its package", id="team"),
        pytest.param(_set("identity.size", 7), "unit 1 does not fit its package", id="size"),
        pytest.param(_set("identity.status", 1 << 13), "status is 8192; it must be 0 to 8191", id="status"),
        pytest.param(_set("transform.x", float("nan")), "(?i)x is nan; it must be", id="nowhere"),
        pytest.param(_set("motion.vy", 2.0**51), "vy is 2251799813685248", id="too-fast"),
        pytest.param(_set("tally.hits", 1 << 62), "hits is 4611686018427387904; it must be", id="uncountable"),
        pytest.param(_first(_sink), "target_layer is 3; it must be 0 to 2", id="transit-to-nowhere"),
        pytest.param(_set("layer.mode", 3), "mode is 3; it must be 0 to 2", id="mode"),
        pytest.param(_set("posture.emissions", 3), "emissions is 3; it must be 0 to 2", id="emissions"),
        pytest.param(_set("boarding.state", 5), "boarding state is 5; it must be 0 to 4", id="boarding"),
        pytest.param(_set("boarding.status", 1), "unit 1 boards unit 0, which there is not", id="boards-nobody"),
        pytest.param(_set("boarding.target_id", NO_SUCH), "unit 1 boards unit 99", id="boards-no-such"),
        pytest.param(_set("objective.type", 14), "objective that its package does not give it", id="objective"),
        pytest.param(_set("memory.captor_team", 2), "captor_team is 2; it must be -1 to 1", id="captor"),
        pytest.param(_set("memory.entry_district", 12), "entry_district is 12; it must be -1 to 11", id="district"),
        pytest.param(_first(_hear_nobody), "unit 1 hears unit 99", id="mate"),
        pytest.param(_track(2, iff=5), "iff is 5; it must be 0 to 4", id="iff"),
        pytest.param(_track(2, age=-1), "age is -1; it must be 0 to", id="age"),
        pytest.param(_track(2), "unit 1 holds two tracks of 2", id="two-tracks"),
        pytest.param(_track(NO_SUCH), "target_id is 99; it must be 0 to", id="track-of-nobody"),
        pytest.param(_first(_drop_mounts), "unit 1 does not fit its package", id="mounts"),
        pytest.param(_end, "winner is 99; it must be -1$", id="winner"),
        pytest.param(_lose_count, "next_entity_id is 1; it must be", id="ids"),
    ],
)
def test_a_battle_that_cannot_be_is_refused_by_both_tiers(
    spoiled: Spoiled[TidebreakSimulation], spoil: Callable[[Battle], None], words: str
) -> None:
    spoiled.assert_refused_alike(lambda found: spoil(found.arena.battle), words)
