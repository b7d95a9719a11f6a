"""The content of a battle as one value: tables by name, and the hash that names them all."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Self

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import canonical_json, sha256_hex
from diorama.worlds.tidebreak.codes import SizeClass
from diorama.worlds.tidebreak.content.ship_class import ClassesFile, LenderRow, ShipClass, Signature, SizeRow
from diorama.worlds.tidebreak.content.weapon import Weapon, WeaponsFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Everything authored that a battle depends on.

    Attributes:
        classes: Hull classes by name, in the order of their codes.
        weapons: Weapons by id, in the order of their codes.
        sizes: Fallbacks by size.
        lenders: What hulls without a class borrow from, by size.
        decoy_signature: How a decoy shows.
        mine_signature: How a mine shows.
        content_hash: SHA-256 over the canonical JSON of all tables, 64 hexadecimal digits.
    """

    classes: Mapping[str, ShipClass]
    weapons: Mapping[str, Weapon]
    sizes: Mapping[SizeClass, SizeRow]
    lenders: Mapping[SizeClass, LenderRow]
    decoy_signature: Signature
    mine_signature: Signature
    content_hash: str

    @classmethod
    def of(cls, classes: ClassesFile, weapons: WeaponsFile) -> Self:
        """Put the tables together.

        Raises:
            ConfigError: The tables contradict themselves or one another.
        """
        _check_tables(classes, weapons)
        document = {"classes": classes.model_dump(mode="json"), "weapons": weapons.model_dump(mode="json")}
        return cls(
            classes=MappingProxyType({row.name: row for row in classes.classes}),
            weapons=MappingProxyType({row.id: row for row in weapons.weapons}),
            sizes=MappingProxyType({row.size: row for row in classes.sizes}),
            lenders=MappingProxyType({row.size: row for row in classes.lenders}),
            decoy_signature=classes.decoy_signature,
            mine_signature=classes.mine_signature,
            content_hash=sha256_hex(canonical_json(document)),
        )

    @property
    def custom_class_code(self) -> int:
        """Code of hulls that a package describes without a class: one past the table."""
        return len(self.classes)

    def size_of_crew(self, crew: int) -> SizeClass:
        """Size of a hull with this many people, where no class gives one."""
        for size, row in self.sizes.items():
            if row.crew_max is None or crew < row.crew_max:
                return size
        return SizeClass.XL

    def lender(self, size: SizeClass, *, is_submarine: bool) -> ShipClass:
        """Class whose columns complete a hull without one."""
        row = self.lenders[size]
        return self.classes[row.submarine if is_submarine else row.surface]


def _check_tables(classes: ClassesFile, weapons: WeaponsFile) -> None:
    problems: list[str] = []
    names = [row.name for row in classes.classes]
    ids = [row.id for row in weapons.weapons]
    problems += _not_counted("classes", names, [row.code for row in classes.classes])
    problems += _not_counted("weapons", ids, [row.code for row in weapons.weapons])
    for row in classes.classes:
        unknown = sorted({mount.weapon for mount in row.mounts} - set(ids))
        problems += [f"classes.{row.name}.mounts: no weapon is called {name!r}" for name in unknown]
    for table, sizes in (("sizes", classes.sizes), ("lenders", classes.lenders)):
        if [entry.size for entry in sizes] != list(SizeClass):
            problems.append(f"{table}: must have one row for each of S, M, L, XL, in this order")
    for lender in classes.lenders:
        unknown = sorted({lender.surface, lender.submarine} - set(names))
        problems += [f"lenders.{lender.size.name}: no class is called {name!r}" for name in unknown]
    if problems:
        raise ConfigError("; ".join(problems))


def _not_counted(table: str, names: list[str], codes: list[int]) -> list[str]:
    problems = [] if len(set(names)) == len(names) else [f"{table}: a name appears twice"]
    return problems if codes == list(range(len(codes))) else [*problems, f"{table}: codes must count up from 0"]
