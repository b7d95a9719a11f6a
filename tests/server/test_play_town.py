"""A citizen is led by hand while the others lead their own lives."""

from pathlib import Path

import pytest

from diorama.learn.evaluation.venue import open_venue
from diorama.server.play.describing import state_of
from diorama.server.play.entry import SessionFacts
from diorama.server.play.limits import PlayLimits
from diorama.server.play.policies import PolicyShelf
from diorama.server.play.session import Session
from diorama.server.play.setting import seated
from diorama.server.reading.shelf import RunShelf
from diorama.worlds.townlet.codes import OPTION_NAMES, Option
from diorama.worlds.townlet.frames import read_frame

FACTS = SessionFacts(session_id="f" * 32, created_at="2031-05-06T00:00:00Z", updated_at="2031-05-06T00:00:00Z")


@pytest.fixture
def shelf(tmp_path: Path) -> PolicyShelf:
    return PolicyShelf(RunShelf(tmp_path))


def test_the_seats_nobody_plays_are_led_by_the_scripted_controller(shelf: PolicyShelf) -> None:
    venue = open_venue("townlet", None, tier="reference", threads=1)
    session = Session(seated(shelf, venue, seat=2, others=None), 3, PlayLimits())
    for _ in range(3):
        session.step(Option.IDLE)

    state = state_of(session, FACTS)

    assert (state.others, state.seat, state.render_state["seat"]) == ("scripted", 2, 2)
    citizens = read_frame(state.render_state).citizens
    options = [citizen.option for citizen in citizens]
    assert options[2] == OPTION_NAMES[Option.IDLE]
    assert OPTION_NAMES[Option.SLEEP] in options
    assert state.action_reasons is not None
    assert all(reason for reason, valid in zip(state.action_reasons, state.action_mask, strict=True) if not valid)


def test_where_citizens_choose_primitives_the_others_wait(shelf: PolicyShelf) -> None:
    config = {"policy_runtime": {"action_level": "primitive"}}
    venue = open_venue("townlet", config, tier="reference", threads=1)

    session = Session(seated(shelf, venue, seat=0, others=None), 3, PlayLimits())
    session.step(0)

    assert state_of(session, FACTS).others is None
    assert session.record.effective[1] == (0,)
