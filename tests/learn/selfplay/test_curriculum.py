"""Promotion and demotion between the stages of a curriculum."""

from copy import deepcopy

import pytest

from diorama.contracts.errors import ConfigError
from diorama.contracts.matches import CurriculumStage
from diorama.learn.selfplay.curriculum import Curriculum, Move, StageChange
from diorama.learn.selfplay.match import ANY_SIDE, STAGE_OPPONENT, CurriculumState, Match, MatchResult
from diorama.learn.settings.selfplay import CurriculumSettings
from tests.refusals import refused

STAGES = (
    CurriculumStage(name="one", lessons=({"level": 1}, {"level": 2}), promote_at=0.8),
    CurriculumStage(name="two", lessons=({"level": 3},), promote_at=0.6),
    CurriculumStage(name="three", lessons=({"level": 4},), promote_at=None),
)
SETTINGS = CurriculumSettings(promotion_episodes=10, demotion_episodes=4)


class Copies:
    """Copies that play one match after another, drawn as the curriculum stands when the one before ends."""

    def __init__(self, curriculum: Curriculum, copies: int = 1) -> None:
        self.curriculum = curriculum
        self._stages = [curriculum.stage_index] * copies
        self._step = 0

    def end(self, score: float, copy: int = 0) -> StageChange | None:
        """End the match of a copy one step after the last one that ended."""
        self._step += 1
        match, following = self._match(copy), self.curriculum.stage_index
        self._stages[copy] = following
        return self.curriculum.record_result(
            MatchResult(step=self._step, copy=copy, match=match, score=score, following=self._match(copy))
        )

    def _match(self, copy: int) -> Match:
        return Match(number=0, stage=self._stages[copy], lesson=0, opponent=STAGE_OPPONENT, side=ANY_SIDE)


def _promoted() -> Copies:
    copies = Copies(Curriculum(STAGES, SETTINGS, copies=1))
    changes = [copies.end(1.0) for _ in range(10)]
    assert changes[:-1] == [None] * 9
    change = changes[-1]
    assert change is not None
    assert (change.move, change.from_stage, change.to_stage, change.rate) == (Move.PROMOTED, 0, 1, 1.0)
    assert copies.end(1.0) is None, "it began in the stage before"
    return copies


def test_enough_wins_promote_the_learner_to_the_next_stage() -> None:
    assert _promoted().curriculum.stage.name == "two"


def test_too_few_wins_demote_the_learner_but_not_below_the_first_stage() -> None:
    copies = _promoted()

    changes = [copies.end(0.0) for _ in range(4)]

    change = changes[-1]
    assert change is not None
    assert (change.move, change.to_stage, change.rate) == (Move.DEMOTED, 0, 0.0)
    assert [copies.end(0.0) for _ in range(20)] == [None] * 20


def test_results_of_other_stages_do_not_count() -> None:
    curriculum = _promoted().curriculum
    earlier = Match(number=0, stage=0, lesson=1, opponent=STAGE_OPPONENT, side=ANY_SIDE)

    for step in range(20, 70):
        result = MatchResult(step=step, copy=0, match=earlier, score=1.0, following=earlier)
        assert curriculum.record_result(result) is None

    assert curriculum.stage_index == 1
    assert curriculum.lesson == 0


def test_results_count_in_the_order_in_which_their_matches_began() -> None:
    curriculum = Curriculum(STAGES, SETTINGS, copies=3)
    copies = Copies(curriculum, copies=3)

    copies.end(0.0, copy=1)
    copies.end(0.0, copy=1)
    assert curriculum.state().scores == [], "copy 0 began as early"
    copies.end(1.0, copy=0)
    assert curriculum.state().scores == [1.0, 0.0], "copy 2 began before the second match of copy 1"
    copies.end(0.5, copy=2)
    assert curriculum.state().scores == [1.0, 0.0, 0.5, 0.0]


def test_a_learner_that_loses_soon_and_wins_late_is_not_judged_by_its_losses() -> None:
    settings = CurriculumSettings(promotion_episodes=40, demotion_episodes=40, demotion_rate=0.5)
    curriculum = Curriculum(STAGES, settings, copies=64)
    curriculum.load(CurriculumState(stage_index=1, scores=[], running=[(0, copy) for copy in range(64)]))
    copies = Copies(curriculum, copies=64)
    wins = [copy for copy in range(64) if copy % 8 < 5]

    changes = [copies.end(0.0, copy) for copy in range(64) if copy not in wins]
    changes += [copies.end(1.0, copy) for copy in wins]

    (change,) = [change for change in changes if change is not None]
    assert (change.move, change.rate) == (Move.PROMOTED, 0.625)


def test_lessons_follow_the_win_rate_in_the_stage() -> None:
    copies = Copies(Curriculum(STAGES, SETTINGS, copies=1))
    assert copies.curriculum.lesson == 0
    for _ in range(5):
        copies.end(1.0)
    assert copies.curriculum.lesson == 1
    for _ in range(8):
        copies.end(0.0)
    assert copies.curriculum.lesson == 0


def test_a_share_of_the_episodes_is_of_earlier_stages() -> None:
    curriculum = _promoted().curriculum

    assert curriculum.draw(0.2, 0.0) == (1, 0)
    assert curriculum.draw(0.199, 0.99) == (0, 1)
    assert Curriculum(STAGES, SETTINGS, copies=1).draw(0.0, 0.0) == (0, 0)


def test_a_loaded_curriculum_continues_like_the_stored_one() -> None:
    curriculum = Curriculum(STAGES, SETTINGS, copies=3)
    copies = Copies(curriculum, copies=3)
    for score in (0.0, 0.5, 1.0):
        copies.end(score, copy=1)
    again = Curriculum(STAGES, SETTINGS, copies=3)
    again.load(curriculum.state())
    others = deepcopy(copies)
    others.curriculum = again

    ours = [copies.end(1.0, copy) for copy in (0, 2, 1, 0, 2) * 4]

    assert [others.end(1.0, copy) for copy in (0, 2, 1, 0, 2) * 4] == ours
    assert any(ours)
    assert again.state() == curriculum.state()


def test_a_state_of_an_earlier_version_counts_matches_that_begin_from_now_on() -> None:
    curriculum = Curriculum(STAGES, SETTINGS, copies=2)
    curriculum.load(CurriculumState(stage_index=0, scores=[1.0] * 8))
    copies = Copies(curriculum, copies=2)

    assert copies.end(0.0, copy=0) is None
    assert curriculum.state().scores == [1.0] * 8
    assert copies.end(1.0, copy=0) is None
    change = copies.end(1.0, copy=0)

    assert change is not None
    assert change.move is Move.PROMOTED


@pytest.mark.parametrize(
    ("first", "last"), [pytest.param(2, 1, id="empty-range"), pytest.param(1, 4, id="after-the-last")]
)
def test_stages_that_do_not_exist_are_refused(first: int, last: int) -> None:
    with refused(ConfigError, "curriculum_stages_out_of_range", first=first, last=last, stages=3):
        Curriculum(STAGES, CurriculumSettings(first=first, last=last), copies=1)


def test_a_world_without_stages_has_no_curriculum() -> None:
    with refused(ConfigError, "no_curriculum_stages"):
        Curriculum((), CurriculumSettings(), copies=1)
