"""A learned policy as a player for evaluation."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import F32, I32, U8
from diorama.engine.players import Contender, ContenderKind, ExtraSource
from diorama.learn.keyed_random import DrawKey
from diorama.learn.policies.distributions import ActionSampling
from diorama.learn.policies.heads import Extras
from diorama.learn.policies.policy import Policy


class PolicyPlayer:
    """Plays every row with one policy; implements `engine.players.RememberingPlayer`.

    The actions of a row depend on its episode alone, not on other rows: draws are keyed by the episode's seed and the
    number of the decision.
    """

    def __init__(self, policy: Policy, spec: WorldSpec, rows: int, *, deterministic: bool, seed: int) -> None:
        """Start with empty memories."""
        self._policy = policy
        self._device = policy.value_head.weight.device
        self._deterministic = deterministic
        self._has_mask = spec.has_mask
        self._seed = seed
        self._memory = torch.zeros(rows, policy.memory_width, device=self._device)
        self._starts = torch.ones(1, rows, dtype=torch.uint8, device=self._device)
        self._episodes = [0] * rows
        self._decisions = [0] * rows
        self._actions = torch.zeros(rows, len(spec.heads), dtype=torch.int32, device=self._device)
        self._log_probs = torch.zeros(rows, len(spec.heads), device=self._device)
        self._no_exploration = (0.0,) * len(spec.heads)
        self._extra: ExtraSource | None = None

    def see(self, extra: ExtraSource) -> None:
        """Set the source of masks that depend on another head's action; without one the masks of the batch are used."""
        self._extra = extra

    def reset(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Start an episode on each of these rows."""
        for row, seed in zip(rows, seeds, strict=True):
            self._starts[0, row] = 1
            self._episodes[row], self._decisions[row] = seed % (1 << 64), 0

    def retire(self, rows: Sequence[int]) -> None:
        """Do nothing: an idle row costs as much as a playing one."""

    @torch.inference_mode()
    def act(self, obs: F32, obs_u8: U8, masks: U8) -> I32:
        """Return the actions of all rows; the next call overwrites the array."""
        features, memory = self._policy.features(self._tensor(obs), self._tensor(obs_u8), self._memory, self._starts)
        self._memory.copy_(memory)
        self._starts.zero_()
        action_masks = self._tensor(masks) if self._has_mask else None
        extras = self._extras()
        if self._deterministic:
            self._choose(features.actor, action_masks, extras, slice(None), None)
        else:
            for row, (episode, decision) in enumerate(zip(self._episodes, self._decisions, strict=True)):
                key = DrawKey(seed=self._seed, update=episode, step=decision)
                self._choose(features.actor, action_masks, extras, slice(row, row + 1), key)
        self._decisions = [decision + 1 for decision in self._decisions]
        return self._actions.cpu().numpy()

    def remember(self) -> object:
        """Return the memory of all rows, with their episode seeds and numbers of decisions."""
        return _Memories(
            memory=self._memory.clone(),
            starts=self._starts.clone(),
            episodes=tuple(self._episodes),
            decisions=tuple(self._decisions),
        )

    def recall(self, memory: object) -> None:
        """Restore what `remember` returned."""
        assert isinstance(memory, _Memories), "memories of a policy"
        self._memory.copy_(memory.memory)
        self._starts.copy_(memory.starts)
        self._episodes, self._decisions = list(memory.episodes), list(memory.decisions)

    def _extras(self) -> dict[str, torch.Tensor]:
        if self._extra is None:
            return {}
        return {name: self._tensor(self._extra(name)) for name in self._policy.heads.plan.mask_extras}

    def _choose(
        self, features: torch.Tensor, masks: torch.Tensor | None, extras: Extras, rows: slice, key: DrawKey | None
    ) -> None:
        self._policy.heads.sample(
            features[rows],
            None if masks is None else masks[rows],
            {name: array[rows] for name, array in extras.items()},
            ActionSampling(exploration=self._no_exploration, key=key),
            actions=self._actions[rows],
            log_probs=self._log_probs[rows],
        )

    def _tensor(self, array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self._device)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Memories:
    memory: torch.Tensor
    starts: torch.Tensor
    episodes: tuple[int, ...]
    decisions: tuple[int, ...]


def policy_contender(name: str, policy: Policy, *, deterministic: bool, seed: int = 0) -> Contender:
    """Return a policy as a contender; `seed` matters only where it is stochastic."""
    return Contender(
        name=name,
        kind=ContenderKind.RUN,
        start=lambda spec, rows: PolicyPlayer(policy, spec, rows, deterministic=deterministic, seed=seed),
    )
