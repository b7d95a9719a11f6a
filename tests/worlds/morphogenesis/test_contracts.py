import ast
import json
import math
import pkgutil
import subprocess
import sys
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from diorama.worlds import morphogenesis
from diorama.worlds.morphogenesis import contracts, vectorized_types
from diorama.worlds.morphogenesis.contracts.actions import (
    CAUSAL_RELEVANCE,
    HEAD_NAMES,
    PLACEHOLDERS,
    AlphaCurveAction,
    AlphaTargetAction,
    GerminationStyle,
    LifecycleOp,
    head_sizes,
)
from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm, AlphaCurve
from diorama.worlds.morphogenesis.contracts.blueprints import TOPOLOGY_BLUEPRINTS, BlueprintAction
from diorama.worlds.morphogenesis.contracts.errors import ContractError
from diorama.worlds.morphogenesis.contracts.events import (
    ANALYTICS_PAYLOADS,
    EVENT_PAYLOADS,
    TelemetryEvent,
    TelemetryEventType,
)
from diorama.worlds.morphogenesis.contracts.outcomes import (
    EpisodeOutcome,
    TopologyManifest,
    TopologySlot,
    stability_score,
)
from diorama.worlds.morphogenesis.contracts.payloads.analysis import CoalitionResult, CounterfactualMatrixPayload
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import SeedStageChangedPayload
from diorama.worlds.morphogenesis.contracts.payloads.policy import PPOMetrics
from diorama.worlds.morphogenesis.contracts.reward_components import RewardComponentsTelemetry
from diorama.worlds.morphogenesis.rewards import types as reward_types
from diorama.worlds.morphogenesis.vectorized_types import (
    ActionOutcome,
    ActionSpec,
    BatchSummary,
    EnvStepRecord,
    EpisodeRecord,
    RewardSummaryAccumulator,
)


def test_heads_keep_their_order_and_sizes() -> None:
    assert HEAD_NAMES == (
        "slot",
        "blueprint",
        "style",
        "tempo",
        "alpha_target",
        "alpha_speed",
        "alpha_curve",
        "op",
    )
    assert head_sizes(3) == (3, 13, 4, 3, 3, 4, 5, 6)
    assert [op.name for op in LifecycleOp] == [
        "WAIT",
        "GERMINATE",
        "SET_ALPHA_TARGET",
        "PRUNE",
        "FOSSILIZE",
        "ADVANCE",
    ]


def test_relevance_and_placeholders_are_those_of_the_table() -> None:
    drawn = ["".join("x" if relevant else "." for relevant in row) for row in CAUSAL_RELEVANCE]

    assert drawn == [".......x", "xxxxx..x", "x...xxxx", "x....xxx", "x......x", "x......x"]
    assert PLACEHOLDERS == (0, 0, 2, 1, 2, 0, 0, 0)


def test_styles_targets_and_curves_mean_what_they_say() -> None:
    assert [style.traits.operator for style in GerminationStyle] == [
        AlphaAlgorithm.ADD,
        AlphaAlgorithm.MULTIPLY,
        AlphaAlgorithm.ADD,
        AlphaAlgorithm.GATE,
    ]
    assert [style.traits.blend_id for style in GerminationStyle] == ["linear", "linear", "sigmoid", "gated"]
    assert GerminationStyle.SIGMOID_ADD.traits.curve is AlphaCurve.SIGMOID
    assert [target.value_share for target in AlphaTargetAction] == [0.5, 0.7, 1.0]
    assert [(curve.curve.name, curve.steepness) for curve in AlphaCurveAction][2:] == [
        ("SIGMOID", 6.0),
        ("SIGMOID", 12.0),
        ("SIGMOID", 24.0),
    ]


def test_blueprints_keep_their_indices() -> None:
    assert [blueprint.blueprint_id for blueprint in BlueprintAction] == [
        "noop",
        "conv_light",
        "attention",
        "norm",
        "depthwise",
        "bottleneck",
        "conv_small",
        "conv_heavy",
        "lora",
        "lora_large",
        "mlp_small",
        "mlp",
        "flex_attention",
    ]
    assert all(BlueprintAction.NOOP not in blueprints for blueprints in TOPOLOGY_BLUEPRINTS.values())


def _modules() -> list[ModuleType]:
    names = [info.name for info in pkgutil.walk_packages(contracts.__path__, f"{contracts.__name__}.")]
    return [*map(import_module, names), vectorized_types, reward_types]


RECORDS = sorted(
    {
        item
        for module in _modules()
        for item in vars(module).values()
        if isinstance(item, type) and is_dataclass(item) and item.__module__.startswith(morphogenesis.__name__)
    },
    key=lambda record: record.__name__,
)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_a_record_has_slots_and_holds_plain_values(record: type) -> None:
    assert "__slots__" in vars(record)
    for item in fields(record):
        assert "Any" not in str(item.type)
        assert "Tensor" not in str(item.type)
        assert "Module" not in str(item.type)


def test_every_event_has_a_payload_and_analytics_one_per_kind() -> None:
    assert EVENT_PAYLOADS.keys() == set(TelemetryEventType) - {TelemetryEventType.ANALYTICS_SNAPSHOT}
    for kind, payload in ANALYTICS_PAYLOADS.items():
        assert next(item.default for item in fields(payload) if item.name == "kind") == kind


@pytest.mark.parametrize(
    "payload", [*EVENT_PAYLOADS.values(), *ANALYTICS_PAYLOADS.values()], ids=lambda payload: payload.__name__
)
def test_a_payload_refuses_missing_and_unknown_keys(payload: type) -> None:
    required = [item.name for item in fields(payload) if item.default is MISSING and item.default_factory is MISSING]

    with pytest.raises(ContractError, match="surplus"):
        payload.from_dict({"surplus": 1})  # type: ignore[attr-defined]
    if required:
        with pytest.raises(ContractError, match=required[0]):
            payload.from_dict({})  # type: ignore[attr-defined]


def test_an_event_survives_a_line_of_json() -> None:
    matrix = CounterfactualMatrixPayload(
        env_id=3,
        slot_ids=("r0c0",),
        configs=(
            CoalitionResult(seed_mask=(False,), accuracy=20.0),
            CoalitionResult(seed_mask=(True,), accuracy=45.5),
        ),
        strategy="full_factorial",
    )
    event = TelemetryEvent(
        event_id="run-000000000001",
        event_type=TelemetryEventType.COUNTERFACTUAL_MATRIX_COMPUTED,
        timestamp=datetime(2026, 1, 1, tzinfo=UTC),
        data=matrix,
    )

    line = json.loads(json.dumps(event.to_dict(), allow_nan=False))

    assert line["event_type"] == "COUNTERFACTUAL_MATRIX_COMPUTED"
    assert CounterfactualMatrixPayload.from_dict(line["data"]) == matrix


def test_what_is_no_number_becomes_null_and_zero_stays_zero() -> None:
    payload = SeedStageChangedPayload(
        slot_id="r0c0", env_id=0, from_stage="TRAINING", to_stage="PRUNED", alpha=math.nan, accuracy_delta=0.0
    )

    assert payload.to_dict()["alpha"] is None
    assert payload.to_dict()["accuracy_delta"] == 0.0


def test_step_records_start_every_step_with_their_defaults() -> None:
    record = EnvStepRecord(env_idx=2, rollback_occurred=True)
    record.action_spec.op_idx, record.action_spec.target_slot = 5, "r0c1"
    record.action_outcome.reward_raw, record.action_outcome.final_accuracy = 1.5, 80.0
    record.mask_flags.tempo_masked = True

    record.reset_step()

    assert record.action_spec == ActionSpec()
    assert record.action_outcome == ActionOutcome()
    assert not record.mask_flags.tempo_masked
    assert record.rollback_occurred
    record.reset_episode()
    assert record == EnvStepRecord(env_idx=2)


def test_a_round_is_one_json_object_with_its_fields_as_keys() -> None:
    summary = RewardSummaryAccumulator()
    summary.add(RewardComponentsTelemetry(bounded_attribution=None, compute_rent=-0.25, total_reward=1.0))
    manifest = TopologyManifest(
        task="digits_impaired",
        host_topology="cnn",
        slot_config_hash="0",
        slots=(
            TopologySlot(
                slot_id="r0c0",
                blueprint_id="norm",
                operator=1,
                gate_present=False,
                alpha=1.0,
                stage=7,
                parameters=5,
            ),
        ),
    )
    batch = BatchSummary(
        batch=1,
        episodes=8,
        avg_accuracy=50.0,
        rolling_avg_accuracy=50.0,
        ppo_metrics=None,
        reward_summary=[summary],
        episode_history=[EpisodeRecord(env_id=0, episode_reward=1.0, final_accuracy=50.0)],
        topology_manifests=[manifest],
    )

    document = json.loads(json.dumps(batch.to_dict(), allow_nan=False))

    assert list(document) == [item.name for item in fields(BatchSummary)]
    assert document["reward_summary"][0]["compute_rent"] == -0.25
    assert document["reward_summary"][0]["count"] == 1
    assert document["topology_manifests"][0]["slots"][0]["parameters"] == 5
    assert len(manifest.manifest_hash()) == 64
    assert len(fields(PPOMetrics)) == len(set(PPOMetrics.__dataclass_fields__)) > 140


def test_an_outcome_dominates_where_it_is_nowhere_worse() -> None:
    def outcome(accuracy: float, ratio: float, stability: float) -> EpisodeOutcome:
        return EpisodeOutcome(
            env_id=0,
            episode_idx=0,
            final_accuracy=accuracy,
            param_ratio=ratio,
            num_fossilized=0,
            num_contributing_fossilized=0,
            episode_reward=0.0,
            stability_score=stability,
            reward_mode="shaped",
        )

    assert outcome(80.0, 1.5, 0.5).dominates(outcome(80.0, 2.0, 0.5))
    assert not outcome(80.0, 1.5, 0.5).dominates(outcome(80.0, 1.5, 0.5))
    assert not outcome(90.0, 2.5, 0.5).dominates(outcome(80.0, 2.0, 0.5))
    assert stability_score([1.0] * 30) == 1.0
    assert stability_score([100.0] + [0.0] * 20) == 1.0
    assert stability_score([1.0, 3.0]) == 0.5


def test_contracts_import_nothing_heavy_and_nothing_of_the_world_beside_them() -> None:
    for path in Path(contracts.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                top = node.module.split(".")[0]
                assert top in sys.stdlib_module_names or node.module.startswith(
                    ("diorama.contracts", "diorama.worlds.morphogenesis.contracts")
                ), f"{path.name} imports {node.module}"


def test_the_lifecycle_needs_no_torch() -> None:
    code = "import sys, diorama.worlds.morphogenesis.hosting.growth; sys.exit('torch' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
