"""Training end to end on the GPU: decisions per second, and the share of each phase."""

import time
from collections.abc import Iterator

import diorama
from diorama.contracts.training_reports import UpdateReport
from diorama.contracts.values import JsonObject
from diorama.engine.system_facts import usable_cores
from diorama.learn.callbacks import Callback
from diorama.learn.trainer import Trainer
from gpu.network import kernels_of, settings_of

WARM_UP_UPDATES = 4


class Phases(Callback):
    """Adds up what the trainer reports once it is warm."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.seconds = dict.fromkeys(("env", "policy", "learn", "total"), 0.0)
        self.reports: list[UpdateReport] = []

    def on_update(self, report: UpdateReport) -> None:
        """Add the phases of an update."""
        self.reports.append(report)
        if len(self.reports) > WARM_UP_UPDATES:
            for name in self.seconds:
                self.seconds[name] += getattr(report, f"seconds_{name}")

    def shares(self) -> JsonObject:
        """Return the share of every phase."""
        return {name: self.seconds[name] / self.seconds["total"] for name in ("env", "policy", "learn")}


def training(case: JsonObject) -> Iterator[JsonObject]:
    """Train for some seconds after a warm-up; the clock is the wall's, so nothing can hide."""
    settings = settings_of(case)
    copies, world = int(str(case["copies"])), str(case["world"])
    config = case.get("config", {})
    assert isinstance(config, dict)
    threads = settings.execution.stepping_threads(usable_cores(), copies)
    source = diorama.make(world, copies=copies, config=config, seed=1, threads=threads)
    agents = source.spec.agents
    phases = Phases()
    opening = time.perf_counter()
    trainer = Trainer(source, settings, seed=1, callbacks=[phases])
    per_update = copies * settings.ppo.rollout_steps
    trainer.run(WARM_UP_UPDATES * per_update)
    began, first = time.perf_counter(), trainer.env_steps_total
    seconds = float(str(case.get("seconds", 3.0)))
    while time.perf_counter() - began < seconds:
        trainer.run(trainer.env_steps_total + per_update)
    spent = time.perf_counter() - began
    last = phases.reports[-1]
    found: JsonObject = {
        **case,
        "steps_per_second": (trainer.env_steps_total - first) * agents / spent,
        "updates": len(phases.reports) - WARM_UP_UPDATES,
        "warm_up_seconds": began - opening,
        "phase_shares": phases.shares(),
        "entropy": last.entropy,
        "loss_value": last.loss_value,
        "explained_variance": last.explained_variance,
        "approx_kl": last.approx_kl,
    }
    yield found
    if case.get("profile"):
        yield {"kernels": kernels_of(lambda: trainer.run(trainer.env_steps_total + per_update), count=24)}
    trainer.close()
