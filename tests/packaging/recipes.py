"""Container recipes as data: the instructions of a Dockerfile, and the services of a compose file."""

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final

import yaml

from tests.packaging.environments import ROOT

COMPOSE: Final = ROOT / "docker-compose.yml"
RECIPES: Final = tuple(sorted((ROOT / "containers").glob("*.Dockerfile")))

_CONTINUED: Final = re.compile(r"\\\n")
_FLAG: Final = re.compile(r"--[a-z-]+(?:=\S+)?\s+")
_VARIABLE: Final = re.compile(r"\$(?:\{(?P<name>\w+)(?::-(?P<default>[^}]*))?\}|(?P<bare>\w+))")
_WHAT_ENGINES_READ: Final = frozenset(
    {"ARG", "FROM", "ENV", "RUN", "COPY", "USER", "WORKDIR", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
)


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: its word, and what follows it without flags."""

    word: str
    body: str


def read_recipe(path: Path) -> list[Instruction]:
    """Return the instructions of a Dockerfile in their order; one we do not know is an error."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#")]
    found = []
    for line in _CONTINUED.sub(" ", "\n".join(lines)).splitlines():
        if not line.strip():
            continue
        word, _, body = line.partition(" ")
        assert word in _WHAT_ENGINES_READ, f"{path.name}: {word} is not known here"
        while (flag := _FLAG.match(body.lstrip())) is not None:
            body = body.lstrip()[flag.end() :]
        found.append(Instruction(word, body.strip()))
    return found


def expand(text: str, values: Mapping[str, str]) -> str:
    """Put values in place of `$NAME`, `${NAME}` and `${NAME:-default}`, as engines do; unknown ones are empty."""
    return _VARIABLE.sub(lambda found: values.get(found["name"] or found["bare"], "") or found["default"] or "", text)


def assignments(body: str, values: Mapping[str, str]) -> dict[str, str]:
    """Return what an `ENV` sets."""
    return dict(word.split("=", 1) for word in shlex.split(expand(body, values)))


def words_of(body: str) -> list[str]:
    """Return a command in its exec form; the others would need a shell in the image."""
    words = json.loads(body)
    assert isinstance(words, list)
    return [str(word) for word in words]


def services(environment: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Return the services of the compose file, as they are in an environment."""
    document = yaml.safe_load(expand(COMPOSE.read_text(encoding="utf-8"), environment))
    found: dict[str, dict[str, Any]] = document["services"]
    return found


def is_sent(path: str) -> bool:
    """Return whether a file of the repository reaches the engine, as `.dockerignore` says: the last match decides."""
    sent = True
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").split():
        if fnmatch(path, line.removeprefix("!")):
            sent = line.startswith("!")
    return sent
