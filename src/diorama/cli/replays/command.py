"""`diorama replay`: lists, shows, verifies, continues and draws the replays of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from diorama.cli.completion import complete_policy, complete_replay
from diorama.cli.counting import counted
from diorama.cli.destinations import checked_destination
from diorama.cli.groups import command_group, examples
from diorama.cli.options import CheckpointOption, FormatOption, RunRootOption, TierOption
from diorama.contracts.errors import ConfigError, UnknownName

if TYPE_CHECKING:
    from diorama.runs.replays.entry import ReplayEntry
    from diorama.runs.replays.reader import ReplayReader
    from diorama.runs.replays.verify import Verification
    from diorama.runs.run import Run

NOT_FAITHFUL: Final = 1
_PICTURES_SHOWN: Final = 300  # about what fits a picture people wait for; all of them are in memory while it is written

replay_app = command_group()


@replay_app.callback(
    epilog=examples(
        "diorama replay list my-run --tag best_so_far",
        "diorama replay verify my-run",
        "diorama replay fork my-run replay-000012-1a2b3c4d --frame 40 --bot prudent_hauler",
        "diorama replay export my-run --out best.gif",
    )
)
def replay() -> None:
    """List, show, verify, continue and draw the replays of a run."""


RunArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="Run id: the name of its directory; or champion/WORLD.",
        autocompletion=complete_policy,
    ),
]
ReplayArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[REPLAY]", help="Replay id.", show_default="the newest of the run", autocompletion=complete_replay
    ),
]


@replay_app.command("list", epilog=examples("diorama replay list my-run", "diorama replay list my-run --window 12"))
def list_replays(
    run: RunArgument,
    tag: Annotated[str | None, typer.Option(help="Only with this tag.", show_default=False)] = None,
    tags_any: Annotated[
        list[str] | None, typer.Option("--any", metavar="TAG", help="Only with one of these. Repeatable.")
    ] = None,
    tags_all: Annotated[
        list[str] | None, typer.Option("--all", metavar="TAG", help="Only with every one of these. Repeatable.")
    ] = None,
    window: Annotated[int | None, typer.Option(min=0, help="Only of this window.", show_default=False)] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many, newest first.")] = 20,
    run_root: RunRootOption = Path("runs"),
    form: FormatOption = "text",
) -> None:
    """List the replays of a run, newest first."""
    from diorama.cli.replays.tables import replay_table
    from diorama.cli.result_console import result_console
    from diorama.runs.replays.index import ReplayFilter

    index = _open(run_root, run).replay_index()
    wanted = ReplayFilter(
        tag=tag, tags_any=tuple(tags_any or ()), tags_all=tuple(tags_all or ()), window_id=window, limit=limit
    )
    found = index.find(wanted)
    if form == "json":
        typer.echo(json.dumps([entry.to_json() for entry in found], indent=2))
    elif not index.entries:
        typer.echo(f"run {run} has no replays yet")
    elif not found:
        typer.echo(f"none of the {len(index.entries)} replays of run {run} is like that")
    else:
        result_console().print(replay_table(found, total=len(index.entries)))


@replay_app.command(epilog=examples("diorama replay show my-run", "diorama replay show my-run --from 100 --count 50"))
def show(
    run: RunArgument,
    replay: ReplayArgument = None,
    first: Annotated[int, typer.Option("--from", min=0, help="First frame that is shown.")] = 0,
    count: Annotated[int, typer.Option(min=0, help="How many frames are shown.")] = 20,
    run_root: RunRootOption = Path("runs"),
    form: FormatOption = "text",
) -> None:
    """Show who played a replay, how it came out, and some of its frames."""
    import msgspec

    from diorama.cli.replays.tables import frame_table, replay_words
    from diorama.cli.result_console import result_console
    from diorama.runs.replays.verify import replay_venue

    entry, reader = _chosen(_open(run_root, run), replay)
    if first and first >= reader.frame_count:
        raise ConfigError(f"--from {first} is beyond the end; the replay has frames 0..{reader.frame_count - 1}")
    frames = list(reader.frames(first, count))
    if form == "json":
        document = {"replay": entry.to_json(), "meta": reader.sidecar, "frames": frames}
        typer.echo(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())
        return
    typer.echo(replay_words(entry, reader.sidecar))
    if frames:
        result_console().print(frame_table(replay_venue(reader.sidecar).spec, frames, reader.frame_count))


@replay_app.command(epilog=examples("diorama replay verify my-run", "diorama replay verify my-run --tier reference"))
def verify(
    run: RunArgument,
    replay: Annotated[
        str | None, typer.Argument(metavar="[REPLAY]", help="Replay id.", show_default="all of the run")
    ] = None,
    tier: TierOption = "auto",
    pictures: Annotated[bool, typer.Option("--pictures", help="Compare what every frame shows, too; slower.")] = False,
    run_root: RunRootOption = Path("runs"),
) -> None:
    """Simulate replays again and compare every reward, flag, event and state hash exactly.

    In a world whose numbers may drift from one machine to another, what is discrete must be the same and its accuracy
    close; such a replay is told to be near.

    Exits 0 when all come out as recorded, 1 when one does not, 2 on bad input.
    """
    from diorama.cli.progress import progress_bar
    from diorama.runs.replays.index import ReplayFilter
    from diorama.runs.replays.reader import open_replay
    from diorama.runs.replays.verify import verify_replay

    opened = _open(run_root, run)
    index = opened.replay_index()
    chosen = index.find(ReplayFilter()) if replay is None else [index.entry(replay)]
    if not chosen:
        raise UnknownName(f"run {run!r} has no replays yet")
    readers = [open_replay(opened.layout, entry.replay_id) for entry in chosen]
    unfaithful = 0
    with progress_bar(f"verify {run}", sum(reader.frame_count for reader in readers)) as advance:
        for reader in readers:
            outcome = verify_replay(reader, tier=tier, with_pictures=pictures, progress=advance)
            unfaithful += not outcome.is_faithful
            typer.echo(_outcome_line(outcome))
    if unfaithful:
        typer.echo(f"{unfaithful} of {len(readers)} replays did not come out as they were recorded")
        raise typer.Exit(NOT_FAITHFUL)


def _outcome_line(outcome: Verification) -> str:
    if outcome.divergence is not None:
        return f"differs  {outcome.replay_id}  {outcome.divergence}"
    frames = counted(outcome.frames, "frame", "frames")
    if outcome.drifted is not None:
        return f"near     {outcome.replay_id}  {frames}; exact up to where {outcome.drifted}"
    return f"same     {outcome.replay_id}  {frames}, {counted(outcome.hashes, 'state hash', 'state hashes')}"


@replay_app.command(
    epilog=examples(
        "diorama replay fork my-run --frame 40 --bot prudent_hauler",
        "diorama replay fork my-run replay-000012-1a2b3c4d --frame 40 --actions MINE_STANDARD_SELECTED,HOLD_DRIFT,33",
        "diorama replay fork my-run --frame -1 --policy another-run",
    )
)
def fork(
    run: RunArgument,
    frame: Annotated[int, typer.Option(min=-1, help="Last frame that is kept; -1 keeps none.")],
    replay: ReplayArgument = None,
    bot: Annotated[str | None, typer.Option(help="Scripted baseline that goes on.", show_default=False)] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="RUN",
            help="Run whose policy goes on, see --checkpoint; or champion/WORLD.",
            show_default=False,
            autocompletion=complete_policy,
        ),
    ] = None,
    actions: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Decisions that follow by name or number; commas between steps, '/' between seats, '+' between heads.",
            show_default=False,
        ),
    ] = None,
    stochastic: Annotated[
        bool, typer.Option("--stochastic", help="With --policy: draw the actions instead of taking the likeliest.")
    ] = False,
    checkpoint: CheckpointOption = None,
    max_steps: Annotated[
        int | None,
        typer.Option(min=1, help="Decisions after the frame.", show_default="to the end of the episode"),
    ] = None,
    tier: TierOption = "auto",
    run_root: RunRootOption = Path("runs"),
) -> None:
    """Continue a replay from one of its frames and keep what follows as a new replay of the run."""
    from diorama.cli.progress import progress_bar
    from diorama.cli.replays.fork import choose_player
    from diorama.runs.champions import is_champion_id
    from diorama.runs.clock import SystemClock
    from diorama.runs.replays.fork import fork_replay
    from diorama.runs.replays.recording import RecordingPlan
    from diorama.runs.replays.verify import replay_venue

    if is_champion_id(run):
        raise ConfigError(
            f"{run} comes with its world and is not written to; fork the replay of a run, with --policy {run}",
            code="champion_is_read_only",
            name=run,
        )
    opened = _open(run_root, run)
    entry, reader = _chosen(opened, replay)
    venue = replay_venue(reader.sidecar, tier=tier)
    chosen = choose_player(
        opened.layout,
        reader,
        venue,
        frame=frame,
        bot=bot,
        policy=policy,
        actions=actions,
        is_stochastic=stochastic,
        checkpoint=checkpoint,
    )
    steps = max_steps or chosen.steps or venue.world.evaluation.max_decisions
    plan = RecordingPlan(
        window_id=entry.window_id,
        trainer_backend=entry.trainer_backend,
        players=chosen.facts,
        checkpoint_env_steps_total=chosen.env_steps_total,
        max_steps=frame + 1 + steps,
        include_info=False,
        milestones={},
    )
    with progress_bar(f"fork {reader.sidecar.replay_id}", entry.steps) as advance:
        forked = fork_replay(
            opened.layout,
            reader,
            venue,
            chosen.player,
            frame=frame,
            plan=plan,
            clock=SystemClock(),
            progress=advance,
        )
    typer.echo(
        f"{forked.replay_id}  {counted(forked.steps, 'frame')}, return {forked.return_total:.3f} "
        f"(it was {entry.return_total:.3f} over {entry.steps})"
    )


@replay_app.command(epilog=examples("diorama replay export my-run", "diorama replay export my-run --out best.webp"))
def export(
    run: RunArgument,
    replay: ReplayArgument = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            dir_okay=False,
            help="File to write; it ends in .gif or .webp.",
            show_default="REPLAY.gif in this directory",
            callback=checked_destination,
        ),
    ] = None,
    first: Annotated[int, typer.Option("--from", min=0, help="First frame.")] = 0,
    stop: Annotated[
        int | None, typer.Option("--to", min=1, help="Frame after the last.", show_default="the end")
    ] = None,
    stride: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Show every Nth frame.", show_default=f"so that {_PICTURES_SHOWN} are shown"
        ),
    ] = None,
    fps: Annotated[float, typer.Option(min=0.5, max=50.0, help="Pictures per second.")] = 10.0,
    run_root: RunRootOption = Path("runs"),
) -> None:
    """Draw a replay as an animated picture."""
    from diorama.cli.progress import progress_bar
    from diorama.runs.replays.export import ExportOptions, check_target, export_replay, stride_for

    _, reader = _chosen(_open(run_root, run), replay)
    target = Path(f"{reader.sidecar.replay_id}.gif") if out is None else out
    check_target(target)
    end = reader.frame_count if stop is None else stop
    chosen_stride = stride or stride_for(end - first, _PICTURES_SHOWN)
    options = ExportOptions(start=first, stop=stop, stride=chosen_stride, frames_per_second=fps)
    with progress_bar(f"draw {reader.sidecar.replay_id}", len(options.shown(reader.frame_count))) as advance:
        pictures = export_replay(reader, target, options, progress=advance)
    every = "" if chosen_stride == 1 else f", every {chosen_stride} frames"
    drawn = f"{counted(pictures, 'picture', 'pictures')}{every}"
    typer.echo(f"{target}  {drawn}, {target.stat().st_size / 1e3:,.0f} kB")


def _open(run_root: Path, run_id: str) -> Run:
    from diorama.runs.champions import find_run

    return find_run(run_root, run_id)


def _chosen(run: Run, replay_id: str | None) -> tuple[ReplayEntry, ReplayReader]:
    from diorama.runs.replays.index import ReplayFilter
    from diorama.runs.replays.reader import open_replay

    index = run.replay_index()
    if replay_id is not None:
        entry = index.entry(replay_id)
    else:
        newest = index.find(ReplayFilter(limit=1))
        if not newest:
            raise UnknownName(f"run {run.run_id!r} has no replays yet")
        entry = newest[0]
    return entry, open_replay(run.layout, entry.replay_id)
