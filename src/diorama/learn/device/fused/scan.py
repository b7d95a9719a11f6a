"""The linear recurrence h[t] = a[t]·h[t-1] + b[t] step by step: every number is read and written once."""

from typing import Any, Final

import torch
import triton
import triton.language as tl

_COLUMNS: Final = 256  # few per program: the work of a program is a chain of steps, and many chains hide its waits


def fused_scan(a: torch.Tensor, b: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
    """Return every h, with its gradient; `a` and `b` are steps × rows × width, `first` rows × width."""
    h: torch.Tensor = _FusedScan.apply(a, b, first)  # type: ignore[no-untyped-call]
    return h


class _FusedScan(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, a: torch.Tensor, b: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
        a, b, first = (tensor.detach().contiguous() for tensor in (a, b, first))
        h = torch.empty_like(a)
        columns = first.numel()
        _forward[(triton.cdiv(columns, _COLUMNS),)](a, b, first, h, len(a), columns, BLOCK=_COLUMNS)
        ctx.save_for_backward(a, first, h)
        return h

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, ...]:
        a, first, h = ctx.saved_tensors
        of_a, of_b, of_first = torch.empty_like(a), torch.empty_like(a), torch.empty_like(first)
        columns = first.numel()
        _backward[(triton.cdiv(columns, _COLUMNS),)](
            a,
            first,
            h,
            gradients[0].contiguous(),
            of_a,
            of_b,
            of_first,
            len(a),
            columns,
            (len(a) - 1) * columns,
            BLOCK=_COLUMNS,
        )
        return of_a, of_b, of_first


@triton.jit  # type: ignore[untyped-decorator]
def _forward(a, b, first, h, steps, columns, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    column = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = column < columns
    state = tl.load(first + column, mask=inside, other=0.0)
    place = column
    for _ in range(steps):
        state = tl.load(a + place, mask=inside, other=0.0) * state + tl.load(b + place, mask=inside, other=0.0)
        tl.store(h + place, state, mask=inside)
        place += columns


@triton.jit  # type: ignore[untyped-decorator]
def _backward(a, first, h, of_h, of_a, of_b, of_first, steps, columns, last, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    column = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = column < columns
    place = column + last
    carried = tl.zeros([BLOCK], tl.float32)
    for _ in range(steps - 1):
        found = tl.load(of_h + place, mask=inside, other=0.0) + carried
        tl.store(of_b + place, found, mask=inside)
        tl.store(of_a + place, found * tl.load(h + place - columns, mask=inside, other=0.0), mask=inside)
        carried = found * tl.load(a + place, mask=inside, other=0.0)
        place -= columns
    found = tl.load(of_h + place, mask=inside, other=0.0) + carried
    tl.store(of_b + place, found, mask=inside)
    tl.store(of_a + place, found * tl.load(first + column, mask=inside, other=0.0), mask=inside)
    tl.store(of_first + column, found * tl.load(a + place, mask=inside, other=0.0), mask=inside)
