"""All panels of the recorded run as plain text; running this module stores them anew."""

from datetime import timedelta
from pathlib import Path

from rich.console import Console, RenderableType

from diorama.cli.morphogenesis.panels import details, overview, policy
from tests.worlds.morphogenesis.views.recording import aggregated

STORED = Path(__file__).parent / "morphogenesis_panels.txt"
WIDTH = 220


def drawn() -> str:
    """Return what the panels show of the last moment of each group."""
    aggregator = aggregated()
    pages: list[tuple[str, RenderableType]] = []
    for group in aggregator.groups:
        picture = aggregator.picture(group)
        assert picture.last_event_at is not None
        now = picture.last_event_at + timedelta(seconds=3)
        env = picture.envs[0]
        pages += [
            ("header", overview.header_line(picture, now)),
            ("anomalies", overview.anomaly_strip(picture)),
            ("narrative", " ".join(picture.narrative)),
            ("environments", overview.env_table(picture, now)),
            ("scoreboard", overview.score_table(picture)),
            *((title.lower(), draw(picture)) for _, title, draw in policy.PANELS),
            ("events", overview.log_text(picture, lines=12)),
            ("environment", details.env_detail(picture, env)),
            ("coalitions", details.waterfall(env)),
            ("timeline", details.timeline(picture.envs[-1])),
            ("episode", details.episode_detail(picture.best_episodes[0])),
            ("decision", details.decision_detail(picture.policy.decisions[-1])),
            ("run", details.run_info(picture)),
        ]
    return "\n".join(f"== {title} ==\n{_plain(page)}" for title, page in pages)


def _plain(page: RenderableType) -> str:
    console = Console(width=WIDTH, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        console.print(page)
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"


if __name__ == "__main__":
    STORED.write_text(drawn())
