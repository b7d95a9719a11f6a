"""`diorama townlet rehearse`: what an operator will have to do one day, done now."""

from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.completion import complete_run, one_of
from diorama.cli.options import FormatOption, RunRootOption

FAILED = 1


def rehearse(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="promotion, anneal, demo or console.",
            autocompletion=one_of("promotion", "anneal", "demo", "console"),
        ),
    ],
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="RUN",
            help="Candidate of the promotion.",
            show_default="a small policy is trained, in a minute",
            autocompletion=complete_run,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Luck of the town.")] = 7,
    window: Annotated[int, typer.Option(min=1, help="Ticks of a promotion window.")] = 120,
    root: Annotated[
        Path | None,
        typer.Option(
            file_okay=False,
            help="Empty folder for all that is written.",
            show_default="one that is removed in the end",
        ),
    ] = None,
    run_root: RunRootOption = Path("runs"),
    form: FormatOption = "text",
) -> None:
    """Rehearse what an operator does, against a real live town, step by step.

    promotion: a candidate beside the release, two passing windows, promotion, a canary, rollback.
    anneal: a dataset is captured, cloned through its gate and handed over by PPO.
    demo: somebody arrives, the power goes off and comes back; watched as a spectator does.
    console: every command once, as viewer and as admin.

    Exits 0 when every step passes, 1 at the first that does not, 2 on bad input.
    """
    from diorama.cli.townlet.rehearse_run import RehearsalFlags, hold_rehearsal

    flags = RehearsalFlags(
        name=name, policy=policy, seed=seed, window_ticks=window, root=root, run_root=run_root, as_json=form == "json"
    )
    if not hold_rehearsal(flags):
        raise typer.Exit(FAILED)
