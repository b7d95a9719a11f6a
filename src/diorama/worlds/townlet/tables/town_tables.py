"""`TownTables`: everything about a town that does not change while it runs."""

from dataclasses import dataclass

from diorama.worlds.townlet.codes import NOTHING
from diorama.worlds.townlet.tables.affordances import AffordanceRow
from diorama.worlds.townlet.tables.custom_hooks import CustomHook
from diorama.worlds.townlet.tables.paths import PathService
from diorama.worlds.townlet.tables.personalities import Profile
from diorama.worlds.townlet.tables.perturbations import PerturbationRow
from diorama.worlds.townlet.tables.places import ObjectRow, TownMap


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRow:
    """A job; ticks of the day, `end` exclusive."""

    index: int
    id: str
    start: int
    end: int
    wage_rate: float
    lateness_penalty: float
    tile: int
    zone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestInfo:
    """What the loader records about the affordance manifest."""

    path: str
    sha256: str
    object_count: int
    affordance_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TownTables:
    """The compiled town.

    Attributes:
        types: Object types by index.
        items: Items by number; the first three are meals, groceries and raw food.
        by_type: Affordances of each object type, in the order of `Interact0` to `Interact3`.
        roles: Affordance of each `Role`, -1 for a missing one.
        beds: Objects that are slept in, in manifest order; they give out homes.
        reach: By tile, the object in reach: the nearest whose use tile is within the request radius, else -1.
        open_to: By `Role` and zone, the objects for that role that residents of the zone may use, in manifest order.
        home_fridge: By zone, the fridge of its residents, else -1; `home_stove` likewise.
        effective_id: What everything is stamped with.
        warnings: What is odd about the town without being wrong.
    """

    map: TownMap
    paths: PathService
    objects: tuple[ObjectRow, ...]
    types: tuple[str, ...]
    items: tuple[str, ...]
    affordances: tuple[AffordanceRow, ...]
    by_type: tuple[tuple[AffordanceRow, ...], ...]
    roles: tuple[int, ...]
    custom_hooks: tuple[CustomHook, ...]
    jobs: tuple[JobRow, ...]
    profiles: tuple[Profile, ...]
    perturbations: tuple[PerturbationRow, ...]
    buckets: tuple[str, ...]
    beds: tuple[int, ...]
    reach: tuple[int, ...]
    open_to: tuple[tuple[tuple[int, ...], ...], ...]
    home_fridge: tuple[int, ...]
    home_stove: tuple[int, ...]
    cafe_zone: int
    park_zone: int
    town_checksum: str
    effective_id: str
    manifest: ManifestInfo
    warnings: tuple[str, ...]

    def object_index(self, object_id: str) -> int:
        """Index of an object by id, -1 if there is none."""
        return next((row.index for row in self.objects if row.id == object_id), NOTHING)
