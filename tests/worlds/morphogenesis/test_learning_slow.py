"""That the controller learns: a problem with a known solution, and the digits against chance and waiting."""

import numpy as np
import pytest

from diorama.contracts.values import I32
from diorama.engine.batch import Batch
from diorama.engine.make import make_batch
from diorama.learn.evaluation.policy_player import PolicyPlayer
from diorama.learn.policies.policy import Policy
from diorama.learn.trainer import Trainer
from diorama.worlds.morphogenesis.comparison.paired_test import one_sided_p
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contracts.actions import PLACEHOLDERS, GerminationStyle, LifecycleOp, TempoAction
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.fast import engine_maker
from diorama.worlds.morphogenesis.rounds.controllers import controller_named
from diorama.worlds.morphogenesis.rounds.running import play_rounds
from diorama.worlds.morphogenesis.streams import generator
from diorama.worlds.registry import load_world
from tests.learn.recording_callback import RecordingCallback
from tests.worlds.morphogenesis.fake_engine import TOY_WORLD, WORTHY
from tests.worlds.morphogenesis.learners import controller_settings, small_batch

EPOCHS = 24
ROUNDS = 150
COPIES = 8
WORTHY_COLUMN = 1
HELD_OUT = (1_000_001, 1_000_002, 1_000_003)


def toy(copies: int, seed: int) -> Batch:
    return small_batch(copies, seed=seed, config={"max_epochs": EPOCHS}, world=TOY_WORLD)


def best_return() -> float:
    """Plant what is worth something at once, and let it go on whenever it may."""
    batch = toy(1, 1)
    batch.reset()
    total = 0.0
    for epoch in range(EPOCHS):
        batch.step(_eager(batch, epoch))
        total += float(batch.rewards[0])
    return total


def _eager(batch: Batch, epoch: int) -> I32:
    is_open = batch.extra("slot_by_op").reshape(len(LifecycleOp), -1)[:, WORTHY_COLUMN]
    action = np.array([PLACEHOLDERS], np.int32)
    for op in (LifecycleOp.FOSSILIZE, LifecycleOp.ADVANCE, LifecycleOp.GERMINATE):
        if is_open[op] and (op is not LifecycleOp.GERMINATE or epoch == 0):
            action[0, [0, 7]] = WORTHY_COLUMN, op
            break
    if action[0, 7] == LifecycleOp.GERMINATE:
        action[0, 1:4] = WORTHY, GerminationStyle.LINEAR_ADD, TempoAction.FAST
    return action


def certain_return(policy: Policy) -> float:
    """Return what the policy earns when it takes the likeliest options."""
    batch = toy(1, 1)
    batch.reset()
    player = PolicyPlayer(policy, batch.spec, 1, deterministic=True, seed=0)
    player.see(batch.extra)
    player.reset([0], [0])
    total = 0.0
    for _ in range(EPOCHS):
        batch.step(player.act(batch.obs, batch.obs_u8, batch.masks))
        total += float(batch.rewards[0])
    return total


@pytest.mark.slow
@pytest.mark.parametrize("root_key", [1, 2, 3])
def test_a_seed_that_is_known_to_be_worth_something_is_found_and_kept(root_key: int) -> None:
    wanted = 0.9 * best_return()
    config = {"max_epochs": EPOCHS}
    settings = controller_settings("demo", copies=COPIES, config=config, steps=ROUNDS * COPIES * EPOCHS, seed=root_key)
    trainer = Trainer(toy(COPIES, root_key), settings.trainer, seed=root_key, callbacks=[RecordingCallback()])

    reached = 0.0
    while trainer.updates < ROUNDS and reached < wanted:
        trainer.run(trainer.env_steps_total + 10 * COPIES * EPOCHS)
        reached = certain_return(trainer.policy)

    assert reached >= wanted


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_on_the_digits_sixty_rounds_beat_chance_and_waiting() -> None:

    settings = controller_settings("demo", steps=60 * 4 * 40, seed=1)
    world = load_world("morphogenesis")
    batch = make_batch(world, copies=4, config=settings.config, seed=1, tier="fast")
    trainer = Trainer(batch, settings.trainer, seed=1, callbacks=[RecordingCallback()])
    trainer.run(settings.steps)

    ended = {name: [accuracy for key in HELD_OUT for accuracy in _others(name, key)] for name in ("random", "wait")}
    learned = []
    for key in HELD_OUT:
        judged = make_batch(world, copies=4, config=settings.config, seed=key, tier="fast")
        learned += _ended(judged, trainer.policy)

    for place, accuracies in enumerate(ended.values()):
        ahead = [one - other for one, other in zip(learned, accuracies, strict=True)]
        assert one_sided_p(ahead, generator(place)) < 0.05


def _ended(batch: Batch, policy: Policy) -> list[float]:
    batch.reset()
    player = PolicyPlayer(policy, batch.spec, batch.rows, deterministic=False, seed=0)
    player.see(batch.extra)
    player.reset(range(batch.rows), [batch.episode_seed(copy) for copy in range(batch.copies)])
    while not batch.truncated.any():
        batch.step(player.act(batch.obs, batch.obs_u8, batch.masks))
    found: list[float] = batch.metrics[:, batch.spec.metric_keys.index("final_accuracy")].tolist()
    return found


def _others(name: str, key: int) -> list[float]:
    config = controller_settings("demo").config

    hosts = MorphogenesisWorld.build(
        MorphogenesisConfig.model_validate(config), engine_maker("fast"), envs=4, root_key=key
    )
    run = play_rounds(hosts, controller_named(name, hosts.nursery), name=name, rounds=1)
    return [result.final_accuracy for result in run.results]
