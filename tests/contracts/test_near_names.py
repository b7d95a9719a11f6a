"""A name that nobody has, and the one that was meant."""

import pytest

from diorama.contracts.errors import UnknownName
from diorama.contracts.near_names import hint

KNOWN = ("prospector", "tidebreak", "GRID_GOAL")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        pytest.param("prospectr", " (did you mean 'prospector'?)", id="letter-missing"),
        pytest.param("Tidebreak", " (did you mean 'tidebreak'?)", id="capital"),
        pytest.param("grid_goal", " (did you mean 'GRID_GOAL'?)", id="no-capitals"),
        pytest.param("nowhere", "", id="like-none"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_only_a_near_name_is_suggested(name: str, meant: str) -> None:
    assert hint(name, KNOWN) == meant


def test_an_unknown_name_is_told_with_the_nearest_and_with_all() -> None:
    told = str(UnknownName.among("world", "tidebreek", iter(KNOWN)))

    assert told == (
        "no world is called 'tidebreek' (did you mean 'tidebreak'?); there are: prospector, tidebreak, GRID_GOAL"
    )
