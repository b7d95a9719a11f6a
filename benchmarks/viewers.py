"""Whether people who watch slow down a training on the same machine.

    python benchmarks/viewers.py --json reports/viewers.json

A training run and a server run as processes of their own. Spells with and without viewers take turns, so that a change
of the machine's load meets both; the ratio is that of the medians. A third of the viewers stream a replay over a
WebSocket, a third page through it over HTTP, each at the pace of somebody who watches, and a third follow the training
run. The viewers run on the same machine, which the ratio counts against the server; the report says what each side
used.
"""

import argparse
import asyncio
import sys
import time
from pathlib import Path
from statistics import mean, median

from harness.crowd import Crowd
from harness.long_replay import make_long_replay
from harness.reports import Findings, Gate
from harness.script import Script, positive, positive_seconds
from harness.servers import serving
from harness.subject import Subject
from harness.training_process import training

_TRAINING = "training"
_WATCHED = "long"


def main() -> int:
    """Measure and report."""
    script = Script("viewers", __doc__)
    script.parser.add_argument("--world", default="prospector")
    script.parser.add_argument("--frames", type=positive, default=20_000, help="length of the replay they watch")
    script.parser.add_argument("--viewers", type=positive, default=50)
    script.parser.add_argument("--preset", default="quick", help="preset of the training run")
    script.parser.add_argument("--seconds", type=positive_seconds, default=8.0, help="length of a spell")
    script.parser.add_argument("--rounds", type=positive, default=3, help="spells with viewers, and as many without")
    script.parser.add_argument("--frames-per-second", type=float, default=20.0, help="pace of a viewer; 0 = no limit")
    script.parser.add_argument("--min-steps-ratio", type=float, default=0.9, help="with viewers to without")
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Let a crowd come and go while a run trains."""
    replay_id = make_long_replay(directory, _WATCHED, options.world, frames=options.frames).replay_id
    subject = Subject(run_root=directory, run_id=_WATCHED, replay_id=replay_id, frames=options.frames)
    spells: list[dict[str, float]] = []
    rates: dict[bool, list[float]] = {False: [], True: []}
    with (
        training(directory, _TRAINING, options.world, options.preset, log=directory / "training.log") as trained,
        serving(subject.run_root, log=directory / "server.log") as server,
    ):
        crowd = Crowd(server, subject, _TRAINING, options.frames_per_second)
        for watched in (False, True) * options.rounds:
            first, served, watching = trained.windows(), server.cpu_seconds(), time.process_time()
            if watched:
                asyncio.run(crowd.watch(options.viewers, options.seconds))
            else:
                time.sleep(options.seconds)
            rates[watched].append(trained.rate_since(first))
            spells.append(
                {
                    "watched": watched,
                    "steps_per_second": rates[watched][-1],
                    "server_cores": (server.cpu_seconds() - served) / options.seconds,
                    "viewers_cores": (time.process_time() - watching) / options.seconds,
                }
            )
    ratio = median(rates[True]) / median(rates[False])
    return Findings(
        gates=(
            Gate(name="training steps/s without viewers", value=median(rates[False])),
            Gate(name=f"training steps/s with {options.viewers} viewers", value=median(rates[True])),
            Gate(name="ratio", value=ratio, at_least=options.min_steps_ratio),
            Gate(name="cores the server used meanwhile", value=_watched_mean(spells, "server_cores")),
            Gate(name="cores the viewers used meanwhile", value=_watched_mean(spells, "viewers_cores")),
        ),
        failures=crowd.seen.failures[:10],
        sections={"spells": spells, "seen": crowd.seen.to_json()},
        artifacts=(directory,),
    )


def _watched_mean(spells: list[dict[str, float]], key: str) -> float:
    return mean(spell[key] for spell in spells if spell["watched"])


if __name__ == "__main__":
    sys.exit(main())
