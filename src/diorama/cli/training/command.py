"""`diorama train`: trains a policy and compares it with the baselines of its world."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

import typer

from diorama.cli.completion import complete_preset, complete_run
from diorama.cli.options import ConfigOption, RunRootOption, WorldArgument, settings_option
from diorama.cli.ray_option import RayOption
from diorama.cli.training.options import Given, parse_overrides, refuse_when_resuming, with_setting_options
from diorama.contracts.errors import ConfigError, MissingExtra

_DEFAULT_PRESET: Final = "default"


@with_setting_options
def train(
    context: typer.Context,
    world: WorldArgument,
    preset: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Preset of the world, 'none', or a .yaml file.", autocompletion=complete_preset
        ),
    ] = _DEFAULT_PRESET,
    *,
    given: Given,
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
    processes: Annotated[
        int | None,
        typer.Option(min=1, help="Train in so many processes that share the copies.", show_default="one"),
    ] = None,
    ray_workers: Annotated[
        int | None,
        typer.Option(min=1, help="Let so many workers of a Ray cluster collect the rollouts.", show_default="none"),
    ] = None,
    ray: RayOption = "local",
    config: ConfigOption = None,
    settings: Annotated[list[str] | None, settings_option("ppo.target_kl=0.02")] = None,
) -> None:
    """Train a policy, show how it goes, and compare it with the world's baselines.

    Everything about a run comes from a preset and can be changed by a flag or by --set. Ctrl-C ends a run with a
    checkpoint, and --resume continues it as if nothing had happened. Thresholds that earn replays their tags are set
    with --eval-milestone-METRIC-thresholds 100,500.
    """
    if any(find_spec(package) is None for package in ("safetensors", "torch")):
        raise MissingExtra.of("learn", needed_for="diorama train")
    from diorama.cli.training import run

    overrides = [*parse_overrides(config, settings), *given.items()]
    if resume is None:
        request = run.request_new(world, preset, overrides, run_root=run_root, run_id=run_id)
    else:
        others = {"--run-id": run_id is not None, "--preset": preset != _DEFAULT_PRESET}
        refuse_when_resuming(resume, [*dict(overrides), *(flag for flag, is_given in others.items() if is_given)])
        request = run.request_resumed(world, resume, given.get("--steps", {}).get("steps"), run_root=run_root)
    if ray_workers is not None:
        run.train_on_ray(request, ray_workers, address=ray, processes=processes or 1)
    elif ray != "local":
        raise ConfigError(
            f"--ray {ray} names a cluster; add --ray-workers N, the number of its workers that collect the rollouts",
            code="ray_without_workers",
            ray=ray,
        )
    elif processes is not None and processes > 1:
        raise typer.Exit(run.train_in_processes(request, processes, context))
    else:
        run.train_here(request)
