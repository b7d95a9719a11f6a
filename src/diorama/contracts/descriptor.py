"""The world descriptor: a world's contract as the JSON document that clients read."""

from dataclasses import asdict

from diorama.contracts.config import WorldConfig
from diorama.contracts.spec import ObservationField, WorldSpec
from diorama.contracts.values import JsonObject
from diorama.contracts.world import World


def describe_world(world: World[WorldConfig], config: WorldConfig) -> JsonObject:
    """Return the descriptor of a world in one configuration."""
    spec = world.describe(config)
    return {
        "world": spec.world,
        "interface_version": spec.interface_version,
        "agents": spec.agents,
        "tick_seconds": spec.tick_seconds,
        "real_time": spec.real_time,
        "obs_dim": spec.obs_width + spec.obs_u8_width,
        "obs_layout": [_layout_row(item) for item in spec.observation],
        "n_actions": len(spec.option_names),
        "action_labels": list(spec.option_names),
        "action_heads": [{"name": head.name, "options": list(head.options), "noop": head.noop} for head in spec.heads],
        "action_groups": [{**asdict(group), "actions": list(group.actions)} for group in spec.groups],
        "action_mask": spec.has_mask,
        "action_relevance": _relevance(spec),
        "hotkeys": [asdict(hotkey) for hotkey in spec.hotkeys],
        "metrics": [
            {
                "key": metric.key,
                "label": metric.label,
                "unit": metric.unit,
                "better": metric.better.value,
                "aggregate": metric.aggregate.value,
            }
            for metric in spec.metrics
        ],
        "headline": list(spec.headline),
        "risk_metrics": list(spec.risk_metrics),
        "aliases": dict(spec.aliases),
        "milestones": {key: list(thresholds) for key, thresholds in spec.milestones},
        "events": _event_rows(spec),
        "end_events": [{"event": event, "reason": reason} for event, reason in spec.end_events],
        "render_schema_version": spec.render_schema_version,
        "presentation": _manifests(spec.world),
        "config_schema": world.config_type.model_json_schema(),
        "baselines": list(world.bots),
    }


def _relevance(spec: WorldSpec) -> JsonObject | None:
    if spec.relevance is None:
        return None
    return {"head": spec.relevance.head, "heads": {option: list(heads) for option, heads in spec.relevance.heads}}


def _manifests(world_id: str) -> JsonObject:
    folder = f"/assets/{world_id}"
    return {
        "graphics": f"{folder}/graphics_manifest.json",
        "audio": f"{folder}/audio_manifest.json",
        "effects": f"{folder}/action_effects_manifest.json",
    }


def _layout_row(item: ObservationField) -> JsonObject:
    return {
        "name": item.name,
        "start": item.start,
        "stop": item.stop,
        "shape": list(item.shape),
        "dtype": item.dtype.value,
        "low": item.low,
        "high": item.high,
        "meaning": item.meaning,
    }


def _event_rows(spec: WorldSpec) -> list[JsonObject]:
    return [{"name": event.name, "bit": bit, "payload": list(event.payload)} for bit, event in enumerate(spec.events)]
