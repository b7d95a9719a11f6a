"""A summary adds up what can be added and follows the rest."""

from diorama.telemetry.ppo.fields import PpoVersion
from diorama.telemetry.ppo.summary import FieldSummary, summarize
from tests.telemetry.factories import ppo_record


def test_counters_are_added_and_fields_followed() -> None:
    records = [
        ppo_record(1, loss_value=3.0),
        ppo_record(2, loss_value=1.0, data_mode="mixed"),
        ppo_record(3, loss_value=2.0),
    ]

    summary = summarize(records)

    assert (summary.records, summary.versions, summary.data_modes) == (3, (1.1,), ("mixed", "rollout"))
    assert (summary.updates, summary.transitions, summary.steps) == (48, 1536, 1536)
    assert (summary.rollout_ticks, summary.duration_sec) == (2700, 3.0)
    (loss,) = [field for field in summary.fields if field.field == "loss_value"]
    assert loss == FieldSummary(field="loss_value", first=3.0, last=2.0, lowest=1.0, highest=3.0, mean=2.0)


def test_fields_keep_their_order_and_counters_are_no_fields() -> None:
    names = [field.field for field in summarize([ppo_record(), ppo_record(2, anneal_ratio=0.5)]).fields]

    assert names[:3] == ["loss_policy", "loss_value", "loss_entropy"]
    assert names[-1] == "anneal_ratio"
    assert {"epoch", "steps", "log_stream_offset", "data_mode"}.isdisjoint(names)


def test_the_old_form_has_less_to_tell() -> None:
    summary = summarize([ppo_record(1, PpoVersion.V1_0)])

    assert (summary.versions, summary.data_modes) == ((1.0,), ())
    assert (summary.rollout_ticks, summary.duration_sec) == (0, 0)


def test_the_json_form_is_pinned() -> None:
    document = summarize([ppo_record()]).to_json()

    assert list(document) == [
        "records",
        "versions",
        "data_modes",
        "updates",
        "transitions",
        "steps",
        "rollout_ticks",
        "duration_sec",
        "fields",
    ]
    fields = document["fields"]
    assert isinstance(fields, dict)
    assert fields["lr"] == {"first": 0.0003, "last": 0.0003, "min": 0.0003, "max": 0.0003, "mean": 0.0003}
