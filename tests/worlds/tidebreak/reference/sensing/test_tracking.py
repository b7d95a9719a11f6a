"""Track tables in battles: opening, eviction, loss, identification, ghosts, and no fog."""

import pytest

from diorama.worlds.tidebreak.codes import Iff, Modality, TrackQuality, UnitStatus
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import Measure
from diorama.worlds.tidebreak.reference.sensing.filtering import open_track
from diorama.worlds.tidebreak.reference.sensing.identification import class_level, identify
from diorama.worlds.tidebreak.reference.sensing.targets import munition_target, unit_target
from diorama.worlds.tidebreak.reference.sensing.tracking import GHOST, add_track
from diorama.worlds.tidebreak.reference.state import Battle
from tests.worlds.tidebreak.reference.munitions import decoy_at
from tests.worlds.tidebreak.reference.sensing.arenas import activate, look, open_water, ship, track_of


def duel(range_m: float = 4_000.0, **rules: object) -> Battle:
    return open_water(ship("a", "corvette", 0.0), ship("b", "corvette", range_m), rules=rules)


def seen(target: int = 2, quality: int = 1, modality: Modality = Modality.VISUAL) -> Measure:
    return Measure(1, target, modality, 1.0, 30.0, 0.0, 0.0, quality)


def test_a_contact_is_opened_raised_and_reported() -> None:
    battle = duel()

    look(battle)

    track = track_of(battle, 1, 2)
    assert (track.quality, track.hits, track.age) == (TrackQuality.Q2, 1, 0)
    assert battle.unit(1).memory.raised_ids == [2]
    assert battle.unit(1).scratch.raised == 1
    kinds = [(event.kind, event.source, event.target) for event in battle.log]
    assert (EventKind.CONTACT_NEW, 1, 2) in kinds


def test_a_contact_out_of_sight_ages_weakens_and_is_dropped() -> None:
    battle = duel()
    look(battle)
    battle.unit(2).transform.x = 500_000.0

    qualities = []
    while battle.unit(1).tracks.tracks:
        look(battle)
        qualities += [track.quality for track in battle.unit(1).tracks.tracks]

    assert qualities[:3] == [2, 2, 2]
    assert qualities[3] == 1
    assert qualities[10] == 0
    assert len(qualities) == 60
    assert EventKind.CONTACT_LOST in {event.kind for event in battle.log}


@pytest.mark.parametrize("way", ["DESTROYED", "SCUTTLED"])
def test_a_loss_that_is_seen_ends_the_track(way: str) -> None:
    battle = duel()
    look(battle)
    battle.unit(2).mark(UnitStatus[way])

    look(battle)

    assert battle.unit(1).tracks.of_target(2) is None


def test_a_loss_that_nobody_sees_leaves_the_track_to_age() -> None:
    battle = open_water(ship("a", "attack_sub", 0.0, layer="SUBMERGED"), ship("b", "freighter", 2_000.0))
    look(battle, 3)
    battle.unit(2).mark(UnitStatus.DESTROYED)

    look(battle)

    assert track_of(battle, 1, 2).age == 1


def test_a_full_table_gives_up_its_worst_for_a_better_one() -> None:
    battle = duel()
    unit = battle.unit(1)
    for number in range(unit.spec.sensors.tracks_max):
        assert add_track(battle, unit, open_track(0, seen(target=100 + number)))
    unit.tracks.tracks[3].quality = 0
    unit.tracks.tracks[5].quality = 0
    unit.tracks.tracks[5].age = 7

    refused = add_track(battle, unit, open_track(0, seen(target=500, quality=0)))
    taken = add_track(battle, unit, open_track(0, seen(target=501)))

    assert (refused, taken) == (False, True)
    assert unit.tracks.of_target(105) is None
    assert unit.tracks.of_target(103) is not None
    assert len(unit.tracks.tracks) == unit.spec.sensors.tracks_max
    assert [track.track_id for track in unit.tracks.tracks] == sorted(track.track_id for track in unit.tracks.tracks)


@pytest.mark.parametrize(("confidence", "level"), [(0.19, 0), (0.2, 1), (0.5, 2), (0.79, 2), (0.8, 3)])
def test_confidence_tells_category_size_and_class(confidence: float, level: int) -> None:
    assert class_level(confidence) == level


def test_confidence_grows_by_how_and_how_well_it_is_seen() -> None:
    battle = duel()
    grown: dict[tuple[Modality, int], float] = {}
    for modality in (Modality.VISUAL, Modality.RADAR, Modality.ESM, Modality.PASSIVE_SONAR, Modality.ACTIVE_SONAR):
        for quality in (1, 2):
            track = open_track(1, seen())
            identify(
                battle, battle.unit(1), track, unit_target(battle.unit(2)), seen(quality=quality, modality=modality)
            )
            grown[modality, quality] = track.id_conf

    assert [grown[modality, 1] for modality in list(Modality)[:5]] == [0.08, 0.02, 0.02, 0.015, 0.03]
    assert all(grown[modality, 2] == 2.0 * grown[modality, 1] for modality in list(Modality)[:5])


def test_an_enemy_is_suspected_then_declared_or_taken_for_a_friend() -> None:
    verdicts = []
    for seed in range(1, 200):
        battle = open_water(ship("a", "corvette", 0.0), ship("b", "corvette", 4_000.0), seed=seed)
        track = open_track(1, seen())
        history = []
        for _ in range(8):
            identify(battle, battle.unit(1), track, unit_target(battle.unit(2)), seen())
            history.append(track.iff)
        verdicts.append(history)

    assert all(history[:3] == [Iff.UNKNOWN] * 3 for history in verdicts)
    assert all(history[7] == Iff.HOSTILE_DECLARED for history in verdicts)
    suspected = sum(history[4] == Iff.SUSPECT for history in verdicts)
    assert 0.75 < suspected / len(verdicts) < 0.95
    assert {history[4] for history in verdicts} == {Iff.SUSPECT, Iff.FRIENDLY_ASSUMED}


def test_who_shoots_is_an_enemy_at_once() -> None:
    battle = duel()
    look(battle)
    assert track_of(battle, 1, 2).iff == Iff.UNKNOWN

    battle.unit(2).memory.harmed_at[0] = battle.tick
    battle.unit(2).transform.x = 500_000.0
    look(battle)

    assert track_of(battle, 1, 2).iff == Iff.HOSTILE_DECLARED


def test_perfect_identification_declares_at_first_sight() -> None:
    battle = duel(perfect_iff=True)

    look(battle)

    assert track_of(battle, 1, 2).iff == Iff.HOSTILE_DECLARED


def test_a_decoy_passes_for_a_ship_until_it_is_known_well() -> None:
    battle = duel()
    target = munition_target(battle, decoy_at(battle, battle.unit(2), 3_000.0, 0.0))
    track = open_track(1, seen(target=target.id))
    disguised = []
    for _ in range(6):
        identify(battle, battle.unit(1), track, target, seen(target=target.id, quality=2))
        disguised.append(not track.is_munition)

    assert disguised == [True] * 4 + [False] * 2


def test_a_decoy_is_sensed_like_a_ship() -> None:
    battle = duel()
    munition = decoy_at(battle, battle.unit(2), 3_000.0, 0.0)

    look(battle)

    assert track_of(battle, 1, munition.id).layer_est == 0
    assert battle.unit(2).tracks.of_target(munition.id) is None


def test_without_fog_tracks_are_the_truth() -> None:
    battle = open_water(
        ship("a", "corvette", 0.0), ship("b", "attack_sub", 9_000.0, layer="SUBMERGED", speed=5.0), rules={"fog": False}
    )

    look(battle)

    track, submarine = track_of(battle, 1, 2), battle.unit(2)
    assert (track.x, track.y, track.vx, track.vy) == (
        submarine.x,
        submarine.y,
        submarine.motion.vx,
        submarine.motion.vy,
    )
    assert (track.quality, track.P, track.layer_est, track.iff) == (2, 0.0, 1, Iff.HOSTILE_DECLARED)
    submarine.mark(UnitStatus.DESTROYED)
    look(battle)
    assert not battle.unit(1).tracks.tracks


def test_rough_seas_show_ghosts_that_nothing_confirms() -> None:
    battle = open_water(
        ship("a", "corvette", -12_000.0),
        ship("b", "attack_sub", 15_000.0, layer="SUBMERGED"),
        rules={"clutter": True},
        weather={"sea_state": 9},
    )
    activate(battle)

    look(battle, 400)

    born = [event for event in battle.log if event.kind is EventKind.CONTACT_NEW and event.target == GHOST]
    assert 1 <= len(born) <= 20
    assert all(track.hits == 1 for track in battle.unit(1).tracks.tracks if track.target_id == GHOST)
    calm = open_water(
        ship("a", "corvette", -12_000.0), ship("b", "attack_sub", 15_000.0, layer="SUBMERGED"), rules={"clutter": True}
    )
    activate(calm)
    look(calm, 400)
    assert not [track for track in calm.unit(1).tracks.tracks if track.target_id == GHOST]


def test_luck_differs_between_ticks_but_not_between_runs() -> None:
    def history() -> list[float]:
        battle = duel(3_000.0)
        places = []
        for _ in range(6):
            battle.unit(1).tracks.tracks.clear()
            look(battle)
            places.append(track_of(battle, 1, 2).x)
        return places

    first = history()
    assert first == history()
    assert len(set(first)) == 6
