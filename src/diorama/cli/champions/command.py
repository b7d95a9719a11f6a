"""`diorama champion`: builds the best policy of a world into its package, shows its card, and checks it."""

from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.completion import complete_run
from diorama.cli.groups import command_group, examples
from diorama.cli.options import FormatOption, RunRootOption, TierOption, WorldArgument
from diorama.contracts.errors import ConfigError

FAILED = 1

champion_app = command_group()


@champion_app.callback(
    epilog=examples(
        "diorama champion build prospector --run my-run",
        "diorama champion show prospector",
        "diorama champion verify --all",
        "diorama eval champion/prospector",
    )
)
def champion() -> None:
    """Build, show and verify the champions of the worlds: the best policy of each, which comes with it."""


@champion_app.command(
    epilog=examples(
        "diorama champion build prospector --run my-run",
        "diorama champion build prospector --run my-run --episodes 50 --out /tmp/champion",
    )
)
def build(
    world: WorldArgument,
    run: Annotated[
        str, typer.Option("--run", metavar="RUN", help="Run whose policy it is.", autocompletion=complete_run)
    ],
    checkpoint: Annotated[
        Path | None, typer.Option(help="One of its checkpoints.", show_default="the newest", dir_okay=False)
    ] = None,
    episodes: Annotated[
        int | None,
        typer.Option(min=1, help="Held-out episodes of every player.", show_default="as the world's protocol says"),
    ] = None,
    sample_episodes: Annotated[
        int, typer.Option(min=1, help="Episodes that 'champion verify' plays again; at most --episodes.")
    ] = 4,
    sample_decisions: Annotated[
        int, typer.Option(min=1, help="Decisions after which such an episode is cut off.")
    ] = 500,
    replay_steps: Annotated[int, typer.Option(min=1, help="Most frames of the replay.")] = 2000,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            file_okay=False,
            help="Folder to write.",
            show_default="in the world's package",
        ),
    ] = None,
    tier: TierOption = "auto",
    run_root: RunRootOption = Path("runs"),
) -> None:
    """Make the champion of a world from a run: policy as safetensors and ONNX, scores, a verified replay and a card.

    The policy plays held-out episodes of the world's protocol beside every script. The new champion takes the place
    of the previous one as a whole, or not at all.
    """
    from rich.console import Console

    from diorama.cli.champions.tables import card_table
    from diorama.cli.evaluation.progress import EvaluationBar
    from diorama.cli.result_console import result_console
    from diorama.runs.clock import SystemClock
    from diorama.training.champions.building import ChampionRequest, build_champion

    request = ChampionRequest(
        world=world,
        run_root=run_root,
        run_id=run,
        checkpoint=checkpoint,
        episodes=episodes,
        sample_episodes=sample_episodes,
        sample_decisions=sample_decisions,
        replay_steps=replay_steps,
        tier=tier,
        output=out,
    )
    with EvaluationBar(Console(stderr=True)) as bar:
        built = build_champion(request, clock=SystemClock(), progress=bar)
    result_console().print(card_table(built.card()))
    typer.echo(f"champion: {built.layout.directory}")


@champion_app.command(
    epilog=examples("diorama champion show prospector", "diorama champion show prospector --format json")
)
def show(world: WorldArgument, form: FormatOption = "text") -> None:
    """Show the card of a champion: settings, seed, revision and scores beside every script."""
    import msgspec

    from diorama.cli.champions.tables import card_table, card_words
    from diorama.cli.result_console import result_console
    from diorama.runs.champions import open_champion

    card = open_champion(world).card()
    if form == "json":
        typer.echo(msgspec.json.format(msgspec.json.encode(card), indent=2).decode())
        return
    typer.echo(card_words(card))
    result_console().print(card_table(card))


@champion_app.command(epilog=examples("diorama champion verify prospector", "diorama champion verify --all"))
def verify(
    world: Annotated[str | None, typer.Argument(metavar="[WORLD]", help="World id.", show_default=False)] = None,
    everyone: Annotated[bool, typer.Option("--all", help="Every champion that there is.")] = False,
    decisions: Annotated[
        int, typer.Option(min=1, help="Decisions in which the ONNX file is compared with the policy.")
    ] = 512,
) -> None:
    """Check that champions fit their world and their card: files, hashes, ONNX, replay and scores.

    Exits 0 when all hold, 1 when one does not, 2 on bad input.
    """
    from diorama.learn.evaluation.episodes import SilentProgress
    from diorama.runs.champions import champion_id, champion_worlds, open_champion
    from diorama.training.champions.checking import check_champion

    if (world is None) == (not everyone):
        raise ConfigError("name a world, or give --all", code="champion_not_named")
    names = champion_worlds() if world is None else (world,)
    failed = 0
    for name in names:
        typer.echo(champion_id(name))
        for outcome in check_champion(open_champion(name), name, decisions=decisions, progress=SilentProgress()):
            failed += outcome.problem is not None
            word = "same" if outcome.problem is None else "differs"
            typer.echo(f"  {word:8} {outcome.check:7} {outcome.detail}")
    if failed:
        raise typer.Exit(FAILED)
