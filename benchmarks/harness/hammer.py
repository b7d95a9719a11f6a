"""Asks a server the same things hundreds of times: the answers must not change, and must not be empty."""

import json
from dataclasses import dataclass
from typing import Any, Final

from harness.servers import RunningServer
from harness.transport import BadAnswer

_OK: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Something to ask again and again.

    Attributes:
        name: What is asked.
        path: Where.
        key: Of the number in the answer that must stay as it is, and must not be 0.
        times: How often.
    """

    name: str
    path: str
    key: str
    times: int


def hammer(server: RunningServer, question: Question) -> list[str]:
    """Ask, and return what was wrong with the answers; of equal faults the first is told, with their number.

    Raises:
        BadAnswer: The server answers with an error.
    """
    connection = server.connect()
    counts = []
    for _ in range(question.times):
        connection.request("GET", question.path)
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != _OK:
            raise BadAnswer(f"{question.name}: GET {question.path} answers {answer.status}: {body[:200]!r}")
        told: dict[str, Any] = json.loads(body)
        counts.append(told[question.key])
    connection.close()
    problems = []
    if not all(counts):
        problems.append(f"{question.name}: {counts.count(0)} of {len(counts)} answers of {question.path} are empty")
    if len(set(counts)) > 1:
        problems.append(f"{question.name}: {question.key} of {question.path} drifts: {sorted(set(counts))}")
    return problems
