"""The resolved battle as bytes and back."""

from dataclasses import dataclass, fields, is_dataclass

from pydantic import TypeAdapter, ValidationError

from diorama.contracts.errors import ContractError
from diorama.contracts.validation import first_problem
from diorama.contracts.values import JsonValue, canonical_json, sha256_hex
from diorama.worlds.tidebreak.packages.problems import Problem
from diorama.worlds.tidebreak.resolve.records import FORMAT
from diorama.worlds.tidebreak.resolve.unit_records import ResolvedBattle

_BATTLE: TypeAdapter[ResolvedBattle] = TypeAdapter(ResolvedBattle)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedPackage:
    """A battle ready to be fought.

    Attributes:
        battle: As records, for the readable tier.
        document: The same as canonical JSON (keys sorted, no spaces, shortest floats), for the native tier.
        sha256: Of the document, 64 hexadecimal digits.
        warnings: What was ignored on the way.
    """

    battle: ResolvedBattle
    document: bytes
    sha256: str
    warnings: tuple[Problem, ...] = ()


def encode(battle: ResolvedBattle, warnings: tuple[Problem, ...] = ()) -> ResolvedPackage:
    """Write the records down."""
    text = canonical_json(_plain(battle))
    return ResolvedPackage(battle=battle, document=text.encode(), sha256=sha256_hex(text), warnings=warnings)


def read_resolved(document: bytes) -> ResolvedPackage:
    """Read what `encode` wrote.

    Raises:
        ContractError: The bytes are no resolved package; the message starts with C001.
    """
    try:
        battle = _BATTLE.validate_json(document)
    except ValidationError as error:
        raise ContractError(f"C001 not a resolved package: {first_problem(error)}") from None
    if battle.format != FORMAT:
        raise ContractError(f"C001 not a resolved package: format is {battle.format!r}, not {FORMAT!r}")
    try:
        return encode(battle)
    except ValueError:
        raise ContractError("C001 not a resolved package: a number in it is not finite") from None


def _plain(value: object) -> JsonValue:
    """Turn records into mappings; unlike `dataclasses.asdict` it leaves the long tuples of numbers as they are."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple) and value and is_dataclass(value[0]):
        return [_plain(item) for item in value]
    plain: JsonValue = value  # type: ignore[assignment]  # records hold only numbers, texts and tuples of them
    return plain
