"""The picture of a growing host shows what its render state tells."""

from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from diorama.contracts.values import U8
from diorama.worlds.morphogenesis.picture import draw
from diorama.worlds.morphogenesis.picture.palette import AHEAD, BEHIND, STAGES

STATE: dict[str, Any] = {
    "task": "digits_impaired",
    "epoch": 3,
    "max_epochs": 40,
    "accuracy": 71.5,
    "gain": 2.25,
    "history": {"accuracy": [52.0, 65.5, 71.5], "control": [52.0, 64.0, 69.25]},
    "host_params": 1_000,
    "total_params": 1_240,
    "is_rolling_back": False,
    "slots": [
        {"slot_id": "r0c0", "stage": "DORMANT", "seed": None},
        {"slot_id": "r0c1", "stage": "BLENDING", "seed": {"blueprint": "conv_light", "alpha": 0.5}},
        {"slot_id": "r0c2", "stage": "FOSSILIZED", "seed": {"blueprint": "norm", "alpha": 1.0}},
    ],
}


def pixels(**changes: object) -> U8:
    return np.asarray(draw(deepcopy(STATE) | changes, ()))


def share_of(picture: U8, color: tuple[int, int, int]) -> float:
    return float((np.abs(picture.astype(int) - color).sum(axis=2) < 30).mean())


def test_a_picture_has_its_size_and_is_always_the_same() -> None:
    assert pixels().shape == (400, 640, 3)
    assert (pixels() == pixels()).all()


def test_slots_have_the_colors_of_their_stages_and_fill_with_alpha() -> None:
    half, whole = ([dict(STATE["slots"][1], seed={"blueprint": "norm", "alpha": alpha})] for alpha in (0.5, 1.0))

    assert share_of(pixels(), STAGES["FOSSILIZED"]) > 0.01
    assert share_of(pixels(slots=whole), STAGES["BLENDING"]) > share_of(pixels(slots=half), STAGES["BLENDING"]) > 0.01


def test_a_gain_and_a_loss_look_different() -> None:
    alone = {"slots": [STATE["slots"][0]]}

    assert share_of(pixels(gain=3.0, **alone), AHEAD) > 0 == share_of(pixels(gain=3.0, **alone), BEHIND)
    assert share_of(pixels(gain=-3.0, **alone), BEHIND) > 0 == share_of(pixels(gain=-3.0, **alone), AHEAD)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(
            {"epoch": 0, "accuracy": None, "gain": None, "history": {"accuracy": [], "control": []}}, id="new"
        ),
        pytest.param({"history": {"accuracy": [None, 60.0], "control": [None, None]}}, id="not-measured"),
        pytest.param({"is_rolling_back": True}, id="rolling-back"),
    ],
)
def test_what_is_not_known_is_no_hindrance(changes: dict[str, object]) -> None:
    assert pixels(**changes).shape == (400, 640, 3)


@pytest.mark.parametrize(
    "broken",
    [{"host_params": 0}, {"slots": []}, {"slots": [{"slot_id": "r0c0", "stage": "LOST", "seed": None}]}],
    ids=lambda broken: next(iter(broken)),
)
def test_what_is_no_moment_of_a_host_is_refused(broken: dict[str, object]) -> None:
    with pytest.raises((ValueError, LookupError)):
        pixels(**broken)
