"""`NativeLearner`: logits and values of a shard, and the gradient of the weights, in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import torch

from diorama.learn.heads.distributions import score_actions
from diorama.learn.heads.relevance import relevant_scores
from diorama.learn.native.network import NativeNetwork, array
from diorama.native import load_native

if TYPE_CHECKING:
    from diorama import _native
    from diorama.learn.heads.distributions import Scores
    from diorama.learn.policies.policy import Policy
    from diorama.learn.ppo.experience import Sights
    from diorama.learn.ppo.loss import LossTerms
    from diorama.learn.ppo.parameters import FlatParameters


class NativeLearner:
    """Computes gradients on as many threads as ask for them; `refresh` comes before, whenever weights have changed."""

    def __init__(self, policy: Policy, parameters: FlatParameters, network: NativeNetwork) -> None:
        """Take the policy, whose weights have been laid out flat."""
        self._policy = policy
        self._parameters = parameters
        self._network = network
        places = {id(tensor): place for place, tensor in enumerate(parameters.tensors)}
        self._places = [(places[id(layer.weight)], places[id(layer.bias)]) for layer in network.linear]
        self._spare_tapes: list[_native.PolicyTape] = []

    def refresh(self) -> None:
        """Take over the weights as they stand."""
        self._network.load(for_learning=True)

    def gradient(
        self,
        sights: Sights,
        exploration: tuple[float, ...],
        loss: Callable[[Scores, torch.Tensor], LossTerms],
    ) -> tuple[torch.Tensor, LossTerms]:
        """Return the gradient of a loss of scores and values, laid out like the weights, and the loss.

        Args:
            sights: The decisions.
            exploration: Share of uniform choice among valid options, per head.
            loss: Made of what the policy now thinks of the decisions, and of their values.
        """
        tape = self._take_tape()
        seen = (
            array(sights.obs),
            array(sights.obs_u8),
            array(sights.starts.view(sights.length, -1)),
            array(sights.memory) if self._network.remembers else None,
        )
        plan = self._policy.heads.plan
        logits = torch.empty(len(sights.obs), plan.layout.options)
        values = torch.empty(len(sights.obs))
        self._network.kernel.study(tape, *seen, logits.numpy(), values.numpy())
        logits.requires_grad_()
        values.requires_grad_()
        scores = score_actions(logits, sights.masks, sights.actions, plan.layout, exploration)
        terms = loss(relevant_scores(plan, scores, sights.actions), values * self._policy.value_scale.unit)
        of_logits, of_values = torch.autograd.grad(terms.total, (logits, values))
        flat = torch.zeros_like(self._parameters.values)
        parts = self._parameters.parts(flat)
        into = [(parts[weight].numpy(), parts[bias].numpy()) for weight, bias in self._places]
        self._network.kernel.differentiate(tape, *seen, array(of_logits.contiguous()), array(of_values), into)
        self._spare_tapes.append(tape)
        return flat, terms

    def _take_tape(self) -> _native.PolicyTape:
        try:
            return self._spare_tapes.pop()
        except IndexError:
            tape: _native.PolicyTape = load_native().PolicyTape()
            return tape
