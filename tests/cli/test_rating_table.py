"""How ratings are shown, also those that earlier versions have written."""

from pathlib import Path

from diorama.cli.evaluation.matchups import rating_table
from diorama.contracts.matches import RatingEstimate
from diorama.runs.layout import RunLayout
from diorama.runs.matches import MatchFiles, RatingTable, read_ratings

ESTIMATES = (
    RatingEstimate(name="learner", rating=1042.6, margin=35.2, matches=210),
    RatingEstimate(name="aggressor", rating=1000.0, margin=0.0, matches=90),
)


def columns(table: RatingTable) -> dict[str, list[str]]:
    return {str(column.header): [str(cell) for cell in column.cells] for column in rating_table(table).columns}


def test_every_rating_is_shown_with_its_interval() -> None:
    table = RatingTable(
        matches=1210, anchor="aggressor", ratings=[("learner", 1063.0), ("aggressor", 1000.0)], estimates=ESTIMATES
    )

    assert rating_table(table).title == "Ratings after 1,210 matches, aggressor fixed, 95% intervals"
    assert columns(table) == {
        "player": ["learner", "aggressor"],
        "rating": ["1043 ± 35", "1000"],
        "from matches": ["210", "90"],
        "Elo": ["1063", "1000"],
    }


def test_ratings_of_earlier_versions_are_read_and_shown_without_intervals(tmp_path: Path) -> None:
    layout = RunLayout(tmp_path)
    folder = layout.directory / "matches"
    folder.mkdir(parents=True)
    (folder / "ratings.json").write_text(
        '{"matches": 7, "anchor": "aggressor", "ratings": [["learner", 1012.5], ["aggressor", 1000.0]]}'
    )

    table = read_ratings(layout)

    assert table is not None
    assert columns(table) == {"player": ["learner", "aggressor"], "Elo": ["1012", "1000"]}


def test_written_ratings_are_read_as_they_were(tmp_path: Path) -> None:
    layout = RunLayout(tmp_path)
    table = RatingTable(matches=3, anchor="aggressor", ratings=[("aggressor", 1000.0)], estimates=ESTIMATES)

    MatchFiles(layout).rate(table)

    assert read_ratings(layout) == table
