"""The option that names a Ray cluster."""

from typing import Annotated, Final

import typer

_ADDRESSES: Final = "'local' for this machine, 'auto' or ray://HOST:PORT"

RayOption = Annotated[str, typer.Option("--ray", metavar="ADDRESS", help=f"{_ADDRESSES} for a cluster.")]
RayHallOption = Annotated[
    str | None,
    typer.Option("--ray", metavar="ADDRESS", help=f"Let a Ray cluster play: {_ADDRESSES}.", show_default="played here"),
]
