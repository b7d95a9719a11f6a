"""Which checkpoints of a run still have to get the replay of their window."""

from pathlib import Path

from diorama.runs.checkpoints.files import checkpoint_paths, read_checkpoint_header
from diorama.runs.checkpoints.headers import CheckpointHeader
from diorama.runs.layout import RunLayout
from diorama.runs.replays.index import read_index


def pending_replays(layout: RunLayout, window_env_steps: int) -> list[tuple[CheckpointHeader, Path]]:
    """Return the checkpoints of closed windows without a recorded replay; a fork of one is none of them."""
    recorded = {entry.window_id for entry in read_index(layout).entries if entry.forked_from is None}
    found = [(read_checkpoint_header(path), path) for path in checkpoint_paths(layout)]
    return [
        (header, path)
        for header, path in found
        if header.env_steps_total >= (header.window_id + 1) * window_env_steps and header.window_id not in recorded
    ]
