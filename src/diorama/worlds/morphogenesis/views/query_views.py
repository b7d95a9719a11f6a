"""The SQL views over recorded events: which events each shows, and the columns it takes from their payloads."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from importlib.resources import files
from typing import Final

from diorama.worlds.morphogenesis.contracts.events import ANALYTICS_PAYLOADS, EVENT_PAYLOADS, TelemetryEventType
from diorama.worlds.morphogenesis.contracts.reward_components import RewardComponentsTelemetry

ENVELOPE: Final = ("event_id", "event_type", "timestamp", "group_id", "epoch", "seed_id", "slot_id", "severity")
"""What stands before the columns of a payload; a payload's own column of the same name takes its place."""

_KINDS: Final[dict[str, tuple[TelemetryEventType, ...]]] = {
    "runs": (TelemetryEventType.TRAINING_STARTED,),
    "epochs": (TelemetryEventType.EPOCH_COMPLETED,),
    "ppo_updates": (TelemetryEventType.PPO_UPDATE_COMPLETED,),
    "batch_epochs": (TelemetryEventType.BATCH_EPOCH_COMPLETED,),
    "trends": (
        TelemetryEventType.PLATEAU_DETECTED,
        TelemetryEventType.DEGRADATION_DETECTED,
        TelemetryEventType.IMPROVEMENT_DETECTED,
    ),
    "seed_lifecycle": (
        TelemetryEventType.SEED_GERMINATED,
        TelemetryEventType.SEED_STAGE_CHANGED,
        TelemetryEventType.SEED_GATE_EVALUATED,
        TelemetryEventType.SEED_FOSSILIZED,
        TelemetryEventType.SEED_PRUNED,
    ),
    "anomalies": (
        TelemetryEventType.GRADIENT_ANOMALY,
        TelemetryEventType.PERFORMANCE_DEGRADATION,
        TelemetryEventType.MEMORY_WARNING,
        TelemetryEventType.REWARD_HACKING_SUSPECTED,
        TelemetryEventType.RATIO_EXPLOSION_DETECTED,
        TelemetryEventType.RATIO_COLLAPSE_DETECTED,
        TelemetryEventType.VALUE_COLLAPSE_DETECTED,
        TelemetryEventType.GRADIENT_PATHOLOGY_DETECTED,
        TelemetryEventType.NUMERICAL_INSTABILITY_DETECTED,
        TelemetryEventType.GOVERNOR_ROLLBACK,
    ),
    "episode_outcomes": (TelemetryEventType.EPISODE_OUTCOME,),
    "causal_log": (TelemetryEventType.MORPHOLOGY_CAUSAL_LOG,),
    "topology_manifests": (TelemetryEventType.TOPOLOGY_MANIFEST_RECORDED,),
}
_SNAPSHOTS: Final = {
    "decisions": "last_action",
    "action_distribution": "action_distribution",
    "batch_stats": "batch_stats",
    "shapley": "shapley_computed",
}

_REWARDS: Final = "rewards"
_DERIVED: Final = ("phase_occupancy", "run_confounders", "reward_calibration")
_DERIVED_FILE: Final = "derived_views.sql"

VIEW_NAMES: Final = (*_KINDS, *_SNAPSHOTS, _REWARDS, *_DERIVED)


def view_statements() -> Iterator[str]:
    """Return what makes the views, in an order in which each finds those it stands on."""
    for name, kinds in _KINDS.items():
        columns = dict.fromkeys(item.name for kind in kinds for item in fields(EVENT_PAYLOADS[kind]))
        listed = ", ".join(f"'{kind.name}'" for kind in kinds)
        yield _view(name, _payload_columns(list(columns)), f"event_type IN ({listed})")
    for name, kind in _SNAPSHOTS.items():
        columns = dict.fromkeys(item.name for item in fields(ANALYTICS_PAYLOADS[kind]) if item.name != "kind")
        where = f"event_type = 'ANALYTICS_SNAPSHOT' AND json_extract(data, '$.kind') = '{kind}'"
        yield _view(name, _payload_columns(list(columns)), where)
    yield _rewards()
    yield from files(__package__).joinpath(_DERIVED_FILE).read_text(encoding="utf-8").split(";")


def _rewards() -> str:
    """Return the view of what each decision was paid for, with a column for every part of the reward."""
    parts = [item.name for item in fields(RewardComponentsTelemetry) if item.name != "epoch"]
    columns = [
        *("event_id", "timestamp", "group_id", "epoch", "env_id", "episode_idx"),
        *(f"json_extract(reward_components, '$.{name}') AS {name}" for name in parts),
    ]
    return f"CREATE VIEW {_REWARDS} AS SELECT {', '.join(columns)} FROM decisions WHERE reward_components IS NOT NULL"


def _payload_columns(names: Sequence[str]) -> str:
    own = [f"json_extract(data, '$.{name}') AS \"{name}\"" for name in names]
    return ", ".join([*(column for column in ENVELOPE if column not in names), *own])


def _view(name: str, columns: str, where: str) -> str:
    return f"CREATE VIEW {name} AS SELECT {columns} FROM raw_events WHERE {where}"
