"""The option that names a Ray cluster."""

from typing import Annotated

import typer

RayOption = Annotated[
    str,
    typer.Option("--ray", metavar="ADDRESS", help="'local' for this machine, 'auto' or ray://HOST:PORT for a cluster."),
]
