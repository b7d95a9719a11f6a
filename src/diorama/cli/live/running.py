"""What `diorama live` does once its flags are read."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer

from diorama.cli.live.service_settings import chosen_settings, commanders, with_operator
from diorama.contracts.config import parse_config
from diorama.operate.live.config_files import read_mapping
from diorama.operate.live.deciding.opening import choose_champion
from diorama.operate.live.orchestrator import KEEP, StageContext
from diorama.operate.live.runtime import LiveRuntime
from diorama.operate.shutdown import DEFAULT_SECONDS, ShutdownDeadline
from diorama.runs.champions import champion_id
from diorama.training.interrupts import stop_on_interrupt
from diorama.worlds.registry import load_world

_POLL_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveFlags:
    """What the command line says; see `diorama live --help`. Without an address nothing is served."""

    world: str
    config: Path | None
    services: Path | None
    policy: str | None
    shadow: str | None
    speed: str | None
    seed: int | None
    resume: bool
    run_id: str | None
    root: Path
    autosave: int | None
    ticks: int | None
    deterministic: bool
    address: tuple[str, int] | None
    run_root: Path


class TickLimit:
    """Stops a runtime after so many ticks; a stage hook."""

    def __init__(self, runtime: LiveRuntime, ticks: int) -> None:
        """Count from now."""
        self._runtime = runtime
        self._last = runtime.world.clock.tick + ticks

    def before_stage(self, number: int, ctx: StageContext) -> None:
        """Do nothing."""

    def after_stage(self, number: int, ctx: StageContext) -> None:
        """Look at the clock when a tick was kept."""
        if number == KEEP and ctx.world.clock.tick >= self._last:
            self._runtime.stop()


def run_live(flags: LiveFlags) -> int:
    """Run a world until it is stopped; return the exit code.

    Raises:
        DioramaError: Something given is wrong.
    """
    runtime = open_runtime(flags)
    if flags.ticks is not None:
        runtime.add_hook(TickLimit(runtime, flags.ticks))
    if flags.address is None:
        return _run_alone(runtime, flags)
    from diorama.cli.live.serving import serve_live

    return serve_live(runtime, flags, flags.address)


def open_runtime(flags: LiveFlags) -> LiveRuntime:
    """Open the world that the flags name.

    Raises:
        DioramaError: Something given is wrong.
    """
    world = load_world(flags.world)
    config = parse_config(world.id, world.config_type, _given_config(flags))
    # A run that is continued goes on with the policy it had.
    policy = flags.policy if flags.resume or flags.policy is not None else choose_champion(world, config).name
    return LiveRuntime.open(
        world,
        config,
        flags.config,
        policy=policy,
        shadow=flags.shadow,
        speed=flags.speed,
        settings=with_operator(chosen_settings(world, config, flags.services), os.environ),
        root=flags.root,
        run_id=flags.run_id,
        seed=flags.seed,
        run_root=flags.run_root,
        autosave_ticks=flags.autosave,
        is_deterministic=flags.deterministic,
        resume=flags.resume,
    )


def opening_lines(runtime: LiveRuntime, flags: LiveFlags) -> list[str]:
    """Say what runs."""
    status = runtime.status()
    policy = status["policy"]
    assert isinstance(policy, dict)
    resumed = f", continued after {runtime.resumed_ticks} ticks of its log" if flags.resume else ""
    misfit = None if flags.resume or flags.policy is not None else _champion_misfit(flags)
    script = [] if misfit is None else [f"  not {champion_id(flags.world)}: {misfit}"]
    who = [] if flags.address is None else [f"  {commanders(runtime.settings.console_auth)}"]
    return [
        f"  {status['world']} {status['config_id']}, seed {status['seed']}, at tick {status['tick']}{resumed}",
        f"  {policy['checkpoint']} decides; speed {status['speed']}; run {runtime.run_id}, kept in {flags.root}",
        *script,
        *who,
    ]


def _champion_misfit(flags: LiveFlags) -> str | None:
    world = load_world(flags.world)
    return choose_champion(world, parse_config(world.id, world.config_type, _given_config(flags))).misfit


def _given_config(flags: LiveFlags) -> Mapping[str, object]:
    return {} if flags.config is None else read_mapping(flags.config)


def _run_alone(runtime: LiveRuntime, flags: LiveFlags) -> int:
    typer.echo("\n".join(opening_lines(runtime, flags)))
    deadline = ShutdownDeadline(DEFAULT_SECONDS)
    with stop_on_interrupt() as interrupted:
        runtime.start()
        while runtime.join(_POLL_SECONDS) is None:
            if interrupted.is_set():
                deadline.begin()
                runtime.stop()
    deadline.cancel()
    return ended(runtime)


def ended(runtime: LiveRuntime) -> int:
    """Wait for the end of a runtime, say how it ended, and return the exit code."""
    code = runtime.join()
    if runtime.failure is not None:
        typer.echo(f"diorama: the loop failed: {runtime.failure}", err=True)
    else:
        typer.echo(f"stopped at tick {runtime.world.clock.tick}")
    return code or 0
