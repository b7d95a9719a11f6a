"""The limits that SECURITY.md promises are those of the code."""

import re
from typing import Final

from diorama.contracts.live.settings.operation import Console
from diorama.server.body_limit import MAX_BODY_BYTES
from diorama.server.play.hindsight import MOST_STEPS
from diorama.server.play.limits import PlayLimits
from diorama.server.reading.frames import PAGE_BYTES
from diorama.server.serving import SOCKET_MESSAGE_BYTES
from diorama.server.settings import ServerSettings
from diorama.telemetry.live.transports.building import DEFAULT_ROTATE_BYTES, DEFAULT_ROTATE_KEEP
from tests.docs.blocks import ROOT

_UNITS: Final = {"KiB": 1 << 10, "MiB": 1 << 20}
_NUMBER: Final = re.compile(r"([\d,]+)(?: (KiB|MiB))?")


def table() -> dict[str, tuple[list[int], list[str]]]:
    """Return the numbers and the settings of every line."""
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition("## Limits")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return {
        what: (
            [int(digits.replace(",", "")) * _UNITS.get(unit, 1) for digits, unit in _NUMBER.findall(most)],
            re.findall(r"`([\w.]+)`", settings),
        )
        for what, most, settings in rows[2:]
    }


def test_what_the_environment_sets_has_the_default_that_is_told() -> None:
    settings = {f"DIORAMA_{name.upper()}": field for name, field in ServerSettings.model_fields.items()}
    found = 0
    for what, (numbers, names) in table().items():
        told = [name for name in names if name.startswith("DIORAMA_")]
        # Where only the last number can be set, the first is fixed.
        for name, number in zip(reversed(told), reversed(numbers), strict=False):
            assert settings[name].default == number, f"{what}: {name}"
            found += 1
    bounded = [name for name in settings if re.search(r"_MAX|_IDLE|CACHE_BYTES", name)]
    assert sorted(set(bounded) - {name for _, names in table().values() for name in names}) == [
        "DIORAMA_CAMPAIGN_IDLE_SECONDS"
    ]
    assert found == len(bounded) - 1


def test_what_is_fixed_is_as_it_is_told() -> None:
    told = {what: numbers for what, (numbers, _) in table().items()}

    assert told["body of a request"] == [MAX_BODY_BYTES]
    assert told["message of a socket to the server"] == [SOCKET_MESSAGE_BYTES]
    assert told["decisions of one episode at play; taken again for one answer"] == [PlayLimits().decisions, MOST_STEPS]
    assert told["frames of one page; unpacked frames that are kept"][0] == PAGE_BYTES
    console = Console()
    assert told["commands of a console; in a minute by one person"] == [
        console.max_pending,
        console.rate_limit_per_minute,
    ]
    assert told["telemetry of a live world on the disk"] == [DEFAULT_ROTATE_KEEP + 1, DEFAULT_ROTATE_BYTES]
