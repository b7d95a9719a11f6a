"""Lets a bot play and writes down what it saw, did and earned."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from diorama.contracts.bots import Bot
from diorama.contracts.errors import ConfigError
from diorama.engine.batch import Batch
from diorama.learn.cloning.disturbance import Disturbance
from diorama.learn.cloning.recording import Recording
from diorama.learn.evaluation.players import BotPlayer
from diorama.learn.heads.masks import had_choice
from diorama.learn.player import PolicyPlayer
from diorama.learn.policies.policy import Policy
from diorama.learn.ppo.experience import Sights


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstrations:
    """Decisions of a bot, flattened step by step.

    Attributes:
        sights: What it saw and did; sequences begin without memory.
        head_weights: Decisions × heads, 1 where the head is to be imitated: it had a choice and chose validly.
        returns: Discounted return from each decision on.
        value_weights: 1 where the return is known: the episode came to its end.
    """

    sights: Sights
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
    sights = Sights(
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
    imitable = had_choice(plan, sights.masks, {}, sights.actions) * _is_valid(policy, sights)
    return Demonstrations(
        sights=sights,
        head_weights=imitable * deciding[:, None],
        returns=returns,
        value_weights=known.float() * deciding,
    )


def _is_valid(policy: Policy, sights: Sights) -> torch.Tensor:
    if sights.masks is None:
        return torch.ones(sights.actions.shape, device=sights.actions.device)
    firsts = torch.tensor(
        [columns.start for columns in policy.heads.plan.layout.slices()], device=sights.actions.device
    )
    return (sights.masks.gather(1, sights.actions.long() + firsts) != 0).float()
