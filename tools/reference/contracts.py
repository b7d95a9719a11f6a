"""What each world promises: observation, actions, metrics and events by their indices, and its configuration."""

from collections.abc import Iterator

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.spec import ActionHead, ObservationField, WorldSpec
from diorama.contracts.world import World
from diorama.training.presets import preset_names
from diorama.worlds.registry import load_world, own_world_ids
from reference.markdown import code, page, table, value
from reference.schemas import COLUMNS, rows_of


def world_pages() -> dict[str, str]:
    """Return a page per world by its id, and the page that lists them as `README`."""
    worlds = [load_world(world_id) for world_id in own_world_ids()]
    return {"README": _listing(worlds), **{world.id: _page(world) for world in worlds}}


def _listing(worlds: list[World[WorldConfig]]) -> str:
    rows = []
    for world in worlds:
        spec = _default_spec(world)
        options = " × ".join(str(len(head.options)) for head in spec.heads)
        rows.append(
            (
                f"[`{world.id}`]({world.id}.md)",
                str(spec.agents),
                f"{spec.obs_width} float32" + (f", {spec.obs_u8_width} uint8" if spec.obs_u8_width else ""),
                options,
                str(len(spec.metrics)),
                str(len(spec.events)),
                world.summary,
            )
        )
    columns = ("World", "Seats", "Observation of a seat", "Options of each head", "Metrics", "Events", "What it is")
    return page(
        "Contracts of the worlds",
        "In their default configurations. `diorama worlds WORLD -c KEY=VALUE` shows the contract of any other, and "
        "[ARCHITECTURE.md](../../../ARCHITECTURE.md#a-world) says what a contract is for.",
        (table(columns, rows),),
    )


def _page(world: World[WorldConfig]) -> str:
    spec = _default_spec(world)
    mask = "a mask says which options are possible" if spec.has_mask else "every option is always possible"
    introduction = (
        f"{world.summary} This is `{spec.interface_version}` in its default configuration: {spec.agents} "
        f"seat{'s' if spec.agents > 1 else ''} per copy, {spec.tick_seconds:g} simulated seconds per tick; {mask}. "
        f"What the world is about is told in [its README](../../../src/diorama/worlds/{world.id}/README.md)."
    )
    sections = (
        _section("Observation", _observation_note(spec), _observation(spec)),
        _section("Actions", _actions_note(spec), *(_head(spec, place) for place in range(len(spec.heads)))),
        _section("Metrics", _metrics_note(spec), _metrics(spec)),
        _section("Events", "The bit of an event in `Batch.events`, and what its payload has.", _events(spec)),
        _section("Tiers", _tiers_note(world), _suites(world)),
        _section("Configuration", _configuration_note(world), _configuration(world), _variants(world)),
    )
    return page(f"`{spec.interface_version}`", introduction, sections)


def _default_spec(world: World[WorldConfig]) -> WorldSpec:
    return world.describe(parse_config(world.id, world.config_type, {}))


def _section(title: str, *parts: str) -> str:
    return "\n\n".join(part for part in (f"## {title}", *parts) if part)


def _observation_note(spec: WorldSpec) -> str:
    bytes_told = f" and {spec.obs_u8_width} uint8 entries (`Batch.obs_u8`)" if spec.obs_u8_width else ""
    return f"{spec.obs_width} float32 entries (`Batch.obs`){bytes_told} per seat; `Batch.field(NAME)` is a view."


def _observation(spec: WorldSpec) -> str:
    columns = ("Entries", "Field", "Shape", "Type", "Bounds", "Meaning")
    return table(columns, (_observation_row(item) for item in spec.observation))


def _observation_row(item: ObservationField) -> tuple[str, ...]:
    shape = " × ".join(str(size) for size in item.shape)
    bounds = f"{item.low:g}..{item.high:g}"
    return _entries(item.start, item.stop), code(item.name), shape, item.dtype.value, bounds, item.meaning


def _entries(start: int, stop: int) -> str:
    return str(start) if stop == start + 1 else f"{start}..{stop - 1}"


def _actions_note(spec: WorldSpec) -> str:
    of_heads = "" if len(spec.heads) == 1 else f" of each of {len(spec.heads)} heads"
    told = f"A decision chooses one option{of_heads}; `Batch.masks` has all options in this order."
    if spec.relevance is not None:
        told += f" What is chosen on `{spec.relevance.head}` decides which other heads matter; those carry their no-op."
    return told


def _head(spec: WorldSpec, place: int) -> str:
    head = spec.heads[place]
    first = sum(len(item.options) for item in spec.heads[:place])
    keys = {hotkey.action: hotkey.key for hotkey in spec.hotkeys}
    groups = {action: group.title for group in spec.groups for action in group.actions}
    rows = (
        (str(first + index), str(index), code(option), groups.get(first + index, ""), code(keys.get(first + index, "")))
        for index, option in enumerate(head.options)
    )
    return f"**{code(head.name)}**, no-op {_noop(head)}\n\n" + table(
        ("Place in the mask", "Option", "Name", "Group", "Key in Play"), rows
    )


def _noop(head: ActionHead) -> str:
    return code(head.options[head.noop])


def _metrics_note(spec: WorldSpec) -> str:
    return f"Columns of `Batch.metrics`. People ask first for {', '.join(code(key) for key in spec.headline)}."


def _metrics(spec: WorldSpec) -> str:
    columns = ("Column", "Key", "Label", "Unit", "Better", "In a window")
    rows = (
        (str(place), code(item.key), item.label, item.unit, item.better.value, item.aggregate.value.replace("_", " "))
        for place, item in enumerate(spec.metrics)
    )
    return table(columns, rows)


def _events(spec: WorldSpec) -> str:
    ends = dict(spec.end_events)
    rows = (
        (str(bit), code(event.name), ", ".join(code(name) for name in event.payload), ends.get(event.name, ""))
        for bit, event in enumerate(spec.events)
    )
    return table(("Bit", "Event", "Payload", "Ends an episode as"), rows)


def _tiers_note(world: World[WorldConfig]) -> str:
    agree = (
        "agree bit for bit"
        if world.tolerance == 0.0
        else f"agree in everything discrete, and within {world.tolerance:g} in floats"
    )
    return (
        f"Its tiers {agree}. `diorama parity {world.id} --full` steps both side by side: {world.parity.steps} "
        f"decisions of each suite, with {world.parity.seeds} seeds in {len(world.parity.configs)} configurations."
    )


def _suites(world: World[WorldConfig]) -> str:
    rows = (
        (code(suite.name), "yes" if suite.name in world.parity.quick_suites else "", suite.summary)
        for suite in world.parity.suites
    )
    return table(("Suite", "In the quick gate", "What it does"), rows)


def _configuration_note(world: World[WorldConfig]) -> str:
    bots = ", ".join(code(name) for name in world.bots)
    presets = ", ".join(code(name) for name in preset_names(world.id))
    return f"Baselines: {bots}. Presets of `diorama train`: {presets}."


def _configuration(world: World[WorldConfig]) -> str:
    defaults = parse_config(world.id, world.config_type, {}).model_dump(mode="json")
    return table(COLUMNS, rows_of(world.config_type, defaults))


def _variants(world: World[WorldConfig]) -> str:
    return table(("Variant", "Differs in"), _variant_rows(world))


def _variant_rows(world: World[WorldConfig]) -> Iterator[tuple[str, ...]]:
    for name, config in world.variants.items():
        yield code(name), value(dict(config))
