"""`LIVE`: how a town runs live."""

from pathlib import Path
from typing import Final

from diorama.contracts.config import WorldConfig
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.stability import Analyzer
from diorama.contracts.live.world import LiveOffer
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.live.analyzers import CANARIES, town_analyzers
from diorama.worlds.townlet.live.catalogue import EVENTS
from diorama.worlds.townlet.live.reloading import settings_of
from diorama.worlds.townlet.live.targets import LIVE_TARGETS
from diorama.worlds.townlet.live.town import LiveTown
from diorama.worlds.townlet.reference.console.executing import COMMANDS


def _open(config: WorldConfig, path: Path | None, seed: int) -> LiveTown:
    return LiveTown(_of_town(config), path, seed)


def _settings(config: WorldConfig) -> LiveSettings:
    return settings_of(_of_town(config))


def _analyzers(config: WorldConfig) -> tuple[Analyzer, ...]:
    return town_analyzers(_of_town(config).stability)


def _of_town(config: WorldConfig) -> SimulationConfig:
    if not isinstance(config, SimulationConfig):
        raise TypeError(f"a {type(config).__name__} is no configuration of a town")
    return config


LIVE: Final = LiveOffer(
    open=_open,
    settings=_settings,
    commands=tuple(COMMANDS.values()),
    events=EVENTS,
    analyzers=_analyzers,
    canaries=CANARIES,
    kpis=LIVE_TARGETS,
)
