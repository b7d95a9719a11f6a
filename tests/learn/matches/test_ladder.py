"""The learner's way through a curriculum."""

import pytest

from diorama.contracts.errors import ConfigError
from diorama.contracts.matches import CurriculumStage
from diorama.learn.selfplay.ratings import Ladder, Move
from diorama.learn.settings.selfplay import CurriculumSettings

STAGES = (
    CurriculumStage(name="one", lessons=({"level": 1}, {"level": 2}), promote_at=0.8),
    CurriculumStage(name="two", lessons=({"level": 3},), promote_at=0.6),
    CurriculumStage(name="three", lessons=({"level": 4},), promote_at=None),
)
SETTINGS = CurriculumSettings(promotion_episodes=10, demotion_episodes=4)


def _promoted() -> Ladder:
    ladder = Ladder(STAGES, SETTINGS)
    changes = [ladder.note(0, 1.0) for _ in range(10)]
    assert changes[:-1] == [None] * 9
    change = changes[-1]
    assert change is not None
    assert (change.move, change.left, change.entered, change.rate) == (Move.PROMOTED, 0, 1, 1.0)
    return ladder


def test_enough_wins_lead_to_the_next_stage() -> None:
    assert _promoted().stage.name == "two"


def test_too_few_wins_lead_back_but_not_before_the_first_stage() -> None:
    ladder = _promoted()

    changes = [ladder.note(1, 0.0) for _ in range(4)]

    change = changes[-1]
    assert change is not None
    assert (change.move, change.entered, change.rate) == (Move.DEMOTED, 0, 0.0)
    assert [ladder.note(0, 0.0) for _ in range(20)] == [None] * 20


def test_results_of_other_stages_do_not_count() -> None:
    ladder = _promoted()

    assert [ladder.note(0, 1.0) for _ in range(50)] == [None] * 50
    assert ladder.place == 1


def test_lessons_get_harder_as_the_stage_is_learned() -> None:
    ladder = Ladder(STAGES, SETTINGS)
    assert ladder.lesson == 0
    for _ in range(5):
        ladder.note(0, 1.0)
    assert ladder.lesson == 1
    for _ in range(8):
        ladder.note(0, 0.0)
    assert ladder.lesson == 0


def test_a_share_of_the_episodes_is_of_earlier_stages() -> None:
    ladder = _promoted()

    assert ladder.draw(0.2, 0.0) == (1, 0)
    assert ladder.draw(0.199, 0.99) == (0, 1)
    assert Ladder(STAGES, SETTINGS).draw(0.0, 0.0) == (0, 0)


def test_it_continues_where_it_stood() -> None:
    ladder = _promoted()
    ladder.note(1, 0.0)
    again = Ladder(STAGES, SETTINGS)
    again.load(ladder.state())

    ours = [ladder.note(1, 0.0) for _ in range(3)]

    assert [again.note(1, 0.0) for _ in range(3)] == ours
    assert ours[-1] is not None


@pytest.mark.parametrize("given", [{"first": 2, "last": 1}, {"last": 4}])
def test_stages_that_do_not_exist_are_refused(given: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match=r"do not exist; use 1\.\.3"):
        Ladder(STAGES, CurriculumSettings(**given))
