"""Exported policies of runs."""

from pydantic import Field

from diorama.server.models.base import Answer


class ExportRow(Answer):
    """A run with a policy that is, or can be, exported."""

    run_id: str = Field(description="A run, or `champion:` and a world.")
    world: str
    window_id: int = Field(description="Window of the newest checkpoint.")
    env_steps_total: int = Field(description="Steps it was trained for.")
    size_bytes: int | None = Field(
        description="Of the exported file; null where it is made when it is first asked for."
    )


class ExportList(Answer):
    """Champions, then runs that have a policy, the one that was updated last first."""

    exports: list[ExportRow]
    can_make: bool = Field(description="Whether this server can export policies.")
    missing: str | None = Field(description="What must be installed for that; null where nothing is missing.")
