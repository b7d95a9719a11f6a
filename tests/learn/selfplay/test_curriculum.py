"""Promotion and demotion between the stages of a curriculum."""

import pytest

from diorama.contracts.errors import ConfigError
from diorama.contracts.matches import CurriculumStage
from diorama.learn.selfplay.curriculum import Curriculum, Move
from diorama.learn.settings.selfplay import CurriculumSettings
from tests.refusals import refused

STAGES = (
    CurriculumStage(name="one", lessons=({"level": 1}, {"level": 2}), promote_at=0.8),
    CurriculumStage(name="two", lessons=({"level": 3},), promote_at=0.6),
    CurriculumStage(name="three", lessons=({"level": 4},), promote_at=None),
)
SETTINGS = CurriculumSettings(promotion_episodes=10, demotion_episodes=4)


def _promoted() -> Curriculum:
    curriculum = Curriculum(STAGES, SETTINGS)
    changes = [curriculum.record_result(0, 1.0) for _ in range(10)]
    assert changes[:-1] == [None] * 9
    change = changes[-1]
    assert change is not None
    assert (change.move, change.from_stage, change.to_stage, change.rate) == (Move.PROMOTED, 0, 1, 1.0)
    return curriculum


def test_enough_wins_promote_the_learner_to_the_next_stage() -> None:
    assert _promoted().stage.name == "two"


def test_too_few_wins_demote_the_learner_but_not_below_the_first_stage() -> None:
    curriculum = _promoted()

    changes = [curriculum.record_result(1, 0.0) for _ in range(4)]

    change = changes[-1]
    assert change is not None
    assert (change.move, change.to_stage, change.rate) == (Move.DEMOTED, 0, 0.0)
    assert [curriculum.record_result(0, 0.0) for _ in range(20)] == [None] * 20


def test_results_of_other_stages_do_not_count() -> None:
    curriculum = _promoted()

    assert [curriculum.record_result(0, 1.0) for _ in range(50)] == [None] * 50
    assert curriculum.stage_index == 1


def test_lessons_follow_the_win_rate_in_the_stage() -> None:
    curriculum = Curriculum(STAGES, SETTINGS)
    assert curriculum.lesson == 0
    for _ in range(5):
        curriculum.record_result(0, 1.0)
    assert curriculum.lesson == 1
    for _ in range(8):
        curriculum.record_result(0, 0.0)
    assert curriculum.lesson == 0


def test_a_share_of_the_episodes_is_of_earlier_stages() -> None:
    curriculum = _promoted()

    assert curriculum.draw(0.2, 0.0) == (1, 0)
    assert curriculum.draw(0.199, 0.99) == (0, 1)
    assert Curriculum(STAGES, SETTINGS).draw(0.0, 0.0) == (0, 0)


def test_a_loaded_curriculum_continues_like_the_stored_one() -> None:
    curriculum = _promoted()
    curriculum.record_result(1, 0.0)
    again = Curriculum(STAGES, SETTINGS)
    again.load(curriculum.state())

    ours = [curriculum.record_result(1, 0.0) for _ in range(3)]

    assert [again.record_result(1, 0.0) for _ in range(3)] == ours
    assert ours[-1] is not None


@pytest.mark.parametrize(
    ("first", "last"), [pytest.param(2, 1, id="empty-range"), pytest.param(1, 4, id="after-the-last")]
)
def test_stages_that_do_not_exist_are_refused(first: int, last: int) -> None:
    with refused(ConfigError, "curriculum_stages_out_of_range", first=first, last=last, stages=3):
        Curriculum(STAGES, CurriculumSettings(first=first, last=last))


def test_a_world_without_stages_has_no_curriculum() -> None:
    with refused(ConfigError, "no_curriculum_stages"):
        Curriculum((), CurriculumSettings())
