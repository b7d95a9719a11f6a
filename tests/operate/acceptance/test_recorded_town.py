"""The stream that the panels of the page are tested with is one that a town of today could have told."""

from typing import Any

import jsonschema_rs
import msgspec

from diorama.telemetry.live.reader import LiveState
from diorama.telemetry.live.schemas import message_schema, world_event_schema
from diorama.worlds.townlet.live.offer import LIVE
from tests.operate.acceptance.recorded_town import STREAM
from tests.worlds.townlet.live.live_towns import watched

RENEW = "record it anew: python -m tests.operate.acceptance.recorded_town"
OF_THE_SERVICES = {"transport", "health", "stability", "promotion", "console_results"}


def test_the_recorded_stream_is_a_stream_of_today() -> None:
    is_message = jsonschema_rs.validator_for(dict(message_schema()))
    is_event = jsonschema_rs.validator_for(dict(world_event_schema("townlet", LIVE.events)))
    state: Any = LiveState()
    for line in STREAM.read_bytes().splitlines():
        message = msgspec.json.decode(line)
        assert is_message.is_valid(message), RENEW
        assert all(map(is_event.is_valid, message["events"])), RENEW
        assert state.apply(message), RENEW

    told, today = state.state, watched().run(1).state
    assert isinstance(today, dict)
    assert set(told) == set(today) | OF_THE_SERVICES, RENEW
    for block in ("policy", "kpis", "perturbations", "lifecycle", "employment", "economy"):
        assert set(told[block]) >= set(today[block]), (block, RENEW)
    assert set(told["agents"]["guest"]) >= set(today["agents"]["citizen_000"]) - {"running"}, RENEW
