"""Opens a live world: everything it is made of, new or as it was left."""

from dataclasses import dataclass
from pathlib import Path

from diorama.contracts.errors import ConfigError, RunConflict, UnknownName
from diorama.operate.console.desk import ConsoleDesk
from diorama.operate.live.batch_world.offer import live_offer
from diorama.operate.live.building import build_services
from diorama.operate.live.journal.segments import Segment
from diorama.operate.live.keeping import Keeper
from diorama.operate.live.loop import LiveLoop
from diorama.operate.live.operator import LiveOperator
from diorama.operate.live.pacing import Pacer, Speed, parse_speed
from diorama.operate.live.replaying import replay
from diorama.operate.live.request import LiveRequest, chosen_run, journal_folder, note_run
from diorama.operate.live.saving import Autosaver
from diorama.operate.live.services import Services
from diorama.operate.live.snapshot_desk import SnapshotDesk
from diorama.operate.snapshots.migrations import installed_migrations
from diorama.operate.snapshots.paths import SnapshotFolder
from diorama.runs.locks import DirectoryLock


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Opened:
    """A live world that can be run."""

    run_id: str
    root: Path
    resumed_ticks: int
    services: Services
    loop: LiveLoop
    operator: LiveOperator
    pacer: Pacer
    lock: DirectoryLock


def open_live(request: LiveRequest) -> Opened:
    """Open a world and everything around it.

    Raises:
        ConfigError: A value is wrong, or a policy does not fit.
        UnknownName: There is no such policy, or nothing to continue.
        RunConflict: Another process runs a live world in this folder.
        SnapshotError: What was left does not fit this configuration.
        ReplayDiverged: What was left does not come out again as it was logged.
    """
    if request.resume and (request.policy is not None or request.shadow is not None):
        raise ConfigError(
            "policies are not chosen when a run is continued: it goes on with those it had; swap them then"
        )
    speed = None if request.speed is None else parse_speed(request.speed)
    run_id = chosen_run(request)
    request.root.mkdir(parents=True, exist_ok=True)
    lock = DirectoryLock(request.root)
    try:
        return _opened(request, run_id, lock, speed)
    except BaseException:
        lock.release()
        raise


def _opened(request: LiveRequest, run_id: str, lock: DirectoryLock, speed: Speed | None) -> Opened:
    offer = live_offer(request.world, request.config, request.settings)
    settings = request.settings or offer.settings(request.config)
    if request.resume and not journal_folder(request.root, run_id).is_dir():
        raise _nothing_to_continue(request, run_id)
    folder = SnapshotFolder(request.root / settings.snapshot.root)
    keeper = Keeper(folder, journal_folder(request.root, run_id), request.world.id, run_id)
    segment = keeper.newest_segment()
    _check_beginning(request, run_id, segment)
    world = offer.open(request.config, request.config_path, _seed(request, segment))
    services = build_services(request, offer, world, settings, run_id)
    saver = Autosaver(services, keeper, cadence_ticks=request.autosave_ticks)
    pacer = Pacer(world.spec.tick_seconds, speed or settings.runtime.speed)
    loop = LiveLoop(services, saver, pacer)
    snapshots = SnapshotDesk(services, keeper, installed_migrations())
    operator = LiveOperator(
        services,
        snapshots,
        pacer,
        health=loop.blocks.health,
        tell=loop.tell,
        stage_reload=loop.stage_reload,
        owe_save=saver.owe,
    )
    services.desk = ConsoleDesk.open(
        operator, world, offer.commands, settings, request.root, wake=loop.wake, journal=saver.note_command
    )
    services.publisher.hide_issuers(services.desk.issuers)
    resumed = 0
    if segment is None:
        _begin_shadow(request, services)
        saver.save(is_continuous=False)
    else:
        resumed = _continue(services, snapshots, segment)
        saver.save()
    note_run(request.root, run_id)
    return Opened(
        run_id=run_id,
        root=request.root,
        resumed_ticks=resumed,
        services=services,
        loop=loop,
        operator=operator,
        pacer=pacer,
        lock=lock,
    )


def _begin_shadow(request: LiveRequest, services: Services) -> None:
    if request.shadow is not None:
        candidate = services.shelf.find(request.shadow, services.world.identity)
        services.begin_shadow(candidate)
        services.promotion.offer(candidate)


def _continue(services: Services, snapshots: SnapshotDesk, segment: Segment) -> int:
    """Bring a world to where a log ends; return the ticks that were lived through again."""
    snapshots.load_exactly(segment.header.base.path, segment.header.base.state_hash)
    return replay(services, segment.lines()).ticks


def _check_beginning(request: LiveRequest, run_id: str, segment: Segment | None) -> None:
    if request.resume and segment is None:
        raise _nothing_to_continue(request, run_id)
    if not request.resume and segment is not None:
        raise RunConflict(f"run {run_id!r} exists already in {request.root}; choose another id, or --resume it")
    if segment is not None and segment.header.world != request.world.id:
        raise ConfigError(f"run {run_id!r} is of world {segment.header.world!r}, not of {request.world.id!r}")


def _nothing_to_continue(request: LiveRequest, run_id: str) -> UnknownName:
    return UnknownName(f"run {run_id!r} of {request.root} kept no log to continue from; begin one without --resume")


def _seed(request: LiveRequest, segment: Segment | None) -> int:
    if segment is not None:
        return segment.header.snapshot_identity().seed
    if request.seed is not None:
        return request.seed
    configured = request.config.model_dump(mode="json").get("seed", 0)
    return configured if isinstance(configured, int) else 0
