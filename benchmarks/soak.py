"""Everything at once for hours: a live town with spectators, a training run, and a server that streams its replays.

    python benchmarks/soak.py --minutes 120 --json reports/soak.json

Three processes as users start them: `diorama live`, `diorama train` and `diorama serve`. Spectators stay, come and go
or never read; viewers stream, page and follow. Every few seconds memory, file descriptors, threads and the time of a
few questions are looked at. The first quarter is warm-up; over the rest nothing may grow, and at the end the answers
must come as fast as at the beginning.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx

from diorama.contracts.values import JsonObject
from harness.crowd import Crowd
from harness.latency import percentile
from harness.long_replay import make_long_replay
from harness.process_facts import ProcessFacts, look_at
from harness.reports import Findings, Gate
from harness.script import Script, positive, positive_seconds
from harness.servers import RunningServer, living, serving
from harness.spectators_crowd import Spectators
from harness.subject import Subject
from harness.training_process import TrainingProcess, training
from harness.trends import Trend, trend

WARM_UP_SHARE: Final = 0.25
NOISE_MS: Final = 10.0  # of a busy machine, whatever the question
_TRAINING: Final = "training"
_WATCHED: Final = "long"
_WORLD: Final = "townlet"
_LONG_WINDOWS: Final = ("--window-env-steps", "100000", "--checkpoint-every-windows", "16")


@dataclass(slots=True)
class Looks:
    """What was seen so far, moment by moment."""

    seconds: list[float] = field(default_factory=list)
    processes: dict[str, list[ProcessFacts]] = field(default_factory=dict)
    latency_ms: dict[str, list[float]] = field(default_factory=dict)
    ticks: list[int] = field(default_factory=list)
    env_steps: list[int] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def main() -> int:
    """Soak and report."""
    script = Script("soak", __doc__)
    script.parser.add_argument("--minutes", type=positive_seconds, default=120.0)
    script.parser.add_argument("--every-seconds", type=positive_seconds, default=5.0, help="from one look to the next")
    script.parser.add_argument("--viewers", type=positive, default=6, help="of replays and of the training run")
    script.parser.add_argument("--spectators", type=positive, default=6, help="of the live town")
    script.parser.add_argument("--frames", type=positive, default=5_000, help="length of the replay that is watched")
    script.parser.add_argument("--max-growth-mb", type=float, default=48.0, help="of any process after warm-up")
    script.parser.add_argument("--max-more-descriptors", type=float, default=8.0)
    script.parser.add_argument("--max-more-threads", type=float, default=4.0)
    script.parser.add_argument(
        "--max-latency-ratio", type=float, default=2.0, help="p95 of the last third to the first"
    )
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Let everything run together for so long."""
    replay_id = make_long_replay(directory, _WATCHED, "prospector", frames=options.frames).replay_id
    subject = Subject(run_root=directory, run_id=_WATCHED, replay_id=replay_id, frames=options.frames)
    log = directory / "processes.log"
    with (
        living(directory / "live", _WORLD, log=log) as live,
        training(directory, _TRAINING, "prospector", "quick", log=log, more=_LONG_WINDOWS) as trained,
        serving(directory, log=log) as served,
    ):
        looks = asyncio.run(_soaked(options, subject, live, trained, served))
    return _findings(options, looks, directory)


async def _soaked(
    options: argparse.Namespace,
    subject: Subject,
    live: RunningServer,
    trained: TrainingProcess,
    served: RunningServer,
) -> Looks:
    seconds = options.minutes * 60.0
    crowd = Crowd(served, subject, _TRAINING, frames_per_second=200.0)
    spectators = Spectators(live.ws_url, _WORLD)
    kinds: tuple[Callable[[], Coroutine[Any, Any, None]], ...] = (
        spectators.stay,
        spectators.come_and_go,
        spectators.never_read,
    )
    watching = [asyncio.create_task(kinds[place % len(kinds)]()) for place in range(options.spectators)]
    viewing = asyncio.ensure_future(crowd.watch(options.viewers, seconds))
    looks = Looks()
    pids = {"live": live.pid, "train": trained.process.pid, "serve": served.pid}
    questions = {
        "serve /health": f"{served.base_url}/health",
        "serve /api/runs": f"{served.base_url}/api/runs",
        "serve frames": f"{served.base_url}{subject.frames_path}?limit=64",
        "live world": f"{live.base_url}/api/v1/worlds/{_WORLD}",
    }
    began = time.perf_counter()
    async with httpx.AsyncClient(timeout=60) as client:
        while (passed := time.perf_counter() - began) < seconds:
            looks.seconds.append(passed)
            for name, pid in pids.items():
                looks.processes.setdefault(name, []).append(look_at(pid))
            for name, url in questions.items():
                await _ask(client, name, url, looks)
            looks.env_steps.append(trained.run.metadata().env_steps_total)
            await asyncio.sleep(options.every_seconds)
    for task in watching:
        if task.done():
            looks.failures.append(f"a spectator stopped watching: {task.exception()!r}")
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    await viewing
    looks.failures += [*crowd.seen.failures, *spectators.watched.failures]
    looks.failures += [] if spectators.watched.visits else ["nobody who comes and goes ever came"]
    return looks


async def _ask(client: httpx.AsyncClient, name: str, url: str, looks: Looks) -> None:
    began = time.perf_counter()
    answer = await client.get(url)
    looks.latency_ms.setdefault(name, []).append((time.perf_counter() - began) * 1000.0)
    if answer.status_code != httpx.codes.OK:
        looks.failures.append(f"{name} answers {answer.status_code}")
    elif name == "live world":
        looks.ticks.append(answer.json()["tick"])


def _findings(options: argparse.Namespace, looks: Looks, directory: Path) -> Findings:
    processes = _trends(looks)
    passed = looks.seconds[-1] - looks.seconds[0]
    gates = [
        *(gate for name, trends in processes.items() for gate in _growth_gates(options, name, trends)),
        *(_latency_gate(options, name, times) for name, times in looks.latency_ms.items()),
        Gate(name="town ticks per second", value=(looks.ticks[-1] - looks.ticks[0]) / passed, at_least=0.5),
        Gate(name="training steps per second", value=(looks.env_steps[-1] - looks.env_steps[0]) / passed, at_least=1.0),
    ]
    latency: dict[str, JsonObject] = {
        name: {"p50_ms": percentile(times, 0.5), "p95_ms": percentile(times, 0.95), "max_ms": max(times)}
        for name, times in looks.latency_ms.items()
    }
    told: dict[str, JsonObject] = {
        name: {key: value.to_json() for key, value in trends.items()} for name, trends in processes.items()
    }
    return Findings(
        gates=gates,
        failures=looks.failures,
        sections={"processes": told, "latency": latency, "series": _series(looks)},
        artifacts=(directory,),
    )


def _trends(looks: Looks) -> dict[str, dict[str, Trend]]:
    """Return by process how its numbers went after the warm-up."""
    first = int(len(looks.seconds) * WARM_UP_SHARE)
    moments = looks.seconds[first:]
    return {
        name: {
            "resident_mib": trend(moments, [fact.resident_mib for fact in facts[first:]]),
            "descriptors": trend(moments, [float(fact.descriptors) for fact in facts[first:]]),
            "threads": trend(moments, [float(fact.threads) for fact in facts[first:]]),
        }
        for name, facts in looks.processes.items()
    }


def _growth_gates(options: argparse.Namespace, name: str, trends: dict[str, Trend]) -> list[Gate]:
    resident, descriptors, threads = trends["resident_mib"], trends["descriptors"], trends["threads"]
    return [
        Gate(name=f"{name}: growth in RAM, MiB", value=resident.growth, at_most=options.max_growth_mb),
        Gate(
            name=f"{name}: more file descriptors",
            value=descriptors.last - descriptors.first,
            at_most=options.max_more_descriptors,
        ),
        Gate(name=f"{name}: more threads", value=threads.last - threads.first, at_most=options.max_more_threads),
    ]


def _latency_gate(options: argparse.Namespace, name: str, times: list[float]) -> Gate:
    third = max(1, len(times) // 3)
    early, late = percentile(times[:third], 0.95), percentile(times[-third:], 0.95)
    ratio = (late + NOISE_MS) / (early + NOISE_MS)
    return Gate(name=f"{name}: p95 late to early", value=ratio, at_most=options.max_latency_ratio)


def _series(looks: Looks) -> JsonObject:
    return {
        "seconds": [round(value, 1) for value in looks.seconds],
        **{
            f"{name}_resident_mib": [round(fact.resident_mib, 1) for fact in facts]
            for name, facts in looks.processes.items()
        },
        **{f"{name}_ms": [round(value, 2) for value in times] for name, times in looks.latency_ms.items()},
    }


if __name__ == "__main__":
    sys.exit(main())
