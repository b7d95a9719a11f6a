"""Learning from pictures: the trainer takes the world as it is, and finds the flag."""

import numpy as np
import pytest

from diorama.contracts.buffers import Buffers
from diorama.contracts.values import I32
from diorama.engine.make import make_batch
from diorama.learn.evaluation.policy_player import PolicyPlayer
from diorama.learn.settings import TrainerSettings
from diorama.learn.trainer import Trainer
from diorama.training.presets import Layer, load_preset, preset_names, settings_of
from diorama.worlds.gameboy.envs.figures import Figures, play_episodes
from tests.learn.recording_callback import RecordingCallback
from tests.worlds.gameboy.envs.batches import WORLD, opened

WAY = (5, 5, 7, 7, 7, 7)
COPIES = 64


def learner(copies: int, **config: object) -> Trainer:
    settings = TrainerSettings.model_validate(
        {
            "policy": {"arch": "cnn-v1"},
            "ppo": {"rollout_steps": 32, "num_minibatches": 4, "update_epochs": 2, "gamma": 0.95, "ent_coef": 0.01},
            "optimizer": {"learning_rate": 0.001},
            "execution": {"threads": 1, "lane_copies": copies // 2},
        }
    )
    settled = {"frames_per_step": 4, "release_after_frames": 2, "max_steps": 64, **config}
    return Trainer(
        make_batch(WORLD, copies=copies, config=settled, tier="fast"), settings, seed=2, callbacks=[RecordingCallback()]
    )


def from_the_first_tile(trainer: Trainer, episodes: int) -> Figures:
    batch = opened(8, max_steps=64)
    player = PolicyPlayer(trainer.policy, batch.spec, 8, deterministic=False, seed=3)

    def step(actions: I32) -> Buffers:
        batch.step(actions)
        return batch.buffers

    return play_episodes(
        step,
        batch.buffers,
        lambda obs, obs_u8: player.act(obs, obs_u8, batch.masks)[:, 0],
        episodes=episodes,
        copies=8,
    )


@pytest.mark.slow
def test_pictures_and_senses_feed_a_convolutional_policy() -> None:
    trainer = learner(4, kind="gb_tasks")
    before = {name: values.clone() for name, values in trainer.policy.state_dict().items() if "convolutions" in name}

    trainer.run(128)

    after = trainer.policy.state_dict()
    assert before
    assert all((after[name] != values).any() for name, values in before.items())


@pytest.mark.parametrize("name", preset_names("gameboy"))
def test_a_preset_is_a_configuration_of_the_world(name: str) -> None:
    settings = settings_of([load_preset("gameboy", name), Layer(source="test", values={"world": "gameboy"})])
    batch = make_batch(WORLD, copies=2, config=settings.config, tier="fast")

    batch.reset()
    batch.step([0, 7])

    assert batch.obs_u8.any()


@pytest.mark.slow
def test_a_short_training_beats_random_keys_by_far() -> None:
    starts = [{"actions": [0] * 6 + list(WAY[:moves])} for moves in range(len(WAY))]
    trainer = learner(COPIES, starts=starts)
    random_keys = opened(COPIES, max_steps=64)
    keys = np.random.default_rng(0)
    ended = successes = 0
    for _ in range(130):
        random_keys.step(keys.integers(0, 8, COPIES))
        ended += int(random_keys.episode_start.sum())
        successes += int(random_keys.metrics[random_keys.episode_start != 0, 0].sum())

    trainer.run(24_576)
    figures = from_the_first_tile(trainer, episodes=40)

    assert successes / ended < 0.1
    assert figures.success_rate > 0.8
    assert figures.mean_return > 8.0
