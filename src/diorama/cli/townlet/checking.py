"""Says what a file of the town is, or what is wrong with it."""

from pathlib import Path

from diorama.contracts.errors import ConfigError
from diorama.worlds.townlet.config.loading import parse_simulation
from diorama.worlds.townlet.data.reading import parse_yaml, read_named
from diorama.worlds.townlet.scenarios.loading import load_scenario
from diorama.worlds.townlet.scenarios.opening import open_scenario
from diorama.worlds.townlet.tables.compiling import load_tables
from diorama.worlds.townlet.tables.town_tables import TownTables

_ONLY_SCENARIOS_HAVE = "ticks"


def check_file(path: Path) -> str:
    """Return in words what a file holds.

    Raises:
        ConfigError: It is missing or wrong; with every wrong place.
    """
    if not path.exists():
        raise ConfigError("there is no such file")
    document = parse_yaml(read_named(path.name, path.parent), path.name)
    if isinstance(document, dict) and _ONLY_SCENARIOS_HAVE in document:
        town = open_scenario(load_scenario(path))
        return f"scenario, {len(town.living())} citizens, {_described(town.tables)}"
    return f"configuration, {_described(load_tables(parse_simulation(document, path.name), path.parent))}"


def _described(tables: TownTables) -> str:
    warnings = "".join(f"; note: {warning}" for warning in tables.warnings)
    return (
        f"{tables.effective_id}: {len(tables.objects)} objects, {len(tables.affordances)} affordances, "
        f"{len(tables.jobs)} jobs{warnings}"
    )
