"""Two or three sentences about a run: what its policy does, what growth is worth, and the worst trouble."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from diorama.worlds.morphogenesis.contracts.payloads.policy import PPOMetrics
from diorama.worlds.morphogenesis.views.judging import ABOVE, judge
from diorama.worlds.morphogenesis.views.pictures import BlueprintFate, EnvPicture


def narrate(
    envs: Sequence[EnvPicture],
    ops: Mapping[str, int],
    updates: Sequence[PPOMetrics],
    graveyard: Mapping[str, BlueprintFate],
) -> tuple[str, ...]:
    """Return what there is to say, the most important warning last."""
    told = [_doing(ops), _worth(envs)]
    trouble = _trouble(envs, ops, updates, graveyard)
    return tuple(sentence for sentence in (*told, trouble) if sentence is not None)


def _doing(ops: Mapping[str, int]) -> str | None:
    total = sum(ops.values())
    if not total:
        return None
    share = ops.get("WAIT", 0) / total
    busiest = max(((count, op) for op, count in ops.items() if op != "WAIT" and count), default=None)
    if busiest is None:
        return "The controller only waits."
    return f"The controller waits in {share:.0%} of its decisions; most often it then chooses {busiest[1]}."


def _worth(envs: Sequence[EnvPicture]) -> str | None:
    gains = [env.gain for env in envs if env.gain is not None]
    if not gains:
        return None
    ahead = sum(gain > 0.0 for gain in gains)
    return (
        f"Growth is worth {fmean(gains):+.1f} points over the control twins; {ahead} of {len(gains)} hosts are ahead."
    )


def _trouble(
    envs: Sequence[EnvPicture],
    ops: Mapping[str, int],
    updates: Sequence[PPOMetrics],
    graveyard: Mapping[str, BlueprintFate],
) -> str | None:
    rolled_back = [str(env.env_id) for env in envs if env.status == "rolled back"]
    if rolled_back:
        return f"Warning: the governor put env {', '.join(rolled_back)} back."
    last = updates[-1] if updates else None
    if last is not None and judge("explained_variance", last.explained_variance) == "critical":
        return "Warning: the critic explains less than nothing of the returns."
    if last is not None and judge("entropy", last.head_op_entropy) == "critical":
        return "Warning: the policy hardly varies its operations any more."
    degraded = sum(env.status in ("degraded", "stalled") for env in envs)
    if degraded:
        return f"Warning: {degraded} of {len(envs)} hosts are stalled or degraded."
    total = sum(ops.values())
    if total and ops.get("WAIT", 0) / total > ABOVE["wait_share"][0]:
        return "Warning: nearly every decision is to wait."
    failing = [
        name
        for name, fate in graveyard.items()
        if fate.permanent + fate.pruned and judge("blueprint_success", fate.permanent / fate.planted) == "critical"
    ]
    return f"Warning: seeds of {', '.join(failing)} hardly ever become permanent." if failing else None
