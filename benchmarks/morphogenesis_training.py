"""What a learned controller is worth: it is trained on the digits and held against rules, chance and waiting.

    python benchmarks/morphogenesis_training.py --json reports/morphogenesis_training.json

Trains one controller per training key with the preset `demo`, stretched to `--rounds` rounds of `--envs` hosts, and
then lets every controller decide for the same hosts of held-out root keys. Pairs are the same root key and env;
differences have a 95% interval from a paired bootstrap and a one-sided p from flipped signs. `twin` is the accuracy of
the control twin. Keys run side by side in `--workers` processes of one thread each; `--limit` ends the training of a
key at the first round after so many seconds, and the report says how far it came.
"""

import argparse
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Final

from rich.console import Console
from rich.table import Table

from diorama.contracts.values import JsonObject, JsonValue
from diorama.engine.system_facts import system_facts, usable_cores
from diorama.learn.settings import TrainerSettings
from diorama.storage.report_files import write_report
from diorama.worlds.morphogenesis.comparison.bootstrap import Interval, bootstrap_interval
from diorama.worlds.morphogenesis.comparison.episodes import EpisodeResult, pairs_of
from diorama.worlds.morphogenesis.comparison.paired_test import one_sided_p
from diorama.worlds.morphogenesis.streams import Streams
from harness.growing import Plan, Trained, at_place, judge_learned, judge_other, train

LEARNED: Final = "learned"
TWIN: Final = "twin"
OTHERS: Final = ("rules", "grow_three", "random", "wait")
HELD_OUT_FROM: Final = 1_000_000  # far from the keys that are trained on
BOOTSTRAP_KEY: Final = 20_240_101


def main() -> None:
    """Train, compare, print the tables and write the report."""
    options = _options()
    plans = [_plan(options, seed) for seed in range(1, options.keys + 1)]
    keys = [HELD_OUT_FROM + place for place in range(options.held_out)]
    console = Console(width=120)
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        began = time.monotonic()
        training = [pool.submit(train, plan) for plan in plans]
        jobs = {
            (name, place): pool.submit(judge_other, plans[0], name, key, place)
            for name in OTHERS
            for place, key in enumerate(keys)
        }
        trained = [job.result() for job in training]
        console.print(f"trained {len(trained)} controllers in {time.monotonic() - began:.0f} s", highlight=False)
        learned = [
            pool.submit(judge_learned, plans[number], result.weights, key, number * len(keys) + place)
            for number, result in enumerate(trained)
            for place, key in enumerate(keys)
        ]
        results = {
            LEARNED: [episode for job in learned for episode in job.result()],
            # Every trained controller meets the same hosts of the others.
            **{
                name: [
                    at_place(episode, episode.round_index + number * len(keys))
                    for number in range(len(trained))
                    for place in range(len(keys))
                    for episode in jobs[name, place].result()
                ]
                for name in OTHERS
            },
        }
    _print(console, results, trained)
    if options.json is not None:
        write_report(options.json, _report(options, plans, results, trained))


def _plan(options: argparse.Namespace, seed: int) -> Plan:
    epochs = options.episode_length
    config: dict[str, JsonValue] = {} if epochs is None else {"max_epochs": epochs}
    if options.quick:
        config |= {"max_epochs": 6, "train_batches_per_epoch": 2, "val_subset": 120, "min_prune_age": 1}
    values: dict[str, JsonValue] = {"copies": options.envs, "config": config, "execution": {"device": options.device}}
    if options.update_epochs is not None:
        values["ppo"] = {"update_epochs": options.update_epochs}
    plan = Plan(preset="demo", values=values, seed=seed, limit_s=options.limit)
    steps = options.rounds * options.envs * plan.settings().ppo.rollout_steps
    return Plan(preset="demo", values={**values, "steps": steps}, seed=seed, limit_s=options.limit)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu", help="of hosts and policy; small hosts are quicker on the cpu")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--envs", type=int, default=4)
    parser.add_argument("--keys", type=int, default=1, help="controllers to train, each on a root key of its own")
    parser.add_argument("--held-out", type=int, default=4, help="root keys they are compared on")
    parser.add_argument("--update-epochs", type=int, help="passes over a round; as the preset says by default")
    parser.add_argument("--episode-length", type=int, help="epochs of an episode; as the task says by default")
    parser.add_argument("--workers", type=int, default=usable_cores())
    parser.add_argument("--limit", type=float, default=float("inf"), help="seconds a controller is trained at most")
    parser.add_argument("--quick", action="store_true", help="tiny hosts and two rounds: only to see that it runs")
    parser.add_argument("--json", type=Path, help="where to write the report")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.held_out = 2, 1
    return options


def _differences(first: Sequence[EpisodeResult], second: Sequence[EpisodeResult]) -> list[float]:
    return [one.final_accuracy - other.final_accuracy for one, other in pairs_of(first, second)]


def _against_twin(episodes: Iterable[EpisodeResult]) -> list[float]:
    return [gain for episode in episodes if (gain := episode.gain_over_control) is not None]


def _compared(results: dict[str, list[EpisodeResult]]) -> dict[str, tuple[Interval, float]]:
    """Return how far the learned controller is ahead of each other one, and the chance that this is luck."""
    learned, compared = results[LEARNED], {}
    differences = {name: _differences(learned, results[name]) for name in OTHERS} | {TWIN: _against_twin(learned)}
    for place, (name, values) in enumerate(differences.items()):
        draws = Streams(BOOTSTRAP_KEY).open("bootstrap", place)
        compared[name] = (bootstrap_interval(values, draws), one_sided_p(values, draws))
    return compared


def _print(console: Console, results: dict[str, list[EpisodeResult]], trained: list[Trained]) -> None:
    for run in trained:
        blocks = [fmean(run.accuracies[start : start + 10]) for start in range(0, len(run.accuracies), 10)]
        shown = " ".join(f"{value:.1f}" for value in blocks)
        console.print(f"key {run.seed}: {len(run.accuracies)} rounds, by tens: {shown}", highlight=False)
    compared = _compared(results)
    table = Table(title="held-out hosts")
    for heading in ("controller", "episodes", "accuracy", "over twin", "params", "permanent", "learned ahead", "p"):
        table.add_column(heading, justify="left" if heading == "controller" else "right")
    for name, episodes in results.items():
        interval, p = compared.get(name, (None, None))
        table.add_row(
            name,
            str(len(episodes)),
            f"{fmean(episode.final_accuracy for episode in episodes):.1f}",
            f"{fmean(_against_twin(episodes)):+.1f}",
            f"{fmean(episode.param_ratio for episode in episodes):.2f}x",
            f"{fmean(episode.num_fossilized for episode in episodes):.1f}",
            "" if interval is None else f"{interval.mean:+.1f} ({interval.low:+.1f} to {interval.high:+.1f})",
            "" if p is None else f"{p:.4f}",
        )
    console.print(table)


def _report(
    options: argparse.Namespace, plans: list[Plan], results: dict[str, list[EpisodeResult]], trained: list[Trained]
) -> JsonObject:
    settings: TrainerSettings = plans[0].settings().trainer
    compared: JsonObject = {
        name: {**asdict(interval), "p_one_sided": p} for name, (interval, p) in _compared(results).items()
    }
    rows: list[JsonValue] = [
        {
            "controller": name,
            "accuracies": [episode.final_accuracy for episode in episodes],
            "mean_accuracy": fmean(episode.final_accuracy for episode in episodes),
            "mean_gain_over_twin": fmean(_against_twin(episodes)),
            "mean_param_ratio": fmean(episode.param_ratio for episode in episodes),
        }
        for name, episodes in results.items()
    ]
    runs: list[JsonValue] = [
        {"seed": run.seed, "seconds": run.seconds, "accuracies": list(run.accuracies), "returns": list(run.returns)}
        for run in trained
    ]
    return {
        "generated_at": datetime.now(UTC).isoformat(),
        "config": {
            "preset": plans[0].preset,
            "rounds": options.rounds,
            "envs": options.envs,
            "held_out_keys": options.held_out,
            "device": options.device,
            "workers": options.workers,
            "trainer": settings.model_dump(mode="json"),
        },
        "summary": {"learned_ahead_of": compared},
        "rows": rows,
        "training": runs,
        "system": system_facts(),
    }


if __name__ == "__main__":
    main()
