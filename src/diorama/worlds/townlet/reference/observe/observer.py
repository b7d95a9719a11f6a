"""`Observer`: writes the observations of a town."""

from collections.abc import Sequence

import numpy as np

from diorama.contracts.values import F32
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.layout import map_shape, observation_width
from diorama.worlds.townlet.reference.observe.features import features
from diorama.worlds.townlet.reference.observe.maps import MapBuilder
from diorama.worlds.townlet.reference.observe.social import social_block
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.tables.town_tables import TownTables


class Observer:
    """Builds observation rows: the map, channel by channel, then the features."""

    def __init__(self, tables: TownTables, config: SimulationConfig) -> None:
        """Prepare layers that never change."""
        self._maps = MapBuilder(tables, config)
        self.map_shape = map_shape(config)
        self.width = observation_width(config)

    def write_rows(self, town: Town, rows: F32) -> None:
        """Write one row per seat, shape (seats, width); zeros for a free seat."""
        crowd = self._maps.crowd_of(town)
        for row, citizen in zip(rows, town.seats, strict=True):
            if citizen is None:
                row[:] = 0.0
            else:
                self._write(town, citizen, crowd, row)

    def row_of(self, town: Town, citizen: Citizen) -> F32:
        """The row of one citizen, as a new array."""
        row = np.empty(self.width, dtype=np.float32)
        self._write(town, citizen, self._maps.crowd_of(town), row)
        return row

    def social_slots(self, town: Town, citizens: Sequence[Citizen]) -> list[tuple[int, ...]]:
        """Embedding slots shown in each citizen's social block, -1 for an empty place."""
        return [social_block(town, citizen).slots for citizen in citizens]

    def _write(self, town: Town, citizen: Citizen, crowd: F32, row: F32) -> None:
        window = self._maps.look(town, citizen, crowd)
        size = self.map_shape.size
        if size:
            self._maps.draw(town, citizen, window, crowd, row[:size].reshape(self.map_shape))
        row[size:] = features(town, citizen, window, social_block(town, citizen))
