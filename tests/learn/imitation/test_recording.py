"""Recorded trajectories and their returns."""

from diorama.learn.imitation.recording import Recording
from tests.engine.toy_world import ToyConfig, toy_spec


def test_returns_are_unknown_where_the_episode_did_not_terminate() -> None:
    recording = Recording.empty(toy_spec(ToyConfig()), rows=1, steps=5)
    recording.arrays.rewards[:] = 1.0
    recording.arrays.terminated[1] = True
    recording.arrays.truncated[3] = True

    returns, known = recording.returns(0.5)

    assert returns[:, 0].tolist() == [1.5, 1.0, 1.5, 1.0, 1.0]
    assert known[:, 0].tolist() == [True, True, False, False, False]


def test_a_small_unknown_tail_can_be_ignored() -> None:
    recording = Recording.empty(toy_spec(ToyConfig()), rows=1, steps=4)

    _, known = recording.returns(0.5, max_tail_weight=0.2)

    assert known[:, 0].tolist() == [True, True, False, False]
