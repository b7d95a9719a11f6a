"""How long `diorama serve` takes until it answers, and what the command line costs before it does anything.

    python benchmarks/cold_start.py --json reports/cold_start.json

The server is measured on a root with a few runs; the first start of all may find nothing in the disk's cache and is
told apart. Of the command line the processor time counts, beside an interpreter that does nothing and the command line
of Weights & Biases where that is installed.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from diorama.contracts.errors import DioramaError
from harness.latency import latency_block
from harness.long_replay import make_long_replay
from harness.reports import Findings, Gate
from harness.script import Script, positive
from harness.servers import serving

_DIORAMA: Final = (sys.executable, "-m", "diorama")
_COMPLETION: Final = {"_DIORAMA_COMPLETE": "complete_bash", "COMP_WORDS": "diorama wo", "COMP_CWORD": "1"}
_PEER: Final = "wandb"


def main() -> int:
    """Measure and report."""
    script = Script("cold_start", __doc__)
    script.parser.add_argument("--world", default="prospector")
    script.parser.add_argument("--repeats", type=positive, default=5)
    script.parser.add_argument("--runs", type=positive, default=3, help="runs in the root")
    script.parser.add_argument("--max-cold-start-p50-ms", type=float, help="fail above this")
    script.parser.add_argument("--max-help-p50-ms", type=float, help="fail above this processor time of --help")
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Start servers one after another."""
    for place in range(options.runs):
        make_long_replay(directory, f"run-{place}", options.world, frames=64)
    listening, healthy = [], []
    for _ in range(1 + options.repeats):
        with serving(directory, log=directory / "server.log") as server:
            listening.append(server.listening_seconds)
            healthy.append(server.healthy_seconds)
    block = latency_block(healthy[1:])
    commands = measure_commands(options.repeats)
    return Findings(
        gates=(
            Gate(name="until /health answers, p50, ms", value=block["p50"], at_most=options.max_cold_start_p50_ms),
            Gate(
                name="diorama --help, processor time, p50, ms",
                value=commands["diorama --help"]["p50"],
                at_most=options.max_help_p50_ms,
            ),
        ),
        sections={
            "first_start_ms": healthy[0] * 1000.0,
            "healthy_ms": block,
            "listening_ms": latency_block(listening[1:]),
            "command_line_processor_ms": commands,
        },
        artifacts=(directory,),
    )


def measure_commands(repeats: int) -> dict[str, dict[str, float]]:
    """Return what commands that only tell about themselves cost, by name; their turns alternate."""
    commands: dict[str, tuple[Sequence[str], Mapping[str, str]]] = {
        "python, nothing": ((sys.executable, "-c", "pass"), {}),
        "diorama --help": ((*_DIORAMA, "--help"), {}),
        "diorama --version": ((*_DIORAMA, "--version"), {}),
        "diorama, completion": (_DIORAMA, _COMPLETION),
    }
    peer = shutil.which(_PEER, path=str(Path(sys.executable).parent))
    if peer is not None:
        commands[f"{_PEER} --help"] = ((peer, "--help"), {})
    spent: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(1 + repeats):
        for name, (command, environment) in commands.items():
            spent[name].append(processor_seconds(command, environment))
    return {name: latency_block(seconds[1:]) for name, seconds in spent.items()}


def processor_seconds(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Run a command and return the processor time it took.

    Raises:
        DioramaError: It failed.
    """
    process = subprocess.Popen(
        command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise DioramaError(f"{' '.join(command)} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
