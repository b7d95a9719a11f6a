"""`diorama eval RUN --suite`: a trained policy against every script in the frozen scenes of its world."""

from collections.abc import Sequence
from pathlib import Path

from diorama.engine.players import Contender
from diorama.engine.venue import Venue
from diorama.learn.evaluation.episodes import SubmitEpisodes, submit_locally


def show_suite(
    venue: Venue,
    contender: Contender,
    scripts: Sequence[str],
    *,
    episodes: int | None,
    path: Path | None,
    submit: SubmitEpisodes = submit_locally,
) -> None:
    """Play the suite, print it by opponent and by scene, and save it if asked to.

    Raises:
        ConfigError: The world has no suite.
        UnknownName: There is no such script.
    """
    from rich.console import Console

    from diorama.cli.evaluation.matchups import matchup_table
    from diorama.cli.evaluation.progress import EvaluationBar
    from diorama.cli.result_console import result_console
    from diorama.learn.evaluation.matchups import merge_scenes, play_suite, select_scripts
    from diorama.learn.evaluation.report import save_report

    chosen = select_scripts(venue.world, scripts)
    with EvaluationBar(Console(stderr=True)) as bar:
        found = play_suite(venue, contender, chosen, episodes=episodes, progress=bar, submit=submit)
    console = result_console()
    console.print(matchup_table(f"{contender.name} by scene", found))
    console.print(matchup_table(f"{contender.name} over all scenes", merge_scenes(found)))
    if path is not None:
        save_report(
            path,
            {
                "world": venue.world.id,
                "contender": contender.name,
                "scenes": [item.to_json() for item in found],
                "opponents": [item.to_json() for item in merge_scenes(found)],
            },
        )
        console.print(f"report: {path}")
