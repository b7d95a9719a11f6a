"""Parameters that several endpoints take."""

from typing import Annotated, Final

from fastapi import Path

ID_PATTERN: Final = r"^[A-Za-z0-9_\-][A-Za-z0-9._\-]{0,127}$"

RUN_ID_PATTERN: Final = r"^(champion:)?[A-Za-z0-9_\-][A-Za-z0-9._\-]{0,127}$"

RunId = Annotated[
    str, Path(pattern=RUN_ID_PATTERN, description="Name of the run's directory, or `champion:` and a world.")
]
ReplayId = Annotated[str, Path(pattern=ID_PATTERN, description="Id of a replay of the run.")]
