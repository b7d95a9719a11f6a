"""Makes the services around a live world."""

import os
from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.world import LiveOffer, LiveWorld
from diorama.operate.live.deciding.opening import PolicyShelf, default_policy
from diorama.operate.live.request import LiveRequest
from diorama.operate.live.services import Services
from diorama.operate.promotion.manager import PromotionManager
from diorama.operate.promotion.pointers import PolicyPointer
from diorama.operate.stability.monitor import StabilityMonitor
from diorama.operate.stability.telemetry_degraded import TelemetryDegraded
from diorama.telemetry.live.publisher import TelemetryPublisher
from diorama.telemetry.live.transports.building import build_transports

_PROMOTIONS: Final = "logs/promotion_history.jsonl"


def build_services(
    request: LiveRequest, offer: LiveOffer, world: LiveWorld, settings: LiveSettings, run_id: str
) -> Services:
    """Make everything but the console, which is given the rest.

    Raises:
        ConfigError: A setting is wrong, or a policy does not fit.
        UnknownName: There is no such policy.
    """
    shelf = PolicyShelf(
        world=request.world,
        config=request.config,
        run_root=request.run_root,
        is_deterministic=request.is_deterministic,
    )
    named = request.policy or default_policy(request.world, request.config)
    release = shelf.find(named, world.identity)
    seed = world.identity.seed

    def make_monitor() -> StabilityMonitor:
        return StabilityMonitor((TelemetryDegraded(), *offer.analyzers(request.config)))

    return Services(
        world=world,
        shelf=shelf,
        decider=shelf.open(release),
        publisher=_publisher(request, offer, world, settings, run_id),
        monitor=make_monitor(),
        promotion=_promotion(request, offer, settings, release, world),
        settings=settings,
        open_twin=lambda: offer.open(request.config, request.config_path, seed),
        make_monitor=make_monitor,
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
