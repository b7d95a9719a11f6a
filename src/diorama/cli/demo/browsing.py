"""The tour in the browser: a server of its own, whose runs are gone afterwards."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from diorama.cli.serving.packages import require_server

_ANY_PORT: Final = 0


def show_in_browser() -> None:
    """Serve runs that are made meanwhile, until interrupted.

    Raises:
        MissingExtra: The server's packages are not installed.
    """
    require_server("diorama demo --browser")
    from diorama.cli.serving.run import serve_runs
    from diorama.server.settings import read_settings

    with TemporaryDirectory(prefix="diorama-demo-") as root:
        settings = read_settings(runs_root=Path(root) / "runs")
        serve_runs(settings, host="127.0.0.1", port=_ANY_PORT, demo=True, open_browser=True)
