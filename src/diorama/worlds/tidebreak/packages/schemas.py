"""JSON schemas of the exchanged documents, for producers and consumers in other languages."""

from collections.abc import Mapping

from pydantic.json_schema import JsonSchemaValue

from diorama.worlds.tidebreak.packages.package import BattlePackage
from diorama.worlds.tidebreak.packages.result import BattleResult


def json_schemas() -> Mapping[str, JsonSchemaValue]:
    """Return the schema of each document by its name, describing what a reader accepts."""
    return {
        "BattlePackage": BattlePackage.model_json_schema(mode="validation"),
        "BattleResult": BattleResult.model_json_schema(mode="validation"),
    }
