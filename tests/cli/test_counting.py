"""Numbers of things in words."""

import pytest

from diorama.cli.counting import counted


@pytest.mark.parametrize(
    ("number", "words"),
    [
        pytest.param(0, "0 frames", id="none"),
        pytest.param(1, "1 frame", id="one"),
        pytest.param(1200, "1,200 frames", id="many"),
    ],
)
def test_one_thing_is_no_plural_and_thousands_are_parted(number: int, words: str) -> None:
    assert counted(number, "frame") == words


def test_a_plural_of_its_own_is_given() -> None:
    assert counted(2, "state hash", "state hashes") == "2 state hashes"
