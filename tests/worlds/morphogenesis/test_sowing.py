"""The baseline that grows what chance names."""

import numpy as np

from diorama.contracts.records import Decision
from diorama.worlds.morphogenesis.bots.sowing import Sower
from diorama.worlds.morphogenesis.contracts.actions import CAUSAL_RELEVANCE, HEAD_NAMES, LifecycleOp, head_sizes
from tests.worlds.morphogenesis.learners import SLOTS, small_batch

HOSTS = 6
EPOCHS = 30
OP, SLOT, BLUEPRINT = (HEAD_NAMES.index(name) for name in ("op", "slot", "blueprint"))


def relevant(action: Decision) -> list[int]:
    return [head for head, matters in enumerate(CAUSAL_RELEVANCE[action[OP]]) if matters]


def sown(seed: int) -> tuple[list[list[tuple[int, ...]]], list[Sower], list[float]]:
    """Play a round and return the decisions of every host, the bots, and the permanent seeds at the end."""
    batch = small_batch(HOSTS, seed=seed, config={"max_epochs": EPOCHS})
    batch.reset()
    bots: list[Sower] = []
    for row in range(HOSTS):
        bots.append(Sower())
        bots[row].reset(batch.episode_seed(row))
    decided: list[list[tuple[int, ...]]] = [[] for _ in bots]
    bounds = np.cumsum([0, *head_sizes(SLOTS)])
    for _ in range(EPOCHS):
        actions = [bot.act(batch.obs[row], batch.obs_u8[row], batch.masks[row]) for row, bot in enumerate(bots)]
        for row, action in enumerate(actions):
            assert all(batch.masks[row, bounds[head] + action[head]] for head in relevant(action))
            decided[row].append(tuple(action))
        batch.step(np.array(actions))
    permanent = batch.metrics[:, batch.spec.metric_keys.index("num_fossilized")].tolist()
    batch.close()
    return decided, bots, permanent


def test_a_sower_plants_as_many_seeds_as_it_drew_and_finishes_them() -> None:
    decided, bots, permanent = sown(5)

    planted = [[action for action in actions if action[OP] == LifecycleOp.GERMINATE] for actions in decided]
    wanted = [bot.memory.seeds for bot in bots]
    assert [len(seeds) for seeds in planted] == wanted
    assert permanent == wanted
    assert len(set(wanted)) > 1
    assert all(len({seed[SLOT] for seed in seeds}) == len(seeds) for seeds in planted)
    assert len({seed[BLUEPRINT] for seeds in planted for seed in seeds}) > 2


def test_chance_is_that_of_the_episode() -> None:
    first, again, other = sown(5)[0], sown(5)[0], sown(6)[0]

    assert first == again
    assert first != other
