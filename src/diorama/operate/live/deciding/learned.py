"""A learned policy that decides, and what it thinks of every seat."""

import base64
import binascii
from typing import Final

import numpy as np
import torch

from diorama.contracts.errors import ConfigError, SnapshotError
from diorama.contracts.live.world import LiveWorld, Opinion, PolicyIdentity, Selection, View
from diorama.contracts.values import F32, I32, U8, JsonValue
from diorama.learn.keyed_random import DrawKey
from diorama.learn.policies.distributions import ActionSampling, head_probabilities
from diorama.learn.policies.policy import Features, Policy
from diorama.operate.promotion.pointers import PolicyPointer

_LIVE_DRAWS: Final = 0  # the place of an update in the key of a draw


class PolicyDecider:
    """Plays every seat with one policy.

    What it draws depends on seed and tick alone, so that a world that was restored goes on as it would have.
    """

    is_learned: Final = True
    remembers: Final = True

    def __init__(self, pointer: PolicyPointer, policy: Policy, *, seats: int, is_deterministic: bool) -> None:
        """Begin with empty memories.

        Raises:
            ConfigError: The policy needs arrays that a live world does not hand over.
        """
        if policy.heads.plan.mask_extras:
            raise ConfigError("the policy's conditional masks need extra arrays, which a live world does not hand over")
        self.pointer = pointer
        self.identity = PolicyIdentity(source="learned", policy_hash=pointer.policy_hash, anneal_ratio=1.0)
        self._policy = policy
        self._is_deterministic = is_deterministic
        self._memory = torch.zeros(seats, policy.memory_width)
        self._no_exploration = (0.0,) * len(policy.heads.plan.heads)

    @torch.inference_mode()
    def decide(self, world: LiveWorld) -> Selection:
        """Select for every seat that takes a decision, and tell chances and value of each of them."""
        view = world.view()
        features = self._look(view)
        masks = _tensor(view.masks) if world.spec.has_mask else None
        actions = torch.zeros(len(view.alive), len(self._no_exploration), dtype=torch.int32)
        key = DrawKey(seed=world.identity.seed, update=_LIVE_DRAWS, step=world.clock.tick)
        self._policy.heads.sample(
            features.actor,
            masks,
            {},
            ActionSampling(exploration=self._no_exploration, key=None if self._is_deterministic else key),
            actions=actions,
            log_probs=torch.zeros(actions.shape),
        )
        opinions = self._opinions(features, masks, actions, view.alive)
        settled = _settled(actions, view.alive, world.spec.noop)
        return Selection(actions=settled, policy=self.identity, opinions=opinions)

    def forget(self) -> None:
        """Clear all memories."""
        self._memory.zero_()

    def export(self) -> JsonValue:
        """The memories, and whose they are."""
        data = self._memory.numpy().astype("<f4").tobytes()
        return {"policy_hash": self.pointer.policy_hash, "memory": base64.b64encode(data).decode()}

    def load(self, state: JsonValue) -> None:
        """Remember what was exported by the same policy; forget everything if it was another.

        Raises:
            SnapshotError: It is no memory of this policy.
        """
        self.forget()
        if not isinstance(state, dict) or state.get("policy_hash") != self.pointer.policy_hash:
            return
        try:
            data = base64.b64decode(str(state.get("memory")), validate=True)
            stored = np.frombuffer(data, "<f4").reshape(tuple(self._memory.shape))
        except (binascii.Error, ValueError) as error:
            raise SnapshotError(f"this is no memory of policy {self.pointer.policy_hash[:12]}: {error}") from None
        self._memory.copy_(torch.from_numpy(stored.astype(np.float32)))

    def _look(self, view: View) -> Features:
        starts = _tensor(view.starts).unsqueeze(0)
        features, memory = self._policy.features(_tensor(view.obs), _tensor(view.obs_u8), self._memory, starts)
        self._memory = memory.clone()
        return features

    def _opinions(
        self, features: Features, masks: torch.Tensor | None, actions: torch.Tensor, alive: U8
    ) -> dict[int, Opinion]:
        logits = self._policy.heads.logits(features.actor, actions)
        chances = torch.cat(head_probabilities(logits, masks, self._policy.heads.plan.layout, self._no_exploration), 1)
        values = self._policy.values(features)
        told, worth = chances.tolist(), values.tolist()
        return {seat: Opinion(chances=told[seat], value=worth[seat]) for seat in np.flatnonzero(alive).tolist()}


def _settled(actions: torch.Tensor, alive: U8, noop: tuple[int, ...]) -> I32:
    settled: I32 = np.where(alive[:, None] != 0, actions.numpy(), np.array(noop, np.int32))
    return settled


def _tensor(array: F32 | U8) -> torch.Tensor:
    return torch.from_numpy(np.array(array))
