"""Made-up episodes of a world with one head of four options and an observation of five numbers."""

import numpy as np

from diorama.contracts.spec import ObservationField, WorldSpec
from diorama.learn.imitation.dataset_files import Layout, ObservationPart
from diorama.learn.imitation.datasets import DatasetPlan, RecordedEpisode
from diorama.learn.imitation.episodes import Episode, discounted_returns
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import TrainerSettings
from tests.learn.toys import head, toy_spec

OPTIONS = 4
SPEC: WorldSpec = toy_spec(
    (
        ObservationField(name="picture", start=0, shape=(1, 2, 2), low=-1.0, high=1.0, meaning="two by two"),
        ObservationField(name="need", start=4, low=-1.0, high=1.0, meaning="a need"),
    ),
    (head("act", OPTIONS),),
    has_mask=True,
)
LAYOUT = Layout(
    world="toy",
    interface_version="toy-v1",
    observation=(ObservationPart(name="map", shape=(1, 2, 2)), ObservationPart(name="features", shape=(1,))),
    feature_names=("need",),
    action_layout=SPEC.option_names,
)
PLAN = DatasetPlan(name="first", teacher="ruler", gamma=0.9, layout=LAYOUT)


SETTINGS = TrainerSettings.model_validate(
    {
        "policy": {"arch": "mlp-32-tanh-v1"},
        "ppo": {"gamma": 0.9},
        "cloning": {"dataset": "first", "epochs": 60, "minibatch_rows": 200, "learning_rate": 0.02, "value_coef": 1.0},
    }
)


def policy_of(arch: str = "mlp-32-tanh-v1") -> Policy:
    return Policy(SPEC, SETTINGS.policy.model_copy(update={"arch": arch}), SETTINGS.normalization, seed=2)


def episode(seed: int, frames: int = 40, *, only: int | None = None, is_finished: bool = True) -> Episode:
    """The expert takes the option of the quarter in which the need lies; every third decision is forced."""
    draws = np.random.default_rng(seed)
    need = draws.uniform(-1.0, 1.0, (frames, 1)).astype(np.float32)
    actions = np.minimum((need + 1.0) * 2.0, 3.0).astype(np.int32)
    if only is not None:
        actions[:] = only
    masks = np.ones((frames, OPTIONS), np.uint8)
    forced = np.arange(frames) % 3 == 0
    masks[forced] = 0
    masks[forced, actions[forced, 0]] = 1
    dones = np.zeros(frames, np.uint8)
    dones[-1] = is_finished
    rewards = need[:, 0] * 0.1
    return Episode(
        observation={"map": draws.uniform(-1.0, 1.0, (frames, 1, 2, 2)).astype(np.float32), "features": need},
        actions=actions,
        masks=masks,
        rewards=rewards,
        dones=dones,
        values=discounted_returns(rewards, 0.9),
    )


def recorded_episodes(count: int = 6, *, only: int | None = None) -> list[RecordedEpisode]:
    return [
        RecordedEpisode(
            episode=episode(seed, only=only),
            agent=f"citizen_{seed:03d}",
            scenario="usual" if seed % 2 else "poor",
            config_id="toy",
            seed=seed,
            tags=("made-up",),
            metrics={"return": float(seed)},
        )
        for seed in range(count)
    ]
