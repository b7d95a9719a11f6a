"""Who lives in a live world and how it stands, as rows of tables."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from diorama.cli.dashboard.live_judging import block
from diorama.cli.dashboard.tables import Row, figure, words
from diorama.cli.dashboard.texts import NOTHING, bar, number, plain
from diorama.contracts.values import JsonObject, JsonValue

FIGURE_COLUMNS: Final = ("what", "value")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NEEDS: Final = ("hunger", "hygiene", "energy")
_BAR: Final = 5
_DOING_WIDTH: Final = 56
_SHIFTS: Final[Mapping[str, str]] = {
    "pre_shift": "before",
    "await_start": "due",
    "on_time": "at work",
    "late": "late",
    "absent": "absent",
    "post_shift": "after",
}
_SHOWN_ELSEWHERE: Final = (
    "scene",
    "map",
    "health",
    "transport",
    "stability",
    "promotion",
    "kpis",
    "seats",
    "policy",
    "console_results",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table as it is shown."""

    title: str
    columns: tuple[str, ...]
    rows: list[Row]


def inhabitants(blocks: JsonObject) -> Table:
    """Everybody in a town, or the seats of any other world."""
    agents = block(blocks, "agents")
    if agents:
        columns = ("citizen", "does", *_NEEDS, "coins", "job", "shift")
        rows = [_citizen(agent) for agent in agents.values() if isinstance(agent, Mapping)]
        return Table(title="Citizens", columns=columns, rows=rows)
    seats = [(seat, told) for seat, told in block(blocks, "seats").items() if isinstance(told, Mapping)]
    return Table(title="Seats", columns=("seat", "does", "reward"), rows=[_seat(seat, told) for seat, told in seats])


def figures(blocks: JsonObject) -> Table:
    """How a town fares, or the plain numbers of any other world."""
    if block(blocks, "agents"):
        return Table(title="Town", columns=FIGURE_COLUMNS, rows=list(_town_rows(blocks)))
    return Table(title="Numbers", columns=FIGURE_COLUMNS, rows=list(_plain_rows(blocks)))


def _citizen(agent: JsonObject) -> Row:
    needs, job = block(agent, "needs"), block(agent, "job")
    doing = block(agent, "running").get("affordance") or agent.get("option") or "waits"
    wallet = agent.get("wallet")
    return (
        words(str(agent.get("name", "?"))),
        words(plain(_CAMEL.sub(" ", str(doing))).lower()),
        *(words(_need(needs.get(name))) for name in _NEEDS),
        figure(f"{wallet:.2f}" if isinstance(wallet, int | float) else NOTHING),
        words(str(job.get("job_id") or "none")),
        words(_SHIFTS.get(str(job.get("shift_state")), NOTHING) if job.get("job_id") else NOTHING),
    )


def _need(value: JsonValue) -> str:
    return bar(value, _BAR) if isinstance(value, int | float) else NOTHING


def _seat(seat: str, told: JsonObject) -> Row:
    actions = told.get("action")
    names = [plain(str(name)).lower() for name in actions] if isinstance(actions, list) else []
    doing = (", ".join(names) or NOTHING) if told.get("alive", True) else "is gone"
    short = doing if len(doing) <= _DOING_WIDTH else f"{doing[: _DOING_WIDTH - 1]}…"
    return figure(seat), words(short), figure(number(told.get("reward")))


def _town_rows(blocks: JsonObject) -> Iterator[Row]:
    utilities, economy, employment = (block(blocks, name) for name in ("utilities", "economy", "employment"))
    for name, is_on in utilities.items():
        yield _line(plain(name), "on" if is_on else "OFF")
    usual = block(economy, "baselines")
    for name, price in block(economy, "prices").items():
        is_usual = price == usual.get(name)
        yield _line(plain(name), number(price) + ("" if is_usual else f" (usually {number(usual.get(name))})"))
    yield _line("basket", number(economy.get("basket")))
    queues = block(block(blocks, "conflict"), "queues")
    for name in ("mean_wait_ticks", "ghost_step_events", "rotation_events", "timeouts"):
        yield _line(f"queues: {plain(name)}", number(queues.get(name)))
    exits = f"{number(employment.get('exits_today'))} of {number(employment.get('daily_exit_cap'))}"
    yield _line("exits today", exits)
    yield _line("about to be let go", number(employment.get("pending_count")))
    yield _line("disturbances", _disturbances(block(blocks, "perturbations")))


def _disturbances(perturbations: JsonObject) -> str:
    active = block(perturbations, "active").values()
    names = [plain(str(event.get("spec", "?"))) for event in active if isinstance(event, Mapping)]
    return ", ".join(names) or "none"


def _plain_rows(blocks: JsonObject) -> Iterator[Row]:
    for name in blocks:
        if name in _SHOWN_ELSEWHERE:
            continue
        for key, value in block(blocks, name).items():
            if isinstance(value, str | int | float):
                label = plain(key) if name == "metrics" else f"{plain(name)}: {plain(key)}"
                yield _line(label, _plain_value(value))


def _plain_value(value: str | float) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else number(value)


def _line(name: str, value: str) -> Row:
    return words(name), figure(value)
