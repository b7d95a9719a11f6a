"""The limits that SECURITY.md promises are those of the code."""

import re
from typing import Final

from diorama.contracts.live.settings.operation import Console
from diorama.learn.imitation import dataset_files
from diorama.learn.settings import policy
from diorama.operate.console.guesses import WRONG_TOKENS_PER_MINUTE
from diorama.operate.snapshots import files as live_snapshots
from diorama.runs import documents, lines
from diorama.runs.checkpoints import tensor_files
from diorama.runs.replays import reader, sidecar
from diorama.server import connections
from diorama.server.body_limit import MAX_BODY_BYTES
from diorama.server.campaigns import files as campaigns
from diorama.server.play.hindsight import MOST_STEPS
from diorama.server.play.limits import PlayLimits
from diorama.server.reading.frames import PAGE_BYTES
from diorama.server.serving import SOCKET_MESSAGE_BYTES
from diorama.server.settings import ServerSettings
from diorama.storage import array_files, json_text, line_files, unpacking, yaml_text
from diorama.telemetry.live.transports.building import DEFAULT_ROTATE_BYTES, DEFAULT_ROTATE_KEEP
from diorama.worlds.gameboy import cartridge
from diorama.worlds.tidebreak.packages import documents as packages
from tests.docs.blocks import ROOT

_UNITS: Final = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_NUMBER: Final = re.compile(r"(\d[\d,]*)(?: (KiB|MiB|GiB))?")


def rows(first: str) -> list[list[str]]:
    """Return the lines of the table whose first column has that name."""
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition(f"\n| {first} |")[2].partition("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]


def numbers(text: str) -> list[int]:
    return [int(digits.replace(",", "")) * _UNITS.get(unit, 1) for digits, unit in _NUMBER.findall(text)]


def table() -> dict[str, tuple[list[int], list[str]]]:
    """Return the numbers and the settings of every line."""
    return {what: (numbers(most), re.findall(r"`([\w.]+)`", settings)) for what, most, settings in rows("What")}


def test_what_the_environment_sets_has_the_default_that_is_told() -> None:
    settings = {f"DIORAMA_{name.upper()}": field for name, field in ServerSettings.model_fields.items()}
    found = 0
    for what, (numbers, names) in table().items():
        told = [name for name in names if name.startswith("DIORAMA_")]
        # Where only the last number can be set, the first is fixed.
        for name, number in zip(reversed(told), reversed(numbers), strict=False):
            assert settings[name].default == number, f"{what}: {name}"
            found += 1
    kinds = r"_MAX|_IDLE|CACHE_BYTES|_COST|CALL_SECONDS|MEMORY_BYTES|SAVED|ROTATE_BYTES|SHUTDOWN"
    bounded = [name for name in settings if re.search(kinds, name)]
    assert sorted(set(bounded) - {name for _, names in table().values() for name in names}) == [
        "DIORAMA_CAMPAIGN_IDLE_SECONDS"
    ]
    assert found == len(bounded) - 1


def test_what_is_fixed_is_as_it_is_told() -> None:
    told = {what: numbers for what, (numbers, _) in table().items()}

    assert told["address and headers of a request; its body"] == [connections.MAX_HEAD_BYTES, MAX_BODY_BYTES]
    assert told["until a request has arrived; until 64 KiB of its answer, or the rest, are taken"] == [
        connections.REQUEST_SECONDS,
        connections.TAKING_SECONDS,
    ]
    assert connections.TAKEN_BYTES == 64 << 10
    assert told["answers that wait to be taken, in all"] == [connections.MAX_WAITING_BYTES]
    assert told["message of a socket to the server"] == [SOCKET_MESSAGE_BYTES]
    assert told["decisions of one episode at play; taken again for one answer"] == [PlayLimits().decisions, MOST_STEPS]
    assert told["frames of one page; unpacked frames that are kept"][0] == PAGE_BYTES
    console = Console()
    assert told["commands of a console; in a minute by one person"] == [
        console.max_pending,
        console.rate_limit_per_minute,
    ]
    assert told["different wrong tokens from one address in a minute"] == [WRONG_TOKENS_PER_MINUTE]
    assert told["telemetry of a live world on the disk"] == [DEFAULT_ROTATE_KEEP + 1, DEFAULT_ROTATE_BYTES]


def test_files_are_refused_at_the_sizes_that_are_told() -> None:
    told = {what: numbers(most) for what, most in rows("File")}

    assert told == {
        "document of a run; its lines of windows, events or matches; one line": [
            documents.MAX_DOCUMENT_BYTES,
            lines.MAX_LINES_BYTES,
            line_files.MAX_LINE_BYTES,
        ],
        "JSON": [json_text.MAX_VALUES, json_text.MAX_DEPTH, json_text.INT_BITS],
        "member of a replay, packed or unpacked; its frames": [reader.MAX_MEMBER_BYTES, sidecar.MAX_MEMBER_FRAMES],
        "checkpoint; its header": [tensor_files.MAX_FILE_BYTES, tensor_files.MAX_HEADER_BYTES],
        "layer of a policy; layers one after another": [policy.MAX_WIDTH, policy.MAX_LAYERS],
        "episode of a dataset, packed; arrays of an archive, unpacked; its members": [
            dataset_files.MAX_FILE_BYTES,
            array_files.MAX_ARCHIVE_BYTES,
            unpacking.MAX_MEMBERS,
        ],
        "YAML": [yaml_text.MAX_BYTES, yaml_text.MAX_DEPTH, yaml_text.MAX_VALUES],
        "snapshot of a live world; unpacked": [live_snapshots.MAX_FILE_BYTES, live_snapshots.MAX_TEXT_BYTES],
        "battle package or result; campaign": [packages.MAX_BYTES, campaigns.MAX_FILE_BYTES],
        "ROM": [cartridge.MOST_BYTES],
    }
