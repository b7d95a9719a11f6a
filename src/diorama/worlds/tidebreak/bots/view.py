"""An observation row and its mask as a captain reads them: contacts in meters, bearings off the bow."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import F32, U8
from diorama.numerics import atan2, hyp
from diorama.worlds.tidebreak.bots.hulls import Hull, hull_like
from diorama.worlds.tidebreak.codes import Layer, ObjectiveType, TrackQuality
from diorama.worlds.tidebreak.contract import HEAD_OFFSETS, Head
from diorama.worlds.tidebreak.layout import (
    COMPACT_CONTACT_ROWS,
    COMPACT_HOSTILE_ROWS,
    CONTACT_COLUMNS,
    CONTACT_ROWS,
    HOSTILE_ROWS,
    MATE_ROWS,
    OBS_WIDTH,
    Contact,
    Env,
    Own,
)
from diorama.worlds.tidebreak.reference.scripts.course import SEARCH_CIRCLE, around

HALF_MAP_M: Final = 8_000.0
_RANGE_SCALE_M: Final = 20_000.0
_CUE_HANDICAP_M: Final = 4_000.0
_OWN_SPEED_SCALE_MS: Final = 30.0
_SPEED_SCALE_MS: Final = 40.0
_BELOW: Final = 0.5  # probability from which a contact counts as being under water

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A contact; `bearing` is relative to the bow, positive to port, `speed_ms` over the water."""

    row: int
    range_m: float
    bearing: float
    speed_ms: float
    quality: int
    is_below: bool


class View:
    """One row, read once.

    Attributes:
        own: The block `own_state`.
        environment: The block `environment`.
        hull: Class of the ship.
        best: The contact worth going for, None without one.
        threat: The nearest hostile torpedo or missile that is sensed, None without one.
    """

    def __init__(self, obs: F32, mask: U8) -> None:
        """Read a row of either profile."""
        is_full = len(obs) == OBS_WIDTH
        rows = CONTACT_ROWS if is_full else COMPACT_CONTACT_ROWS
        hostile = HOSTILE_ROWS if is_full else COMPACT_HOSTILE_ROWS
        numbers: Floats = obs.astype(np.float64)
        contacts = numbers[Own.SIZE : Own.SIZE + rows * CONTACT_COLUMNS].reshape(rows, CONTACT_COLUMNS)
        self._mask = mask
        self.own = numbers[: Own.SIZE]
        self.environment = numbers[Own.SIZE + rows * CONTACT_COLUMNS :]
        self.hull: Hull = hull_like(float(self.environment[Env.OWN_COST]), float(self.own[Own.ARMOUR]))
        self.best = min(
            (self._sighting(row, contacts[row]) for row in range(hostile) if contacts[row, Contact.VALID]),
            key=lambda seen: seen.range_m + (_CUE_HANDICAP_M if seen.quality == TrackQuality.Q0 else 0.0),
            default=None,
        )
        first_munition = hostile + MATE_ROWS
        self.threat = next(
            (self._sighting(row, contacts[row]) for row in range(first_munition, rows) if contacts[row, Contact.VALID]),
            None,
        )

    def allows(self, head: Head, option: int) -> bool:
        """Whether the mask has the option."""
        return bool(self._mask[HEAD_OFFSETS[head] + option])

    @property
    def layer(self) -> Layer:
        """Where the ship is."""
        return Layer(int(np.argmax(self.own[Own.LAYER : Own.LAYER + len(Layer)])))

    @property
    def heading(self) -> float:
        """World heading."""
        return atan2(float(self.own[Own.SIN_HEADING]), float(self.own[Own.COS_HEADING]))

    @property
    def objective(self) -> ObjectiveType | None:
        """What the ship is told to do."""
        told = self.environment[Env.OBJECTIVE_TYPE : Env.OBJECTIVE_TYPE + len(ObjectiveType)]
        return ObjectiveType(int(np.argmax(told))) if told.any() else None

    @property
    def center_bearing(self) -> float:
        """Bearing of the middle of the map off the bow."""
        return atan2(-float(self.own[Own.Y]), -float(self.own[Own.X])) - self.heading

    @property
    def center_m(self) -> float:
        """Distance of the middle of the map."""
        return hyp(float(self.own[Own.X]), float(self.own[Own.Y])) * HALF_MAP_M

    @property
    def search_bearing(self) -> float:
        """Bearing off the bow without a contact, around the middle of the map as the scripts go."""
        return around(self.center_bearing, self.center_m, SEARCH_CIRCLE * HALF_MAP_M)

    def bearing_at(self, place: int) -> float:
        """Bearing whose sine and cosine stand at a place of the environment."""
        return atan2(float(self.environment[place]), float(self.environment[place + 1]))

    def _sighting(self, row: int, contact: Floats) -> Sighting:
        bearing = atan2(float(contact[Contact.SIN_BEARING]), float(contact[Contact.COS_BEARING]))
        return Sighting(
            row=row,
            range_m=float(contact[Contact.RANGE]) * _RANGE_SCALE_M,
            bearing=bearing,
            speed_ms=self._speed(contact),
            quality=int(np.argmax(contact[Contact.QUALITY : Contact.QUALITY + len(TrackQuality)])),
            is_below=bool(contact[Contact.LAYER] < 1.0 - _BELOW),
        )

    def _speed(self, contact: Floats) -> float:
        """Own velocity along and across the line of sight, plus what closing and crossing say."""
        sine, cosine = float(contact[Contact.SIN_BEARING]), float(contact[Contact.COS_BEARING])
        ahead = float(self.own[Own.SPEED_AHEAD]) * _OWN_SPEED_SCALE_MS
        left = float(self.own[Own.SPEED_LEFT]) * _OWN_SPEED_SCALE_MS
        along = ahead * cosine + left * sine - float(contact[Contact.CLOSING_SPEED]) * _SPEED_SCALE_MS
        across = left * cosine - ahead * sine + float(contact[Contact.CROSS_SPEED]) * _SPEED_SCALE_MS
        return hyp(along, across)
