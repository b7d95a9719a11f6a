"""The two documents that cross the arena's border: battle packages go in, battle results come out."""

from diorama.worlds.tidebreak.packages.canonical import document_hash, to_canonical_json
from diorama.worlds.tidebreak.packages.package import BattlePackage
from diorama.worlds.tidebreak.packages.problems import ExchangeError, PackageError, Problem, ResultError
from diorama.worlds.tidebreak.packages.result import BattleResult
from diorama.worlds.tidebreak.packages.results import check_result, read_result
from diorama.worlds.tidebreak.packages.schemas import json_schemas

__all__ = [
    "BattlePackage",
    "BattleResult",
    "ExchangeError",
    "PackageError",
    "Problem",
    "ResultError",
    "check_result",
    "document_hash",
    "json_schemas",
    "read_result",
    "to_canonical_json",
]
