"""`diorama train`: trains a policy and says how it compares."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

import typer

from diorama.cli.completion import complete_preset, complete_run, one_of
from diorama.cli.options import ConfigOption, RunRootOption, WorldArgument, settings_option
from diorama.cli.ray_option import RayOption
from diorama.contracts.errors import ConfigError, MissingExtra

_LEARNING: Final = "Learning"
_EVALUATION: Final = "Evaluation"
_RECORDS: Final = "Records"
_AS_PRESET: Final = "as the preset says"


def _flag(
    *names: str,
    help: str,
    panel: str | None = None,
    default: str = _AS_PRESET,
    minimum: int | None = None,
    choices: tuple[str, ...] = (),
) -> object:
    return typer.Option(
        *names,
        help=help,
        show_default=default,
        rich_help_panel=panel,
        min=minimum,
        autocompletion=one_of(*choices) if choices else None,
    )


def train(
    context: typer.Context,
    world: WorldArgument,
    preset: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Preset of the world, 'none', or a .yaml file.", autocompletion=complete_preset
        ),
    ] = "default",
    steps: Annotated[int | None, _flag(help="Env steps of the whole run.")] = None,
    copies: Annotated[int | None, _flag(help="Copies of the world that step together.")] = None,
    seed: Annotated[int | None, _flag(help="Seed of everything that is drawn.")] = None,
    run_root: RunRootOption = Path("runs"),
    run_id: Annotated[str | None, typer.Option(help="Name of the run.", show_default="time and revision")] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="RUN_ID",
            help="Continue this run exactly where its newest checkpoint stands.",
            autocompletion=complete_run,
        ),
    ] = None,
    backend: Annotated[str | None, _flag(help="ppo or random.", choices=("ppo", "random"))] = None,
    tier: Annotated[str | None, _flag(help="auto, reference or fast.", choices=("auto", "reference", "fast"))] = None,
    device: Annotated[str | None, _flag(help="Where the policy lives: cpu, cuda, cuda:1.")] = None,
    threads: Annotated[
        int | None, _flag(help="Threads to decide, learn and step; results do not depend on it.")
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(min=1, help="Train in so many processes that share the copies.", show_default="one"),
    ] = None,
    ray_workers: Annotated[
        int | None,
        typer.Option(min=1, help="Let so many workers of a Ray cluster gather the rollouts.", show_default="none"),
    ] = None,
    ray: RayOption = "local",
    env_time_max: Annotated[float | None, _flag(help="The world's time_max.")] = None,
    reward_profile: Annotated[str | None, _flag(help="The world's reward_profile.")] = None,
    config: ConfigOption = None,
    settings: Annotated[list[str] | None, settings_option("ppo.target_kl=0.02")] = None,
    policy: Annotated[str | None, _flag(help="Architecture, such as mlp-256x256-tanh-v1.", panel=_LEARNING)] = None,
    rollout_steps: Annotated[int | None, _flag(help="Decisions per row between updates.", panel=_LEARNING)] = None,
    num_minibatches: Annotated[int | None, _flag(help="Optimizer steps per pass.", panel=_LEARNING)] = None,
    update_epochs: Annotated[int | None, _flag(help="Passes over a rollout.", panel=_LEARNING)] = None,
    learning_rate: Annotated[float | None, _flag(help="Step size, constant.", panel=_LEARNING)] = None,
    gamma: Annotated[float | None, _flag(help="Discount per decision.", panel=_LEARNING)] = None,
    gae_lambda: Annotated[float | None, _flag(help="Decay of advantages.", panel=_LEARNING)] = None,
    clip_coef: Annotated[float | None, _flag(help="How far a probability ratio may move.", panel=_LEARNING)] = None,
    ent_coef: Annotated[float | None, _flag(help="Weight of the entropy bonus.", panel=_LEARNING)] = None,
    vf_coef: Annotated[float | None, _flag(help="Weight of the value loss.", panel=_LEARNING)] = None,
    max_grad_norm: Annotated[float | None, _flag(help="Longer gradients are scaled down.", panel=_LEARNING)] = None,
    use_action_mask: Annotated[
        bool | None,
        _flag("--use-action-mask/--no-action-mask", help="Whether invalid options are impossible.", panel=_LEARNING),
    ] = None,
    window_env_steps: Annotated[int | None, _flag(help="Env steps per window of metrics.", panel=_RECORDS)] = None,
    checkpoint_every_windows: Annotated[int | None, _flag(help="Windows per checkpoint.", panel=_RECORDS)] = None,
    flush_partial_window: Annotated[
        bool | None, _flag("--flush-partial-window", help="Write the open window at the end.", panel=_RECORDS)
    ] = None,
    wandb_mode: Annotated[str | None, _flag(help="disabled, offline or online.", panel=_RECORDS)] = None,
    wandb_project: Annotated[str | None, _flag(help="Project at Weights & Biases.", panel=_RECORDS)] = None,
    tensorboard: Annotated[
        bool | None, _flag("--tensorboard/--no-tensorboard", help="Write TensorBoard scalars.", panel=_RECORDS)
    ] = None,
    eval_replays_per_window: Annotated[
        int | None, _flag(help="Episodes per checkpoint; the best is kept as a replay.", panel=_EVALUATION)
    ] = None,
    eval_max_steps_per_episode: Annotated[
        int | None, _flag(help="Decisions after which such an episode is cut off.", panel=_EVALUATION)
    ] = None,
    eval_include_info: Annotated[
        bool | None,
        _flag(
            "--eval-include-info/--no-eval-include-info", help="Frames carry the world's details.", panel=_EVALUATION
        ),
    ] = None,
    eval_policy_deterministic: Annotated[
        bool | None,
        _flag(
            "--eval-policy-deterministic/--eval-policy-stochastic",
            help="Take the likeliest option, or draw one.",
            panel=_EVALUATION,
        ),
    ] = None,
    eval_seed_offset: Annotated[int | None, _flag(help="First episode seed, beyond --seed.", panel=_EVALUATION)] = None,
    closing_episodes: Annotated[
        int | None, _flag(help="Episodes per contender of the closing score; 0 for none.", panel=_EVALUATION)
    ] = None,
) -> None:
    """Train a policy, show how it goes, and compare it with the world's baselines.

    Everything about a run comes from a preset and can be changed by a flag or by --set. Ctrl-C ends a run with a
    checkpoint, and --resume continues it as if nothing had happened. Thresholds that earn replays their tags are set
    with --eval-milestone-METRIC-thresholds 100,500.
    """
    if any(find_spec(package) is None for package in ("safetensors", "torch")):
        raise MissingExtra.of("learn", needed_for="diorama train")
    from diorama.cli.training.run import plan_new, plan_resumed, run_plan
    from diorama.operate.training.interrupts import stop_on_interrupt

    if resume is None:
        planned = plan_new(context, world, preset=preset, config=config, settings=settings)
    else:
        planned = plan_resumed(context, world, resume)
    if ray_workers is not None:
        from diorama.cli.training.workers import run_with_workers

        run_with_workers(planned, ray_workers, address=ray, processes=processes)
        return
    if ray != "local":
        raise ConfigError(f"--ray {ray} says where workers are; say how many with --ray-workers")
    if processes is not None and processes > 1:
        from diorama.cli.training.processes import run_in_processes

        raise typer.Exit(run_in_processes(context, planned, processes))
    with stop_on_interrupt() as stop:
        run_plan(planned, stop)
