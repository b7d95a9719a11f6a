"""`LIVE`: how a town runs live."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from diorama.contracts.config import WorldConfig
from diorama.contracts.live.kpis import KpiTarget
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.stability import Analyzer
from diorama.contracts.live.world import LiveOffer
from diorama.contracts.spec import Better
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.kpi_targets import KPI_TARGETS
from diorama.worlds.townlet.live.analyzers import CANARIES, town_analyzers
from diorama.worlds.townlet.live.catalogue import EVENTS
from diorama.worlds.townlet.live.reloading import settings_of
from diorama.worlds.townlet.live.town import LiveTown
from diorama.worlds.townlet.live.windows import COVERAGE, COVERAGE_GATE, TENURE
from diorama.worlds.townlet.reference.console.executing import COMMANDS

_TENURE: Final = KpiTarget(key=TENURE, title="Days in town", better=Better.HIGHER, target=3.0, amber=3.0, red=1.0)


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
    kpis=(
        # Windows of towns where nobody is paid for making friends leave the coverage out.
        *(replace(target, gate=COVERAGE_GATE) if target.key == COVERAGE else target for target in KPI_TARGETS),
        _TENURE,
    ),
)
