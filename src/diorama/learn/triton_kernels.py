"""Triton kernels: masked sampling and scoring of one head, and the linear scan of a MinGRU."""

from typing import TYPE_CHECKING, Any, Final

import torch
import triton
import triton.language as tl

if TYPE_CHECKING:
    from diorama.learn.policies.head_plan import HeadLayout

_LOGITS_PER_PROGRAM: Final = 2048


def sample_head(
    logits: torch.Tensor,
    masks: torch.Tensor | None,
    uniforms: torch.Tensor,
    *,
    noop: int,
    actions: torch.Tensor,
    log_probs: torch.Tensor,
) -> None:
    """Sample an option of one head in every row; the arguments may be columns of wider arrays.

    Args:
        logits: Rows × options.
        masks: Like `logits`, uint8; None if all options are valid.
        uniforms: Random numbers in [0, 1), one per row, float64.
        noop: The choice where no option is valid.
        actions: One per row, int32; written.
        log_probs: One per row; written.
    """
    rows, options = logits.shape
    width = triton.next_power_of_2(options)
    block = max(1, _LOGITS_PER_PROGRAM // width)
    _sample[(triton.cdiv(rows, block),)](
        logits, logits if masks is None else masks, uniforms, actions, log_probs,
        rows, options, noop,
        logits.stride(0), logits.stride(0) if masks is None else masks.stride(0), uniforms.stride(0),
        actions.stride(0), log_probs.stride(0),
        MASKED=masks is not None, ROWS=block, WIDTH=width,
    )  # fmt: skip


def score_head(
    logits: torch.Tensor, masks: torch.Tensor | None, actions: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return log-probability, entropy and number of valid options of one head in every row, differentiable.

    Args:
        logits: Rows × options; may be columns of a wider array.
        masks: Like `logits`, uint8; None if all options are valid.
        actions: One per row, int32.
    """
    scores: tuple[torch.Tensor, torch.Tensor, torch.Tensor]
    scores = _FusedScore.apply(logits, masks, actions)  # type: ignore[no-untyped-call]
    return scores


class _FusedScore(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, logits: torch.Tensor, masks: torch.Tensor | None, actions: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        rows, options = logits.shape
        width = triton.next_power_of_2(options)
        block = max(1, _LOGITS_PER_PROGRAM // width)
        log_probs, entropies, choices = (logits.new_empty(rows, dtype=torch.float32) for _ in range(3))
        mask_array = logits if masks is None else masks
        _score[(triton.cdiv(rows, block),)](
            logits, mask_array, actions, log_probs, entropies, choices,
            rows, options, logits.stride(0), mask_array.stride(0), actions.stride(0),
            MASKED=masks is not None, ROWS=block, WIDTH=width,
        )  # fmt: skip
        ctx.is_masked = masks is not None
        ctx.save_for_backward(logits, mask_array, actions, entropies)
        ctx.mark_non_differentiable(choices)
        return log_probs, entropies, choices

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        logits, mask_array, actions, entropies = ctx.saved_tensors
        rows, options = logits.shape
        width = triton.next_power_of_2(options)
        block = max(1, _LOGITS_PER_PROGRAM // width)
        grad_logits = torch.empty(rows, options, dtype=logits.dtype, device=logits.device)
        grad_log_probs, grad_entropies = gradients[0].contiguous(), gradients[1].contiguous()
        _score_backward[(triton.cdiv(rows, block),)](
            logits, mask_array, actions, entropies, grad_log_probs, grad_entropies, grad_logits,
            rows, options, logits.stride(0), mask_array.stride(0), actions.stride(0),
            MASKED=ctx.is_masked, ROWS=block, WIDTH=width,
        )  # fmt: skip
        return grad_logits, None, None


@triton.jit  # type: ignore[untyped-decorator]
def _valid_options(masks, row, option, rows, columns, stride, MASKED: tl.constexpr):  # type: ignore[no-untyped-def]
    inside = (row < rows)[:, None] & (option < columns)[None, :]
    if MASKED:
        return inside & (tl.load(masks + row[:, None] * stride + option[None, :], mask=inside, other=0) != 0)
    return inside


@triton.jit
def _log_softmax(logits, valid):  # type: ignore[no-untyped-def]
    """Log-probabilities of the valid columns, zeros elsewhere."""
    masked = tl.where(valid, logits, -1e30)
    shifted = logits - tl.max(masked, axis=1)[:, None]
    total = tl.sum(tl.where(valid, tl.exp(tl.where(valid, shifted, -100.0)), 0.0), axis=1)
    return tl.where(valid, shifted - tl.log(tl.maximum(total, 1e-30))[:, None], 0.0)


@triton.jit  # type: ignore[untyped-decorator]
def _sample(  # type: ignore[no-untyped-def]
    logits, masks, uniforms, actions, log_probs, rows, columns, noop,
    logits_stride, masks_stride, uniforms_stride, actions_stride, log_probs_stride,
    MASKED: tl.constexpr, ROWS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    option = tl.arange(0, WIDTH)
    valid = _valid_options(masks, row, option, rows, columns, masks_stride, MASKED)
    inside = (row < rows)[:, None] & (option < columns)[None, :]
    values = tl.load(logits + row[:, None] * logits_stride + option[None, :], mask=inside, other=0.0).to(tl.float32)
    logs = _log_softmax(values, valid)
    p = tl.where(valid, tl.exp(logs), 0.0)
    reached = tl.cumsum(p.to(tl.float64), axis=1)
    total = tl.sum(p.to(tl.float64), axis=1)
    uniform = tl.load(uniforms + row * uniforms_stride, mask=row < rows, other=0.0)
    passed = tl.sum((reached <= (uniform * total)[:, None]).to(tl.int32), axis=1)
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
    values = tl.load(logits + row[:, None] * logits_stride + option[None, :], mask=inside, other=0.0).to(tl.float32)
    logs = _log_softmax(values, valid)
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
    logits, masks, actions, entropies, grad_log_probs, grad_entropies, grad_logits, rows, columns,
    logits_stride, masks_stride, actions_stride,
    MASKED: tl.constexpr, ROWS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    option = tl.arange(0, WIDTH)
    valid = _valid_options(masks, row, option, rows, columns, masks_stride, MASKED)
    inside = (row < rows)[:, None] & (option < columns)[None, :]
    values = tl.load(logits + row[:, None] * logits_stride + option[None, :], mask=inside, other=0.0).to(tl.float32)
    logs = _log_softmax(values, valid)
    p = tl.where(valid, tl.exp(logs), 0.0)
    action = tl.load(actions + row * actions_stride, mask=row < rows, other=0)
    is_chosen = option[None, :] == action[:, None]
    can_choose = tl.sum((is_chosen & valid).to(tl.int32), axis=1) > 0
    grad_log_prob = tl.where(can_choose, tl.load(grad_log_probs + row, mask=row < rows, other=0.0), 0.0)
    grad_entropy = tl.load(grad_entropies + row, mask=row < rows, other=0.0)
    entropy = tl.load(entropies + row, mask=row < rows, other=0.0)
    gradient = grad_log_prob[:, None] * (tl.where(is_chosen, 1.0, 0.0) - p)
    gradient -= grad_entropy[:, None] * p * (logs + entropy[:, None])
    index = row[:, None] * columns + option[None, :]
    tl.store(grad_logits + index, tl.where(valid, gradient, 0.0).to(grad_logits.dtype.element_ty), mask=inside)


def sample_heads(
    logits: torch.Tensor,
    masks: torch.Tensor | None,
    layout: "HeadLayout",
    uniforms: torch.Tensor,
    *,
    actions: torch.Tensor,
    log_probs: torch.Tensor,
) -> None:
    """Sample one option per head and row, as `distributions.sample_actions` without exploration."""
    for head, columns in enumerate(layout.slices()):
        sample_head(
            logits[:, columns],
            None if masks is None else masks[:, columns],
            uniforms[:, head],
            noop=layout.noops[head],
            actions=actions[:, head],
            log_probs=log_probs[:, head],
        )


def score_heads(
    logits: torch.Tensor, masks: torch.Tensor | None, actions: torch.Tensor, layout: "HeadLayout"
) -> tuple[torch.Tensor, ...]:
    """Return log-probabilities, entropies and valid options, rows × heads, as `distributions.score_actions`."""
    sizes = [*layout.sizes]
    head_masks = [None] * len(sizes) if masks is None else [*masks.split(sizes, dim=1)]
    # One split of all heads: its backward pass concatenates the gradients once.
    scored = [
        score_head(part, mask, actions[:, head])
        for head, (part, mask) in enumerate(zip(logits.split(sizes, dim=1), head_masks, strict=True))
    ]
    return tuple(torch.stack(columns, dim=1) for columns in zip(*scored, strict=True))


_COLUMNS: Final = 256  # small, because every program is a serial chain of steps and many programs hide latency


def linear_scan(a: torch.Tensor, b: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
    """Return all hidden states of `recurrent.linear_scan`, differentiable."""
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
        grad_a, grad_b, grad_first = torch.empty_like(a), torch.empty_like(a), torch.empty_like(first)
        columns = first.numel()
        _backward[(triton.cdiv(columns, _COLUMNS),)](
            a,
            first,
            h,
            gradients[0].contiguous(),
            grad_a,
            grad_b,
            grad_first,
            len(a),
            columns,
            (len(a) - 1) * columns,
            BLOCK=_COLUMNS,
        )
        return grad_a, grad_b, grad_first


@triton.jit  # type: ignore[untyped-decorator]
def _forward(a, b, first, h, steps, columns, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    column = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = column < columns
    state = tl.load(first + column, mask=inside, other=0.0)
    index = column
    for _ in range(steps):
        state = tl.load(a + index, mask=inside, other=0.0) * state + tl.load(b + index, mask=inside, other=0.0)
        tl.store(h + index, state, mask=inside)
        index += columns


@triton.jit  # type: ignore[untyped-decorator]
def _backward(a, first, h, grad_h, grad_a, grad_b, grad_first, steps, columns, last, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    column = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = column < columns
    index = column + last
    grad_next = tl.zeros([BLOCK], tl.float32)
    for _ in range(steps - 1):
        grad_state = tl.load(grad_h + index, mask=inside, other=0.0) + grad_next
        tl.store(grad_b + index, grad_state, mask=inside)
        tl.store(grad_a + index, grad_state * tl.load(h + index - columns, mask=inside, other=0.0), mask=inside)
        grad_next = grad_state * tl.load(a + index, mask=inside, other=0.0)
        index -= columns
    grad_state = tl.load(grad_h + index, mask=inside, other=0.0) + grad_next
    tl.store(grad_b + index, grad_state, mask=inside)
    tl.store(grad_a + index, grad_state * tl.load(first + column, mask=inside, other=0.0), mask=inside)
    tl.store(grad_first + column, grad_state * tl.load(a + index, mask=inside, other=0.0), mask=inside)
