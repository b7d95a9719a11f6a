"""How a world that offers nothing of its own runs live."""

from pathlib import Path

from diorama.contracts.config import WorldConfig
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.world import LiveOffer, LiveWorld
from diorama.contracts.world import World
from diorama.engine.make import make_batch
from diorama.operate.live.batch_world.happenings import catalogue
from diorama.operate.live.batch_world.world import BatchWorld


def live_offer(world: World[WorldConfig], config: WorldConfig, settings: LiveSettings | None = None) -> LiveOffer:
    """Return what a world offers, or what every world has.

    Args:
        world: The registration.
        config: Its configuration.
        settings: The services' settings, for a world whose configuration holds none.
    """
    if world.live is not None:
        return world.live
    services = settings or LiveSettings()

    def open_world(chosen: WorldConfig, path: Path | None, seed: int) -> LiveWorld:
        batch = make_batch(world, config=chosen, seed=seed, threads=1)
        return BatchWorld(batch, path, seed, services)

    return LiveOffer(
        open=open_world,
        settings=lambda _: services,
        commands=world.commands,
        events=catalogue(world.describe(config)),
        analyzers=lambda _: (),
        canaries=frozenset(),
        kpis=(),
    )
