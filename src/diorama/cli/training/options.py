"""The options of `diorama train` that change a setting: each is declared once, in `SETTING_OPTIONS`."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final

import typer

from diorama.cli.completion import one_of
from diorama.cli.groups import Command
from diorama.cli.options import parse_settings
from diorama.contracts.errors import ConfigError

Given = Mapping[str, dict[str, Any]]
"""The given settings by flag, nested like those of a preset: `{"--gamma": {"ppo": {"gamma": 0.99}}}`."""

_LEARNING: Final = "Learning"
_EVALUATION: Final = "Evaluation"
_RECORDS: Final = "Records"
_AS_PRESET: Final = "as the preset says"
_GIVEN: Final = "given"
_ARGUMENTS: Final = "diorama.train.arguments"
_MILESTONES: Final = "diorama.train.milestones"
_PREFIX, _SUFFIX = "--eval-milestone-", "-thresholds"


@dataclass(frozen=True, slots=True)
class SettingOption:
    """An option that changes one setting.

    The type stands here and not only in the settings model because help and completion must not load pydantic.

    Attributes:
        flags: `--name`, or `--name/--other-name` for both values of a switch.
        setting: Dotted path of the setting.
        value_type: Of the value; the settings model checks its bounds.
        help: One sentence; by default the choices.
        panel: Section of the help page that lists it.
        choices: Names that the shell completes.
    """

    flags: str
    setting: str
    value_type: type[int | float | str | bool]
    help: str = ""
    panel: str | None = None
    choices: tuple[str, ...] = ()

    @property
    def flag(self) -> str:
        """The flag that messages quote."""
        return self.flags.partition("/")[0]

    @property
    def name(self) -> str:
        """The parameter of the command."""
        return self.flag.removeprefix("--").replace("-", "_")

    def nested(self, value: object) -> dict[str, Any]:
        """Return the setting with a value, nested like those of a preset: `{"ppo": {"gamma": 0.99}}`."""
        first, *rest = self.setting.split(".")
        for name in reversed(rest):
            value = {name: value}
        return {first: value}

    @property
    def parameter(self) -> inspect.Parameter:
        """The declaration that typer reads."""
        return inspect.Parameter(
            self.name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=self.value_type | None,
            default=typer.Option(
                None,
                self.flags,
                help=self.help or f"{', '.join(self.choices[:-1])} or {self.choices[-1]}.",
                show_default=_AS_PRESET,
                rich_help_panel=self.panel,
                autocompletion=one_of(*self.choices) if self.choices else None,
            ),
        )


SETTING_OPTIONS: Final = (
    SettingOption("--steps", "steps", int, "Env steps of the whole run."),
    SettingOption("--copies", "copies", int, "Copies of the world that step together."),
    SettingOption("--seed", "seed", int, "Seed of everything that is drawn."),
    SettingOption("--backend", "backend", str, choices=("ppo", "random")),
    SettingOption("--tier", "tier", str, choices=("auto", "reference", "fast")),
    SettingOption("--device", "execution.device", str, "Where the policy lives: cpu, cuda, cuda:1."),
    SettingOption(
        "--threads", "execution.threads", int, "Threads to decide, learn and step; results do not depend on it."
    ),
    SettingOption("--env-time-max", "config.time_max", float, "The world's time_max."),
    SettingOption("--reward-profile", "config.reward_profile", str, "The world's reward_profile."),
    SettingOption("--policy", "policy.arch", str, "Architecture, such as mlp-256x256-tanh-v1.", _LEARNING),
    SettingOption("--rollout-steps", "ppo.rollout_steps", int, "Decisions per row between updates.", _LEARNING),
    SettingOption("--num-minibatches", "ppo.num_minibatches", int, "Optimizer steps per pass.", _LEARNING),
    SettingOption("--update-epochs", "ppo.update_epochs", int, "Passes over a rollout.", _LEARNING),
    SettingOption("--learning-rate", "optimizer.learning_rate", float, "Step size, constant.", _LEARNING),
    SettingOption("--gamma", "ppo.gamma", float, "Discount per decision.", _LEARNING),
    SettingOption("--gae-lambda", "ppo.gae_lambda", float, "Decay of advantages.", _LEARNING),
    SettingOption("--clip-coef", "ppo.clip_coef", float, "How far a probability ratio may move.", _LEARNING),
    SettingOption("--ent-coef", "ppo.ent_coef", float, "Weight of the entropy bonus.", _LEARNING),
    SettingOption("--vf-coef", "ppo.vf_coef", float, "Weight of the value loss.", _LEARNING),
    SettingOption("--max-grad-norm", "optimizer.max_grad_norm", float, "Longer gradients are scaled down.", _LEARNING),
    SettingOption(
        "--use-action-mask/--no-action-mask",
        "ppo.use_action_mask",
        bool,
        "Whether invalid options are impossible.",
        _LEARNING,
    ),
    SettingOption("--window-env-steps", "windows.env_steps", int, "Env steps per window of metrics.", _RECORDS),
    SettingOption("--checkpoint-every-windows", "checkpoints.every_windows", int, "Windows per checkpoint.", _RECORDS),
    SettingOption(
        "--flush-partial-window", "windows.flush_partial", bool, "Write the open window at the end.", _RECORDS
    ),
    SettingOption(
        "--wandb-mode", "telemetry.wandb_mode", str, panel=_RECORDS, choices=("disabled", "offline", "online")
    ),
    SettingOption("--wandb-project", "telemetry.wandb_project", str, "Project at Weights & Biases.", _RECORDS),
    SettingOption(
        "--tensorboard/--no-tensorboard", "telemetry.tensorboard", bool, "Write TensorBoard scalars.", _RECORDS
    ),
    SettingOption(
        "--eval-replays-per-window",
        "evaluation.replays_per_window",
        int,
        "Episodes per checkpoint; the best is kept as a replay.",
        _EVALUATION,
    ),
    SettingOption(
        "--eval-max-steps-per-episode",
        "evaluation.max_steps_per_episode",
        int,
        "Decisions after which such an episode is cut off.",
        _EVALUATION,
    ),
    SettingOption(
        "--eval-include-info/--no-eval-include-info",
        "evaluation.include_info",
        bool,
        "Frames carry the world's details.",
        _EVALUATION,
    ),
    SettingOption(
        "--eval-policy-deterministic/--eval-policy-stochastic",
        "evaluation.deterministic",
        bool,
        "Take the likeliest option, or draw one.",
        _EVALUATION,
    ),
    SettingOption(
        "--eval-seed-offset", "evaluation.seed_offset", int, "First episode seed, beyond --seed.", _EVALUATION
    ),
    SettingOption(
        "--closing-episodes",
        "evaluation.closing_episodes",
        int,
        "Episodes per contender of the closing score; 0 for none.",
        _EVALUATION,
    ),
)


class TrainCommand(Command):
    """Takes `--eval-milestone-METRIC-thresholds CSV` for any metric, beside the declared options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the thresholds of milestones, and leave the other arguments to typer."""
        others: list[str] = []
        milestones: dict[str, dict[str, object]] = {}
        given = iter(args)
        for argument in given:
            flag, separator, value = argument.partition("=")
            if flag.startswith(_PREFIX) and flag.endswith(_SUFFIX):
                metric = flag.removeprefix(_PREFIX).removesuffix(_SUFFIX).replace("-", "_")
                thresholds = _numbers(flag, value if separator else next(given, ""))
                milestones[flag] = {"evaluation": {"milestones": {metric: thresholds}}}
            else:
                others.append(argument)
        ctx.meta[_MILESTONES] = milestones
        ctx.meta[_ARGUMENTS] = list(args)
        return super().parse_args(ctx, others)


def with_setting_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the setting options to a command, whose parameter `given` receives the given ones."""

    @wraps(command)
    def parsed(context: typer.Context, **arguments: Any) -> None:
        values = [(option, arguments.pop(option.name)) for option in SETTING_OPTIONS]
        given = {option.flag: option.nested(value) for option, value in values if value is not None}
        command(context, **arguments, given={**given, **context.meta[_MILESTONES]})

    parameters = list(_with_setting_parameters(inspect.signature(command, eval_str=True)))
    # typer reads the signature and the annotations.
    vars(parsed)["__signature__"] = inspect.Signature(parameters)
    parsed.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return parsed


def _with_setting_parameters(signature: inspect.Signature) -> Iterator[inspect.Parameter]:
    for parameter in signature.parameters.values():
        if parameter.name == _GIVEN:
            yield from (option.parameter for option in SETTING_OPTIONS if option.panel is None)
        else:
            yield parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
    yield from (option.parameter for option in SETTING_OPTIONS if option.panel is not None)


def parse_overrides(config: list[str] | None, settings: list[str] | None) -> list[tuple[str, dict[str, object]]]:
    """Return the settings that `--config` and `--set` give, each with its option.

    Raises:
        ConfigError: A text is not of the form KEY=VALUE, or two of them contradict each other.
    """
    overrides: list[tuple[str, dict[str, object]]] = []
    if config:
        overrides.append(("--config", {"config": parse_settings(config)}))
    if settings:
        overrides.append(("--set", parse_settings(settings, option="--set")))
    return overrides


def refuse_when_resuming(run_id: str, flags: Iterable[str]) -> None:
    """Refuse flags that would change the settings of a resumed run.

    Raises:
        ConfigError: With the first such flag.
    """
    for flag in flags:
        if flag != "--steps":
            raise ConfigError(
                f"{flag} cannot be combined with --resume {run_id}: a run keeps its settings; only --steps may grow",
                code="resumed_run_keeps_settings",
                flag=flag,
                run_id=run_id,
            )


def arguments_without(context: typer.Context, *options: str) -> list[str]:
    """Return the arguments of the command line without some options and their values."""
    kept: list[str] = []
    given = iter(context.meta[_ARGUMENTS])
    for argument in given:
        if argument in options:
            next(given)
        elif argument.partition("=")[0] not in options:
            kept.append(argument)
    return kept


def _numbers(flag: str, text: str) -> list[float]:
    try:
        return [float(entry) for entry in text.split(",")]
    except ValueError:
        raise ConfigError(
            f"{flag} {text!r}: write numbers with commas between them, like 100,500",
            code="thresholds_not_numbers",
            flag=flag,
            text=text,
        ) from None
