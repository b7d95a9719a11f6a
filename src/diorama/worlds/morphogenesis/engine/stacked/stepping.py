"""One optimizer step of all parameters."""

from collections.abc import Callable
from typing import Final

import torch
from torch import Tensor, nn

from diorama.worlds.morphogenesis.engine.stacked.parameters import Member, Parameters
from diorama.worlds.morphogenesis.hosting.optimizers import BETAS, MOMENTUM

ADAM_EPSILON: Final = 1e-8


class Stepper:
    """Trains the vector with what its members' optimizers have: their rates, decays and states."""

    def __init__(self, parameters: Parameters) -> None:
        """Make room for the states of the optimizers, which `take_up` copies.

        Members that do not move keep parameters and state.
        """
        self._parameters = parameters
        are_all_moving = all(member.moves for member in parameters.members)
        self._mask = None if are_all_moving else self._spread(lambda member, _: float(member.moves)) != 0.0
        self._rate = self._setting("lr")
        self._decay = self._setting("weight_decay")
        self._is_adam = "betas" in parameters.members[0].optimizer.param_groups[0]
        marks = ("exp_avg", "exp_avg_sq", "step") if self._is_adam else ("momentum_buffer",)
        self._states = {mark: torch.zeros_like(parameters.values, requires_grad=False) for mark in marks}

    @torch.no_grad()
    def take_up(self) -> None:
        """Copy parameters and optimizer states of the members; what an optimizer has no state of starts at zero."""
        self._parameters.take_up()
        for mark, state in self._states.items():
            state.zero_()
            kept = [
                (place, torch.as_tensor(member.optimizer.state[parameter][mark]).reshape(-1))
                for (member, parameter), place in zip(self._owned(), self._parameters.split(state), strict=True)
                if mark in member.optimizer.state.get(parameter, {})
            ]
            if kept:
                torch._foreach_copy_([place for place, _ in kept], [source for _, source in kept])

    @torch.no_grad()
    def step(self, gradient: Tensor) -> None:
        """Move what may move; the gradient is used up."""
        values = self._parameters.values
        before = None if self._mask is None else (values.clone(), {m: s.clone() for m, s in self._states.items()})
        if self._is_adam:
            self._step_adam(values, gradient)
        else:
            momentum = self._states["momentum_buffer"]
            momentum.mul_(MOMENTUM).add_(gradient.addcmul_(self._decay, values))
            values.addcmul_(self._rate, momentum, value=-1.0)
        if before is not None and self._mask is not None:
            values.copy_(torch.where(self._mask, values, before[0]))
            for mark, state in self._states.items():
                state.copy_(torch.where(self._mask, state, before[1][mark]))

    def lay_back(self) -> None:
        """Give the members that moved their parameters and optimizer states."""
        self._parameters.lay_back()
        for mark, state in self._states.items():
            for (member, parameter), kept in zip(self._owned(), self._parameters.split(state.clone()), strict=True):
                if member.moves:
                    own = kept[0] if mark == "step" else kept.view(parameter.shape)
                    member.optimizer.state[parameter][mark] = own

    def _step_adam(self, values: Tensor, gradient: Tensor) -> None:
        first, second, count = (self._states[mark] for mark in ("exp_avg", "exp_avg_sq", "step"))
        count += 1.0
        values.mul_(1.0 - self._rate * self._decay)
        first.lerp_(gradient, 1.0 - BETAS[0])
        second.mul_(BETAS[1]).addcmul_(gradient, gradient, value=1.0 - BETAS[1])
        spread = (second.sqrt() / (1.0 - BETAS[1] ** count).sqrt()).add_(ADAM_EPSILON)
        values.sub_(self._rate / (1.0 - BETAS[0] ** count) * first / spread)

    def _owned(self) -> list[tuple[Member, nn.Parameter]]:
        return [(member, parameter) for member in self._parameters.members for parameter in member.module.parameters()]

    def _setting(self, key: str) -> Tensor:
        settings = {
            id(parameter): float(group[key])
            for member in self._parameters.members
            for group in member.optimizer.param_groups
            for parameter in group["params"]
        }
        return self._spread(lambda _, parameter: settings[id(parameter)])

    def _spread(self, of: Callable[[Member, nn.Parameter], float]) -> Tensor:
        owned, values = self._owned(), self._parameters.values
        sizes = torch.tensor([parameter.numel() for _, parameter in owned])
        each = torch.tensor([of(member, parameter) for member, parameter in owned], dtype=values.dtype)
        return each.repeat_interleave(sizes).to(values.device)
