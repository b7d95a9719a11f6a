"""A player sees what the own side knows; the truth comes with the end."""

import json

from diorama.engine.venue import open_venue
from diorama.server.models.play import SessionState
from diorama.server.play.describing import moments_of, state_of
from diorama.server.play.entry import SessionFacts
from diorama.server.play.hindsight import Hindsight
from diorama.server.play.limits import PlayLimits
from diorama.server.play.session import Session
from diorama.server.play.setting import Setting
from tests.worlds.tidebreak.world.battles import LIMIT_S, skirmish

FACTS = SessionFacts(session_id="f" * 32, created_at="2031-05-06T00:00:00Z", updated_at="2031-05-06T00:00:00Z")
STOP = [1, 3, 0, 0, 0, 0, 0]


def shown(session: Session) -> SessionState:
    return state_of(session, FACTS)


def test_a_session_hides_the_enemy_until_the_battle_is_over() -> None:
    venue = open_venue("tidebreak", {"package": skirmish()}, tier="reference", threads=1)
    session, hindsight = Session(Setting(venue=venue, seat=0, others=None), 7, PlayLimits()), Hindsight()

    opening = shown(session)
    for _ in range(LIMIT_S - 1):
        session.step(STOP)
    playing = shown(session)
    earlier = moments_of(FACTS.session_id, session, 0, hindsight).render_states
    session.step(STOP)
    over = shown(session)
    later = moments_of(FACTS.session_id, session, 0, hindsight).render_states

    for state in (opening, playing):
        assert state.render_state["view"] == "blue"
        assert "red-1" not in json.dumps([state.render_state, state.events, state.event_data])
        assert state.event_data == {}
    assert playing.action_reasons is not None
    assert all(reason for reason, valid in zip(playing.action_reasons, playing.action_mask, strict=True) if not valid)
    assert (over.is_over, over.render_state["view"]) == (True, "omniscient")
    assert "battle_end" in over.event_data
    assert earlier == [opening.render_state, *earlier[1:-1], playing.render_state]
    assert "red-1" not in json.dumps(earlier)
    assert [moment["view"] for moment in later] == ["omniscient"] * (LIMIT_S + 1)
    hindsight.close()
    session.undo(3)
    assert shown(session).render_state["tick"] == LIMIT_S - 3
    session.close()
