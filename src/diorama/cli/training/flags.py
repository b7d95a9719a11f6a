"""What the flags of `diorama train` mean for the settings of a run."""

from collections.abc import Mapping
from typing import Any, Final

import typer

from diorama.cli.groups import Command
from diorama.cli.options import parse_settings
from diorama.contracts.errors import ConfigError

_MILESTONES: Final = "diorama.eval_milestones"
_ARGUMENTS: Final = "diorama.arguments"
_PREFIX, _SUFFIX = "--eval-milestone-", "-thresholds"

# Where each flag stands in the settings of a run.
SETTING_OF: Final[Mapping[str, str]] = {
    "backend": "backend",
    "steps": "steps",
    "copies": "copies",
    "seed": "seed",
    "tier": "tier",
    "device": "execution.device",
    "threads": "execution.threads",
    "policy": "policy.arch",
    "window_env_steps": "windows.env_steps",
    "flush_partial_window": "windows.flush_partial",
    "checkpoint_every_windows": "checkpoints.every_windows",
    "env_time_max": "config.time_max",
    "reward_profile": "config.reward_profile",
    "wandb_mode": "telemetry.wandb_mode",
    "wandb_project": "telemetry.wandb_project",
    "tensorboard": "telemetry.tensorboard",
    "eval_replays_per_window": "evaluation.replays_per_window",
    "eval_max_steps_per_episode": "evaluation.max_steps_per_episode",
    "eval_include_info": "evaluation.include_info",
    "eval_policy_deterministic": "evaluation.deterministic",
    "eval_seed_offset": "evaluation.seed_offset",
    "closing_episodes": "evaluation.closing_episodes",
    "rollout_steps": "ppo.rollout_steps",
    "num_minibatches": "ppo.num_minibatches",
    "update_epochs": "ppo.update_epochs",
    "gamma": "ppo.gamma",
    "gae_lambda": "ppo.gae_lambda",
    "clip_coef": "ppo.clip_coef",
    "ent_coef": "ppo.ent_coef",
    "vf_coef": "ppo.vf_coef",
    "use_action_mask": "ppo.use_action_mask",
    "learning_rate": "optimizer.learning_rate",
    "max_grad_norm": "optimizer.max_grad_norm",
}
# What a resumed run may still be told; everything else it keeps.
_FOR_RESUMING: Final = frozenset({"steps"})
_USUAL_PRESET: Final = "default"
_BESIDE_FLAGS: Final = {"config": "--config", "settings": "--set", "run_id": "--run-id"}


class TrainCommand(Command):
    """Takes `--eval-milestone-METRIC-thresholds CSV` beside the flags that can be declared."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the thresholds out of the arguments and leave the rest to the declared ones."""
        rest: list[str] = []
        thresholds: dict[str, object] = {}
        given = iter(args)
        for argument in given:
            name, separator, value = argument.partition("=")
            if name.startswith(_PREFIX) and name.endswith(_SUFFIX):
                metric = name.removeprefix(_PREFIX).removesuffix(_SUFFIX).replace("-", "_")
                thresholds[metric] = _numbers(name, value if separator else next(given, ""))
            else:
                rest.append(argument)
        ctx.meta[_MILESTONES] = thresholds
        ctx.meta[_ARGUMENTS] = list(args)
        return super().parse_args(ctx, rest)


def given_flags(context: typer.Context) -> list[tuple[str, dict[str, object]]]:
    """Return every flag that was given, with the settings it makes."""
    given = [
        (f"--{name.replace('_', '-')}", parse_tree(path, context.params[name]))
        for name, path in SETTING_OF.items()
        if context.params.get(name) is not None
    ]
    thresholds: dict[str, object] = context.meta.get(_MILESTONES, {})
    for metric, numbers in thresholds.items():
        given.append((f"{_PREFIX}{metric}{_SUFFIX}", {"evaluation": {"milestones": {metric: numbers}}}))
    return given


def arguments_without(context: typer.Context, *options: str) -> list[str]:
    """Return the arguments as they were given, without some options and their values."""
    kept: list[str] = []
    given = iter(context.meta[_ARGUMENTS])
    for argument in given:
        if argument in options:
            next(given)
        elif argument.partition("=")[0] not in options:
            kept.append(argument)
    return kept


def given_pairs(config: list[str] | None, settings: list[str] | None) -> list[tuple[str, dict[str, object]]]:
    """Return what `--config` and `--set` say."""
    pairs: list[tuple[str, dict[str, object]]] = []
    if config:
        pairs.append(("--config", {"config": parse_settings(config)}))
    if settings:
        pairs.append(("--set", parse_settings(settings, option="--set")))
    return pairs


def refuse_when_resuming(context: typer.Context, run_id: str) -> None:
    """Refuse what a resumed run cannot be told.

    Raises:
        ConfigError: With the flag.
    """
    others = [
        f"--{name.replace('_', '-')}"
        for name in SETTING_OF
        if name not in _FOR_RESUMING and context.params.get(name) is not None
    ]
    others += [flag for name, flag in _BESIDE_FLAGS.items() if context.params.get(name)]
    if context.params.get("preset", _USUAL_PRESET) != _USUAL_PRESET:
        others.append("--preset")
    others += [f"{_PREFIX}{metric}{_SUFFIX}" for metric in context.meta.get(_MILESTONES, {})]
    if others:
        raise ConfigError(
            f"{others[0]} does not go with --resume {run_id}: a run keeps its settings; only --steps may grow"
        )


def parse_tree(path: str, value: object) -> dict[str, object]:
    """Return `value` at a dotted path."""
    first, _, rest = path.partition(".")
    return {first: parse_tree(rest, value) if rest else value}


def _numbers(flag: str, text: str) -> list[float]:
    try:
        return [float(entry) for entry in text.split(",")]
    except ValueError:
        raise ConfigError(f"{flag} {text!r}: write numbers with commas between them, like 100,500") from None
