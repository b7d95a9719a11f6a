"""Opens a live world: everything it is made of, new or as it was left."""

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ConfigError, RunConflict, UnknownName
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.world import LiveOffer, LiveWorld
from diorama.contracts.world import World
from diorama.operate.console.desk import ConsoleDesk
from diorama.operate.live.batch_world.offer import live_offer
from diorama.operate.live.deciding.opening import PolicyShelf, default_policy
from diorama.operate.live.journal.segments import Segment
from diorama.operate.live.keeping import Keeper
from diorama.operate.live.loop import LiveLoop
from diorama.operate.live.operator import LiveOperator
from diorama.operate.live.pacing import Pacer, Speed, parse_speed
from diorama.operate.live.replaying import replay
from diorama.operate.live.saving import Autosaver
from diorama.operate.live.services import Services
from diorama.operate.live.snapshot_desk import SnapshotDesk
from diorama.operate.promotion.manager import PromotionManager
from diorama.operate.promotion.pointers import PolicyPointer
from diorama.operate.snapshots.errors import ConfigMismatch
from diorama.operate.snapshots.migrations import installed_migrations
from diorama.operate.snapshots.paths import SnapshotFolder
from diorama.operate.stability.monitor import StabilityMonitor
from diorama.operate.stability.telemetry_degraded import TelemetryDegraded
from diorama.runs.documents import Document, read_document, replace_document
from diorama.runs.layout import check_id
from diorama.runs.locks import DirectoryLock
from diorama.telemetry.live.publisher import TelemetryPublisher
from diorama.telemetry.live.transports.building import build_transports

_LATEST: Final = "latest.json"
_JOURNALS: Final = "journals"
_PROMOTIONS: Final = "logs/promotion_history.jsonl"


class _Latest(Document, frozen=True, kw_only=True):
    """Which run of a live world was the last one."""

    run_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRequest:
    """What is to run.

    Attributes:
        world: The registration.
        config: Its configuration.
        config_path: Where that came from, for reloads.
        policy: A bot, a run or a checkpoint; the world's own choice by default.
        speed: `pause`, `1x`, `10x`, `100x` or `max`; as configured by default.
        settings: Of the services, for a world whose configuration holds none.
        root: Folder of everything that is kept.
        run_id: Name of the run; with `resume` the one to continue, by default the newest.
        seed: By default the configured one, 0 where there is none.
        run_root: Directory of the training runs whose policies may be named.
        autosave_ticks: How often it is saved where the settings do not say; None for never.
        is_deterministic: Whether a learned policy takes the likeliest option instead of drawing one.
        resume: Continue a run from its last autosave and the log since.
    """

    world: World[WorldConfig]
    config: WorldConfig
    config_path: Path | None
    policy: str | None
    speed: str | None
    settings: LiveSettings | None
    root: Path
    run_id: str | None
    seed: int | None
    run_root: Path
    autosave_ticks: int | None
    is_deterministic: bool
    resume: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Opened:
    """A live world that can be run."""

    run_id: str
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
    if request.resume and request.policy is not None:
        raise ConfigError("a policy is not chosen when a run is continued: it goes on with its release; swap it then")
    speed = None if request.speed is None else parse_speed(request.speed)
    run_id = _run_id(request)
    request.root.mkdir(parents=True, exist_ok=True)
    lock = DirectoryLock(request.root)
    try:
        return _opened(request, run_id, lock, speed)
    except BaseException:
        lock.release()
        raise


def latest_run(root: Path) -> str:
    """Return the last run of a live world.

    Raises:
        UnknownName: There is none.
    """
    try:
        return check_id("run", read_document(root / _LATEST, _Latest).run_id)
    except UnknownName:
        raise UnknownName(f"{root} holds no live world; begin one without --resume") from None


def journal_folder(root: Path, run_id: str) -> Path:
    """Return where the log of a run lies."""
    return root / _JOURNALS / check_id("run", run_id)


def _opened(request: LiveRequest, run_id: str, lock: DirectoryLock, speed: Speed | None) -> Opened:
    offer = live_offer(request.world, request.config, request.settings)
    settings = request.settings or offer.settings(request.config)
    folder = SnapshotFolder(request.root / settings.snapshot.root)
    keeper = Keeper(folder, journal_folder(request.root, run_id), request.world.id, run_id)
    segment = keeper.newest_segment()
    _check_beginning(request, run_id, segment)
    world = offer.open(request.config, request.config_path, _seed(request, segment))
    services = _services(request, offer, world, settings, run_id)
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
    if segment is None:
        saver.begin()
        resumed = 0
    else:
        resumed = _continue(services, snapshots, segment)
        saver.save()
    replace_document(request.root / _LATEST, _Latest(run_id=run_id))
    return Opened(
        run_id=run_id,
        resumed_ticks=resumed,
        services=services,
        loop=loop,
        operator=operator,
        pacer=pacer,
        lock=lock,
    )


def _continue(services: Services, snapshots: SnapshotDesk, segment: Segment) -> int:
    """Bring a world to where a log ends; return the ticks that were lived through again."""
    base, identity = segment.header.base, services.world.identity
    if base is not None:
        snapshots.load_exactly(base.path, base.state_hash)
    elif (found := segment.header.snapshot_identity().config_id) != identity.config_id:
        raise ConfigMismatch(found, identity.config_id, "continue it with the configuration it was begun with")
    return replay(services, segment.lines()).ticks


def _services(
    request: LiveRequest, offer: LiveOffer, world: LiveWorld, settings: LiveSettings, run_id: str
) -> Services:
    shelf = PolicyShelf(
        world=request.world,
        config=request.config,
        run_root=request.run_root,
        is_deterministic=request.is_deterministic,
    )
    named = request.policy or default_policy(request.world, request.config)
    release = shelf.find(named, world.identity)
    return Services(
        world=world,
        shelf=shelf,
        decider=shelf.open(release),
        publisher=_publisher(request, offer, world, settings, run_id),
        monitor=StabilityMonitor((TelemetryDegraded(), *offer.analyzers(request.config))),
        promotion=_promotion(request, offer, settings, release, world),
        settings=settings,
    )


def _promotion(
    request: LiveRequest, offer: LiveOffer, settings: LiveSettings, release: PolicyPointer, world: LiveWorld
) -> PromotionManager:
    return PromotionManager(
        settings.promotion,
        offer.kpis,
        offer.canaries,
        history_path=request.root / _PROMOTIONS,
        release=release,
        tick=world.clock.tick,
    )


def _publisher(
    request: LiveRequest, offer: LiveOffer, world: LiveWorld, settings: LiveSettings, run_id: str
) -> TelemetryPublisher:
    named = settings.telemetry.privacy_salt_env
    salt = None if named is None else os.environ.get(named)
    if settings.telemetry.privacy_mode and not salt:
        raise ConfigError(f"telemetry.privacy_mode needs a salt in the environment variable {named}; it is empty")
    return TelemetryPublisher(
        world,
        run_id,
        settings.telemetry,
        offer.events,
        salt,
        transports=build_transports(settings.telemetry, request.root),
    )


def _run_id(request: LiveRequest) -> str:
    if request.run_id is not None:
        return check_id("run", request.run_id)
    if not request.resume:
        return datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    return latest_run(request.root)


def _check_beginning(request: LiveRequest, run_id: str, segment: Segment | None) -> None:
    if request.resume and segment is None:
        raise UnknownName(f"run {run_id!r} of {request.root} kept no log to continue from; begin one without --resume")
    if not request.resume and segment is not None:
        raise RunConflict(f"run {run_id!r} exists already in {request.root}; choose another id, or --resume it")
    if segment is not None and segment.header.world != request.world.id:
        raise ConfigError(f"run {run_id!r} is of world {segment.header.world!r}, not of {request.world.id!r}")


def _seed(request: LiveRequest, segment: Segment | None) -> int:
    if segment is not None:
        return segment.header.snapshot_identity().seed
    if request.seed is not None:
        return request.seed
    configured = request.config.model_dump(mode="json").get("seed", 0)
    return configured if isinstance(configured, int) else 0
