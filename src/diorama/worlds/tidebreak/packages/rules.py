"""Switches of a battle."""

from typing import Annotated

from pydantic import Field

from diorama.worlds.tidebreak.limits import BRICKS_DEFAULT, BRICKS_MAX, FIELD_PERIOD_MAX_TICKS
from diorama.worlds.tidebreak.packages.base import Exchange, Flag


class Rules(Exchange):
    """All optional."""

    fields: Flag = Field(True, description="spread noise, smoke and heat through the water")
    field_period: Annotated[int, Field(strict=True, ge=1, le=FIELD_PERIOD_MAX_TICKS)] = Field(
        2, description="ticks between two steps of the fields"
    )
    max_bricks: Annotated[int, Field(strict=True, ge=0, le=BRICKS_MAX)] = Field(
        BRICKS_DEFAULT, description="active field bricks at most"
    )
    fog: Flag = Field(True, description="false: every enemy is tracked exactly at Q2")
    perfect_iff: Flag = Field(False, description="every enemy is declared hostile at first sight")
    friendly_fire: Flag = Field(True, description="stray rounds hit one's own team")
    allow_friendly_orders: Flag = Field(False, description="orders to fire on friends are obeyed")
    boarding: Flag = True
    surrender: Flag = True
    clutter: Flag = Field(False, description="radar shows ghosts in rough seas")
    objective_ends_battle: Flag = Field(False, description="a team whose every objective is completed wins at once")
