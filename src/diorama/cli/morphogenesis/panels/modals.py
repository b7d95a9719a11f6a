"""Pages that lie over the dashboard until a key takes them away."""

from typing import ClassVar

from rich.console import RenderableType
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static


class Page(ModalScreen[None]):
    """Something to read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,d", "dismiss", "Back"),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
    ]
    CSS = """
    Page { align: center middle; }
    #page { width: 90%; height: 80%; border: thick $primary; padding: 0 2; background: $surface; }
    """

    def __init__(self, title: str, content: RenderableType) -> None:
        """Show some content under a title."""
        super().__init__()
        self.page_title = title
        self._content = content

    def compose(self) -> ComposeResult:
        """Lay the page out."""
        with VerticalScroll(id="page") as frame:
            frame.border_title = self.page_title
            yield Static(self._content, id="content")

    def action_scroll(self, lines: int) -> None:
        """Move through a long page."""
        self.query_one("#page", VerticalScroll).scroll_relative(y=lines, animate=False)
