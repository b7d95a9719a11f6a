"""Lives through the whole log of a run again, and compares every state hash that it holds."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ReplayDiverged, UnknownName
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.settings.operation import ConsoleAuth
from diorama.contracts.live.settings.telemetry import Telemetry, Transport
from diorama.contracts.world import World
from diorama.operate.live.batch_world.offer import live_offer
from diorama.operate.live.journal.segments import Segment, segments
from diorama.operate.live.opening import open_live
from diorama.operate.live.replaying import Replayed, replay
from diorama.operate.live.request import LiveRequest, journal_folder, latest_run
from diorama.operate.live.services import Services
from diorama.operate.live.state import restore
from diorama.operate.snapshots.loading import LoadRules, fit, open_snapshot
from diorama.operate.snapshots.migrations import installed_migrations
from diorama.operate.snapshots.paths import SnapshotFolder
from diorama.snapshots import hash_hex


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRequest:
    """Which log, and in which world it was written.

    Attributes:
        root: Folder of the live world.
        run_id: By default the last one.
    """

    world: World[WorldConfig]
    config: WorldConfig
    config_path: Path | None
    root: Path
    run_id: str | None = None


def replay_log(request: LogRequest) -> Replayed:
    """Live through every segment of a log from the snapshot it begins at; nothing is written.

    Raises:
        UnknownName: There is no log.
        SnapshotError: A snapshot is broken, or of another configuration.
        ReplayDiverged: A state comes out different from what the log or the next snapshot says.
    """
    run_id = request.run_id or latest_run(request.root)
    known = segments(journal_folder(request.root, run_id))
    if not known:
        raise UnknownName(f"run {run_id!r} of {request.root} kept no log")
    with _scratch(request, known[0]) as services:
        parts = [_replay_segment(request, services, known, place) for place in range(len(known))]
    return Replayed(
        ticks=sum(part.ticks for part in parts),
        commands=sum(part.commands for part in parts),
        hashes_compared=sum(part.hashes_compared for part in parts),
    )


def _replay_segment(request: LogRequest, services: Services, known: list[Segment], place: int) -> Replayed:
    base = known[place].header.base
    graph = installed_migrations()
    opened = open_snapshot(SnapshotFolder(request.root / services.settings.snapshot.root).inside(base.path), graph)
    restore(services, fit(opened, services.world.identity, graph, LoadRules()).document)
    replayed = replay(services, known[place].lines())
    after = known[place + 1].header if place + 1 < len(known) else None
    if after is None or not after.is_continuous:
        return replayed
    found = hash_hex(services.world.state_hash())
    if found != after.base.state_hash:
        raise ReplayDiverged(
            f"the log diverged before tick {after.base.tick}: the state was {after.base.state_hash}, is now {found}"
        )
    return Replayed(ticks=replayed.ticks, commands=replayed.commands, hashes_compared=replayed.hashes_compared + 1)


@contextmanager
def _scratch(request: LogRequest, first: Segment) -> Iterator[Services]:
    """Open the world with services that nobody hears of."""
    settings = live_offer(request.world, request.config).settings(request.config)
    with TemporaryDirectory(prefix="diorama-log-") as folder:
        opened = open_live(
            LiveRequest(
                world=request.world,
                config=request.config,
                config_path=request.config_path,
                policy=None,
                shadow=None,
                speed="pause",
                settings=_quiet(settings),
                root=Path(folder),
                run_id=None,
                seed=first.header.snapshot_identity().seed,
                run_root=Path(folder),
                autosave_ticks=None,
                is_deterministic=False,
                resume=False,
            )
        )
        try:
            yield opened.services
        finally:
            opened.loop.close()
            opened.lock.release()


def _quiet(settings: LiveSettings) -> LiveSettings:
    snapshot = settings.snapshot.model_copy(update={"autosave_cadence_ticks": None})
    return settings.model_copy(
        update={
            "telemetry": Telemetry(transport=Transport(type="none")),
            "console_auth": ConsoleAuth(),
            "snapshot": snapshot,
        }
    )
