"""Golden runs: what a scenario came to when it was last looked at, kept beside the suite."""

import json
from importlib import resources
from pathlib import Path

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import JsonObject
from diorama.worlds.townlet.scenarios.result import ScenarioResult


def golden_text(result: ScenarioResult) -> str:
    """The golden document of a result."""
    return json.dumps(result.golden(), indent=1) + "\n"


def read_golden(name: str) -> JsonObject | None:
    """The golden document of a scenario that ships with the town; None if it has none.

    Raises:
        DocumentError: The file is no JSON object.
    """
    file = resources.files(__package__) / "golden" / f"{name}.json"
    if not file.is_file():
        return None
    try:
        document: JsonObject = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DocumentError(f"{file.name}: {error}") from None
    return document


def golden_path(name: str) -> Path:
    """Where the golden document of a scenario is written."""
    return Path(__file__).parent / "golden" / f"{name}.json"


def differences(result: ScenarioResult, golden: JsonObject) -> list[str]:
    """In words, where a result differs from its golden document; the first of each kind."""
    found = json.loads(golden_text(result))
    told = []
    for key in ("seed", "ticks", "hashes", "events", "returns"):
        before, now = golden[key], found[key]
        if before == now:
            continue
        if isinstance(before, dict):
            place = next(name for name in [*before, *now] if before.get(name) != now.get(name))
            told.append(f"{key} {place}: was {before.get(place)}, is now {now.get(place)}")
        else:
            told.append(f"{key}: was {before}, is now {now}")
    return told
