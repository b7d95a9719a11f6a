"""The command group; what it does is loaded when it is asked for."""

from diorama.cli.groups import command_group, examples
from diorama.cli.townlet.anneal import anneal
from diorama.cli.townlet.capture import capture
from diorama.cli.townlet.clone import clone
from diorama.cli.townlet.rehearse import rehearse
from diorama.cli.townlet.replay import replay
from diorama.cli.townlet.run import run
from diorama.cli.townlet.scenario import scenario
from diorama.cli.townlet.validate import validate

townlet_app = command_group()


@townlet_app.callback(
    epilog=examples(
        "diorama townlet run --ticks 3000",
        "diorama townlet scenario queue_conflict",
        "diorama townlet validate town.yaml",
    )
)
def townlet() -> None:
    """Let towns live on their own, play scenarios, check files, and teach policies by the scripted controller."""


townlet_app.command(
    epilog=examples(
        "diorama townlet run",
        "diorama townlet run town.yaml --ticks 10000 --seed 5",
        "diorama townlet run town.yaml --commands night.yaml --format json > report.json",
    )
)(run)
townlet_app.command(
    epilog=examples(
        "diorama townlet scenario --list",
        "diorama townlet scenario queue_conflict --events",
        "diorama townlet scenario all",
        "diorama townlet scenario my_scenario.yaml --seed 9 --format json",
    )
)(scenario)
townlet_app.command(epilog=examples("diorama townlet validate town.yaml", "diorama townlet validate *.yaml"))(validate)
townlet_app.command(
    epilog=examples(
        "diorama townlet capture first", "diorama townlet capture queues --scene queue_contention --rounds 5"
    )
)(capture)
townlet_app.command(epilog=examples("diorama townlet clone datasets/first"))(clone)
townlet_app.command(
    epilog=examples(
        "diorama townlet anneal datasets/first",
        "diorama townlet anneal datasets/first --schedule town.yaml --run-id handed-over",
        "diorama townlet anneal --resume handed-over",
    )
)(anneal)
townlet_app.command(
    epilog=examples("diorama townlet replay datasets/first --start runs/clone --epochs 20"),
)(replay)
townlet_app.command(
    epilog=examples(
        "diorama townlet rehearse console",
        "diorama townlet rehearse promotion",
        "diorama townlet rehearse promotion --policy my-run --format json > report.json",
    )
)(rehearse)
