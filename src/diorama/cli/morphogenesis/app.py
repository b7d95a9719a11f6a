"""The command group; what it does is loaded when it is asked for."""

from diorama.cli.groups import command_group, examples
from diorama.cli.morphogenesis.comparing import ab
from diorama.cli.morphogenesis.duel import duel
from diorama.cli.morphogenesis.heuristic import heuristic, random, schedule
from diorama.cli.morphogenesis.inspecting import inspect
from diorama.cli.morphogenesis.querying import query
from diorama.cli.morphogenesis.watching import watch

morphogenesis_app = command_group()


@morphogenesis_app.callback(
    epilog=examples(
        "diorama morphogenesis heuristic --task digits --envs 2 --episode-length 10",
        "diorama morphogenesis ab wait rules grow_three",
        "diorama morphogenesis inspect events.jsonl",
    )
)
def morphogenesis() -> None:
    """Grow networks by rules, by the clock or by chance, compare them, and look into what was recorded."""


morphogenesis_app.command(
    epilog=examples(
        "diorama morphogenesis heuristic",
        "diorama morphogenesis heuristic --task shapes --envs 2 --episode-length 20 --telemetry-file events.jsonl",
    )
)(heuristic)
morphogenesis_app.command(epilog=examples("diorama morphogenesis random --envs 8 --rounds 2"))(random)
morphogenesis_app.command(
    epilog=examples("diorama morphogenesis schedule", "diorama morphogenesis schedule grow_norm --envs 1 --format json")
)(schedule)
morphogenesis_app.command(
    epilog=examples(
        "diorama morphogenesis ab wait rules grow_three --rounds 5",
        "diorama morphogenesis ab grow_three --control-cohorts --envs 2 --rounds 5",
        "diorama morphogenesis ab --dual-ab shaped-vs-simplified --envs 4 --rounds 20",
    )
)(ab)
morphogenesis_app.command(
    epilog=examples("diorama morphogenesis duel", "diorama morphogenesis duel --against grow_three --time-limit 20")
)(duel)
morphogenesis_app.command(epilog=examples("diorama morphogenesis inspect events.jsonl"))(inspect)
morphogenesis_app.command(
    epilog=examples(
        "diorama morphogenesis query events.jsonl",
        "diorama morphogenesis query my-run 'SELECT blueprint_id, count(*) FROM seed_lifecycle GROUP BY 1'",
    )
)(query)
morphogenesis_app.command(
    epilog=examples("diorama morphogenesis watch my-run", "diorama morphogenesis watch events.jsonl")
)(watch)
