"""The page itself: for every protocol a table, the curves, and times to beat the best script."""

import re
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any, Final, Protocol

NOT_MEASURED: Final = "not measured"
_NOTE: Final = "<!-- Written by tools/write_learning.py from docs/reports/learning.json; a test compares it. -->"
_INTRODUCTION: Final = """\
What policies learn in every world, beside its scripts, the clone they begin as, and other trainers on the same machine
for the same wall time. [`benchmarks/learning.py`](../benchmarks/learning.py) measures it:

<!-- not run: trains every world with three seeds, which takes hours -->
```sh
python benchmarks/learning.py --json reports/learning.json
```

How to read the tables:

* Every preset is trained with several **training seeds**. Checkpoints are judged on validation seeds, the best one
  plays **held-out** episodes that neither training nor any choice has met.
* **95%** intervals are percentile intervals of a bootstrap over training seeds and episodes. *Ahead* is the difference
  to the best script on the same episodes, pair by pair.
* Actions are chosen as the preset declares, by the **likeliest** option or **drawn**; the other way stands below, in
  italics.
* A world counts as learned where **every** training seed does better than the best script.
* The *clone* is the policy after imitation, before PPO. In worlds of sides a second table holds what was learned
  against its own clone, opponent by opponent, on the same episodes; where there is a bar for every opponent, a table
  before it says whether every training seed has reached it. Peers begin from nothing; MaskablePPO has the
  action masks, PufferLib has none."""

_AGAINST_COLUMNS: Final = ("Against", "Learned", "By training seed", "Bar", "Reached by every seed")
_CLONE_COLUMNS: Final = ("Against", "Learned", "Clone", "Ahead of its clone", "By training seed")


class Described(Protocol):
    """What the page says of a protocol that was not measured."""

    @property
    def name(self) -> str:
        """Of the section."""

    @property
    def world(self) -> str:
        """World id."""

    @property
    def preset(self) -> str:
        """What is trained."""


def picture_name(name: str) -> str:
    """Return the file name of a protocol's curves."""
    return f"learning-{re.sub('[^a-z0-9]+', '-', name.lower())}.svg"


def learning_page(protocols: Sequence[Described], report: Mapping[str, Any] | None) -> str:
    """Return the page; protocols that the report does not have are said to be not measured."""
    measured = {part["name"]: part for part in (report or {}).get("protocols", ())}
    parts = ["# What is learned", _NOTE, _INTRODUCTION, _origin(report), _overview(protocols, measured)]
    parts += [_section(protocol, measured.get(protocol.name)) for protocol in protocols]
    return "\n\n".join(parts) + "\n"


def _origin(report: Mapping[str, Any] | None) -> str:
    if report is None:
        return "**Nothing has been measured yet**: there is no report, and this page holds no figure."
    system = report["system"]
    cores = f"{system['cores']} core{'s' if system['cores'] > 1 else ''}"
    return (
        f"Measured on {system['cpu_model']}, {cores}, {report['generated_at'][:10]}, in {report['core_minutes']:,.0f}"
        " core-minutes ([report](reports/learning.json))."
    )


def _overview(protocols: Sequence[Described], measured: Mapping[str, Mapping[str, Any]]) -> str:
    rows = []
    for protocol in protocols:
        part, preset = measured.get(protocol.name), f"`{protocol.world}`, `{protocol.preset}`"
        if part is None:
            rows.append((protocol.name, preset, NOT_MEASURED, "", ""))
            continue
        own = next(row for row in part["rows"] if row["kind"] == "own" and row["is_declared"])
        verdict = "yes" if part["every_seed_beats_the_best_script"] else "**no**"
        script = f"{part['best_script']['name']}: {_number(part['best_script']['held_out'])}"
        rows.append((protocol.name, preset, f"{_number(own['score'])} {_interval(own['interval'])}", script, verdict))
    return _table(("", "Preset", "Learned", "Best script", "Every seed is ahead"), rows)


def _section(protocol: Described, part: Mapping[str, Any] | None) -> str:
    heading = f"## {protocol.name[0].upper()}{protocol.name[1:]}"
    if part is None:
        return f"{heading}\n\nPreset `{protocol.preset}` of `{protocol.world}`: {NOT_MEASURED}."
    seeds = len(part["training_seeds"])
    opponents = f", against {', '.join(part['opponents'])}" if part["opponents"] else ""
    told = (
        f"Preset `{part['preset']}` of `{part['world']}`, {seeds} training seeds, {part['env_steps']:,} env steps in"
        f" {_number(part['training_seconds'])} s (median); {part['metric']} over {part['episodes']} held-out"
        f" episodes{opponents}."
    )
    rows = [_row(row) for row in part["rows"]]
    further = tuple(column for metric in part["rows"][0].get("further", ()) for column in (metric, "95%"))
    columns = ("Who", "Actions", part["metric"], "95%", *further, "Ahead of the best script", "By training seed")
    parts = [heading, told, _table(columns, rows)]
    if part.get("against"):
        parts.append(_table(_AGAINST_COLUMNS, against_cells(part["against"])))
    if part["opponents"] and part.get("beside_clones") is not None:
        parts.append(_table(_CLONE_COLUMNS, _beside_clones(part["beside_clones"])))
    parts.append(f"![Curves of {protocol.name}](pictures/{picture_name(protocol.name)})")
    parts.append(_table(("Trainer", "Seconds to beat the best script, by training seed", "Median"), _times(part)))
    parts += [f"{item['name']}: {NOT_MEASURED} ({item['reason']})." for item in part["skipped"]]
    return "\n\n".join(parts)


def _row(row: Mapping[str, Any]) -> tuple[str, ...]:
    columns = (
        row["name"],
        row.get("actions", ""),
        _number(row["score"]),
        _interval(row["interval"]),
        *_further_cells(row.get("further", {})),
        f"{row['ahead']:+.3g} {_interval(row['ahead_interval'])}",
        ", ".join(_number(score) for score in row["by_training_seed"]),
    )
    is_beside = not row.get("is_declared", True)
    return tuple(f"*{text}*" if is_beside else text for text in columns)


def _further_cells(further: Mapping[str, Any]) -> Iterable[str]:
    for metric in further.values():
        yield from (_number(metric["value"]), _interval(metric["interval"]))


def _beside_clones(compared: Mapping[str, Any]) -> Iterable[tuple[str, ...]]:
    for row in (*compared["by_opponent"], compared["sum"]):
        ahead = f"{row['ahead']:+.3g} {_interval(row['ahead_interval'])}"
        by_seed = ", ".join(f"{seed['ahead']:+.3g}" for seed in row["by_training_seed"])
        yield row["opponent"], _number(row["learned"]), _number(row["clone"]), ahead, by_seed


def against_cells(rows: Sequence[Mapping[str, Any]]) -> Iterable[tuple[str, ...]]:
    """Return the cells of the table of opponents with a bar; seeds that stay below one are named."""
    for row in rows:
        below = ", ".join(str(seed) for seed in row["below"])
        verdict = f"**no**: {below}" if below else "yes"
        by_seed = ", ".join(_number(score) for score in row["by_training_seed"])
        score = f"{_number(row['score'])} {_interval(row['interval'])}"
        yield row["opponent"], score, by_seed, _number(row["floor"]), verdict


def _times(part: Mapping[str, Any]) -> Iterable[tuple[str, ...]]:
    for name in dict.fromkeys(curve["name"] for curve in part["curves"]):
        found = [curve["seconds_to_beat_best_script"] for curve in part["curves"] if curve["name"] == name]
        known = [seconds for seconds in found if seconds is not None]
        middle = f"{_number(median(known))} s" if len(known) == len(found) else "not by every seed"
        yield name, ", ".join("never" if seconds is None else f"{_number(seconds)} s" for seconds in found), middle


def _interval(bounds: Sequence[float]) -> str:
    return f"({_number(bounds[0])} to {_number(bounds[1])})"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
