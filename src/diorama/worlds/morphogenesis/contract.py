"""The contract `morphogenesis-v1`: what is seen, what can be decided, what is counted and what can happen."""

from collections.abc import Mapping
from dataclasses import fields
from enum import IntEnum
from typing import Final

from diorama.contracts.spec import (
    ActionGroup,
    ActionHead,
    Better,
    Dtype,
    EventKind,
    Hotkey,
    Metric,
    ObservationField,
    Relevance,
    WorldSpec,
)
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contracts.actions import (
    HEAD_NAMES,
    PLACEHOLDERS,
    RELEVANT_HEADS,
    AlphaCurveAction,
    AlphaSpeedAction,
    AlphaTargetAction,
    GerminationStyle,
    LifecycleOp,
    TempoAction,
)
from diorama.worlds.morphogenesis.contracts.blueprints import NULL_BLUEPRINT_INDEX, BlueprintAction
from diorama.worlds.morphogenesis.contracts.events import EVENT_PAYLOADS, TelemetryEventType
from diorama.worlds.morphogenesis.controller.features import HOST_FEATURES, HOST_WIDTH, SLOT_FEATURES, SLOT_WIDTH

WORLD_ID: Final = "morphogenesis"
INTERFACE_VERSION: Final = "morphogenesis-v1"
SNAPSHOT_MAGIC: Final = b"MORP"
SNAPSHOT_VERSION: Final = 1
RENDER_SCHEMA_VERSION: Final = 1
LARGEST_FEATURE: Final = 15.0
"""Above the logarithm of any float32, in the scale of the observation."""
ROLLBACK: Final = TelemetryEventType.GOVERNOR_ROLLBACK.name
VARIANTS: Final[Mapping[str, Mapping[str, object]]] = {
    "tokens": {"task": "tokens_copy"},
    "deep": {"task": "cifar_deep_multichannel"},
}


def _payload_of(kind: TelemetryEventType) -> tuple[str, ...]:
    return tuple(field.name for field in fields(EVENT_PAYLOADS[kind])) if kind in STEP_PAYLOADS else ()


METRICS: Final = (
    Metric(key="final_accuracy", label="Accuracy", unit="percent", better=Better.HIGHER),
    Metric(key="control_accuracy", label="Accuracy of the control twin", unit="percent"),
    Metric(key="gain_over_control", label="Gain over the control twin", unit="points", better=Better.HIGHER),
    Metric(key="param_ratio", label="Parameters, times the host's", better=Better.LOWER),
    Metric(key="num_fossilized", label="Permanent seeds", unit="seeds"),
    Metric(key="num_contributing_fossilized", label="Permanent seeds that contribute", better=Better.HIGHER),
    Metric(key="germinate_count", label="Seeds planted", unit="seeds"),
    Metric(key="prune_count", label="Seeds pruned", unit="seeds"),
    Metric(key="fossilize_count", label="Seeds made permanent", unit="seeds"),
    Metric(key="rollbacks", label="Rollbacks", better=Better.LOWER),
    Metric(key="stability_score", label="Steadiness of the reward", better=Better.HIGHER),
)
STEP_PAYLOADS: Final = frozenset(
    {
        TelemetryEventType.SEED_GERMINATED,
        TelemetryEventType.SEED_STAGE_CHANGED,
        TelemetryEventType.SEED_GATE_EVALUATED,
        TelemetryEventType.SEED_FOSSILIZED,
        TelemetryEventType.SEED_PRUNED,
        TelemetryEventType.HOST_STABILIZED,
        TelemetryEventType.REWARD_HACKING_SUSPECTED,
        TelemetryEventType.GOVERNOR_ROLLBACK,
        TelemetryEventType.EPISODE_OUTCOME,
    }
)
"""Events whose payloads travel with the step: what comes with every epoch would fill replays, the rest is the run's."""

RELEVANCE: Final = Relevance(head="op", heads=tuple((op.name, RELEVANT_HEADS[op]) for op in LifecycleOp))
EVENTS: Final = tuple(EventKind(name=kind.name, payload=_payload_of(kind)) for kind in TelemetryEventType)
MOST_DIGITS: Final = 9
"""Slots that have a key of their own."""
_OP_KEYS: Final = (
    (LifecycleOp.WAIT, ".", "Wait"),
    (LifecycleOp.GERMINATE, "g", "Plant a seed"),
    (LifecycleOp.SET_ALPHA_TARGET, "t", "Blend to another strength"),
    (LifecycleOp.PRUNE, "x", "Remove a seed"),
    (LifecycleOp.FOSSILIZE, "f", "Make a seed permanent"),
    (LifecycleOp.ADVANCE, "a", "Send a seed to its next stage"),
)
_NAMED_HEADS: Final[tuple[type[IntEnum], ...]] = (
    GerminationStyle,
    TempoAction,
    AlphaTargetAction,
    AlphaSpeedAction,
    AlphaCurveAction,
    LifecycleOp,
)
_HEAD_TITLES: Final = (
    ("Slot", "Where it happens."),
    ("Blueprint", "What is planted."),
    ("Style", "How a seed is blended in."),
    ("Tempo", "How fast its first ramp runs."),
    ("Alpha target", "Strength a ramp aims at."),
    ("Alpha speed", "How fast a later ramp runs."),
    ("Alpha curve", "Shape of a later ramp."),
    ("Operation", "What is done this epoch."),
)


def describe(config: MorphogenesisConfig) -> WorldSpec:
    """Return the contract of a configuration; the slots alone decide it."""
    heads = _heads(config.slot_ids)
    return WorldSpec(
        world=WORLD_ID,
        interface_version=INTERFACE_VERSION,
        agents=1,
        observation=_observation(config.slot_ids),
        heads=heads,
        has_mask=True,
        metrics=METRICS,
        events=EVENTS,
        tick_seconds=1.0,
        snapshot_magic=SNAPSHOT_MAGIC,
        snapshot_version=SNAPSHOT_VERSION,
        groups=_groups(heads),
        hotkeys=_hotkeys(heads),
        headline=("final_accuracy", "gain_over_control"),
        risk_metrics=("rollbacks",),
        end_events=((ROLLBACK, "rollback"),),
        rejects_unknown_options=True,
        relevance=RELEVANCE,
        render_schema_version=RENDER_SCHEMA_VERSION,
    )


def _heads(slot_ids: tuple[str, ...]) -> tuple[ActionHead, ...]:
    options = (
        slot_ids,
        tuple(blueprint.blueprint_id for blueprint in BlueprintAction),
        *(tuple(option.name for option in kind) for kind in _NAMED_HEADS),
    )
    return tuple(
        ActionHead(name=name, options=names, noop=noop)
        for name, names, noop in zip(HEAD_NAMES, options, PLACEHOLDERS, strict=True)
    )


def _offsets(heads: tuple[ActionHead, ...]) -> tuple[int, ...]:
    return tuple(sum(len(head.options) for head in heads[:place]) for place in range(len(heads)))


def _groups(heads: tuple[ActionHead, ...]) -> tuple[ActionGroup, ...]:
    return tuple(
        ActionGroup(
            id=head.name,
            title=title,
            description=description,
            actions=tuple(range(offset, offset + len(head.options))),
        )
        for head, offset, (title, description) in zip(heads, _offsets(heads), _HEAD_TITLES, strict=True)
    )


def _hotkeys(heads: tuple[ActionHead, ...]) -> tuple[Hotkey, ...]:
    ops = tuple(Hotkey(key=key, action=_offsets(heads)[-1] + op, hint=hint) for op, key, hint in _OP_KEYS)
    slots = enumerate(heads[0].options[:MOST_DIGITS])
    return (*ops, *(Hotkey(key=str(slot + 1), action=slot, hint=f"Slot {name}") for slot, name in slots))


def _observation(slot_ids: tuple[str, ...]) -> tuple[ObservationField, ...]:
    host = ObservationField(
        name="host",
        start=0,
        shape=(HOST_WIDTH,),
        low=-1.0,
        high=LARGEST_FEATURE,
        meaning=", ".join(HOST_FEATURES),
    )
    slots = (
        ObservationField(
            name=f"slot_{slot_id}",
            start=HOST_WIDTH + SLOT_WIDTH * index,
            shape=(SLOT_WIDTH,),
            low=-1.0,
            high=LARGEST_FEATURE,
            meaning=f"{', '.join(SLOT_FEATURES)}; zeros where the slot is empty",
        )
        for index, slot_id in enumerate(slot_ids)
    )
    blueprints = ObservationField(
        name="blueprints",
        start=0,
        shape=(len(slot_ids),),
        dtype=Dtype.UINT8,
        high=float(NULL_BLUEPRINT_INDEX),
        meaning=f"blueprint of each slot; {NULL_BLUEPRINT_INDEX} where it is empty",
    )
    return (host, *slots, blueprints)
