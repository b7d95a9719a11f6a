"""Demonstrations: expert decisions from a bot or from stored episodes, as tensors for behavior cloning."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import I32, U8
from diorama.engine.batch import Batch
from diorama.learn.evaluation.policy_player import PolicyPlayer
from diorama.learn.experience import PolicyInputs
from diorama.learn.imitation.episodes import Episode
from diorama.learn.imitation.recording import Recording, TrajectoryArrays
from diorama.learn.imitation.stopping import StopCheck, never_stop
from diorama.learn.keyed_random import permutation
from diorama.learn.policies.heads import had_choice, is_valid
from diorama.learn.policies.policy import Policy
from diorama.learn.settings.imitation import ActionNoiseSettings
from diorama.learn.streams import DEMONSTRATIONS, DISTURBANCES
from diorama.learn.teachers import TeacherMaker, TeacherViews
from diorama.rng import draw, u01


class ActionNoise:
    """Replaces the actions of some rows by random valid ones, for several consecutive decisions at a time.

    The recorded labels stay the expert's, so the clone learns to recover. Draws are keyed by row and interval.
    """

    def __init__(self, settings: ActionNoiseSettings, spec: WorldSpec, *, seed: int) -> None:
        """Find the heads that get noise.

        Raises:
            UnknownName: The world has no head of that name.
        """
        names = [head.name for head in spec.heads]
        for name in settings.heads:
            if name not in names:
                raise UnknownName.among("head (in cloning.disturbance.heads)", name, names, code="unknown_action_head")
        bounds = np.cumsum([0, *(len(head.options) for head in spec.heads)]).tolist()
        self._heads = [
            (names.index(name), bounds[names.index(name)], bounds[names.index(name) + 1]) for name in settings.heads
        ]
        self._settings = settings
        self._seed = seed

    def apply(self, actions: I32, masks: U8, step: int) -> I32:
        """Return a copy of the actions with noise; `masks` are rows × options of all heads."""
        noisy, interval = actions.copy(), step // self._settings.steps
        for row in range(len(noisy)):
            if self._fraction(interval, row, 0) >= self._settings.share:
                continue
            for head, start, stop in self._heads:
                valid = np.flatnonzero(masks[row, start:stop])
                noisy[row, head] = valid[int(self._fraction(interval, row, 1 + head) * len(valid))]
        return noisy

    def _fraction(self, interval: int, row: int, k: int) -> float:
        return u01(draw(self._seed, DISTURBANCES, interval, row, 0, k))


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstrations:
    """Expert decisions, flattened step by step.

    Attributes:
        inputs: Observations and the expert's actions; sequences begin without memory.
        head_weights: Decisions × heads; 1 where the head had a choice and the expert's option was valid, else 0.
        returns: Discounted return of each decision.
        value_weights: 1 where the return is known, else 0.
    """

    inputs: PolicyInputs
    head_weights: torch.Tensor
    returns: torch.Tensor
    value_weights: torch.Tensor


def record_demonstrations(
    batches: Sequence[Batch],
    teacher: TeacherMaker,
    policy: Policy,
    *,
    decisions: int,
    length: int,
    action_noise: ActionNoise | None = None,
    policy_acts: bool = False,
    check_stop: StopCheck = never_stop,
) -> Recording:
    """Record the observations of an acting player and the teacher's actions for them.

    The teacher acts itself, or with `policy_acts` only labels what the policy visits (DAgger). The result depends on
    the seeds of the batches, the teacher and the policy alone.

    Args:
        batches: Batches of one world that have not been reset; this function closes them.
        teacher: Makes the teacher of a batch.
        policy: The policy that will be trained.
        decisions: Least number of decisions to record.
        length: Decisions per sequence; the number of steps is rounded up to a multiple of it.
        action_noise: Changes the actions that are taken, not those that are recorded.
        policy_acts: Whether the policy acts and the teacher labels.
        check_stop: Called before every step.
    """
    steps = -(-decisions // (sum(batch.rows for batch in batches) * length)) * length
    return Recording.concatenate(
        [
            _record(batch, teacher, steps, action_noise, policy, policy_acts=policy_acts, check_stop=check_stop)
            for batch in batches
        ]
    )


def _record(
    batch: Batch,
    maker: TeacherMaker,
    steps: int,
    action_noise: ActionNoise | None,
    policy: Policy,
    *,
    policy_acts: bool,
    check_stop: StopCheck,
) -> Recording:
    recording = Recording.empty(batch.spec, batch.rows, steps, policy.heads.plan.mask_extras)
    teacher = maker.make(batch.spec, batch.rows)
    labels: I32 = np.zeros((batch.rows, len(batch.spec.heads)), np.int32)
    player = PolicyPlayer(policy, batch.spec, batch.rows, deterministic=True, seed=0) if policy_acts else None
    if player is not None and recording.arrays.extras:
        player.see(batch.extra)
    batch.reset()
    opened = list(range(batch.rows))
    for step in range(steps):
        check_stop()
        if player is not None:
            player.reset(opened, [batch.episode_seed(row // batch.spec.agents) for row in opened])
        teacher.teach(batch, batch.buffers, TeacherViews(torch.from_numpy(labels)))
        recording.write_decision(step, batch.buffers, labels)
        for name, array in recording.arrays.extras.items():
            array[step] = batch.extra(name)
        actions = labels if player is None else player.act(batch.obs, batch.obs_u8, batch.masks)
        batch.step(actions if action_noise is None else action_noise.apply(actions, batch.masks, step))
        recording.write_outcome(step, batch.buffers)
        opened = batch.episode_start.nonzero()[0].tolist()
    batch.close()
    return recording


def demonstrations_from_recording(
    recording: Recording,
    policy: Policy,
    *,
    length: int,
    gamma: float,
    max_tail_weight: float = 0.0,
    per_tick: bool = False,
) -> Demonstrations:
    """Return a recording as demonstrations on the policy's device.

    Args:
        recording: Its number of steps is a multiple of `length`.
        policy: The policy that will be trained.
        length: Decisions per sequence; 1 for a policy without memory.
        gamma: Discount of the returns.
        max_tail_weight: See `Recording.returns`.
        per_tick: Likewise.
    """
    device = policy.value_head.weight.device
    flat = {name: array.flatten(0, 1).to(device) for name, array in recording.tensors().items()}
    extras = {name: array.flatten(0, 1).to(device) for name, array in recording.extra_tensors().items()}
    returns, known = (
        array.flatten().to(device)
        for array in recording.returns(gamma, max_tail_weight=max_tail_weight, per_tick=per_tick)
    )
    inputs = PolicyInputs(
        obs=flat["obs"],
        obs_u8=flat["obs_u8"],
        masks=flat["masks"] if recording.spec.has_mask else None,
        extras=extras,
        actions=flat["actions"],
        memory=torch.zeros(len(returns) // length, policy.memory_width, device=device),
        starts=flat["starts"],
        length=length,
        rows=recording.rows,
    )
    plan, deciding = policy.heads.plan, flat["alive"].float()
    imitable = had_choice(plan, inputs.masks, extras, inputs.actions)
    imitable *= is_valid(plan, inputs.masks, extras, inputs.actions)
    return Demonstrations(
        inputs=inputs,
        head_weights=imitable * deciding[:, None],
        returns=returns,
        value_weights=known.float() * deciding,
    )


_HOLD_OUT: Final = 1 << 32  # no update that draws from the same stream has this number
_NEGLIGIBLE: Final = 0.02


def split_holdout(episodes: Sequence[Episode], share: float, *, seed: int) -> tuple[list[Episode], list[Episode]]:
    """Return the training episodes and the held-out episodes.

    Whole episodes are held out: neighboring decisions are too similar to judge a clone by.

    Raises:
        ConfigError: There are too few episodes for both.
    """
    held = max(1, round(share * len(episodes)))
    if held >= len(episodes):
        raise ConfigError(
            f"there are too few episodes ({len(episodes)}) to hold out a share of {share:g}; "
            "use more episodes or a smaller share",
            code="too_few_episodes_to_hold_out",
            episodes=len(episodes),
            share=share,
        )
    order: list[int] = permutation(seed, DEMONSTRATIONS, _HOLD_OUT, 0, len(episodes)).tolist()
    chosen = set(order[:held])
    return (
        [episode for index, episode in enumerate(episodes) if index not in chosen],
        [episode for index, episode in enumerate(episodes) if index in chosen],
    )


def demonstrations_from_episodes(
    episodes: Sequence[Episode],
    spec: WorldSpec,
    policy: Policy,
    *,
    sequence_length: int,
    gamma: float,
    per_tick: bool = False,
) -> Demonstrations:
    """Return episodes as demonstrations on the policy's device.

    The episodes are joined end to end and cut into sequences. A sequence that begins inside an episode begins without
    memory.

    Args:
        episodes: Episodes of one world.
        spec: Contract of that world.
        policy: The policy that will be trained.
        sequence_length: Decisions per sequence for a policy with memory.
        gamma: Discount of the returns.
        per_tick: Whether a decision is discounted by gamma to the power of its ticks.

    Raises:
        ConfigError: The policy needs extra arrays, which stored episodes do not have.
    """
    if policy.heads.plan.mask_extras:
        raise ConfigError(
            "cloning: stored episodes have no extra arrays, which the policy's conditional masks need",
            code="demonstrations_without_extras",
            extras=tuple(policy.heads.plan.mask_extras),
        )
    length = sequence_length if policy.memory_width else 1
    recording = Recording(spec, _arrays_of(episodes, spec, length))
    return demonstrations_from_recording(
        recording, policy, length=length, gamma=gamma, max_tail_weight=_NEGLIGIBLE, per_tick=per_tick
    )


def _arrays_of(episodes: Sequence[Episode], spec: WorldSpec, length: int) -> TrajectoryArrays:
    total = sum(len(episode) for episode in episodes)
    sequences = -(-total // length)
    arrays = TrajectoryArrays.empty(spec, rows=1, steps=sequences * length)
    first = 0
    for episode in episodes:
        span = slice(first, first + len(episode))
        arrays.obs[span, 0], arrays.masks[span, 0] = episode.observation_rows, episode.masks
        arrays.actions[span, 0] = episode.actions
        arrays.starts[first, 0] = 1
        arrays.alive[span, 0] = 1
        arrays.rewards[span, 0] = episode.rewards
        arrays.terminated[span, 0] = episode.dones != 0
        arrays.truncated[span.stop - 1, 0] = not episode.is_finished
        arrays.dt[span, 0] = episode.ticks
        first = span.stop
    return arrays
