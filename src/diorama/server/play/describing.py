"""What a session says about itself."""

from collections.abc import Mapping

import numpy as np
from pydantic import JsonValue

from diorama.contracts.errors import EpisodeOver
from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.spec import Dtype, ObservationField, WorldSpec
from diorama.contracts.values import U8
from diorama.runs.documents import RawObject, encode
from diorama.runs.replays.scene import Scene
from diorama.server.models.play import ForkOrigin, PictureField, SessionMoments, SessionState
from diorama.server.play.decisions import shown_decision
from diorama.server.play.entry import SessionFacts
from diorama.server.play.hindsight import Hindsight
from diorama.server.play.session import Session

_PICTURE_DIMENSIONS = 2  # and more: a byte field of rows and columns is something to look at
_MOST_MOMENTS = 256  # of one answer
_MOST_BYTES = 4 << 20  # about; one moment is always told
_EPISODE_OVER = "the episode is over"
_UNEXPLAINED = "not possible now"


def state_of(session: Session, facts: SessionFacts) -> SessionState:
    """Return where a session stands, as its seat sees it."""
    setting, spec, record = session.setting, session.setting.spec, session.record
    seat, config = setting.seat, setting.venue.config.model_dump(mode="json")
    obs, obs_u8 = session.scene.observation(seat, is_last=session.has_left)
    picture, events, event_data = _seen(session)
    mask = _mask(session)
    received = record.received[seat]
    return SessionState(
        session_id=facts.session_id,
        world=spec.world,
        interface_version=spec.interface_version,
        seed=session.seed,
        seat=seat,
        agents=spec.agents,
        sides=_sides(session),
        others=None if setting.others is None else setting.others.name,
        env_time_max=setting.time_budget_ticks,
        config=config,
        config_hash=setting.config_hash,
        obs=obs.tolist(),
        obs_u8=np.concatenate([np.zeros(0, np.uint8), *_codes(spec, obs_u8)]).tolist(),
        pictures=[PictureField(name=item.name, shape=list(item.shape)) for item in picture_fields(spec)],
        action=None if received is None else shown_decision(received),
        reward=record.rewards[seat],
        terminated=record.terminated[seat],
        truncated=record.truncated[seat],
        is_over=session.is_over,
        info=_info(spec, record, seat),
        events=events,
        event_data=event_data,
        action_mask=mask.tolist(),
        action_reasons=_reasons(session, mask, picture),
        metrics=dict(zip(spec.metric_keys, record.metrics[seat], strict=True)),
        render_state=picture,
        steps=session.steps,
        dt=record.dt,
        ticks=session.scene.ticks,
        return_total=session.return_total,
        undo_available=session.undo_available,
        forked_from=None
        if session.origin is None
        else ForkOrigin(run_id=session.origin.run_id, replay_id=session.origin.replay_id, frame=session.origin.frame),
        created_at=facts.created_at,
        updated_at=facts.updated_at,
    )


def moments_of(session_id: str, session: Session, first: int, hindsight: Hindsight) -> SessionMoments:
    """Return what the seat was shown from one moment on, up to the present one unless that is too much for one answer.

    Raises:
        EpisodeOver: So many decisions have not been taken.
        SessionConflict: Too many steps would have to be taken again for it.
    """
    if first > session.steps:
        raise EpisodeOver(f"there is no moment after {first} decisions: the session has taken {session.steps}")
    shown = [_picture(session, hindsight.before(session, first))]
    size_bytes = len(encode(shown[0]))
    count = min(session.steps - first + 1, _MOST_MOMENTS, max(1, _MOST_BYTES // size_bytes))
    shown += [_picture(session, hindsight.before(session, first + place)) for place in range(1, count)]
    return SessionMoments(session_id=session_id, steps=session.steps, first=first, count=count, render_states=shown)


def _sides(session: Session) -> list[int] | None:
    venue = session.setting.venue
    matches = venue.world.matches
    return None if matches is None else list(matches.sides(venue.config, session.scene.opening))


def _seen(session: Session) -> tuple[RawObject, list[str], RawObject]:
    """Return picture, events and payloads; a world with secrets tells them when the episode is over."""
    record, seen_by = session.record, session.setting.venue.world.seen_by
    picture = session.scene.render_state()
    if seen_by is None or session.scene.is_over:
        return picture, list(record.events), dict(record.event_data)
    seen = seen_by(picture, session.setting.seat)
    return dict(seen.picture), list(seen.events), {}


def _picture(session: Session, scene: Scene) -> RawObject:
    seen_by, picture = session.setting.venue.world.seen_by, scene.render_state()
    if seen_by is None or session.scene.is_over:
        return picture
    return dict(seen_by(picture, session.setting.seat).picture)


def picture_fields(spec: WorldSpec) -> list[ObservationField]:
    """Return the observation fields that are pictures."""
    return [item for item in spec.observation if _is_picture(item)]


def pictures_of(session: Session) -> list[bytes]:
    """Return the bytes of every picture the seat sees, row by row."""
    _, obs_u8 = session.scene.observation(session.setting.seat, is_last=session.has_left)
    return [obs_u8[item.start : item.stop].tobytes() for item in picture_fields(session.setting.spec)]


def _is_picture(item: ObservationField) -> bool:
    return item.dtype is Dtype.UINT8 and len(item.shape) >= _PICTURE_DIMENSIONS


def _codes(spec: WorldSpec, obs_u8: U8) -> list[U8]:
    shown = [item for item in spec.observation if item.dtype is Dtype.UINT8 and not _is_picture(item)]
    return [obs_u8[item.start : item.stop] for item in shown]


def _mask(session: Session) -> U8:
    mask: U8 = session.scene.view[2][session.setting.seat]
    # A copy that has ended has been reset: its mask is that of another episode.
    return np.zeros_like(mask) if session.is_over else mask


def _reasons(session: Session, mask: U8, picture: Mapping[str, JsonValue]) -> list[str] | None:
    explain = session.setting.venue.world.explain_mask
    if explain is None:
        return None
    if session.is_over:
        return [_EPISODE_OVER] * len(mask)
    reasons = explain(picture, session.setting.seat)
    return ["" if valid else reason or _UNEXPLAINED for valid, reason in zip(mask.tolist(), reasons, strict=True)]


def _info(spec: WorldSpec, record: StepRecord, seat: int) -> dict[str, JsonValue]:
    return {
        **dict(zip(spec.metric_keys, record.metrics[seat], strict=True)),
        "action": _shown(record.effective[seat]),
        "action_received": _shown(record.received[seat]),
        "dt": record.dt,
        "reward_terms": dict(record.reward_terms[seat]),
        **record.info,  # type: ignore[dict-item]  # a JSON object
    }


def _shown(decision: Decision | None) -> JsonValue:
    return None if decision is None else shown_decision(decision)  # type: ignore[return-value]
