from typing import Any

import pytest

from diorama.cli.console.completion import Completer
from diorama.cli.console.words import parse_words

TELEPORT = {
    "name": "teleport",
    "aliases": ["jump"],
    "arguments": {
        "properties": {
            "agent_id": {"type": "string"},
            "x": {"type": "integer"},
            "force": {"type": "boolean"},
            "mood": {"anyOf": [{"enum": ["on", "off"]}, {"type": "null"}]},
        }
    },
}


@pytest.mark.parametrize(
    ("words", "args", "kwargs"),
    [
        pytest.param(["citizen_001", "10", "-2.5"], ["citizen_001", 10, -2.5], {}, id="in-order"),
        pytest.param(["force=true", "name=Nora B"], [], {"force": True, "name": "Nora B"}, id="by-name"),
        pytest.param(["--to", "abc", "--dry-run"], [], {"to": "abc", "dry_run": True}, id="options"),
        pytest.param(["--reason=a=b"], [], {"reason": "a=b"}, id="option-with-value"),
        pytest.param(['needs={"hunger": 0.2}', "[1,2]"], [[1, 2]], {"needs": {"hunger": 0.2}}, id="json"),
        pytest.param(["on", "1x", "NaN", "a = b"], ["on", "1x", "NaN", "a = b"], {}, id="text-stays-text"),
        pytest.param(["null", "x="], [None], {"x": ""}, id="nothing"),
    ],
)
def test_words_become_arguments(words: list[str], args: list[Any], kwargs: dict[str, Any]) -> None:
    assert parse_words(words) == (args, kwargs)


@pytest.mark.parametrize(
    ("line", "text", "offers"),
    [
        pytest.param("te", "te", ["jump ", "teleport "], id="command"),
        pytest.param("teleport ", "", ["agent_id=", "x=", "force=", "mood="], id="arguments"),
        pytest.param("jump a 1 ", "", ["true ", "false ", "force=", "mood="], id="values-of-the-next"),
        pytest.param("jump a 1 force=true m", "m", ["true ", "false ", "mood="], id="not-twice"),
        pytest.param("jump a mood=o", "mood=o", ["mood=on ", "mood=off "], id="named-values"),
        pytest.param("nothing x", "x", [], id="unknown"),
    ],
)
def test_a_line_is_completed_from_the_help(line: str, text: str, offers: list[str]) -> None:
    completer = Completer([TELEPORT], lambda: line)

    assert completer.offers(line, text) == offers
    assert completer.complete(text, len(offers)) is None
