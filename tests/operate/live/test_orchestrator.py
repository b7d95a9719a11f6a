"""The seven stages: their order, their hooks, and what a stage that raises leaves undone."""

from pathlib import Path

import pytest

from diorama.contracts.live.world import LiveWorld
from diorama.operate.live.orchestrator import Orchestrator, StageContext, StageFailure
from tests.operate.live.runtimes import open_live_world


class Diary:
    """A hook that writes down when it is called."""

    def __init__(self, raises_after: int | None = None) -> None:
        self.lines: list[str] = []
        self._raises_after = raises_after

    def before_stage(self, number: int, ctx: StageContext) -> None:
        self.lines.append(f"{ctx.tick}: before {number}")

    def after_stage(self, number: int, ctx: StageContext) -> None:
        self.lines.append(f"after {number}")
        if number == self._raises_after:
            raise ZeroDivisionError("a hook went wrong")


@pytest.fixture
def world(tmp_path: Path) -> LiveWorld:
    return open_live_world(tmp_path).world


def test_stages_run_in_their_order_with_hooks_around_each(world: LiveWorld) -> None:
    diary = Diary()
    stages = [lambda number=number: diary.lines.append(f"stage {number}") for number in range(1, 8)]
    orchestrator = Orchestrator(world, stages, [diary])

    orchestrator.run_tick()

    assert diary.lines == [
        line for number in range(1, 8) for line in (f"0: before {number}", f"stage {number}", f"after {number}")
    ]
    assert orchestrator.timers.ticks == 1


@pytest.mark.parametrize("stage", [1, 4, 7])
def test_a_stage_that_raises_is_the_last_one(stage: int, world: LiveWorld) -> None:
    diary = Diary(raises_after=stage)
    stages = [lambda: None] * 7

    with pytest.raises(StageFailure, match="a hook went wrong") as caught:
        Orchestrator(world, stages, [diary]).run_tick()

    assert (caught.value.stage, caught.value.tick) == (stage, 0)
    assert diary.lines[-1] == f"after {stage}"
