"""Tables whose cells change while somebody reads them."""

from collections.abc import Sequence
from typing import TypeAlias

from rich.text import Text
from textual.coordinate import Coordinate
from textual.widgets import DataTable

Row: TypeAlias = tuple[Text, ...]
CellTable: TypeAlias = DataTable[Text]


def fill(table: CellTable, columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Show rows; a table of the same size keeps where it was scrolled to."""
    if [str(column.label) for column in table.columns.values()] != list(columns):
        table.clear(columns=True)
        table.add_columns(*columns)
    if table.row_count != len(rows):
        table.clear()
        for row in rows:
            table.add_row(*row)
        return
    for place, row in enumerate(rows):
        for column, cell in enumerate(row):
            at = Coordinate(place, column)
            if table.get_cell_at(at) != cell:
                table.update_cell_at(at, cell, update_width=True)


def words(text: str) -> Text:
    """A cell of words."""
    return Text(text)


def figure(text: str) -> Text:
    """A cell of a number."""
    return Text(text, justify="right")
