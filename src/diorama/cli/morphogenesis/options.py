"""Options that the commands of this world share, and the configuration they make."""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Literal

import typer

from diorama.cli.destinations import checked_destination
from diorama.cli.options import TierName

TaskOption = Annotated[
    str, typer.Option("--task", help="Task, or a family: digits, shapes, tokens, cifar.", show_default=True)
]
EnvsOption = Annotated[int, typer.Option("--envs", min=1, help="Hosts that grow side by side.")]
EpochsOption = Annotated[
    int | None,
    typer.Option("--episode-length", min=1, help="Epochs of an episode.", show_default="the task's"),
]
RoundsOption = Annotated[int, typer.Option("--rounds", min=1, help="Episodes of every env, one after another.")]
SlotsOption = Annotated[
    str | None,
    typer.Option("--slots", metavar="IDS", help="Enabled slots, as in r0c0,r0c1.", show_default="the task's"),
]
MaxSeedsOption = Annotated[int, typer.Option("--max-seeds", min=0, help="Cap on attached seeds; 0 is none.")]
RewardOption = Annotated[str, typer.Option("--reward-mode", help="How decisions are paid.")]
SeedOption = Annotated[int, typer.Option("--seed", "--root-key", min=0, help="Root key: weights, data and chance.")]
TierOption = Annotated[TierName, typer.Option("--tier", "--engine", help="Which engine trains the hosts.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--config", "-c", metavar="KEY=VALUE", help="Set any other key of the configuration. Repeatable."),
]
TelemetryOption = Annotated[
    Path | None,
    typer.Option(
        "--telemetry-file",
        dir_okay=False,
        help="Write every event to this file, one per line.",
        callback=checked_destination,
    ),
]
ProfileOption = Annotated[bool, typer.Option("--profile", help="Tell where the time of every epoch went, too.")]
ViewName = Literal["none", "terminal"]
ViewOption = Annotated[ViewName, typer.Option("--view", help="Watch it in the terminal while it runs.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """What a command was asked to run."""

    task: str
    envs: int
    epochs: int | None
    rounds: int
    slots: str | None
    max_seeds: int
    reward_mode: str
    root_key: int
    tier: TierName
    further: list[str] | None
    telemetry: Path | None = None
    profile: bool = False

    def values(self) -> dict[str, object]:
        """Return the configuration as it was asked for; what is not said is left to the task."""
        from diorama.cli.options import parse_settings

        given: dict[str, object] = {"task": self.task, "max_seeds": self.max_seeds, "reward_mode": self.reward_mode}
        if self.epochs is not None:
            given["max_epochs"] = self.epochs
        if self.profile:
            given["phase_profile"] = True
        if self.slots is not None:
            given["slots"] = [slot.strip() for slot in self.slots.split(",") if slot.strip()]
        return {**given, **parse_settings(self.further)}


def run_options(*, envs: int | None, rounds: int | None) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of a run, whose first argument is what they say.

    Args:
        envs: How many hosts grow where nothing is said; None for a command that settles that itself.
        rounds: How many rounds are played where nothing is said; None likewise.
    """
    shared = dict(signature(_settings).parameters)
    for name, default in (("envs", envs), ("rounds", rounds)):
        if default is None:
            del shared[name]
        else:
            shared[name] = shared[name].replace(default=default)

    def give(command: Callable[..., None]) -> Callable[..., None]:
        _, *own = signature(command).parameters.values()

        def called(**given: object) -> None:
            command(_settings(**{name: given.pop(name) for name in shared}), **given)  # type: ignore[arg-type]

        listed = [
            parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in (*own[:-1], *shared.values(), *own[-1:])
        ]
        called.__name__, called.__doc__ = command.__name__, command.__doc__
        called.__annotations__ = {parameter.name: parameter.annotation for parameter in listed}
        called.__signature__ = Signature(listed)  # type: ignore[attr-defined]
        return called

    return give


def _settings(
    task: TaskOption = "digits",
    envs: EnvsOption = 4,
    episode_length: EpochsOption = None,
    rounds: RoundsOption = 1,
    slots: SlotsOption = None,
    max_seeds: MaxSeedsOption = 0,
    reward_mode: RewardOption = "shaped",
    seed: SeedOption = 42,
    tier: TierOption = "auto",
    config: SetOption = None,
    telemetry_file: TelemetryOption = None,
    profile: ProfileOption = False,
) -> RunSettings:
    return RunSettings(
        task=task,
        envs=envs,
        epochs=episode_length,
        rounds=rounds,
        slots=slots,
        max_seeds=max_seeds,
        reward_mode=reward_mode,
        root_key=seed,
        tier=tier,
        further=config,
        telemetry=telemetry_file,
        profile=profile,
    )
