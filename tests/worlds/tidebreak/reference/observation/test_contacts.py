from math import pi
from typing import Any

import pytest

from diorama.worlds.tidebreak.codes import NO_LAYER, Iff, MunitionKind, TrackQuality
from diorama.worlds.tidebreak.layout import CONTACT_COLUMNS, FIRST_MATE_ROW, FIRST_MUNITION_ROW, Contact
from diorama.worlds.tidebreak.reference.components import MateFix
from diorama.worlds.tidebreak.reference.observe import contact_rows, publish_contacts
from diorama.worlds.tidebreak.reference.observe.contacts import show_contacts
from diorama.worlds.tidebreak.reference.state import Battle
from tests.worlds.tidebreak.reference.munitions import torpedo
from tests.worlds.tidebreak.reference.observation.tracks import track
from tests.worlds.tidebreak.reference.sensing.arenas import open_water, ship


def water() -> Battle:
    return open_water(
        ship("a", "corvette", 0.0, heading=pi / 2.0, ship_id="a1"),
        ship("a", "frigate", 1_000.0, ship_id="a2"),
        ship("b", "frigate", 9_000.0, ship_id="b1"),
    )


def rows_of(battle: Battle) -> list[list[float]]:
    flat = show_contacts(battle, battle.unit(1))
    return [flat[first : first + CONTACT_COLUMNS] for first in range(0, len(flat), CONTACT_COLUMNS)]


def test_contacts_stand_by_quality_then_range_then_id() -> None:
    battle = water()
    tracks = [
        track(1, y=500.0, quality=1),
        track(2, y=9_000.0, quality=2),
        track(3, y=3_000.0, quality=2),
        track(4, y=3_000.0, quality=2),
        track(5, y=100.0, quality=3, iff=Iff.FRIENDLY_ASSUMED),
        track(6, y=8_000.0, quality=3),
        track(7, y=50.0, quality=3, is_munition=True),
    ]
    battle.unit(1).tracks.tracks = tracks

    assert [found.track_id for found in contact_rows(battle, battle.unit(1)).tracks] == [6, 3, 4, 2, 1]
    publish_contacts(battle)
    assert battle.unit(1).memory.contact_rows[:6] == [6, 3, 4, 2, 1, 0]


def test_ten_tracks_four_mates_and_two_munitions_have_rows() -> None:
    battle = water()
    unit = battle.unit(1)
    unit.tracks.tracks = [track(number, y=100.0 * number) for number in range(1, 15)]
    unit.memory.mate_fixes = [MateFix(2, 900.0 - number, 0.0, 0.0, 0.0, 0, 0) for number in range(6)]
    battle.munitions = [torpedo(battle, 0.0, 200.0 * number, 0.0) for number in (3, 1, 2)]

    rows = rows_of(battle)

    assert [row[Contact.VALID] for row in rows] == [1.0] * 16
    publish_contacts(battle)
    assert unit.memory.contact_rows[:10] == list(range(1, 11))
    assert unit.memory.contact_rows[FIRST_MUNITION_ROW:] == [battle.munitions[1].id, battle.munitions[2].id]
    assert [row[Contact.FRIEND] for row in rows[FIRST_MATE_ROW:FIRST_MUNITION_ROW]] == [1.0] * 4


def test_a_track_is_shown_relative_to_the_bow() -> None:
    battle = water()
    unit = battle.unit(1)
    unit.motion.vx, unit.motion.vy = 0.0, 10.0
    battle.tick = 5
    unit.memory.designated_track = 4
    unit.tracks.tracks = [track(4, x=-3_000.0, y=4_000.0, vx=8.0, vy=0.0, P=250_000.0, age=6, quality=1)]

    row = rows_of(battle)[0]

    # North-west by 36.87 degrees: to port of a bow that points north.
    assert row[Contact.SIN_BEARING] == pytest.approx(0.6)
    assert row[Contact.COS_BEARING] == pytest.approx(0.8)
    assert row[Contact.RANGE] == pytest.approx(0.25)
    # The relative velocity is (8, -10), the line of sight (-0.6, 0.8), its left (-0.8, -0.6).
    assert row[Contact.CLOSING_SPEED] == pytest.approx(12.8 / 40.0)
    assert row[Contact.CROSS_SPEED] == pytest.approx((8.0 * -0.8 + -10.0 * -0.6) / 40.0)
    assert row[Contact.SIN_COURSE] == pytest.approx(-1.0)
    assert row[Contact.COS_COURSE] == pytest.approx(0.0, abs=1e-12)
    assert row[Contact.SIGMA] == pytest.approx(0.5)
    assert row[Contact.AGE] == pytest.approx(0.1)
    assert row[Contact.QUALITY : Contact.BEARING_ONLY] == [0.0, 1.0, 0.0, 0.0]
    assert row[Contact.BEARING_ONLY] == 0.0
    assert row[Contact.LAYER : Contact.HOSTILE] == [1.0, 0.0, 0.0]
    assert row[Contact.HOSTILE : Contact.FRIEND + 1] == [1.0, 0.0]
    assert row[Contact.SIZE_CLASS] == 0.5
    assert row[Contact.IS_MUNITION] == 0.0
    assert row[Contact.IS_DESIGNATED] == 1.0


@pytest.mark.parametrize(
    ("changes", "column", "value"),
    [
        pytest.param({"hits": 3, "vx": 9.0}, Contact.COS_COURSE, 0.0, id="velocity-unknown"),
        pytest.param({"layer_est": NO_LAYER}, Contact.LAYER + 2, 1.0 / 3.0, id="layer-unknown"),
        pytest.param({"class_level": 1}, Contact.SIZE_CLASS, 0.0, id="size-unknown"),
        pytest.param({"P": 9e6}, Contact.SIGMA, 1.0, id="clipped"),
        pytest.param({"iff": Iff.SUSPECT}, Contact.HOSTILE, 0.75, id="suspect"),
        pytest.param({"iff": Iff.UNKNOWN}, Contact.HOSTILE, 0.5, id="unknown"),
        pytest.param({"bearing_only": True, "quality": 0}, Contact.BEARING_ONLY, 1.0, id="bearing-only"),
        pytest.param({}, Contact.CAN_ENGAGE, 1.0, id="in-reach"),
        pytest.param({"quality": 0}, Contact.CAN_ENGAGE, 0.0, id="no-fire-control"),
    ],
)
def test_what_is_not_known_is_not_shown(changes: dict[str, Any], column: int, value: float) -> None:
    battle = water()
    battle.unit(1).tracks.tracks = [track(1, **changes)]

    assert rows_of(battle)[0][column] == pytest.approx(value)


def test_a_mate_is_shown_as_the_link_last_had_it() -> None:
    battle = water()
    battle.tick = 31
    battle.unit(1).memory.mate_fixes = [MateFix(2, 0.0, 2_000.0, 0.0, 0.0, 0, 24)]

    row = rows_of(battle)[FIRST_MATE_ROW]

    assert row[Contact.SIGMA] == pytest.approx(0.01)
    assert row[Contact.AGE] == pytest.approx(0.1)
    assert row[Contact.QUALITY + TrackQuality.Q3] == 1.0
    assert (row[Contact.HOSTILE], row[Contact.FRIEND], row[Contact.SIZE_CLASS]) == (0.0, 1.0, 0.5)


def test_a_torpedo_is_heard_near_and_a_missile_seen_far() -> None:
    battle = water()
    battle.munitions = [torpedo(battle, 0.0, 2_400.0, -pi / 2.0), torpedo(battle, 0.0, 2_600.0, 0.0)]

    heard = rows_of(battle)

    row = heard[FIRST_MUNITION_ROW]
    assert row[Contact.VALID] == row[Contact.IS_MUNITION] == row[Contact.HOSTILE] == 1.0
    assert row[Contact.SIGMA : Contact.LAYER] == [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]
    assert row[Contact.CLOSING_SPEED] == pytest.approx(24.0 / 40.0)
    assert heard[FIRST_MUNITION_ROW + 1] == [0.0] * CONTACT_COLUMNS
    battle.munitions = [torpedo(battle, 0.0, 5_900.0, 0.0, kind=MunitionKind.MISSILE)]
    assert rows_of(battle)[FIRST_MUNITION_ROW][Contact.VALID] == 1.0
