"""Opens a session in the middle of a recorded replay."""

from diorama.runs.replays.fork import OPENING
from diorama.runs.replays.verify import replay_venue
from diorama.server.errors import BadValue
from diorama.server.play.errors import SessionConflict
from diorama.server.play.limits import PlayLimits
from diorama.server.play.origin import Origin
from diorama.server.play.policies import PolicyShelf
from diorama.server.play.session import Session
from diorama.server.play.setting import seated
from diorama.server.reading.shelf import RunShelf


def fork_session(
    runs: RunShelf, origin: Origin, shelf: PolicyShelf, limits: PlayLimits, *, seat: int, others: str | None
) -> Session:
    """Take the steps of a replay again, up to and including a frame, and hand over the controls.

    Args:
        runs: Where the replay lies.
        origin: The replay and the frame.
        shelf: Finds policies for the other seats.
        limits: Bounds of sessions.
        seat: The seat that is played by hand from there on.
        others: Bot or run that plays the other seats; it has watched the frames that are kept.

    Raises:
        UnknownName: There is no such run, replay, bot or run of others.
        BadValue: There is no such frame or seat.
        SessionConflict: Nothing follows the frame.
        ReplayDiverged: The replay does not come out as it was recorded.
    """
    reader = runs.replay(runs.find(origin.run_id), origin.replay_id).reader
    if not OPENING <= origin.frame < reader.frame_count:
        raise BadValue(
            f"frame {origin.frame} does not exist; replay {origin.replay_id!r} has 0..{reader.frame_count - 1}, "
            f"and {OPENING} stands for its opening"
        )
    if origin.frame >= limits.decisions:
        raise BadValue(f"frame {origin.frame} is too deep; a session has at most {limits.decisions} decisions")
    setting = seated(shelf, replay_venue(reader.sidecar, files=runs.files), seat=seat, others=others)
    session = Session(setting, reader.sidecar.seed, limits, origin)
    try:
        for frame in reader.frames(0, origin.frame + 1):
            session.repeat(frame, where=f"replay {origin.replay_id!r} frame {frame.frame_index}")
        if session.is_over:
            raise SessionConflict(f"nothing can follow frame {origin.frame}: the episode ends there")
    except BaseException:
        session.close()
        raise
    return session
