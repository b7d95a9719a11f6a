"""The panels of the policy: losses, heads, critic, health, decisions, actions and slots."""

from collections import Counter
from collections.abc import Callable
from statistics import fmean
from typing import Final

from rich.box import SIMPLE
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from diorama.cli.morphogenesis.panels.texts import STAGE_STYLES, cell, spark
from diorama.cli.morphogenesis.tables import NOTHING, SHORT_STAGES
from diorama.worlds.morphogenesis.contracts.actions import HEAD_NAMES, LifecycleOp
from diorama.worlds.morphogenesis.contracts.payloads.analysis import LastActionSnapshot
from diorama.worlds.morphogenesis.contracts.payloads.policy import PPOMetrics
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.views.pictures import RunPicture

NO_UPDATE: Final = "no policy is learning here"
SPARKS: Final = 20
DECISIONS_SHOWN: Final = 12
_LOSSES: Final[tuple[tuple[str, Callable[[PPOMetrics], float | None], str | None], ...]] = (
    ("policy loss", lambda update: update.policy_loss, None),
    ("value loss", lambda update: update.value_loss, None),
    ("entropy", lambda update: update.entropy, "entropy"),
    ("KL", lambda update: update.kl_divergence, "kl"),
    ("clipped", lambda update: update.clip_fraction, "clip_fraction"),
    ("gradient norm", lambda update: update.grad_norm, "grad_norm"),
)


def losses(picture: RunPicture) -> RenderableType:
    """Show the losses of the last twenty updates."""
    updates = picture.policy.updates
    if not updates:
        return Text(NO_UPDATE, style="dim")
    table = _table("", "now", "last rounds")
    for name, read, signal in _LOSSES:
        values = [value for value in map(read, updates) if value is not None]
        table.add_row(name, cell(read(updates[-1]), 4, signal=signal), spark(values, SPARKS))
    return table


def heads(picture: RunPicture) -> RenderableType:
    """Show each head: how varied, how sure, how it learns, and how often it mattered."""
    updates, decisions = picture.policy.updates, picture.policy.decisions
    if not updates:
        return Text(NO_UPDATE, style="dim")
    told = updates[-1].to_dict()
    table = _table("head", "entropy", "confidence", "gradient", "ratio", "mattered", "state")
    for head in HEAD_NAMES:
        table.add_row(
            head,
            cell(_float(told[f"head_{head}_entropy"]), 3, signal="entropy"),
            cell(_confidence(head, decisions), 2),
            cell(_float(told[f"head_{head}_grad_norm"]), 4),
            cell(_float(told[f"head_{head}_ratio_max"]), 3, signal="ratio_max"),
            cell(_percent(_float(told[f"head_{head}_learnable_fraction"])), 0, unit="%"),
            str(told[f"head_{head}_gradient_state"]),
        )
    return table


def critic(picture: RunPicture) -> RenderableType:
    """Show what the critic knows of the returns."""
    updates = picture.policy.updates
    if not updates:
        return Text(NO_UPDATE, style="dim")
    last = updates[-1]
    table = _table("", "")
    table.add_row("explained variance", cell(last.explained_variance, 3, signal="explained_variance"))
    table.add_row("value and return correlate", cell(last.v_return_correlation, 3, signal="value_correlation"))
    table.add_row("values", _range(last.value_min, last.value_mean, last.value_max))
    table.add_row("returns p10, p50, p90", _range(last.return_p10, last.return_p50, last.return_p90))
    table.add_row("TD error", _pair(last.td_error_mean, last.td_error_std))
    table.add_row("Bellman error", cell(last.bellman_error, 3))
    return table


def health(picture: RunPicture) -> RenderableType:
    """Show memory of the policy, advantages, observations, the device and the time of an update."""
    updates = picture.policy.updates
    table = _table("", "")
    if updates:
        last = updates[-1]
        table.add_row("recurrent h, c", _pair(last.lstm_h_rms, last.lstm_c_rms, "rms {} and {}"))
        table.add_row("advantages", _pair(last.advantage_mean, last.advantage_std))
        table.add_row("skew, kurtosis", _pair(last.advantage_skewness, last.advantage_kurtosis, "{} and {}"))
        table.add_row("healthy layers", cell(_healthy(last), 2, signal="healthy_layers"))
        table.add_row("device memory", cell(last.cuda_memory_allocated_gb, 2, unit=" GB"))
        table.add_row("update", cell(last.update_time_ms, 0, unit=" ms"))
    seen = next((made.observation_stats for made in reversed(picture.policy.decisions) if made.observation_stats), None)
    table.add_row(
        "observations clipped",
        cell(None if seen is None else seen.clip_pct, 2, signal="observation_clipped_pct", unit="%"),
    )
    for name, milliseconds in picture.phases.items():
        table.add_row(f"phase {name}", cell(milliseconds, 2, unit=" ms"))
    return table


def decisions(picture: RunPicture) -> RenderableType:
    """Show the last decisions, newest first."""
    table = _table("env", "t", "decision", "sure", "instead", "value", "reward", "done")
    for made in reversed(picture.policy.decisions[-DECISIONS_SHOWN:]):
        table.add_row(
            str(made.env_id),
            str(made.inner_epoch),
            decision_text(made),
            cell(_percent(made.action_confidence), 0, unit="%"),
            ", ".join(f"{other.op} {other.probability:.0%}" for other in made.alternatives) or NOTHING,
            cell(made.value_estimate, 2),
            cell(made.total_reward, 2, sign=True),
            "yes" if made.action_success else Text("no", style="red"),
        )
    return table if picture.policy.decisions else Text("nothing was decided yet", style="dim")


def actions_and_slots(picture: RunPicture) -> RenderableType:
    """Show what is decided, this round and overall, and what the slots hold."""
    policy = picture.policy
    total_now, total_all = sum(policy.ops_now.values()), sum(policy.ops_all.values())
    table = _table("operation", "round", "share", "all", "share", "done", "refused")
    for op in LifecycleOp:
        now, overall = policy.ops_now.get(op.name, 0), policy.ops_all.get(op.name, 0)
        signal = "wait_share" if op is LifecycleOp.WAIT else None
        table.add_row(
            op.name,
            str(now),
            cell(now / total_now if total_now else None, 2, signal=signal),
            str(overall),
            cell(overall / total_all if total_all else None, 2, signal=signal),
            str(policy.successes.get(op.name, 0)),
            str(policy.failures.get(op.name, 0)),
        )
    return Group(table, _occupancy(picture))


PANELS: Final[tuple[tuple[str, str, Callable[[RunPicture], RenderableType]], ...]] = (
    ("losses", "Losses", losses),
    ("heads", "Heads", heads),
    ("critic", "Critic", critic),
    ("health", "Health", health),
    ("decisions", "Decisions", decisions),
    ("actions", "Actions and slots", actions_and_slots),
)
"""The panels in the order they are tabbed: id, title, and what draws them."""


def decision_text(made: LastActionSnapshot) -> str:
    """Write a decision with everything that mattered to it."""
    chosen = (
        made.slot_id,
        made.blueprint_id,
        made.style,
        None if made.tempo_idx is None else f"tempo {made.tempo_idx}",
        None if made.alpha_target is None else f"to {made.alpha_target:g}",
        made.alpha_speed,
        made.alpha_curve,
    )
    return " ".join((made.action_name, *(word for word in chosen if word is not None)))


def _occupancy(picture: RunPicture) -> Text:
    stages = Counter(
        SeedStage.DORMANT if slot.seed is None else SeedStage[slot.seed.stage]
        for env in picture.envs
        for slot in env.slots
    )
    empty = stages.pop(SeedStage.DORMANT, 0)
    slots = empty + sum(stages.values())
    told = [Text(f"slots: {slots - empty} of {slots} taken")]
    told += [Text(f"{SHORT_STAGES[stage]} {stages[stage]}", style=STAGE_STYLES[stage]) for stage in sorted(stages)]
    return Text("  ").join(told)


def _confidence(head: str, made: tuple[LastActionSnapshot, ...]) -> float | None:
    name = "curve_confidence" if head == "alpha_curve" else f"{head}_confidence"
    told = [_float(one.head_telemetry.to_dict()[name]) for one in made if one.head_telemetry is not None]
    known = [value for value in told if value is not None]
    if not known and head == "op" and made:
        return fmean(one.action_confidence for one in made)
    return fmean(known) if known else None


def _healthy(update: PPOMetrics) -> float | None:
    layers = update.layer_gradient_health
    return sum(value > 0.0 for value in layers.values()) / len(layers) if layers else None


def _table(*headings: str) -> Table:
    table = Table(box=SIMPLE, show_header=any(headings), padding=(0, 1))
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="left" if place == 0 else "right", no_wrap=True)
    return table


def _range(low: float | None, middle: float | None, high: float | None) -> Text:
    return Text(" … ").join((cell(low, 2), cell(middle, 2), cell(high, 2)))


def _pair(one: float | None, other: float | None, words: str = "{} ± {}") -> str:
    return words.format(cell(one, 3).plain, cell(other, 3).plain)


def _percent(share: float | None) -> float | None:
    return None if share is None else 100.0 * share


def _float(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
