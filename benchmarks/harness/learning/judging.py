"""Judges what was trained for one protocol, stage by stage, and puts its part of the report together."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from diorama.contracts.values import F64, JsonObject, JsonValue
from diorama.engine.players import Contender, bot_contender
from diorama.learn.evaluation.bootstrap import crossed_interval
from diorama.runs.checkpoints.files import clone_path
from diorama.runs.layout import RunLayout
from diorama.training.plan import TrainingPlan
from harness.learning.clones import against_row, beside_clones
from harness.learning.protocols import HELD_OUT_SEED, LearningProtocol
from harness.learning.runs import contender_of, fields_of, plan_of, play, play_held_out, points_of, train_run
from harness.learning.stages import StageStore
from peers.learning import train_peer, why_not

OWN = "learned"
CLONE = "clone"


def measure_protocol(protocol: LearningProtocol, store: StageStore, runs: Path) -> JsonObject:
    """Train, judge and summarize one protocol."""
    return _Measurement(protocol, store, runs).report()


class _Measurement:
    def __init__(self, protocol: LearningProtocol, store: StageStore, runs: Path) -> None:
        self._protocol = protocol
        self._store = store
        self._runs = runs
        self._plans = {seed: plan_of(protocol, seed) for seed in protocol.training_seeds}
        self._plan: TrainingPlan = self._plans[protocol.training_seeds[0]]
        self._fields = fields_of(protocol, self._plan)
        self._opponents = [item.label for item in self._fields if item.label]
        self._deterministic = self._plan.settings.evaluation.deterministic

    def report(self) -> JsonObject:
        """Return everything the page of results is made from."""
        protocol = self._protocol
        scripts = {name: self._play_script(name) for name in protocol.scripts}
        best = max(scripts, key=lambda name: float(np.mean(scripts[name]["held_out"]["scores"])))
        baseline, bar = np.array([scripts[best]["held_out"]["scores"]]), float(np.mean(scripts[best]["validation"]))
        own = [self._own(seed) for seed in protocol.training_seeds]
        rows: list[JsonValue] = [
            self._row(name, "script", [scripts[name]["held_out"]], baseline) for name in protocol.scripts
        ]
        rows += self._own_rows(own, baseline)
        curves: list[JsonValue] = [self._curve(OWN, run, bar) for run in own]
        skipped: list[JsonValue] = []
        seconds = median(float(run["seconds"]) for run in own)
        for peer in protocol.peers:
            reason = why_not(peer, self._plan)
            if reason is not None:
                skipped.append({"name": peer, "reason": reason})
                continue
            trained = [self._peer(peer, seed, seconds) for seed in protocol.training_seeds]
            rows += self._mode_rows(peer, "peer", trained, baseline)
            curves += [self._curve(peer, run, bar) for run in trained]
        return {
            "name": protocol.name,
            "world": protocol.world,
            "preset": protocol.preset,
            "metric": protocol.metric_title,
            "opponents": list(self._opponents),
            "episodes": protocol.episodes,
            "validation_episodes": protocol.validation_episodes,
            "training_seeds": list(protocol.training_seeds),
            "actions": _mode(self._deterministic),
            "training_seconds": seconds,
            "env_steps": int(own[0]["env_steps"]),
            "best_script": {"name": best, "held_out": float(baseline.mean()), "validation": bar},
            "bar": protocol.bar,
            "every_seed_beats_the_best_script": self._meets(own, float(baseline.mean())),
            "against": self._against(own),
            "beside_clones": self._beside_clones(own),
            "rows": rows,
            "curves": curves,
            "skipped": skipped,
        }

    def _meets(self, own: list[dict[str, Any]], script: float) -> bool:
        means = [float(np.mean(run["held_out"][_mode(self._deterministic)]["scores"])) for run in own]
        bar = self._protocol.bar
        return all(mean > script and (bar is None or mean >= bar) for mean in means)

    def _against(self, own: list[dict[str, Any]]) -> list[JsonValue]:
        """Return how the policies did in every field with a floor, and the training seeds that stayed below it."""
        learned = self._learned(own)
        return [
            against_row(item.label, item.floor, self._protocol.training_seeds, learned[:, index])
            for index, item in enumerate(self._fields)
            if item.floor is not None
        ]

    def _beside_clones(self, own: list[dict[str, Any]]) -> JsonObject | None:
        """Return what PPO has added to the clones; None without clones."""
        if any(run["clone"] is None for run in own):
            return None
        learned, clones = self._learned(own), np.array([run["clone"]["scores"] for run in own])
        return beside_clones(self._opponents, self._protocol.training_seeds, learned, clones)

    def _learned(self, own: list[dict[str, Any]]) -> F64:
        """Return the scores of the policies as the preset lets them act, training seeds × fields × episodes."""
        return np.array([run["held_out"][_mode(self._deterministic)]["scores"] for run in own])

    def _own_rows(self, own: list[dict[str, Any]], baseline: F64) -> list[JsonValue]:
        rows = self._mode_rows(OWN, "own", own, baseline)
        if all(run["clone"] is not None for run in own):
            rows.append(self._row(CLONE, "clone", [run["clone"] for run in own], baseline))
        return rows

    def _mode_rows(self, name: str, kind: str, runs: list[dict[str, Any]], baseline: F64) -> list[JsonValue]:
        return [
            {
                **self._row(name, kind, [run["held_out"][mode] for run in runs], baseline),
                "actions": mode,
                "is_declared": mode == _mode(self._deterministic),
            }
            for mode in (_mode(self._deterministic), _mode(not self._deterministic))
        ]

    def _row(self, name: str, kind: str, played: Sequence[Mapping[str, Any]], baseline: F64) -> JsonObject:
        """Return a row of the table; `played` has the held-out episodes of every training seed."""
        by_opponent = np.array([episodes["scores"] for episodes in played])
        scores = by_opponent.mean(axis=1)
        ahead = scores - baseline.mean(axis=1)
        low, high = crossed_interval(scores)
        ahead_low, ahead_high = crossed_interval(ahead)
        return {
            "name": name,
            "kind": kind,
            "score": float(scores.mean()),
            "interval": [low, high],
            "by_opponent": by_opponent.mean(axis=(0, 2)).tolist(),
            "by_training_seed": scores.mean(axis=1).tolist() if kind != "script" else [],
            "ahead": float(ahead.mean()),
            "ahead_interval": [ahead_low, ahead_high],
            "further": {
                metric: _beside(np.array([episodes["further"][metric] for episodes in played]))
                for metric in self._protocol.further
            },
        }

    def _curve(self, name: str, run: dict[str, Any], bar: float) -> JsonObject:
        beaten = [point["seconds"] for point in run["curve"] if point["score"] > bar]
        return {
            "name": name,
            "seed": run["seed"],
            "points": run["curve"],
            "seconds_to_beat_best_script": beaten[0] if beaten else None,
        }

    def _play_script(self, name: str) -> dict[str, Any]:
        def measure() -> JsonObject:
            script = bot_contender(self._plan.venue.world, name)
            return {"held_out": self._held_out(script), "validation": self._validation(script).tolist()}

        return self._store.result(f"{self._protocol.name} script {name}", self._key(None), measure)

    def _own(self, seed: int) -> dict[str, Any]:
        protocol, plan = self._protocol, self._plans[seed]
        run_id = f"{protocol.world}-{protocol.preset}-{seed}"
        layout = RunLayout(self._runs / run_id)
        key = self._key(seed)
        trained: dict[str, Any] = self._store.result(
            f"{protocol.name} training {seed}",
            key,
            lambda: train_run(plan, self._runs, run_id),
            is_kept=layout.directory.exists,
        )
        points = points_of(layout.directory, trained["checkpoints"], protocol.points)

        def judge() -> JsonObject:
            curve: list[JsonValue] = []
            for point in points:
                player = contender_of(point.path, plan.venue, OWN, deterministic=self._deterministic)
                score = float(self._validation(player).mean())
                curve.append({"seconds": point.seconds, "env_steps": point.env_steps, "score": score})
            best = points[_best(curve)].path
            held_out = {
                _mode(mode): self._held_out(contender_of(best, plan.venue, OWN, deterministic=mode))
                for mode in (True, False)
            }
            clone = None
            if trained["has_clone"]:
                player = contender_of(clone_path(layout), plan.venue, CLONE, deterministic=self._deterministic)
                clone = self._held_out(player)
            return {"curve": curve, "held_out": held_out, "clone": clone, "best_checkpoint": best.name}

        judged = self._store.result(f"{protocol.name} judging {seed}", {**key, "trained": trained}, judge)
        return {
            **judged,
            "seed": seed,
            "seconds": trained["checkpoints"][-1]["seconds"],
            "env_steps": trained["env_steps"],
        }

    def _peer(self, peer: str, seed: int, seconds: float) -> dict[str, Any]:
        plan, count = self._plans[seed], self._protocol.points

        def measure() -> JsonObject:
            run = train_peer(peer, plan, seed, seconds=seconds, points=count)
            curve: list[JsonValue] = []
            for point in run.points:
                score = float(self._validation(run.contender(point, self._deterministic)).mean())
                curve.append({"seconds": point.seconds, "env_steps": point.env_steps, "score": score})
            best = run.points[_best(curve)]
            held_out = {_mode(mode): self._held_out(run.contender(best, mode)) for mode in (True, False)}
            return {"curve": curve, "held_out": held_out}

        key = {**self._key(seed), "seconds": seconds}
        return {**self._store.result(f"{self._protocol.name} {peer} {seed}", key, measure), "seed": seed}

    def _key(self, seed: int | None) -> JsonObject:
        plan = self._plan if seed is None else self._plans[seed]
        return {
            "settings": plan.settings.model_dump(mode="json"),
            "metric": self._fields[0].rule.metric,
            "fields": [[item.label, item.venue.config.canonical()] for item in self._fields],
            "further": list(self._protocol.further),
            "episodes": self._protocol.episodes,
            "validation_episodes": self._protocol.validation_episodes,
            "points": self._protocol.points,
        }

    def _held_out(self, contender: Contender) -> JsonObject:
        further = self._protocol.further
        return play_held_out(self._fields, contender, further, HELD_OUT_SEED, self._protocol.episodes)

    def _validation(self, contender: Contender) -> F64:
        first = self._plan.settings.evaluation.validation_seed
        return play(self._fields, contender, first, self._protocol.validation_episodes)


def _beside(values: F64) -> JsonObject:
    """Return a further metric; values are training seeds × episodes."""
    low, high = crossed_interval(values)
    return {"value": float(values.mean()), "interval": [low, high], "by_training_seed": values.mean(axis=1).tolist()}


def _mode(deterministic: bool) -> str:
    return "likeliest" if deterministic else "drawn"


def _best(curve: list[Any]) -> int:
    """Return the place of the highest score; of equals the later one."""
    return max(range(len(curve)), key=lambda index: (curve[index]["score"], index))
