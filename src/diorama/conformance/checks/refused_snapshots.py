"""Bad snapshots: bytes that are none are refused with SnapshotError, and the copy stays what it was."""

import time
from collections.abc import Iterator
from typing import Any, Final

from diorama.conformance.report import Report
from diorama.conformance.subject import Subject
from diorama.conformance.walking import Chooser, moment_of, short_walk
from diorama.contracts.errors import SnapshotError
from diorama.contracts.spec import WorldSpec
from diorama.contracts.tiers import Tier
from diorama.engine.batch import Batch
from diorama.snapshots import Words, pack_snapshot, unpack_snapshot

_STRANGE: Final = (2**64 - 1, 2**63, 0x7FF8000000000000, 10_000)  # -1, the lowest, not a number, too many
_MOST_WORDS: Final = 200
_SECONDS: Final = 3.0


def check_refused_snapshots(subject: Subject, report: Report) -> None:
    """Try many kinds of bytes on a copy in the middle of its episode."""
    for tier in subject.tiers:
        batch = subject.opened(tier)
        for _ in short_walk(batch, steps=5, seconds=3.0):
            pass
        spoiled = list(spoil(subject.spec, batch.snapshot(0)))
        for name, data in spoiled:
            _offer(batch, report, tier, name, data)
        _offer_strange(batch, report, tier)
        batch.close()
        report.note(f"{tier.value}: {len(spoiled)} kinds of bad bytes")


def spoil(spec: WorldSpec, good: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield bytes that are no snapshot, each with what is wrong with them."""
    yield "no bytes", b""
    yield "half of a snapshot", good[: len(good) // 2]
    yield "a snapshot without its last byte", good[:-1]
    yield "a snapshot and one byte more", good + b"\0"
    yield "a snapshot of another world", b"\0\0\0\0" + good[4:]
    for name, place in (("version", 4), ("first half", len(good) // 3), ("middle", len(good) // 2), ("end", -1)):
        yield f"a snapshot with a flipped bit in its {name}", _flipped(good, place)
    header, words = unpack_snapshot(good, spec.snapshot_magic, spec.snapshot_version)
    for name, changed in (("no state at all", words[:0]), ("one word too few", words[:-1])):
        yield f"a well-framed snapshot with {name}", _framed(spec, header, changed)
    strange = {**header, "no_key_of_any_world": 1}
    yield "a snapshot of another configuration", _framed(spec, strange, words)


def strange_words(words: Words) -> Iterator[tuple[str, Words]]:
    """Yield states in which one word is out of the ordinary; a world may refuse them, or live with them."""
    step = max(1, len(words) // _MOST_WORDS)
    for place in range(0, len(words), step):
        for value in _STRANGE:
            changed = words.copy()
            changed[place] = value
            yield f"a state with {value:#x} as word {place}", changed


def _offer_strange(batch: Batch, report: Report, tier: Tier) -> None:
    """Whatever is taken must be a state that can be looked at and stepped."""
    spec, kept, until = batch.spec, batch.snapshot(0), time.monotonic() + _SECONDS
    header, words = unpack_snapshot(kept, spec.snapshot_magic, spec.snapshot_version)
    for name, changed in strange_words(words):
        if time.monotonic() > until:
            break
        try:
            batch.restore_all([_framed(spec, header, changed)])
            batch.render_state(0)
            batch.step(Chooser(spec).choose(batch))
        except SnapshotError:
            continue
        except Exception as error:  # a state that was taken may break in any way
            report.fail(
                f"{tier.value} tier: {name} was taken, and led to {type(error).__name__}: {error}",
                fix="load_words() raises SnapshotError for every value that the rules cannot lead to",
            )
        batch.restore_all([kept])


def _framed(spec: WorldSpec, header: dict[str, Any], words: Words) -> bytes:
    return pack_snapshot(spec.snapshot_magic, spec.snapshot_version, header, words)


def _flipped(data: bytes, place: int) -> bytes:
    changed = bytearray(data)
    changed[place] ^= 1
    return bytes(changed)


def _offer(batch: Batch, report: Report, tier: Tier, name: str, data: bytes) -> None:
    before, kept = moment_of(batch), batch.snapshot(0)
    error = _error_of(batch, data)
    if error is None:
        report.fail(
            f"{tier.value} tier: {name} was taken",
            fix="count the words in load_words(), with WordReader.finish(), and raise SnapshotError",
        )
        batch.restore_all([kept])
        return
    report.expect(
        isinstance(error, SnapshotError),
        f"{tier.value} tier: {name} raised {type(error).__name__}: {error}",
        fix="raise SnapshotError where words make no sense; WordReader and its finish() do most of it",
    )
    report.expect(
        not before.differs_in(moment_of(batch)) and batch.snapshot(0) == kept,
        f"{tier.value} tier: {name} was refused, and the copy is not what it was",
        fix="read everything before anything is taken over",
    )


def _error_of(batch: Batch, data: bytes) -> Exception | None:
    try:
        batch.restore_all([data])
    except Exception as error:  # what kind it is, is the question
        return error
    return None
