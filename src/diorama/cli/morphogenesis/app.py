"""The command group; what it does is loaded when it is asked for."""

import typer

from diorama.cli.morphogenesis.comparing import ab
from diorama.cli.morphogenesis.duel import duel
from diorama.cli.morphogenesis.heuristic import heuristic, random, schedule
from diorama.cli.morphogenesis.inspecting import inspect
from diorama.cli.morphogenesis.watching import watch

morphogenesis_app = typer.Typer(
    no_args_is_help=True, rich_markup_mode="rich", context_settings={"help_option_names": ["-h", "--help"]}
)


def _examples(*lines: str) -> str:
    # An empty line between two makes typer keep them apart.
    return "\n\n".join(("Examples:", *lines))


@morphogenesis_app.callback(
    epilog=_examples(
        "diorama morphogenesis heuristic --task digits --envs 2 --episode-length 10",
        "diorama morphogenesis ab wait rules grow_three",
        "diorama morphogenesis inspect events.jsonl",
    )
)
def morphogenesis() -> None:
    """Grow networks by rules, by the clock or by chance, compare them, and look into what was recorded."""


morphogenesis_app.command(
    epilog=_examples(
        "diorama morphogenesis heuristic",
        "diorama morphogenesis heuristic --task shapes --envs 2 --episode-length 20 --telemetry-file events.jsonl",
    )
)(heuristic)
morphogenesis_app.command(epilog=_examples("diorama morphogenesis random --envs 8 --rounds 2"))(random)
morphogenesis_app.command(
    epilog=_examples("diorama morphogenesis schedule", "diorama morphogenesis schedule grow_norm --envs 1 --json")
)(schedule)
morphogenesis_app.command(
    epilog=_examples(
        "diorama morphogenesis ab wait rules grow_three --rounds 5",
        "diorama morphogenesis ab grow_three --control-cohorts --envs 2 --rounds 5",
    )
)(ab)
morphogenesis_app.command(
    epilog=_examples("diorama morphogenesis duel", "diorama morphogenesis duel --against grow_three --time-limit 20")
)(duel)
morphogenesis_app.command(epilog=_examples("diorama morphogenesis inspect events.jsonl"))(inspect)
morphogenesis_app.command(
    epilog=_examples("diorama morphogenesis watch my-run", "diorama morphogenesis watch events.jsonl")
)(watch)
