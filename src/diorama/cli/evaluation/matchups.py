"""Tables of matchups with scripted opponents and of ratings."""

from collections.abc import Sequence

from rich.box import SIMPLE
from rich.table import Table

from diorama.contracts.matches import RatingEstimate
from diorama.learn.evaluation.matchups import MatchupResult
from diorama.runs.matches import RatingTable


def matchup_table(title: str, matchups: Sequence[MatchupResult]) -> Table:
    """Return one line per opponent, or per opponent and scene."""
    has_scenes = any(item.scene for item in matchups)
    table = Table(title=f"{title}, 95% Wilson intervals in brackets", box=SIMPLE)
    table.add_column("against", no_wrap=True)
    if has_scenes:
        table.add_column("scene", no_wrap=True)
    for heading in ("battles", "win rate", "margin", "survival", "spent per kill", "time"):
        table.add_column(heading, justify="right", no_wrap=True)
    for item in matchups:
        low, high = item.interval
        spent = "-" if item.spent_per_gain is None else f"{item.spent_per_gain:.1f}"
        table.add_row(
            item.opponent,
            *((item.scene,) if has_scenes else ()),
            str(item.matches),
            f"{item.score:.2f} [{low:.2f} .. {high:.2f}]",
            f"{item.margin:+.2f}",
            f"{item.survival:.2f}",
            spent,
            f"{item.time:.0f}",
            style="green" if low > 0.5 else None,
        )
    return table


def rating_table(ratings: RatingTable) -> Table:
    """Return the ratings of all players, strongest first; learner and anchor are bold."""
    estimates, elo = {item.name: item for item in ratings.estimates}, dict(ratings.ratings)
    interval = ", 95% intervals" if estimates else ""
    table = Table(title=f"Ratings after {ratings.matches:,} matches, {ratings.anchor} fixed{interval}", box=SIMPLE)
    table.add_column("player", no_wrap=True)
    for heading in ("rating", "from matches", "Elo") if estimates else ("Elo",):
        table.add_column(heading, justify="right", no_wrap=True)
    for name in estimates or elo:
        fitted = (_rating(estimates[name]), str(estimates[name].matches)) if estimates else ()
        style = "bold" if name in ("learner", ratings.anchor) else None
        table.add_row(name, *fitted, f"{elo[name]:.0f}" if name in elo else "-", style=style)
    return table


def _rating(estimate: RatingEstimate) -> str:
    return f"{estimate.rating:.0f} ± {estimate.margin:.0f}" if estimate.margin else f"{estimate.rating:.0f}"
