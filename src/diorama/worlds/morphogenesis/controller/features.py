"""Columns of an observation by name, and which of them are flags."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.stages import SeedStage

HISTORY: Final = 5

HOST_FEATURES: Final = (
    "epoch",
    "val_loss",
    "val_acc",
    *(f"val_loss_{age}_ago" for age in reversed(range(HISTORY))),
    *(f"val_acc_{age}_ago" for age in reversed(range(HISTORY))),
    "seeds_training",
    "seeds_blending",
    "seeds_holding_or_fossilized",
    "previous_succeeded",
    *(f"previous_{op.name.lower()}" for op in LifecycleOp),
)
SLOT_FEATURES: Final = (
    "has_state",
    *(f"stage_{stage.name.lower()}" for stage in SeedStage),
    "alpha",
    "contribution",
    "contribution_velocity",
    "blend_tempo",
    "alpha_target",
    "alpha_mode",
    "alpha_steps_total",
    "alpha_steps_done",
    "time_to_target",
    "alpha_velocity",
    "operator",
    "interaction_sum",
    "gradient_norm",
    "gradient_health",
    "has_vanishing",
    "has_exploding",
    "gradient_health_before",
    "epochs_in_stage",
    "contribution_freshness",
    "epochs_total",
)
HOST_WIDTH: Final = len(HOST_FEATURES)
SLOT_WIDTH: Final = len(SLOT_FEATURES)


def observation_width(slots: int) -> int:
    """Return the number of features of an env."""
    return HOST_WIDTH + SLOT_WIDTH * slots


def feature_names(slot_ids: Sequence[str]) -> tuple[str, ...]:
    """Return the name of every column."""
    return (*HOST_FEATURES, *(f"{slot_id}_{name}" for slot_id in slot_ids for name in SLOT_FEATURES))


def flag_columns(slots: int) -> NDArray[np.bool_]:
    """Return which columns are flags or one-hots, and are never normalized.

    A rarely set flag has almost no variance; scaled by it, it would do nothing but saturate.
    """
    host = [name.startswith("previous_") for name in HOST_FEATURES]
    slot = [name.startswith(("has_", "stage_")) for name in SLOT_FEATURES]
    return np.array([*host, *(slot * slots)])
