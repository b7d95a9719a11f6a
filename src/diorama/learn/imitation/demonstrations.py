"""Demonstrations: decisions of a bot or of stored episodes, ready to be cloned."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch

from diorama.contracts.bots import Bot
from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import I32, U8
from diorama.engine.batch import Batch
from diorama.engine.players import BotPlayer
from diorama.learn.evaluation.policy_player import PolicyPlayer
from diorama.learn.experience import PolicyInputs
from diorama.learn.imitation.episodes import Episode
from diorama.learn.imitation.recording import Recording, Tracks
from diorama.learn.keyed_random import permutation
from diorama.learn.policies.heads import had_choice
from diorama.learn.policies.policy import Policy
from diorama.learn.settings.imitation import DisturbanceSettings
from diorama.learn.streams import DEMONSTRATIONS, DISTURBANCES
from diorama.rng import draw, u01


class Disturbance:
    """Pushes rows for some decisions at a time; every draw belongs to a row and to when its push began."""

    def __init__(self, settings: DisturbanceSettings, spec: WorldSpec, *, seed: int) -> None:
        """Find the heads.

        Raises:
            UnknownName: There is no such head.
        """
        names = [head.name for head in spec.heads]
        for name in settings.heads:
            if name not in names:
                raise UnknownName.among("head (in cloning.disturbance.heads)", name, names)
        bounds = np.cumsum([0, *(len(head.options) for head in spec.heads)]).tolist()
        self._heads = [
            (names.index(name), bounds[names.index(name)], bounds[names.index(name) + 1]) for name in settings.heads
        ]
        self._settings = settings
        self._seed = seed

    def sent(self, actions: I32, masks: U8, step: int) -> I32:
        """Return what the rows do instead of what the bots want; `masks` are rows × options of all heads."""
        sent, push = actions.copy(), step // self._settings.steps
        for row in range(len(sent)):
            if self._fraction(push, row, 0) >= self._settings.share:
                continue
            for place, start, stop in self._heads:
                valid = np.flatnonzero(masks[row, start:stop])
                sent[row, place] = valid[int(self._fraction(push, row, 1 + place) * len(valid))]
        return sent

    def _fraction(self, push: int, row: int, k: int) -> float:
        return u01(draw(self._seed, DISTURBANCES, push, row, 0, k))


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstrations:
    """Decisions of a bot, flattened step by step.

    Attributes:
        sights: What it saw and did; sequences begin without memory.
        head_weights: Decisions × heads, 1 where the head is to be imitated: it had a choice and chose validly.
        returns: Discounted return from each decision on.
        value_weights: 1 where the return is known: the episode came to its end.
    """

    inputs: PolicyInputs
    head_weights: torch.Tensor
    returns: torch.Tensor
    value_weights: torch.Tensor


def record_bot(
    batches: Sequence[Batch],
    make_bot: Callable[[], Bot] | None,
    policy: Policy,
    *,
    decisions: int,
    length: int,
    disturbance: Disturbance | None = None,
    is_led: bool = False,
) -> Recording:
    """Let one bot per row play from the batches' own seeds and write down what it wants to do.

    The result depends on nothing else.

    Args:
        batches: Batches of one world that have not been reset; they are closed afterwards.
        make_bot: Makes the bot of a row; None where the batches' own controller shows how it is done.
        policy: Who is to learn from it.
        decisions: How many to gather at least.
        length: Decisions per sequence.
        disturbance: Pushes whoever plays off their way now and then.
        is_led: Whether the policy itself plays and the bot only says what it would do, so that the policy learns how to
            get out of what it gets itself into.
    """
    if policy.heads.plan.mask_extras:
        raise ConfigError("cloning: demonstrations have no extra arrays, which the policy's conditional masks need")
    steps = -(-decisions // (sum(batch.rows for batch in batches) * length)) * length
    leader = policy if is_led else None
    return Recording.joined([_play(batch, make_bot, steps, disturbance, leader) for batch in batches])


def _play(
    batch: Batch,
    make_bot: Callable[[], Bot] | None,
    steps: int,
    disturbance: Disturbance | None,
    leader: Policy | None,
) -> Recording:
    recording = Recording.blank(batch.spec, batch.rows, steps)
    teacher = None if make_bot is None else BotPlayer(make_bot, batch.spec, batch.rows)
    led = None if leader is None else PolicyPlayer(leader, batch.spec, batch.rows, deterministic=True, seed=0)
    batch.reset()
    opened = list(range(batch.rows))
    for step in range(steps):
        seeds = [batch.episode_seed(row // batch.spec.agents) for row in opened]
        for player in (teacher, led):
            if player is not None:
                player.reset(opened, seeds)
        wanted = batch.advise() if teacher is None else teacher.act(batch.obs, batch.obs_u8, batch.masks)
        recording.write_decision(step, batch.buffers, wanted)
        done = wanted if led is None else led.act(batch.obs, batch.obs_u8, batch.masks)
        batch.step(done if disturbance is None else disturbance.sent(done, batch.masks, step))
        recording.write_outcome(step, batch.buffers)
        opened = batch.episode_start.nonzero()[0].tolist()
    batch.close()
    return recording


def as_demonstrations(
    recording: Recording, policy: Policy, *, length: int, gamma: float, most_missing: float = 0.0
) -> Demonstrations:
    """Return what a recording shows a policy.

    Args:
        recording: Of a number of steps that `length` divides.
        policy: Who is to learn from it.
        length: Decisions per sequence; 1 for a policy without memory.
        gamma: Discount of the returns.
        most_missing: Weight of what may be missing from a return that counts as known; see `Recording.returns`.
    """
    device = policy.value_head.weight.device
    flat = {name: array.flatten(0, 1).to(device) for name, array in recording.tensors().items()}
    returns, known = (array.flatten().to(device) for array in recording.returns(gamma, most_missing=most_missing))
    inputs = PolicyInputs(
        obs=flat["obs"],
        obs_u8=flat["obs_u8"],
        masks=flat["masks"] if recording.spec.has_mask else None,
        extras={},
        actions=flat["actions"],
        memory=torch.zeros(len(returns) // length, policy.memory_width, device=device),
        starts=flat["starts"],
        length=length,
        rows=recording.rows,
    )
    plan, deciding = policy.heads.plan, flat["alive"].float()
    imitable = had_choice(plan, inputs.masks, {}, inputs.actions) * _is_valid(policy, inputs)
    return Demonstrations(
        inputs=inputs,
        head_weights=imitable * deciding[:, None],
        returns=returns,
        value_weights=known.float() * deciding,
    )


def _is_valid(policy: Policy, inputs: PolicyInputs) -> torch.Tensor:
    if inputs.masks is None:
        return torch.ones(inputs.actions.shape, device=inputs.actions.device)
    firsts = torch.tensor(
        [columns.start for columns in policy.heads.plan.layout.slices()], device=inputs.actions.device
    )
    return (inputs.masks.gather(1, inputs.actions.long() + firsts) != 0).float()


_HOLD_OUT: Final = 1 << 32  # beside the updates that also draw from the stream of demonstrations
_NEGLIGIBLE: Final = 0.02  # weight of what is missing from a return that counts as known


def hold_out(episodes: Sequence[Episode], share: float, *, seed: int) -> tuple[list[Episode], list[Episode]]:
    """Return the episodes to learn from and those to judge by; whole ones, for neighboring frames are nearly alike.

    Raises:
        ConfigError: There are too few to do both.
    """
    held = max(1, round(share * len(episodes)))
    if held >= len(episodes):
        raise ConfigError(f"{len(episodes)} episodes are too few to hold a share of {share:g} of them out")
    order: list[int] = permutation(seed, DEMONSTRATIONS, _HOLD_OUT, 0, len(episodes)).tolist()
    chosen = set(order[:held])
    return (
        [episode for place, episode in enumerate(episodes) if place not in chosen],
        [episode for place, episode in enumerate(episodes) if place in chosen],
    )


def demonstrations_of(
    episodes: Sequence[Episode], spec: WorldSpec, policy: Policy, *, sequence_length: int, gamma: float
) -> Demonstrations:
    """Return episodes as demonstrations.

    They are laid end to end and cut into sequences; those that begin in the midst of an episode begin without memory.

    Args:
        episodes: Of one world.
        spec: Its contract.
        policy: Who is to learn from them.
        sequence_length: Decisions a policy with memory is trained through.
        gamma: Discount of the returns.
    """
    length = sequence_length if policy.memory_width else 1
    recording = Recording(spec, _tracks(episodes, spec, length))
    return as_demonstrations(recording, policy, length=length, gamma=gamma, most_missing=_NEGLIGIBLE)


def _tracks(episodes: Sequence[Episode], spec: WorldSpec, length: int) -> Tracks:
    total = sum(len(episode) for episode in episodes)
    sequences = -(-total // length)
    tracks = Tracks.empty(spec, rows=1, steps=sequences * length)
    first = 0
    for episode in episodes:
        here = slice(first, first + len(episode))
        tracks.obs[here, 0], tracks.masks[here, 0] = episode.rows, episode.masks
        tracks.actions[here, 0] = episode.actions
        tracks.starts[first, 0] = 1
        tracks.alive[here, 0] = 1
        tracks.rewards[here, 0] = episode.rewards
        tracks.terminated[here, 0] = episode.dones != 0
        tracks.truncated[here.stop - 1, 0] = not episode.is_finished
        first = here.stop
    return tracks
