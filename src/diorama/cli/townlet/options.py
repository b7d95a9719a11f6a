"""Arguments and options that the commands about learning share."""

from pathlib import Path
from typing import Annotated

import typer

DatasetArgument = Annotated[
    Path, typer.Argument(metavar="DATASET", file_okay=False, help="Folder of a dataset, such as datasets/core.")
]
RunIdOption = Annotated[str | None, typer.Option(help="Name of the run.", show_default="time and revision")]
LearningPresetOption = Annotated[
    str, typer.Option(metavar="NAME", help="Preset whose network, observation and PPO settings are used.")
]
