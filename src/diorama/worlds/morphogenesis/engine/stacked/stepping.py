"""One optimizer step of all members of a stack."""

from collections.abc import Callable, Sequence
from typing import Final

import torch
from torch import Tensor

from diorama.worlds.morphogenesis.engine.stacked.stack import Stack
from diorama.worlds.morphogenesis.hosting.optimizers import BETAS, MOMENTUM

ADAM_EPSILON: Final = 1e-8


class Stepper:
    """Trains a stack with what its members' optimizers have: their rates, decays and states."""

    def __init__(self, stack: Stack, *, moves: Sequence[bool]) -> None:
        """Copy the states of the optimizers; members that do not move keep parameters and state."""
        self._stack = stack
        self._moves = tuple(moves)
        self._mask = None if all(moves) else torch.tensor(moves, device=stack.values.device)[:, None]
        self._rate = self._setting("lr")
        self._decay = self._setting("weight_decay")
        groups = stack.members[0].optimizer.param_groups
        self._is_adam = "betas" in groups[0]
        marks = ("exp_avg", "exp_avg_sq", "step") if self._is_adam else ("momentum_buffer",)
        self._states = {mark: self._state(mark) for mark in marks}

    @torch.no_grad()
    def step(self, gradient: Tensor, scale: Tensor) -> None:
        """Move the members that may, by their gradients times a scale for each."""
        clipped = gradient * scale[:, None]
        values = self._stack.values
        before = None if self._mask is None else (values.clone(), {m: s.clone() for m, s in self._states.items()})
        if self._is_adam:
            self._step_adam(values, clipped)
        else:
            momentum = self._states["momentum_buffer"]
            momentum.mul_(MOMENTUM).add_(clipped.addcmul_(self._decay, values))
            values.addcmul_(self._rate, momentum, value=-1.0)
        if before is not None and self._mask is not None:
            values.copy_(torch.where(self._mask, values, before[0]))
            for mark, state in self._states.items():
                state.copy_(torch.where(self._mask, state, before[1][mark]))

    def lay_back(self) -> None:
        """Give the members that moved their parameters and optimizer states."""
        self._stack.lay_back()
        for mark, state in self._states.items():
            tensors = self._stack.by_name(state)
            for row, own in enumerate(self._stack.parameters):
                if self._moves[row]:
                    for name, parameter in own.items():
                        kept = tensors[name][row]
                        kept = kept.reshape(-1)[0] if mark == "step" else kept
                        self._stack.members[row].optimizer.state[parameter][mark] = kept.clone()

    def _step_adam(self, values: Tensor, gradient: Tensor) -> None:
        first, second, count = (self._states[mark] for mark in ("exp_avg", "exp_avg_sq", "step"))
        count += 1.0
        values.mul_(1.0 - self._rate * self._decay)
        first.lerp_(gradient, 1.0 - BETAS[0])
        second.mul_(BETAS[1]).addcmul_(gradient, gradient, value=1.0 - BETAS[1])
        spread = (second.sqrt() / (1.0 - BETAS[1] ** count).sqrt()).add_(ADAM_EPSILON)
        values.sub_(self._rate / (1.0 - BETAS[0] ** count) * first / spread)

    def _setting(self, key: str) -> Tensor:
        def of(row: int) -> list[float]:
            groups = self._stack.members[row].optimizer.param_groups
            by_parameter = {id(parameter): float(group[key]) for group in groups for parameter in group["params"]}
            return [by_parameter[id(parameter)] for parameter in self._stack.parameters[row].values()]

        return self._spread(of)

    def _spread(self, of: Callable[[int], list[float]]) -> Tensor:
        values = self._stack.values
        sizes = torch.tensor([parameter.numel() for parameter in self._stack.parameters[0].values()])
        rows = [torch.tensor(of(row)).repeat_interleave(sizes) for row in range(len(values))]
        return torch.stack(rows).to(values.device, values.dtype)

    def _state(self, mark: str) -> Tensor:
        state = torch.zeros_like(self._stack.values, requires_grad=False)
        tensors = self._stack.by_name(state)
        for row, own in enumerate(self._stack.parameters):
            kept = self._stack.members[row].optimizer.state
            for name, parameter in own.items():
                if mark in kept.get(parameter, {}):
                    tensors[name][row].copy_(torch.as_tensor(kept[parameter][mark]))
        return state
