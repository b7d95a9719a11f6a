"""`FrozenPolicies`: past policies that play the rows of opponents, all rows of one policy together."""

from collections.abc import Mapping

import torch

from diorama.contracts.buffers import Buffers
from diorama.contracts.values import I32
from diorama.learn.heads.sampling import Drawing
from diorama.learn.keyed import DrawKey
from diorama.learn.policies.policy import Policy


class FrozenPolicies:
    """Policies by the name of their snapshot; they stand still and live on the CPU."""

    def __init__(self) -> None:
        """Begin without any."""
        self._policies: dict[str, Policy] = {}

    def add(self, name: str, policy: Policy) -> None:
        """Take in a policy, which nobody changes any more."""
        self._policies[name] = policy.eval()

    @property
    def policies(self) -> Mapping[str, Policy]:
        """Everybody by name."""
        return self._policies

    def keep(self, names: set[str]) -> None:
        """Let go of everybody else."""
        self._policies = {name: policy for name, policy in self._policies.items() if name in names}

    @torch.inference_mode()
    def act(
        self, groups: Mapping[str, torch.Tensor], seen: Buffers, memory: torch.Tensor, key: DrawKey, actions: I32
    ) -> None:
        """Write the decisions of the rows of every policy.

        Args:
            groups: Rows of each snapshot.
            seen: What the rows see now.
            memory: Rows × memory width; what they remember, and afterwards remember.
            key: What the draws are for; its step is the place of the group.
            actions: Rows × heads; the rows of the groups are written.
        """
        obs, obs_u8 = torch.from_numpy(seen.obs), torch.from_numpy(seen.obs_u8)
        masks, starts = torch.from_numpy(seen.masks), torch.from_numpy(seen.episode_start)
        written = torch.from_numpy(actions)
        for place, (name, rows) in enumerate(groups.items()):
            policy = self._policies[name]
            features, remembered = policy.features(
                obs.index_select(0, rows),
                obs_u8.index_select(0, rows),
                memory.index_select(0, rows),
                starts.index_select(0, rows)[None],
            )
            memory[rows] = remembered
            heads = len(policy.heads.plan.entropy_weights)
            chosen = torch.zeros(len(rows), heads, dtype=torch.int32)
            policy.heads.choose(
                features.actor,
                masks.index_select(0, rows) if masks.shape[1] else None,
                {},
                Drawing(
                    exploration=(0.0,) * heads,
                    key=DrawKey(seed=key.seed, update=key.update, step=place, row=key.row),
                ),
                actions=chosen,
                log_probs=torch.zeros(len(rows), heads),
            )
            written[rows] = chosen
