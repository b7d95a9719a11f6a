"""How far a host has come since a seed was planted: the measure every credit is held against."""


def progress_since_germination(
    *,
    val_acc: float,
    gain: float | None,
    acc_at_germination: float | None,
    gain_at_germination: float | None,
    has_twin: bool,
) -> float | None:
    """Return the progress of a seed in percentage points.

    With a control twin it is a difference of gains, and unknown once the twin has failed. Without one it is a
    difference of accuracies, which counts what the host would have learned anyway.
    """
    now, then = (gain, gain_at_germination) if has_twin else (val_acc, acc_at_germination)
    return None if now is None or then is None else now - then


def reference_improvement(*, progress: float | None, total_seed_effect: float | None, has_twin: bool) -> float | None:
    """Return R: the progress against the twin, or without one what all seeds together are worth now."""
    return progress if has_twin else total_seed_effect
