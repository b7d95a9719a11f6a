"""The clock of a live world: when the next tick is due."""

import pytest

from diorama.contracts.errors import ConfigError
from diorama.operate.live.pacing import Pacer


class Stopwatch:
    """A clock that only moves when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def seconds(self) -> float:
        return self.now


@pytest.mark.parametrize(("speed", "seconds"), [("1x", 0.25), ("10x", 0.025), ("100x", 0.0025), ("max", 0.0)])
def test_a_tick_lasts_as_long_as_the_speed_says(speed: str, seconds: float) -> None:
    watch = Stopwatch()
    pacer = Pacer(0.25, "1x", watch.seconds)
    pacer.set_speed(speed)

    pacer.ticked(1)

    assert pacer.delay() == pytest.approx(seconds)


def test_a_step_of_many_ticks_lasts_for_all_of_them() -> None:
    pacer = Pacer(0.25, "1x", Stopwatch().seconds)

    pacer.ticked(24)

    assert pacer.delay() == pytest.approx(6.0)


def test_time_that_was_lost_is_not_caught_up_with() -> None:
    watch = Stopwatch()
    pacer = Pacer(0.25, "1x", watch.seconds)
    watch.now += 10.0

    pacer.ticked(1)
    late = pacer.delay()
    pacer.ticked(1)

    assert late == 0.0
    assert pacer.overruns == 1
    assert pacer.delay() == pytest.approx(0.25)


def test_a_paused_world_runs_only_the_steps_it_is_told_to() -> None:
    pacer = Pacer(0.25, "pause", Stopwatch().seconds)
    delays = [pacer.delay()]
    pacer.steps_left = 2
    for _ in range(2):
        delays.append(pacer.delay())
        pacer.ticked(1)

    assert [*delays, pacer.delay()] == [None, 0.0, 0.0, None]
    assert pacer.overruns == 0


def test_an_unknown_speed_is_refused_with_all_there_are() -> None:
    with pytest.raises(ConfigError, match="pause, 1x, 10x, 100x, max"):
        Pacer(0.25, "1x").set_speed("2x")
