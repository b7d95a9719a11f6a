"""Planning a hot reload: what is there now is read and checked as a whole before anything of it is taken over."""

from collections.abc import Callable
from dataclasses import replace

from diorama.contracts.errors import ConfigError
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.world import Reload
from diorama.worlds.townlet.config.loading import validated
from diorama.worlds.townlet.config.reload import plan_reload
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.live.files import TownFiles, read_again
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.tables.sources import Source
from diorama.worlds.townlet.tables.town_tables import TownTables

Apply = Callable[[SimulationConfig, TownTables, TownFiles], None]


def plan(town: Town, files: TownFiles, section: str | None, apply: Apply) -> Reload:
    """Say what a reload would change.

    Args:
        town: The town as it runs.
        files: What it was read from.
        section: The only section that is taken over; all of them unless given.
        apply: Takes over a checked configuration.

    Raises:
        ConfigError: What is there now is wrong, or there is no such section.
    """
    config, found = read_again(town.config, files)
    if section is not None:
        config, found = _only(section, town.config, config, files, found)
    tables = found.compile(config)
    differences = plan_reload(town.config, config)
    contents, refused_contents = _changed_contents(town, files, found, tables)
    return Reload(
        paths=(*differences.changed, *contents),
        refused=(*differences.refused, *refused_contents),
        checksum_before=_checksum(files, found, files),
        checksum_after=_checksum(files, found, found),
        settings=settings_of(config),
        apply=lambda: apply(config, tables, found),
    )


def settings_of(config: SimulationConfig) -> LiveSettings:
    """The services' settings that a configuration holds."""
    return LiveSettings(
        telemetry=config.telemetry,
        console_auth=config.console_auth,
        console=config.console,
        snapshot=config.snapshot,
        runtime=config.runtime,
        promotion=config.stability.promotion,
    )


def _only(
    section: str, live: SimulationConfig, config: SimulationConfig, before: TownFiles, after: TownFiles
) -> tuple[SimulationConfig, TownFiles]:
    """The live configuration with one section of another, and the files of that section."""
    known = type(live).model_fields
    if section not in known:
        raise ConfigError(f"there is no section {section!r}; sections are: {', '.join(known)}")
    document = {**live.model_dump(mode="json"), section: config.model_dump(mode="json")[section]}
    merged = validated(type(live), document, f"{section} beside the other sections as they run")
    old, new = before.sources, after.sources
    sources = replace(
        old,
        town=new.town if section == "world" else old.town,
        affordances=new.affordances if section == "affordances" else old.affordances,
        perturbations=new.perturbations if section == "perturbations" else old.perturbations,
    )
    return merged, replace(after, sources=sources)


def _changed_contents(
    town: Town, before: TownFiles, after: TownFiles, tables: TownTables
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Files whose contents differ, by the path that names them, and those of them that need a restart."""
    old, new = before.sources, after.sources
    changed = [
        name
        for name, one, other in (
            ("world.town_file", old.town, new.town),
            ("affordances.affordances_file", old.affordances, new.affordances),
            ("perturbations.file", old.perturbations, new.perturbations),
        )
        if _data(one) != _data(other)
    ]
    kept = {row.id for row in tables.objects}
    has_lost_bed = any(town.tables.objects[bed].id not in kept for bed in town.tables.beds)
    refused = [name for name in changed if name == "world.town_file" or (has_lost_bed and name.startswith("aff"))]
    return tuple(f"{name} (contents)" for name in changed), tuple(f"{name} (contents)" for name in refused)


def _checksum(before: TownFiles, after: TownFiles, of: TownFiles) -> str:
    """Checksum of the configuration, or of the first of its files that has changed while the configuration has not."""
    if before.text == after.text:
        for name in ("affordances", "perturbations", "town"):
            if _data(getattr(before.sources, name)) != _data(getattr(after.sources, name)):
                source: Source | None = getattr(of.sources, name)
                return "" if source is None else source.sha256
    return of.checksum


def _data(source: Source | None) -> bytes | None:
    return None if source is None else source.data
