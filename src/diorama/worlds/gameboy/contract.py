"""The contract `gameboy-v1`: what is seen, which keys there are, what is counted and what can happen."""

from collections.abc import Mapping
from typing import Final

from diorama.contracts.spec import (
    ActionGroup,
    ActionHead,
    Aggregate,
    Better,
    Dtype,
    EventKind,
    Hotkey,
    Metric,
    ObservationField,
    WorldSpec,
)
from diorama.worlds.gameboy.codec import DEFAULT_ACTION_CODEC_ID, get_action_codec, require_codec
from diorama.worlds.gameboy.config import GameboyConfig, ObservationFormat
from diorama.worlds.gameboy.envs.layout import RAM_V3_WIDTH, Layout, layout_of
from diorama.worlds.gameboy.envs.pixels import SHADES

WORLD_ID: Final = "gameboy"
INTERFACE_VERSION: Final = "gameboy-v1"
TICK_SECONDS: Final = 70_224 / 4_194_304  # a frame
SNAPSHOT_MAGIC: Final = b"GBEN"
SNAPSHOT_VERSION: Final = 1
RENDER_SCHEMA_VERSION: Final = 1

VARIANTS: Final[Mapping[str, Mapping[str, object]]] = {
    "tasks": {"kind": "gb_tasks", "rom": "KEYDOOR", "stack": 2},
    "packed": {"observation": "packed2", "stack": 4},
}

METRICS: Final = (
    Metric(key="success", label="Goal reached", better=Better.HIGHER, aggregate=Aggregate.EPISODE_FINAL_RATE),
    Metric(key="final_distance", label="Distance from the goal", better=Better.LOWER),
    Metric(key="episode_steps", label="Steps", unit="steps"),
    Metric(key="frames", label="Frames", unit="frames"),
    Metric(key="trapped", label="Stopped by an illegal opcode", better=Better.LOWER),
)
EVENTS: Final = (
    EventKind(name="goal_reached"),
    EventKind(name="stage_advanced", payload=("stage",)),
    EventKind(name="trap", payload=("kind", "pc", "opcode")),
    EventKind(name="truncated"),
    EventKind(name="failed"),
)
END_REASONS: Final = ("trap", "goal_reached", "failed", "truncated")  # the first that holds is the reason
_LARGEST_SENSE: Final = 1e6  # bytes are far below; the last reward is whatever the task pays
GOAL_REACHED, STAGE_ADVANCED, TRAP, TRUNCATED, FAILED = range(len(EVENTS))
_KEYS: Final = (
    ("A", "z"),
    ("B", "x"),
    ("START", "Enter"),
    ("UP", "ArrowUp"),
    ("DOWN", "ArrowDown"),
    ("LEFT", "ArrowLeft"),
    ("RIGHT", "ArrowRight"),
)


def describe(config: GameboyConfig) -> WorldSpec:
    """Return the contract of a configuration.

    Raises:
        CodecMismatch: If the configuration counts its actions by another codec.
    """
    require_codec(config.action_codec_id, expected_id=DEFAULT_ACTION_CODEC_ID, artifact="the configuration of gameboy")
    names = get_action_codec().action_names
    return WorldSpec(
        world=WORLD_ID,
        interface_version=INTERFACE_VERSION,
        agents=1,
        observation=(*_byte_fields(config, layout_of(config)), *_float_fields(layout_of(config))),
        heads=(ActionHead(name="key", options=names, noop=names.index("NOOP")),),
        has_mask=bool(config.keys),
        metrics=METRICS,
        events=EVENTS,
        tick_seconds=TICK_SECONDS,
        snapshot_magic=SNAPSHOT_MAGIC,
        snapshot_version=SNAPSHOT_VERSION,
        groups=(
            _group("pad", "Directions", "Held for the first frames of a step.", ("UP", "DOWN", "LEFT", "RIGHT")),
            _group("buttons", "Buttons", "Held for the first frames of a step.", ("A", "B", "START")),
            _group("wait", "Wait", "No key is pressed.", ("NOOP",)),
        ),
        hotkeys=tuple(Hotkey(key=key, action=names.index(name), hint=name.capitalize()) for name, key in _KEYS),
        headline=("success", "final_distance"),
        milestones=(("success", (1.0,)),),
        end_events=tuple((reason, reason) for reason in END_REASONS),
        rejects_unknown_options=True,
        render_schema_version=RENDER_SCHEMA_VERSION,
        real_time=True,
    )


def _group(identifier: str, title: str, description: str, names: tuple[str, ...]) -> ActionGroup:
    places = get_action_codec().action_names
    return ActionGroup(
        id=identifier, title=title, description=description, actions=tuple(places.index(name) for name in names)
    )


def _byte_fields(config: GameboyConfig, layout: Layout) -> tuple[ObservationField, ...]:
    fields, start = [], 0
    is_packed = config.observation is ObservationFormat.PACKED2
    if layout.picture:
        high = 255.0 if is_packed else float(SHADES - 1)
        meaning = "four shades a byte, leftmost lowest" if is_packed else "shades, 0 the lightest"
        fields.append(_bytes("packed2" if is_packed else "pixels", start, layout.picture, high, meaning))
        start += layout.picture_bytes
    if layout.watch:
        fields.append(_bytes("watch", start, (len(layout.watch),), 255.0, "watched bytes"))
        start += len(layout.watch)
    if layout.events:
        fields.append(_bytes("events", start, (layout.events,), 255.0, "event bytes of the task"))
    return tuple(fields)


def _bytes(name: str, start: int, shape: tuple[int, ...], high: float, meaning: str) -> ObservationField:
    return ObservationField(name=name, start=start, shape=shape, dtype=Dtype.UINT8, high=high, meaning=meaning)


def _float_fields(layout: Layout) -> tuple[ObservationField, ...]:
    fields, start = [], 0
    if layout.ram_v3:
        meaning = "registers and the first bytes of work RAM"
        fields.append(ObservationField(name="ram_v3", start=0, shape=(RAM_V3_WIDTH,), meaning=meaning))
        start = RAM_V3_WIDTH
    if layout.senses:
        fields.append(
            ObservationField(
                name="senses",
                start=start,
                shape=(len(layout.senses),),
                low=-_LARGEST_SENSE,
                high=_LARGEST_SENSE,
                meaning=", ".join(layout.senses),
            )
        )
    return tuple(fields)
