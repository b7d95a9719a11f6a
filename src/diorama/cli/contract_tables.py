"""A world's contract as tables for people."""

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.table import Table

from diorama.contracts.config import WorldConfig
from diorama.contracts.spec import ActionGroup, ObservationField, WorldSpec
from diorama.contracts.world import World


def show_contract(world: World[WorldConfig], spec: WorldSpec) -> None:
    """Print everything a world promises."""
    console = Console(highlight=False)
    console.print(f"{spec.interface_version}: {world.summary}", markup=False)
    console.print(
        f"Per copy {spec.agents} seat(s); per seat {spec.obs_width} float32 and {spec.obs_u8_width} uint8 entries, "
        f"{len(spec.option_names)} options in {len(spec.heads)} head(s); {spec.tick_seconds:g} s per tick.",
        markup=False,
    )
    for table in _tables(world, spec):
        console.print()
        console.print(table)


def _tables(world: World[WorldConfig], spec: WorldSpec) -> Iterator[Table]:
    yield _table(
        "Observation", ("entries", "name", "range", "meaning"), (_observation_row(item) for item in spec.observation)
    )
    yield _table("Actions", ("group", "options"), (_action_row(spec, group) for group in spec.groups))
    yield _table(
        "Metrics",
        ("key", "label", "unit", "better"),
        ((metric.key, metric.label, metric.unit, metric.better.value) for metric in spec.metrics),
    )
    yield _table(
        "Events",
        ("bit", "name", "payload"),
        ((str(bit), event.name, ", ".join(event.payload)) for bit, event in enumerate(spec.events)),
    )
    yield _table(
        "Configuration",
        ("key", "default", "meaning"),
        ((key, str(item.default), item.description or "") for key, item in world.config_type.model_fields.items()),
    )
    yield _table("Bots", ("name",), ((bot,) for bot in world.bots))


def _observation_row(item: ObservationField) -> tuple[str, ...]:
    entries = str(item.start) if item.stop == item.start + 1 else f"{item.start}..{item.stop - 1}"
    name = item.name + (f"[{', '.join(str(size) for size in item.shape)}]" if item.shape else "")
    return entries, name, f"{item.low:g}..{item.high:g}", item.meaning


def _action_row(spec: WorldSpec, group: ActionGroup) -> tuple[str, ...]:
    return group.title, ", ".join(f"{number} {spec.option_names[number]}" for number in group.actions)


def _table(title: str, columns: Iterable[str], rows: Iterable[tuple[str, ...]]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(cell.replace("[", r"\[") for cell in row))
    return table
