"""What a citizen's observation row says, in the units of the rules."""

from typing import Final

from diorama.contracts.values import F32
from diorama.numerics import TWO_PI, atan2, round_half_up
from diorama.worlds.townlet.layout import FEATURE_INDEX, FEATURES

TICKS_PER_DAY: Final = 1000  # rows tell the time as a share of the day; the canonical day has this many ticks
_FARTHEST: Final = 96  # distances end here
_PANTRY: Final = 4  # supplies are told up to this many


class View:
    """Reads the features of one row; the map before them is left alone."""

    __slots__ = ("_features",)

    def __init__(self, row: F32) -> None:
        """Look at a row of any variant: the features are always its end."""
        self._features = row[len(row) - FEATURES :]

    def feature(self, name: str) -> float:
        """Return a feature by its name in the layout."""
        return float(self._features[FEATURE_INDEX[name]])

    @property
    def tod(self) -> int:
        """Time of day in ticks."""
        angle = atan2(self.feature("time_sin"), self.feature("time_cos"))
        return int(round_half_up(angle / TWO_PI * TICKS_PER_DAY)) % TICKS_PER_DAY

    @property
    def ticks_to_shift(self) -> int:
        """Ticks until the shift begins; negative while it lasts."""
        return int(round_half_up(self.feature("ticks_to_shift_norm") * TICKS_PER_DAY))

    @property
    def steps_to_work(self) -> int:
        """Path distance to the place of work."""
        return self.steps_to("work")

    def steps_to(self, landmark: str) -> int:
        """Path distance to a landmark, such as `bed`."""
        return int(round_half_up(self.feature(f"{landmark}_dist") * _FARTHEST))

    @property
    def food_raw(self) -> int:
        """Raw food at hand, 4 if more."""
        return int(round_half_up(self.feature("food_raw_norm") * _PANTRY))

    @property
    def home_meals(self) -> int:
        """Meals in the own fridge, 4 if more."""
        return int(round_half_up(self.feature("home_meals_norm") * _PANTRY))
