"""What can be wrong with an exchanged document, and the one exception that carries all of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diorama.contracts.errors import DocumentError

CODE_MEANINGS: Final = {
    "P001": "schema_version missing or prefix not `arena.`",
    "P002": "required field missing",
    "P003": "wrong type",
    "P004": "value outside range, NaN or infinite",
    "P005": "unknown enum name",
    "P010": "seed not in 1 to 2^53 - 1",
    "P011": "time_step_s not allowed; time_limit_s not whole seconds",
    "P020": "duplicate team_id",
    "P021": "fewer than 2 or more than 4 teams; a team without ships",
    "P022": "team reference does not exist",
    "P030": "duplicate ship_id",
    "P031": "more than 64 ships",
    "P032": "class_id unknown and explicit parameters incomplete",
    "P033": "weapon_type unknown; slot duplicated; more than 12 mounts",
    "P034": "initial position outside bounds, inside a solid obstacle, on invalid terrain, or overlapping another unit",
    "P035": "initial layer not allowed for the hull",
    "P036": "initial speed above the class limit; hp above maximum or ≤ 0; ammo above capacity",
    "P040": "objective refers to an unknown ship, or lacks the field its type needs",
    "P041": "zone or destination malformed",
    "P050": "polygon not convex, not counter-clockwise, or vertex count outside 3 to 16",
    "P051": "bathymetry or current grid wrong shape",
    "P052": "bounds inverted or side outside 2,000 to 32,768 m",
    "P060": "content_hash differs",
    "P061": "extended block used with a lower schema_version (warning only, block ignored)",
    "R001": "ships of the result are not those of the package, in its order",
    "R002": "an echoed value differs from the package's",
    "R003": "the battle lasted longer than its limit",
    "R004": "a team of the result is not a team of the package",
    "R005": "all marines are aboard an XL hull and no beachhead is established",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        code: Key of `CODE_MEANINGS`.
        path: Where, keys and indices joined by dots; empty for the whole document.
        message: What was found and what would be right.
    """

    code: str
    path: str
    message: str

    def __str__(self) -> str:
        """Return one line for a person."""
        return f"{self.code} {self.path or 'document'}: {self.message}"


_TOLD: Final = 20  # problems of one message


class ExchangeError(DocumentError):
    """A package or a result is wrong; `errors` lists everything that is."""

    def __init__(self, errors: Sequence[Problem]) -> None:
        """Keep the problems and put the first of them into the message, one per line."""
        lines = [str(problem) for problem in errors[:_TOLD]]
        if len(errors) > _TOLD:
            lines.append(f"and {len(errors) - _TOLD} more problems")
        super().__init__("\n".join(lines))
        self.errors: list[Problem] = list(errors)


class PackageError(ExchangeError):
    """A battle package is wrong."""


class ResultError(ExchangeError):
    """A battle result is wrong, or is not a result of its package."""
