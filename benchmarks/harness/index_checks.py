"""Whether the replays of a run are all there, in order and whole."""

from collections.abc import Iterator

from diorama.contracts.errors import DioramaError
from diorama.runs.replays.index import ReplayIndex
from diorama.runs.replays.reader import open_entry
from diorama.runs.run import Run


def index_problems(run: Run, *, windows: int) -> list[str]:
    """Return what is wrong with the replays of a run that recorded one for each of its windows.

    Args:
        run: Which ended.
        windows: That it should have closed.
    """
    index = run.replay_index()
    problems = [*_order_problems(index, windows), *_file_problems(run, index)]
    latest = run.metadata().latest_replay
    known = {entry.replay_id for entry in index.entries}
    if latest is None or latest.get("replay_id") not in known:
        problems.append(f"{run.run_id}: latest_replay {latest and latest.get('replay_id')!r} is not in the index")
    return problems


def _order_problems(index: ReplayIndex, windows: int) -> Iterator[str]:
    entries = index.entries
    numbers = [entry.window_id for entry in entries]
    if sorted(numbers) != list(range(windows)):
        yield f"{index.run_id}: replays belong to windows {numbers}; there must be one for each of 0..{windows - 1}"
    if numbers != sorted(numbers):
        yield f"{index.run_id}: windows of the replays go back: {numbers}"
    ids = [entry.replay_id for entry in entries]
    if len(set(ids)) != len(ids) or not all(ids):
        yield f"{index.run_id}: replay ids are empty or double: {ids}"
    for entry in entries:
        if entry.run_id != index.run_id:
            yield f"{index.run_id}: replay {entry.replay_id} says that it is of run {entry.run_id!r}"


def _file_problems(run: Run, index: ReplayIndex) -> Iterator[str]:
    for entry in index.entries:
        try:
            frames = sum(1 for _ in open_entry(run.layout, entry).frames())
        except DioramaError as error:
            yield f"{run.run_id}: {error}"
            continue
        if frames != entry.steps or not frames:
            yield f"{run.run_id}: replay {entry.replay_id} has {frames} frames; the index says {entry.steps}"
