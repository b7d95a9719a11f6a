"""Random play: valid, uniform, and a function of its seed."""

import numpy as np
import pytest

from diorama.contracts.errors import DocumentError
from diorama.contracts.spec import ObservationField
from diorama.engine.make import make_batch
from diorama.runs.checkpoints.resume import StoredTraining
from diorama.training.callbacks.base import RunCallbacks
from diorama.training.random_play import RandomLearner, RandomPlayer, choose_uniformly, draw_block, random_stream
from diorama.worlds.registry import load_world
from tests.learn.toys import head, toy_spec
from tests.refusals import refused

SPEC = toy_spec(
    (ObservationField(name="x", start=0, meaning="nothing"),), (head("a", 3, noop=2), head("b", 4)), has_mask=True
)


def test_every_valid_option_is_chosen_alike_and_no_other() -> None:
    rows = 30_000
    masks = np.tile(np.array([1, 0, 1, 1, 1, 0, 1], np.uint8), (rows, 1))

    actions = choose_uniformly(SPEC, masks, draw_block(random_stream(5), rows, 2))

    first, second = np.bincount(actions[:, 0], minlength=3) / rows, np.bincount(actions[:, 1], minlength=4) / rows
    np.testing.assert_allclose(first, [1 / 2, 0, 1 / 2], atol=0.015)
    np.testing.assert_allclose(second, [1 / 3, 1 / 3, 0, 1 / 3], atol=0.015)


def test_a_head_without_a_valid_option_takes_its_noop() -> None:
    masks = np.array([[0, 0, 0, 0, 1, 0, 0]], np.uint8)

    assert choose_uniformly(SPEC, masks, draw_block(random_stream(0), 1, 2)).tolist() == [[2, 1]]


def test_a_row_plays_its_episode_whoever_plays_beside_it() -> None:
    obs, pixels = np.zeros((2, 1), np.float32), np.zeros((2, 0), np.uint8)
    masks = np.ones((2, 7), np.uint8)
    alone, together = RandomPlayer(SPEC, 1), RandomPlayer(SPEC, 2)
    alone.reset([0], [11])
    together.reset([0, 1], [10, 11])

    for _ in range(20):
        expected = alone.act(obs[:1], pixels[:1], masks[:1])[0]
        assert together.act(obs, pixels, masks)[1].tolist() == expected.tolist()


def learner(copies: int = 3) -> RandomLearner:
    return RandomLearner(make_batch(load_world("prospector"), copies=copies, seed=4), 7, RunCallbacks([]))


def stored_state(played: RandomLearner) -> StoredTraining:
    state = played.state()
    return StoredTraining(tensors={}, values=dict(state.values), snapshots=list(state.snapshots))


def test_random_play_continues_exactly_from_a_state() -> None:
    whole, parts = learner(), learner()
    for _ in range(5):
        whole.advance()
    continued = stored_state(whole)
    for _ in range(5):
        whole.advance()

    parts.load(continued)
    assert parts.env_steps_total == 15
    for _ in range(5):
        parts.advance()

    assert stored_state(parts) == stored_state(whole)


@pytest.mark.parametrize(
    ("copies", "changes"),
    [
        pytest.param(2, {}, id="other-copies"),
        pytest.param(3, {"stream_draws": None}, id="state-of-a-trainer"),
        pytest.param(3, {"env_steps_total": "15"}, id="no-number"),
    ],
)
def test_a_state_of_another_run_is_refused_and_changes_nothing(copies: int, changes: dict[str, object]) -> None:
    played, other = learner(copies), learner()
    played.advance()
    state, before = stored_state(played), stored_state(other)

    with refused(DocumentError, "stored_state_of_another_run"):
        other.load(StoredTraining(tensors={}, values={**state.values, **changes}, snapshots=state.snapshots))

    assert stored_state(other) == before
