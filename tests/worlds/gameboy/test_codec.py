"""The action codec: its table is fixed, and everything that does not fit it is told."""

import numpy as np
import pytest

from diorama.contracts.errors import DioramaError
from diorama.worlds.gameboy import codec as module
from diorama.worlds.gameboy.codec import (
    DEFAULT_ACTION_CODEC_ID,
    KERNEL_CODEC_IDS,
    POKERED_PUFFER_V1_ID,
    action_codec_kernel_id,
    get_action_codec,
    list_action_codecs,
    require_codec,
)
from diorama.worlds.gameboy.errors import CodecMismatch

TABLE = [
    (0, "NOOP", None, 0, 0),
    (1, "A", "a", 0, 1),
    (2, "B", "b", 0, 2),
    (3, "START", "start", 0, 8),
    (4, "UP", "up", 4, 0),
    (5, "DOWN", "down", 8, 0),
    (6, "LEFT", "left", 2, 0),
    (7, "RIGHT", "right", 1, 0),
]


def test_the_registry_has_one_entry_and_it_is_the_default() -> None:
    assert list_action_codecs() == ("pokemonred_puffer_v1",) == (POKERED_PUFFER_V1_ID,)
    assert DEFAULT_ACTION_CODEC_ID == POKERED_PUFFER_V1_ID
    assert get_action_codec() is get_action_codec(POKERED_PUFFER_V1_ID)


@pytest.mark.parametrize(("index", "name", "button", "dpad", "buttons"), TABLE, ids=[row[1] for row in TABLE])
def test_every_row_equals_the_table(index: int, name: str, button: str | None, dpad: int, buttons: int) -> None:
    codec = get_action_codec()

    assert codec.action_names[index] == name
    assert codec.to_pyboy_button(index) == button
    assert codec.to_joypad_mask(index) == (dpad, buttons)


def test_there_are_as_many_actions_as_names() -> None:
    codec = get_action_codec()

    assert codec.num_actions == len(codec.action_names) == len(TABLE)
    assert codec.validate_action(np.int32(3)) == 3


def test_select_is_named_and_out_of_reach() -> None:
    assert module.BUTTON_SELECT == 4
    assert all(row.buttons & module.BUTTON_SELECT == 0 for row in get_action_codec().rows)


@pytest.mark.parametrize("index", [-1, 8, 255])
def test_an_index_outside_the_table_is_refused_with_the_range(index: int) -> None:
    codec = get_action_codec()

    for call in (codec.validate_action, codec.to_pyboy_button, codec.to_joypad_mask):
        with pytest.raises(ValueError, match=rf"action {index} is outside 0\.\.7") as refusal:
            call(index)
        assert isinstance(refusal.value, DioramaError)


def test_an_unknown_codec_is_refused_with_the_registered_ids() -> None:
    for call in (get_action_codec, action_codec_kernel_id):
        with pytest.raises(ValueError, match=r"'other_v9'.*pokemonred_puffer_v1"):
            call("other_v9")


def test_kernels_know_the_codec_as_zero() -> None:
    assert KERNEL_CODEC_IDS["pokemonred_puffer_v1"] == 0
    assert action_codec_kernel_id("pokemonred_puffer_v1") == 0
    assert set(KERNEL_CODEC_IDS) == set(list_action_codecs())


def test_the_stamp_is_what_artifacts_carry() -> None:
    assert get_action_codec().stamp() == {
        "id": "pokemonred_puffer_v1",
        "name": "pokemonred_puffer",
        "version": "v1",
        "num_actions": 8,
        "action_names": ["NOOP", "A", "B", "START", "UP", "DOWN", "LEFT", "RIGHT"],
    }


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        pytest.param("pokemonred_puffer_v2", "was made with action codec 'pokemonred_puffer_v2'", id="another"),
        pytest.param(None, "carries no action codec id", id="absent"),
        pytest.param(0, "was made with action codec 0", id="kernel-id"),
    ],
)
def test_an_artifact_of_another_codec_is_refused_and_must_be_recaptured(stored: object, words: str) -> None:
    with pytest.raises(CodecMismatch, match="recapture") as refusal:
        require_codec(stored, expected_id=POKERED_PUFFER_V1_ID, artifact="goal template at-door")

    assert isinstance(refusal.value, ValueError)
    assert str(refusal.value).startswith(f"goal template at-door {words}")


def test_an_artifact_of_the_same_codec_passes() -> None:
    require_codec("pokemonred_puffer_v1", expected_id=POKERED_PUFFER_V1_ID, artifact="trace")
