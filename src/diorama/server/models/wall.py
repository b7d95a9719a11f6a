"""The first message of a wall."""

from typing import Literal

from pydantic import Field

from diorama.server.models.base import Answer, JsonObject


class WallOpening(Answer):
    """What a wall shows; pictures follow as binary messages."""

    type: Literal["wall"] = "wall"
    world: str
    copies: int
    player: str
    config: JsonObject = Field(description="The world's configuration, defaults included.")
    rows: int
    columns: int
    bits: Literal[2, 8] = Field(description="2: four shades, four pixels a byte; 8: brightness.")
    bytes_per_picture: int
    tick_seconds: float
