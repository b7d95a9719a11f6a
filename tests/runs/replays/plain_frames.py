"""A frame as it is written, for tests to change."""

import json

from diorama.runs.replays.frames import Frame
from diorama.storage.json_text import decode_json

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
    return decode_json(json.dumps(frame).encode(), Frame, where="here")
