"""Battles and campaigns as documents: packages, resolved packages, results, saves."""

import json
import re
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

import diorama
from diorama.contracts.values import canonical_json, sha256_hex
from diorama.worlds.tidebreak.campaign import Campaign
from diorama.worlds.tidebreak.campaign.saves import FORMAT
from diorama.worlds.tidebreak.packages import read_result
from diorama.worlds.tidebreak.resolve import read_package, read_resolved, resolve
from tests.fuzz.damage import as_text, damaged_bytes, damaged_json, damaged_value
from tests.fuzz.effort import examples, read_or_refused
from tests.worlds.tidebreak.samples import demo, full, result

RESOLVED = resolve(read_package(demo()).package).document
SAVE = json.loads(Campaign(seed=3, player=None).to_text())


@examples(5)
@given(data=damaged_json(demo()) | damaged_json(full()))
@example(data=b"[" * 100_000)
def test_whatever_a_package_holds_it_is_resolved_or_refused(data: bytes) -> None:
    with read_or_refused():
        resolve(read_package(data).package)


@examples(5)
@given(data=damaged_json(json.loads(RESOLVED)) | damaged_bytes(RESOLVED))
@example(data=re.sub(rb'"thermocline":[^,}]+', b'"thermocline":1e999', RESOLVED))
def test_whatever_a_resolved_package_holds_it_is_read_or_refused(data: bytes) -> None:
    with read_or_refused():
        read_resolved(data)


@examples(5, share=0.1)
@given(package=damaged_value(demo()).filter(lambda value: isinstance(value, dict)))
def test_whatever_package_a_world_is_given_it_is_fought_or_refused(package: dict[str, Any]) -> None:
    with read_or_refused():
        batch = diorama.make("tidebreak", copies=1, seed=1, config={"package": package}, threads=1)
        batch.reset()


@examples(5)
@given(data=damaged_json(result()))
def test_whatever_a_result_holds_it_is_read_or_refused(data: bytes) -> None:
    with read_or_refused():
        read_result(data)


def _sealed(state: Any) -> str:
    """Write a save whose checksum fits what is in it."""
    text = as_text(state)
    try:
        seal = sha256_hex(canonical_json(json.loads(text)))
    except (ValueError, RecursionError):
        seal = ""
    return f'{{"format": "{FORMAT}", "sha256": "{seal}", "battles": [], "state": {text}}}'


@examples(5, share=0.1)
@given(
    text=damaged_value(SAVE["state"]).map(_sealed)
    | damaged_json(SAVE).map(lambda data: data.decode("utf-8", "replace"))
)
@example(text='{"format": "campaign.v1", "state": NaN}')
@example(text="[" * 100_000)
@example(text='{"format": "campaign.v1", "state": ' + "[" * 3000 + "]" * 3000 + "}")
def test_whatever_a_save_holds_the_campaign_goes_on_or_is_refused(text: str) -> None:
    with read_or_refused():
        campaign = Campaign.from_text(text)
        again = campaign.to_text()
        assert Campaign.from_text(again).to_text() == again


@examples(5)
@given(data=st.binary(max_size=40))
def test_whatever_bytes_come_they_are_no_battle(data: bytes) -> None:
    with read_or_refused():
        read_resolved(data)
