"""One decision of a policy as a function of arrays alone, which is what can be written as a graph."""

from collections.abc import Mapping
from typing import Final

import torch
from torch import nn

from diorama.contracts.spec import WorldSpec
from diorama.learn.heads.distributions import head_probabilities
from diorama.learn.heads.masks import head_mask
from diorama.learn.heads.relevance import is_relevant
from diorama.learn.policies.policy import Policy

OUTPUTS: Final = ("actions", "probabilities", "values", "next_memory")


class DecisionStep(nn.Module):
    """From what rows see to their likeliest options, all probabilities, their values and their next memory.

    Attributes:
        inputs: Width of every array it takes, by name and in order, all with one row per decision: `obs` (float32),
            `obs_u8` and `mask` (uint8), `memory` (float32), `starts` (uint8, non-zero where an episode opens), then
            extra masks (uint8). What the policy has no use for is left out.
        outputs: Names of what it gives: `actions` (rows × heads), `probabilities` (rows × options of all heads, each
            head given the options of those it waits for), `values` (rows) and, with a memory, `next_memory`.
    """

    def __init__(self, policy: Policy, spec: WorldSpec) -> None:
        """Share the weights of a policy."""
        super().__init__()
        self.policy = policy
        widths = {
            "obs": spec.obs_width,
            "obs_u8": spec.obs_u8_width,
            "mask": policy.heads.plan.layout.options if spec.has_mask else 0,
            "memory": policy.memory_width,
            "starts": min(1, policy.memory_width),
            **policy.heads.plan.mask_extras,
        }
        self.inputs: Mapping[str, int] = {name: width for name, width in widths.items() if width}
        self.outputs = OUTPUTS if policy.memory_width else OUTPUTS[:-1]

    def examples(self, rows: int) -> tuple[torch.Tensor, ...]:
        """Return arrays that fit, with zeros in them."""
        return tuple(
            torch.zeros(rows, width, dtype=torch.float32 if name in ("obs", "memory") else torch.uint8)
            for name, width in self.inputs.items()
        )

    def forward(self, *arrays: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Decide for every row of the arrays, which are those of `inputs` in order."""
        given = dict(zip(self.inputs, arrays, strict=True))
        rows = arrays[0].shape[0]
        obs = given.get("obs", torch.zeros(rows, 0))
        memory = given.get("memory", torch.zeros(rows, 0))
        starts = given.get("starts", torch.zeros(rows, 1, dtype=torch.uint8))
        obs_u8 = given.get("obs_u8", torch.zeros(rows, 0, dtype=torch.uint8))
        features, memory = self.policy.features(obs, obs_u8, memory, starts.reshape(1, rows))
        actions, probabilities = self._decide(features.actor, given)
        decided = (actions, probabilities, self.policy.values(features))
        return (*decided, memory) if self.policy.memory_width else decided

    def _decide(self, features: torch.Tensor, given: Mapping[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        heads, plan = self.policy.heads, self.policy.heads.plan
        columns = plan.layout.slices()
        chosen = [torch.full((features.shape[0],), noop, dtype=torch.int64) for noop in plan.layout.noops]
        shares = [features] * len(columns)
        for head in plan.order:
            decided = torch.stack(chosen, dim=1)
            logits = heads.logits(features, decided)[:, columns[head]]
            valid = head_mask(plan, head, given.get("mask"), given, decided)
            (shares[head],) = head_probabilities(logits, valid, plan.layout.only(head), (0.0,))
            best = torch.where((shares[head] > 0).any(dim=1), shares[head].argmax(dim=1), plan.layout.noops[head])
            relevant = is_relevant(plan, head, decided)
            chosen[head] = best if relevant is None else torch.where(relevant, best, plan.heads[head].placeholder)
        return torch.stack(chosen, dim=1), torch.cat(shares, dim=1)
