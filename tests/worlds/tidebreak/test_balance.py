"""The balance of the full rules: every pairing stays in its frozen band."""

import pytest

from diorama.worlds.tidebreak.balance import Tally, complaints, fight_pairing
from diorama.worlds.tidebreak.scenarios import PAIRINGS, Pairing

CHEAP = next(pairing for pairing in PAIRINGS if pairing.name == "corvettes-dreadnought")
MIRROR = next(pairing for pairing in PAIRINGS if pairing.is_mirror)


@pytest.mark.slow
@pytest.mark.parametrize("pairing", PAIRINGS, ids=lambda pairing: pairing.name)
def test_every_pairing_stays_in_its_band(pairing: Pairing) -> None:
    assert complaints(pairing, fight_pairing(pairing)) == []


def test_light_guns_do_not_beat_a_dreadnought() -> None:
    tally = fight_pairing(CHEAP, seeds=3)

    assert (tally.won, tally.lost, tally.undecided) == (0, 3, 0)
    assert complaints(CHEAP, tally) == []


def test_what_leaves_its_band_is_named() -> None:
    tally = Tally(won=30, lost=30, undecided=0, length_s=400.0)

    assert complaints(CHEAP, tally) == [
        "corvettes-dreadnought: 50% won, expected 0 ± 20",
        "corvettes-dreadnought: 50% lost, expected 100 ± 20",
    ]


@pytest.mark.parametrize(("won", "lost", "holds"), [(24, 36, True), (36, 24, True), (23, 37, False), (0, 0, True)])
def test_a_mirror_is_even(won: int, lost: int, *, holds: bool) -> None:
    tally = Tally(won=won, lost=lost, undecided=60 - won - lost, length_s=400.0)

    assert (complaints(MIRROR, tally) == []) is holds
