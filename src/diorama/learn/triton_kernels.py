"""Triton kernels: masked sampling and scoring of one head, and the linear scan of a MinGRU."""

from typing import TYPE_CHECKING, Any, Final

import torch
import triton
import triton.language as tl

if TYPE_CHECKING:
    from diorama.learn.policies.head_plan import HeadLayout

_NUMBERS: Final = 2048  # of logits a program works on at once


def fused_draw(
    logits: torch.Tensor,
    masks: torch.Tensor | None,
    fractions: torch.Tensor,
    *,
    noop: int,
    actions: torch.Tensor,
    log_probs: torch.Tensor,
) -> None:
    """Choose an option of one head in every row; the arguments may be columns of wider arrays.

    Args:
        logits: Rows × options.
        masks: Like `logits`, uint8; None where every option is valid.
        fractions: Draws in [0, 1), one per row, float64.
        noop: What is chosen where no option is valid.
        actions: One per row, int32; written.
        log_probs: One per row; written.
    """
    rows, options = logits.shape
    width = triton.next_power_of_2(options)
    block = max(1, _NUMBERS // width)
    _draw[(triton.cdiv(rows, block),)](
        logits, logits if masks is None else masks, fractions, actions, log_probs,
        rows, options, noop,
        logits.stride(0), logits.stride(0) if masks is None else masks.stride(0), fractions.stride(0),
        actions.stride(0), log_probs.stride(0),
        MASKED=masks is not None, ROWS=block, WIDTH=width,
    )  # fmt: skip


def fused_score(
    logits: torch.Tensor, masks: torch.Tensor | None, actions: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return log-probability, entropy and number of valid options of one head in every row, with a gradient.

    Args:
        logits: Rows × options; may be columns of a wider array.
        masks: Like `logits`, uint8; None where every option is valid.
        actions: One per row, int32.
    """
    found: tuple[torch.Tensor, torch.Tensor, torch.Tensor]
    found = _FusedScore.apply(logits, masks, actions)  # type: ignore[no-untyped-call]
    return found


class _FusedScore(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, logits: torch.Tensor, masks: torch.Tensor | None, actions: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        rows, options = logits.shape
        width = triton.next_power_of_2(options)
        block = max(1, _NUMBERS // width)
        log_probs, entropies, choices = (logits.new_empty(rows, dtype=torch.float32) for _ in range(3))
        shown = logits if masks is None else masks
        _score[(triton.cdiv(rows, block),)](
            logits, shown, actions, log_probs, entropies, choices,
            rows, options, logits.stride(0), shown.stride(0), actions.stride(0),
            MASKED=masks is not None, ROWS=block, WIDTH=width,
        )  # fmt: skip
        ctx.is_masked = masks is not None
        ctx.save_for_backward(logits, shown, actions, entropies)
        ctx.mark_non_differentiable(choices)
        return log_probs, entropies, choices

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        logits, shown, actions, entropies = ctx.saved_tensors
        rows, options = logits.shape
        width = triton.next_power_of_2(options)
        block = max(1, _NUMBERS // width)
        of_logits = torch.empty(rows, options, dtype=logits.dtype, device=logits.device)
        of_log_probs, of_entropies = gradients[0].contiguous(), gradients[1].contiguous()
        _score_backward[(triton.cdiv(rows, block),)](
            logits, shown, actions, entropies, of_log_probs, of_entropies, of_logits,
            rows, options, logits.stride(0), shown.stride(0), actions.stride(0),
            MASKED=ctx.is_masked, ROWS=block, WIDTH=width,
        )  # fmt: skip
        return of_logits, None, None


@triton.jit  # type: ignore[untyped-decorator]
def _valid_options(masks, row, option, rows, columns, stride, MASKED: tl.constexpr):  # type: ignore[no-untyped-def]
    inside = (row < rows)[:, None] & (option < columns)[None, :]
    if MASKED:
        return inside & (tl.load(masks + row[:, None] * stride + option[None, :], mask=inside, other=0) != 0)
    return inside


@triton.jit
def _log_softmax(logits, valid):  # type: ignore[no-untyped-def]
    """Log-probabilities over the valid columns, zeros elsewhere; a row without any has zeros."""
    shown = tl.where(valid, logits, -1e30)
    shifted = logits - tl.max(shown, axis=1)[:, None]
    total = tl.sum(tl.where(valid, tl.exp(tl.where(valid, shifted, -100.0)), 0.0), axis=1)
    return tl.where(valid, shifted - tl.log(tl.maximum(total, 1e-30))[:, None], 0.0)


@triton.jit  # type: ignore[untyped-decorator]
def _draw(  # type: ignore[no-untyped-def]
    logits, masks, fractions, actions, log_probs, rows, columns, noop,
    logits_stride, masks_stride, fractions_stride, actions_stride, log_probs_stride,
    MASKED: tl.constexpr, ROWS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    option = tl.arange(0, WIDTH)
    valid = _valid_options(masks, row, option, rows, columns, masks_stride, MASKED)
    inside = (row < rows)[:, None] & (option < columns)[None, :]
    seen = tl.load(logits + row[:, None] * logits_stride + option[None, :], mask=inside, other=0.0).to(tl.float32)
    logs = _log_softmax(seen, valid)
    p = tl.where(valid, tl.exp(logs), 0.0)
    reached = tl.cumsum(p.to(tl.float64), axis=1)
    total = tl.sum(p.to(tl.float64), axis=1)
    fraction = tl.load(fractions + row * fractions_stride, mask=row < rows, other=0.0)
    passed = tl.sum((reached <= (fraction * total)[:, None]).to(tl.int32), axis=1)
    last = tl.max(tl.where(p > 0.0, option[None, :], 0), axis=1)
    count = tl.sum(valid.to(tl.int32), axis=1)
    chosen = tl.where(count > 0, tl.minimum(passed, last), noop)
    log_prob = tl.sum(tl.where(option[None, :] == chosen[:, None], logs, 0.0), axis=1)
    tl.store(actions + row * actions_stride, chosen, mask=row < rows)
    tl.store(log_probs + row * log_probs_stride, tl.where(count > 0, log_prob, 0.0), mask=row < rows)


@triton.jit  # type: ignore[untyped-decorator]
def _score(  # type: ignore[no-untyped-def]
    logits, masks, actions, log_probs, entropies, choices, rows, columns,
    logits_stride, masks_stride, actions_stride,
    MASKED: tl.constexpr, ROWS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    option = tl.arange(0, WIDTH)
    valid = _valid_options(masks, row, option, rows, columns, masks_stride, MASKED)
    inside = (row < rows)[:, None] & (option < columns)[None, :]
    seen = tl.load(logits + row[:, None] * logits_stride + option[None, :], mask=inside, other=0.0).to(tl.float32)
    logs = _log_softmax(seen, valid)
    p = tl.where(valid, tl.exp(logs), 0.0)
    action = tl.load(actions + row * actions_stride, mask=row < rows, other=0)
    is_chosen = option[None, :] == action[:, None]
    count = tl.sum(valid.to(tl.int32), axis=1)
    can_choose = tl.sum((is_chosen & valid).to(tl.int32), axis=1) > 0
    log_prob = tl.where(can_choose, tl.sum(tl.where(is_chosen, logs, 0.0), axis=1), -1e4)
    tl.store(log_probs + row, tl.where(count > 0, log_prob, 0.0), mask=row < rows)
    tl.store(entropies + row, -tl.sum(p * logs, axis=1), mask=row < rows)
    tl.store(choices + row, count.to(tl.float32), mask=row < rows)


@triton.jit  # type: ignore[untyped-decorator]
def _score_backward(  # type: ignore[no-untyped-def]
    logits, masks, actions, entropies, of_log_probs, of_entropies, of_logits, rows, columns,
    logits_stride, masks_stride, actions_stride,
    MASKED: tl.constexpr, ROWS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    option = tl.arange(0, WIDTH)
    valid = _valid_options(masks, row, option, rows, columns, masks_stride, MASKED)
    inside = (row < rows)[:, None] & (option < columns)[None, :]
    seen = tl.load(logits + row[:, None] * logits_stride + option[None, :], mask=inside, other=0.0).to(tl.float32)
    logs = _log_softmax(seen, valid)
    p = tl.where(valid, tl.exp(logs), 0.0)
    action = tl.load(actions + row * actions_stride, mask=row < rows, other=0)
    is_chosen = option[None, :] == action[:, None]
    can_choose = tl.sum((is_chosen & valid).to(tl.int32), axis=1) > 0
    of_log_prob = tl.where(can_choose, tl.load(of_log_probs + row, mask=row < rows, other=0.0), 0.0)
    of_entropy = tl.load(of_entropies + row, mask=row < rows, other=0.0)
    entropy = tl.load(entropies + row, mask=row < rows, other=0.0)
    found = of_log_prob[:, None] * (tl.where(is_chosen, 1.0, 0.0) - p)
    found -= of_entropy[:, None] * p * (logs + entropy[:, None])
    place = row[:, None] * columns + option[None, :]
    tl.store(of_logits + place, tl.where(valid, found, 0.0).to(of_logits.dtype.element_ty), mask=inside)


def fused_draws(
    logits: torch.Tensor,
    masks: torch.Tensor | None,
    layout: "HeadLayout",
    fractions: torch.Tensor,
    *,
    actions: torch.Tensor,
    log_probs: torch.Tensor,
) -> None:
    """Choose one option per head and row, as `sampling.draw_actions` does without exploration."""
    for head, columns in enumerate(layout.slices()):
        fused_draw(
            logits[:, columns],
            None if masks is None else masks[:, columns],
            fractions[:, head],
            noop=layout.noops[head],
            actions=actions[:, head],
            log_probs=log_probs[:, head],
        )


def fused_scores(
    logits: torch.Tensor, masks: torch.Tensor | None, actions: torch.Tensor, layout: "HeadLayout"
) -> tuple[torch.Tensor, ...]:
    """Return log-probabilities, entropies and valid options, rows × heads, as `distributions.score_actions` does."""
    sizes = [*layout.sizes]
    shown = [None] * len(sizes) if masks is None else [*masks.split(sizes, dim=1)]
    # Split in one go: the gradients of the parts are then joined in one go.
    scored = [
        fused_score(part, mask, actions[:, head])
        for head, (part, mask) in enumerate(zip(logits.split(sizes, dim=1), shown, strict=True))
    ]
    return tuple(torch.stack(columns, dim=1) for columns in zip(*scored, strict=True))


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
