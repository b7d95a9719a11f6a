"""A citizen is led by hand while the others lead their own lives."""

from pathlib import Path

import numpy as np
import pytest

from diorama.engine.venue import open_venue
from diorama.learn.evaluation.policy_player import PolicyPlayer
from diorama.runs.replays.scene import Scene
from diorama.server.play.describing import state_of
from diorama.server.play.entry import SessionFacts
from diorama.server.play.limits import PlayLimits
from diorama.server.play.others import OtherSeats
from diorama.server.play.policies import PolicyShelf
from diorama.server.play.session import Session
from diorama.server.play.setting import seated
from diorama.server.reading.shelf import RunShelf
from diorama.worlds.townlet.codes import OPTION_NAMES, Option, Primitive
from diorama.worlds.townlet.frames import read_frame
from tests.server.play_factories import keep_policy
from tests.worlds.townlet.learning.towns import DOOMED

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


def test_where_citizens_choose_primitives_the_others_find_their_way(shelf: PolicyShelf) -> None:
    config = {"policy_runtime": {"action_level": "primitive"}}
    venue = open_venue("townlet", config, tier="reference", threads=1)

    session = Session(seated(shelf, venue, seat=0, others=None), 3, PlayLimits())
    session.step(Primitive.WAIT)

    assert state_of(session, FACTS).others == "scripted"
    assert session.record.effective[0] == (Primitive.WAIT,)
    assert {Primitive.MOVE_NORTH, Primitive.MOVE_EAST, Primitive.MOVE_SOUTH, Primitive.MOVE_WEST} & {
        decision[0] for decision in session.record.effective if decision is not None
    }


def test_whoever_takes_a_seat_remembers_nothing_of_who_had_it_before(shelf: PolicyShelf, tmp_path: Path) -> None:
    venue = open_venue("townlet", {**DOOMED, "episode_ticks": 150}, tier="reference", threads=1)
    policy = keep_policy(tmp_path, "rival", venue.spec, "lstm-16-v1")
    setting = seated(shelf, venue, seat=0, others="rival")

    def played(*, forgets: bool) -> tuple[list[list[list[int]]], list[list[list[int]]]]:
        """Let the others play an episode, and a player of the same policy look over their shoulders."""
        scene, others = Scene(venue, 3), OtherSeats(setting, 3)
        player = PolicyPlayer(policy, venue.spec, venue.spec.agents, deterministic=True, seed=0)
        done, expected = [], []
        while not scene.is_over:
            if forgets and (arrived := scene.arrivals):
                player.reset(arrived, [3] * len(arrived))
            rows = player.act(*scene.view).copy()
            rows[0] = Option.IDLE
            expected.append(rows.tolist())
            done.append(others.decide(scene, (Option.IDLE,), {}).tolist())
            scene.step(np.array(done[-1], np.int32))
        return done, expected

    done, expected = played(forgets=True)
    assert done == expected
    done, expected = played(forgets=False)
    assert done != expected
