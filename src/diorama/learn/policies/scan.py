"""The linear recurrence h[t] = a[t]·h[t-1] + b[t], in one call and with its gradient."""

from typing import Any

import torch

from diorama.learn import kernels
from diorama.learn.device.fused import presence
from diorama.native import load_native


def linear_scan(a: torch.Tensor, b: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
    """Return every h.

    Args:
        a: Steps × rows × width; zero where what came before is forgotten.
        b: Like `a`.
        first: Rows × width, h before the first step.
    """
    if kernels.serves(a):
        h: torch.Tensor = _CompiledScan.apply(a, b, first)  # type: ignore[no-untyped-call]
        return h
    if a.shape[0] == 1:
        return a * first + b
    if presence.serve(a):
        from diorama.learn.device.fused.scan import fused_scan

        return fused_scan(a, b, first)
    return scan_by_doubling(a, b, first)


def scan_by_doubling(a: torch.Tensor, b: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
    """Do the same in as many rounds as the number of steps has binary digits, each over all steps at once."""
    h = torch.cat([a[:1] * first + b[:1], b[1:]])
    reach = 1
    while reach < len(a):
        joined = a[reach:] * h[:-reach] + h[reach:]
        h = torch.cat([h[:reach], joined])
        a = torch.cat([a[:reach], a[reach:] * a[:-reach]])
        reach *= 2
    return h


class _CompiledScan(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, a: torch.Tensor, b: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
        a, b, first = (tensor.detach().contiguous() for tensor in (a, b, first))
        h = torch.empty_like(a)
        load_native().scan_forward(_flat(a), _flat(b), first.view(-1).numpy(), _flat(h))
        ctx.save_for_backward(a, first, h)
        return h

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, ...]:
        a, first, h = ctx.saved_tensors
        of_b, of_first = torch.empty_like(a), torch.empty_like(first)
        load_native().scan_backward(_flat(a), _flat(gradients[0].contiguous()), of_first.view(-1).numpy(), _flat(of_b))
        of_a = torch.empty_like(a)
        torch.mul(of_b[0], first, out=of_a[0])
        torch.mul(of_b[1:], h[:-1], out=of_a[1:])
        return of_a, of_b, of_first


def _flat(tensor: torch.Tensor) -> Any:
    return tensor.detach().view(len(tensor), -1).numpy()
