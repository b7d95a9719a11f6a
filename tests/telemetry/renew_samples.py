"""Writes the sample PPO logs of the documentation anew: `python -m tests.telemetry.renew_samples`."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from diorama.telemetry.events import PolicyUpdated
from diorama.telemetry.ppo.fields import PpoVersion
from diorama.telemetry.ppo.ndjson_sink import PpoNdjsonSink
from tests.telemetry.factories import policy_updated, run_started, update_report

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
RECORDS = 6


def sample_path(version: PpoVersion) -> Path:
    """Return where the sample of a version lies."""
    return REFERENCE / f"ppo-telemetry-{version.value}.ndjson"


def sample_text(version: PpoVersion) -> str:
    """Return what the sink writes for a short invented training run."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "ppo.ndjson"
        sink = PpoNdjsonSink(log, version=version)
        sink.receive(run_started())
        for event in _updates():
            sink.receive(event)
        sink.close()
        return log.read_text(encoding="utf-8")


def _updates() -> Iterator[PolicyUpdated]:
    for number in range(1, RECORDS + 1):
        report = update_report(number, loss_policy=round(-0.0125 / number, 6), entropy=2.5 - 0.0625 * number)
        yield policy_updated(
            replace(
                report,
                loss_value=round(0.75 / number, 6),
                loss_total=round(report.loss_policy + 0.5 * 0.75 / number - 0.01 * report.entropy, 6),
                approx_kl=(4 + number % 3) / 1000,
                approx_kl_max=(9 + number % 3) / 1000,
                reward_advantage_corr=0.25 + 0.03125 * number,
            )
        )


def main() -> None:
    """Write one file per version."""
    for version in PpoVersion:
        path = sample_path(version)
        path.write_text(sample_text(version), encoding="utf-8")
        print(path.name)


if __name__ == "__main__":
    main()
