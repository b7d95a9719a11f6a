"""Training in a town can be cut off anywhere and goes on as if nothing had happened."""

import numpy as np
import pytest

from diorama.learn.trainer import Trainer
from tests.learn.recording_callback import RecordingCallback
from tests.worlds.townlet.learning.towns import settings, towns


def weights(trainer: Trainer) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.concatenate([item.detach().numpy().ravel() for item in trainer.policy.parameters()])


@pytest.mark.parametrize("arch", ["mlp-8-tanh-v1", pytest.param("mingru-8-v1", marks=pytest.mark.slow)])
def test_a_resumed_training_comes_out_the_same(arch: str) -> None:
    chosen = settings(arch, rollout_steps=12)
    straight, first, second = (Trainer(towns(), chosen, seed=5, callbacks=[RecordingCallback()]) for _ in range(3))

    straight.run(4 * 24)
    first.run(2 * 24)
    second.load_state(first.state())
    second.run(4 * 24)

    assert np.array_equal(weights(second), weights(straight))
    assert second.state().snapshots == straight.state().snapshots
    assert not np.array_equal(weights(first), weights(straight))
    for trainer in (straight, first, second):
        trainer.close()
