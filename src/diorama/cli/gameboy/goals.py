"""`diorama gameboy goal`: captures pictures as goals and checks that keys lead to them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from diorama.cli.groups import command_group, examples
from diorama.cli.options import ConfigOption, parse_settings

if TYPE_CHECKING:
    from diorama.worlds.gameboy.config import GameboyConfig

goal_app = command_group()
FolderArgument = Annotated[Path, typer.Argument(metavar="FOLDER", file_okay=False, help="Folder of the goal template.")]
ActionsOption = Annotated[
    Path, typer.Option(dir_okay=False, help="Keys as actions.jsonl: a JSON list a step, the first number counts.")
]


@goal_app.callback(
    epilog=examples(
        "diorama gameboy goal capture goals/flag --actions way.jsonl -c rom=GRID_GOAL",
        "diorama gameboy goal gate goals/flag --actions way.jsonl --calibrate",
    )
)
def goal() -> None:
    """Capture pictures as goals, and check that keys lead to them."""


@goal_app.command(epilog=examples("diorama gameboy goal capture goals/flag --actions way.jsonl -c rom=GRID_GOAL"))
def capture(
    folder: FolderArgument,
    actions: ActionsOption,
    config: ConfigOption = None,
    tau: Annotated[float, typer.Option(min=0.0, max=1.0, help="A picture nearer than this matches.")] = 0.05,
    k_consecutive: Annotated[int, typer.Option(min=1, help="Matches in a row that reach the goal.")] = 2,
    whole_stack: Annotated[bool, typer.Option(help="Keep all pictures of the stack, not the newest alone.")] = False,
    force: Annotated[bool, typer.Option(help="Write over a template that is there.")] = False,
) -> None:
    """Play keys from the first start of a configuration and keep the last picture as a goal."""
    from diorama.worlds.gameboy.envs.goals.capture import capture_template
    from diorama.worlds.gameboy.envs.goals.template import save_template
    from diorama.worlds.gameboy.envs.recipes import load_actions
    from diorama.worlds.gameboy.envs.starts import setup_of, starts_of

    parsed = _parsed(config)
    template = capture_template(
        setup_of(parsed),
        starts_of(parsed)[0],
        load_actions(actions),
        stack_k=parsed.stack,
        whole_stack=whole_stack,
        tau=tau,
        k_consecutive=k_consecutive,
    )
    save_template(template, folder, force=force)
    typer.echo(f"{folder}: {'x'.join(str(side) for side in template.picture.shape)}, {template.meta.template_sha256}")


@goal_app.command(epilog=examples("diorama gameboy goal gate goals/flag --actions way.jsonl --calibrate"))
def gate(
    folder: FolderArgument,
    actions: ActionsOption,
    config: ConfigOption = None,
    calibrate: Annotated[bool, typer.Option(help="Print the spread of distances and a recommended tau.")] = False,
    failure_dir: Annotated[
        Path | None,
        typer.Option(
            file_okay=False, help="Where distances and picture go if the goal is missed.", show_default="none"
        ),
    ] = None,
) -> None:
    """Play keys and exit 0 if the goal is found, 1 if not, 2 on bad input."""
    from diorama.worlds.gameboy.envs.goals.capture import replay_gate
    from diorama.worlds.gameboy.envs.goals.sources import expected_of
    from diorama.worlds.gameboy.envs.goals.template import load_template
    from diorama.worlds.gameboy.envs.recipes import load_actions
    from diorama.worlds.gameboy.envs.starts import setup_of, starts_of

    parsed = _parsed(config)
    template = load_template(folder, expected_of(parsed))
    report = replay_gate(setup_of(parsed), starts_of(parsed)[0], load_actions(actions), template)
    last = f"last distance {report.distances[-1]:.4f}"
    found = "the goal is not found" if report.reached_at is None else f"the goal is found at step {report.reached_at}"
    typer.echo(f"{found}; {len(report.distances)} steps, {last}")
    if calibrate:
        typer.echo(json.dumps(report.calibration(), indent=2))
    if report.exit_code and failure_dir is not None:
        report.write_failure(failure_dir)
    raise typer.Exit(report.exit_code)


def _parsed(config: list[str] | None) -> "GameboyConfig":
    from diorama.contracts.config import parse_config
    from diorama.worlds.gameboy.config import GameboyConfig

    # A goal is captured before there is one; other kinds ask for none and start in the same places.
    return parse_config("gameboy", GameboyConfig, {"kind": "gb_pixels", **parse_settings(config)})
