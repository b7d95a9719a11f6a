"""One person at play: steps, undo and other seats."""

import random
from dataclasses import replace

import numpy as np
import pytest

from diorama.contracts.errors import EpisodeOver
from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.runs.replays.scene import Scene
from diorama.server.play.describing import state_of
from diorama.server.play.entry import SessionFacts
from diorama.server.play.errors import ActionRefused, SessionConflict
from diorama.server.play.limits import PlayLimits
from diorama.server.play.session import Session
from diorama.server.play.undo import STRIDE
from tests.server.play_factories import CASH_OUT, HOLD, belt_session, toy_setting
from tests.server.toy_worlds import DUO, SCREEN, CountingBot

FACTS = SessionFacts(session_id="0" * 32, created_at="then", updated_at="now")


def play_randomly(session: Session, steps: int, seed: int = 1) -> None:
    dice = random.Random(seed)
    for _ in range(steps):
        if session.is_over:
            return
        valid = session.scene.view[2][0].nonzero()[0].tolist()
        session.step(dice.choice([action for action in valid if action != CASH_OUT]))


def seen(session: Session) -> dict[str, object]:
    """Everything a person sees, but not how far they can go back."""
    return state_of(session, FACTS).model_dump(exclude={"undo_available"})


def test_a_session_is_the_same_episode_as_a_scene() -> None:
    session = belt_session(seed=11)
    play_randomly(session, 40)
    scene = Scene(session.setting.venue, 11)

    moments = [scene.step(rows) for rows in session.decisions()]

    assert scene.render_state() == session.scene.render_state()
    assert session.return_total == pytest.approx(sum(moment.record.rewards[0] for moment in moments), abs=1e-12)
    assert session.scene.ticks == moments[-1].t


@pytest.mark.parametrize("steps", [1, 7, 8, 9, 40, 64], ids=lambda steps: f"undo-{steps}")
def test_undo_leads_back_to_exactly_what_was_seen(steps: int) -> None:
    session = belt_session()
    play_randomly(session, 90 - steps)
    before = seen(session)
    play_randomly(session, steps, seed=2)

    session.undo(steps)

    assert seen(session) == before


def test_after_an_undo_the_same_decisions_lead_to_the_same_place() -> None:
    session = belt_session()
    play_randomly(session, 70)
    expected, decisions = seen(session), session.decisions()

    session.undo(33)
    for rows in decisions[-33:]:
        session.step(int(rows[0, 0]))

    assert seen(session) == expected


def test_the_decision_that_ended_an_episode_can_be_taken_back() -> None:
    session = belt_session()
    session.step(HOLD)
    before = seen(session)
    session.step(CASH_OUT)
    assert session.is_over

    session.undo(1)

    assert seen(session) == before
    session.step(HOLD)
    assert session.steps == 2


def test_undo_goes_no_farther_than_the_opening_and_64_decisions() -> None:
    session = belt_session()
    assert session.undo_available == 0
    play_randomly(session, 3)

    with pytest.raises(SessionConflict, match="cannot take back 4 decisions; 3 can be"):
        session.undo(4)
    session.undo(3)
    assert (session.steps, session.last, session.undo_available) == (0, None, 0)
    for _ in range(200):
        session.step(HOLD)
    assert session.undo_available == 64


def test_what_undo_keeps_does_not_grow_with_the_episode() -> None:
    session = belt_session()
    one = len(session.scene.place().snapshot)
    most = 0
    for _ in range(400):
        session.step(HOLD)
        most = max(most, session._trail.bytes_kept)

    assert most <= 10 * one * 1.5


def test_snapshots_that_do_not_fit_shorten_the_undo() -> None:
    one = len(belt_session().scene.place().snapshot)
    session = belt_session(limits=PlayLimits(undo_bytes=int(2.5 * one)))
    for _ in range(100):
        session.step(HOLD)
        assert session._trail.bytes_kept <= 2.5 * one

    assert 8 <= session.undo_available <= 16
    session.undo(session.undo_available)
    none = belt_session(limits=PlayLimits(undo_bytes=1))
    for _ in range(20):
        none.step(HOLD)
    assert none.undo_available == 0
    none.step(CASH_OUT)
    assert none.is_over


def test_a_finished_episode_shows_its_last_moment_and_takes_nothing_more() -> None:
    session = belt_session(seed=3)
    session.step(CASH_OUT)

    state = state_of(session, FACTS)

    assert (state.is_over, state.terminated, state.info["end_reason"]) == (True, True, "cash_out")
    assert state.render_state["time"] == 1
    assert set(state.action_mask) == {0}
    assert state.action_reasons is not None
    assert set(state.action_reasons) == {"the episode is over"}
    with pytest.raises(EpisodeOver, match="ended after 1 decisions; reset or undo"):
        session.step(HOLD)


def test_a_time_budget_truncates() -> None:
    session = belt_session(time_max=3)
    for _ in range(3):
        session.step(HOLD)

    assert state_of(session, FACTS).truncated


def test_an_episode_of_a_session_has_a_longest_length() -> None:
    session = belt_session(limits=PlayLimits(decisions=5))
    for _ in range(5):
        session.step(HOLD)

    with pytest.raises(SessionConflict, match="at most 5 decisions"):
        session.step(HOLD)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        pytest.param(1, "one option for each of: amount, sign", id="an-integer"),
        pytest.param([1], "chooses for 1 head", id="too-short"),
        pytest.param([3, 0], "action 3 of 'amount' does not exist; use 0..2", id="out-of-range"),
        pytest.param([0, -1], "action -1 of 'sign'", id="negative"),
    ],
)
def test_several_heads_take_one_option_each(action: int | list[int], words: str) -> None:
    session = Session(toy_setting(DUO), 0, PlayLimits())

    with pytest.raises(ActionRefused, match=words):
        session.step(action)
    assert session.steps == 0


def test_other_seats_take_no_ops_or_are_played_by_a_bot() -> None:
    alone = Session(toy_setting(DUO, seat=1, length=9), 0, PlayLimits())
    beside = Session(toy_setting(DUO, seat=1, others="counting", length=9), 0, PlayLimits())
    for session in (alone, beside):
        for _ in range(4):
            session.step([2, 1])

    assert alone.decisions()[:, 0].tolist() == [[0, 0]] * 4
    assert beside.decisions()[:, 0].tolist() == [[1, 0], [2, 0], [0, 0], [1, 0]]
    assert beside.decisions()[:, 1].tolist() == [[2, 1]] * 4
    assert (alone.return_total, beside.return_total) == (-8.0, -8.0)


def test_after_an_undo_bots_remember_no_more_than_has_happened() -> None:
    session = Session(toy_setting(DUO, others="counting", length=30), 0, PlayLimits())
    for _ in range(14):
        session.step([1, 0])
    before = session.decisions()

    session.undo(11)
    for _ in range(11):
        session.step([1, 0])

    np.testing.assert_array_equal(session.decisions(), before)


def test_a_session_ends_with_the_life_of_its_seat() -> None:
    session = Session(toy_setting(DUO, seat=1, length=3), 0, PlayLimits())
    session.step([1, 0])
    session.step([1, 0])

    state = state_of(session, FACTS)

    assert (state.terminated, state.is_over, state.steps) == (True, True, 2)
    assert (state.obs, state.obs_u8) == ([2.0], [1, 2])
    session.undo(1)
    assert not session.is_over


def test_pictures_stay_out_of_the_numbers() -> None:
    session = Session(toy_setting(SCREEN), 0, PlayLimits())
    session.step(2)

    state = state_of(session, FACTS)

    assert (state.obs, state.obs_u8) == ([1.0], [2])
    assert [(item.name, item.shape) for item in state.pictures] == [("picture", [2, 3])]
    assert state.action_reasons is None


def test_an_undo_late_in_an_episode_takes_few_decisions_again() -> None:
    asked: list[int] = []

    class Watched(CountingBot):
        """A bot that tells when it is asked."""

        def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
            asked.append(1)
            return super().act(obs, obs_u8, mask)

    duo = replace(DUO, bots={"watched": Watched})
    session = Session(toy_setting(duo, others="watched", length=500), 0, PlayLimits())
    for _ in range(203):
        session.step([1, 0])
    asked.clear()

    session.undo(2)

    assert len(asked) <= STRIDE
