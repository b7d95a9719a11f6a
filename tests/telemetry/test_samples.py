"""The sample logs of the documentation are what the sink writes, and the page tells every field."""

import pytest

from diorama.telemetry.ppo.fields import WRITING_ORDER, PpoVersion
from diorama.telemetry.ppo.validation import validate_log
from tests.telemetry.renew_samples import RECORDS, REFERENCE, sample_path, sample_text

VERSIONS = [pytest.param(version, id=str(version.value)) for version in PpoVersion]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_sample_is_what_the_sink_writes(version: PpoVersion) -> None:
    assert sample_path(version).read_text(encoding="utf-8") == sample_text(version), (
        "run `python -m tests.telemetry.renew_samples` if the format was meant to change"
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_a_sample_is_strictly_valid(version: PpoVersion) -> None:
    report = validate_log(sample_path(version), is_strict=True)

    assert report.findings == ()
    assert [record["telemetry_version"] for record in report.records] == [version.value] * RECORDS


@pytest.mark.parametrize("field", WRITING_ORDER)
def test_the_page_tells_every_field(field: str) -> None:
    assert f"`{field}`" in (REFERENCE / "ppo-telemetry.md").read_text(encoding="utf-8")
