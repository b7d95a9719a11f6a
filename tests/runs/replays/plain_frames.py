"""A frame as it is written, for tests to change."""

import json

from diorama.runs.documents import decode
from diorama.runs.replays.frames import Frame

FRAME: dict[str, object] = {
    "schema_version": 1,
    "frame_index": 0,
    "t": 3,
    "dt": 3,
    "action": 6,
    "reward": -0.25,
    "terminated": False,
    "truncated": False,
    "render_state": {"schema_version": 1, "time": 3},
    "events": ["travel"],
}


def read(frame: dict[str, object]) -> Frame:
    """Read a frame from its line."""
    return decode(json.dumps(frame).encode(), Frame, where="here")
