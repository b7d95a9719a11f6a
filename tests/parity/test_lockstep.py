"""Two tiers that agree pass; a flaw is caught at its step, under its name."""

import pytest

from diorama.contracts.config import WorldConfig
from diorama.contracts.world import World
from diorama.parity.lockstep import Phase, Walk, walk_in_lockstep
from diorama.parity.players import SuitePlayer
from diorama.parity.profiles import Profile
from diorama.parity.sides import Sides
from diorama.worlds.registry import load_world
from tests.parity.flawed_tiers import (
    FLAWED_STEP,
    Flawless,
    NegativeZeroTerm,
    OneUlpOff,
    SkippedDraw,
    WrongDt,
    WrongMaskBit,
    WrongPayload,
    WrongPicture,
    WrongPictureAfterAnEnd,
    WrongSecondEpisode,
    prospector_with,
    short_case,
)


def walk(world: World[WorldConfig], *, suite: str = "C", steps: int = 12, profile: Profile = Profile.EXACT) -> Walk:
    case = short_case(suite, steps=steps)
    return walk_in_lockstep(case, Sides.of_world(world), SuitePlayer(world, case), profile)


@pytest.mark.parametrize("suite", ["A", "B", "C", "D", "E"])
def test_the_two_tiers_of_prospector_agree(suite: str) -> None:
    walked = walk(load_world("prospector"), suite=suite, steps=120)

    assert walked.mismatch is None
    assert len(walked.actions) == 120


def test_a_case_runs_on_over_the_ends_of_its_episodes() -> None:
    walked = walk(prospector_with(Flawless), suite="B", steps=40)

    assert walked.mismatch is None
    assert walked.episodes >= 2


@pytest.mark.parametrize(
    ("flaw", "field", "name"),
    [
        pytest.param(OneUlpOff, "obs", "price_norm[2]", id="one-ulp"),
        pytest.param(WrongDt, "dt", "", id="dt"),
        pytest.param(SkippedDraw, "rng_draws", "", id="skipped-draw"),
        pytest.param(WrongMaskBit, "masks", "REFINE_ONBOARD", id="mask"),
        pytest.param(WrongPayload, "event_data", "invalid_action.received", id="payload"),
        pytest.param(NegativeZeroTerm, "reward_terms", "[0].sale", id="negative-zero"),
    ],
)
def test_a_flaw_is_caught_at_its_step_under_its_name(flaw: type[Flawless], field: str, name: str) -> None:
    walked = walk(prospector_with(flaw))

    assert walked.mismatch is not None
    assert (walked.mismatch.phase, walked.mismatch.step) == (Phase.STEP, FLAWED_STEP)
    assert (walked.mismatch.differences[0].field, walked.mismatch.differences[0].name) == (field, name)
    assert len(walked.actions) == FLAWED_STEP + 1


def test_everything_that_differs_at_the_step_is_collected() -> None:
    walked = walk(prospector_with(SkippedDraw))

    assert walked.mismatch is not None
    assert {item.field for item in walked.mismatch.differences} == {"rng_draws", "state_hash", "state_words"}


def test_an_observation_difference_carries_both_values_and_their_distance() -> None:
    walked = walk(prospector_with(OneUlpOff))

    assert walked.mismatch is not None
    (found,) = walked.mismatch.differences
    assert found.index == (0, 246)
    assert isinstance(found.reference, float)
    assert isinstance(found.fast, float)
    assert found.difference == found.fast - found.reference > 0
    assert found.tolerance == 0.0


def test_a_wrong_opening_is_caught_at_the_reset() -> None:
    walked = walk(prospector_with(WrongSecondEpisode), suite="B", steps=40)

    assert walked.mismatch is not None
    assert (walked.mismatch.phase, walked.mismatch.episode) == (Phase.RESET, 1)
    assert len(walked.actions) == walked.mismatch.step
    assert "fuel_frac" in {item.name for item in walked.mismatch.differences}


def test_a_wrong_picture_is_caught_at_the_end() -> None:
    walked = walk(prospector_with(WrongPicture))

    assert walked.mismatch is not None
    assert (walked.mismatch.phase, walked.mismatch.step) == (Phase.END, 12)
    assert str(walked.mismatch.differences[0]).startswith("render_state schema_version is")


def test_a_wrong_picture_of_an_episode_that_follows_another_is_caught_at_the_step_that_opens_it() -> None:
    walked = walk(prospector_with(WrongPictureAfterAnEnd), suite="B", steps=40)

    assert walked.mismatch is not None
    assert (walked.mismatch.phase, walked.mismatch.episode) == (Phase.STEP, 0)
    assert [item.field for item in walked.mismatch.differences] == ["render_state"]


def test_the_tolerant_profile_forgives_an_ulp() -> None:
    assert walk(prospector_with(OneUlpOff), profile=Profile.TOLERANT).mismatch is None


@pytest.mark.parametrize(
    ("flaw", "field"), [pytest.param(WrongMaskBit, "masks", id="mask"), pytest.param(WrongDt, "dt", id="dt")]
)
def test_the_tolerant_profile_keeps_flags_exact(flaw: type[Flawless], field: str) -> None:
    walked = walk(prospector_with(flaw), profile=Profile.TOLERANT)

    assert walked.mismatch is not None
    assert walked.mismatch.differences[0].field == field


def test_the_tolerant_profile_does_not_look_at_the_state() -> None:
    walked = walk(prospector_with(SkippedDraw), profile=Profile.TOLERANT)

    assert walked.mismatch is not None
    assert {item.field for item in walked.mismatch.differences} == {"rng_draws"}
