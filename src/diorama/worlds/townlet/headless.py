"""A town that lives on its own, as fast as it can: the scripted controller decides, an operator may give commands."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from diorama.contracts.values import JsonObject
from diorama.snapshots import hash_words
from diorama.worlds.townlet.affordance_timings import AffordanceTimings
from diorama.worlds.townlet.codes import NEED_NAMES, NOTHING
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.events import EVENT_NAMES
from diorama.worlds.townlet.reference.names import agent_id, display_name
from diorama.worlds.townlet.reference.opening import open_town
from diorama.worlds.townlet.reference.policy_runner import PolicyRunner, run_tick
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.kpis import KpiRow
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.departures import lived_days
from diorama.worlds.townlet.reference.systems.kpis import kpi_row
from diorama.worlds.townlet.reference.words import state_words
from diorama.worlds.townlet.reward_statistics import RewardStatistics
from diorama.worlds.townlet.scenarios.model import TimelineEntry
from diorama.worlds.townlet.scenarios.operator import Operator
from diorama.worlds.townlet.tables.town_tables import TownTables


@dataclass(frozen=True, slots=True, kw_only=True)
class CitizenReport:
    """How a citizen does at the end."""

    agent_id: str
    name: str
    job: str | None
    hunger: float
    hygiene: float
    energy: float
    wallet: float
    wages_earned: float
    attendance: float
    lived_days: float
    episode_reward: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlessReport:
    """What became of a town.

    Attributes:
        days: KPI rows of the days that have ended, and of the one that has not.
        surprises: Commands that came out otherwise than their timeline says.
        timings: By affordance; None where the configuration does not ask for them.
        state_hash: At the end, 16 hex digits.
    """

    effective_id: str
    seed: int
    ticks: int
    days: tuple[KpiRow, ...]
    citizens: tuple[CitizenReport, ...]
    events: dict[str, int]
    rewards: RewardStatistics
    surprises: tuple[str, ...]
    timings: AffordanceTimings | None
    state_hash: str

    def to_json(self) -> JsonObject:
        """Everything, as JSON values."""
        timings = None if self.timings is None else {name: asdict(row) for name, row in self.timings.by_id.items()}
        return {
            "config_id": self.effective_id,
            "seed": self.seed,
            "ticks": self.ticks,
            "days": [asdict(row) for row in self.days],
            "citizens": [asdict(citizen) for citizen in self.citizens],
            "events": self.events,
            "rewards": {**asdict(self.rewards), "variance": self.rewards.variance},
            "surprises": list(self.surprises),
            "timings": timings,
            "state_hash": self.state_hash,
        }


def run_headless(
    config: SimulationConfig,
    tables: TownTables,
    *,
    ticks: int,
    seed: int | None = None,
    commands: Sequence[TimelineEntry] = (),
    advance: Callable[[], None] = lambda: None,
) -> HeadlessReport:
    """Let a town live for some ticks.

    Args:
        config: The configuration.
        tables: Compiled from it.
        ticks: How long.
        seed: Of its streams; the configured one unless given.
        commands: What an operator does.
        advance: Called after every tick.
    """
    town = open_town(tables, config, config.seed if seed is None else seed)
    runner, operator, rewards = PolicyRunner(), Operator(commands), RewardStatistics()
    timings = AffordanceTimings() if config.affordances.instrumentation == "timings" else None
    counts = dict.fromkeys(EVENT_NAMES, 0)
    for _ in range(ticks):
        run_tick(town, runner, (operator,))
        rewards.note(town.report.rewards.values())
        if timings is not None:
            timings.note(town, town.events)
        for event in town.events:
            counts[EVENT_NAMES[event.kind]] += 1
        town.events.clear()
        advance()
    return HeadlessReport(
        effective_id=tables.effective_id,
        seed=town.seed,
        ticks=ticks,
        days=(*town.kpis.rows, kpi_row(town)),
        citizens=tuple(_report(town, citizen) for citizen in town.living()),
        events={name: count for name, count in counts.items() if count},
        rewards=rewards,
        surprises=tuple(operator.surprises),
        timings=timings,
        state_hash=f"{hash_words(state_words(town)):016x}",
    )


def _report(town: Town, citizen: Citizen) -> CitizenReport:
    needs = dict(zip(NEED_NAMES, citizen.needs, strict=True))
    return CitizenReport(
        agent_id=agent_id(town, citizen.number),
        name=display_name(town, citizen.number),
        job=None if citizen.job == NOTHING else town.tables.jobs[citizen.job].id,
        hunger=needs["hunger"],
        hygiene=needs["hygiene"],
        energy=needs["energy"],
        wallet=citizen.wallet,
        wages_earned=citizen.tally.wages_earned,
        attendance=citizen.shift.attendance_ratio,
        lived_days=lived_days(town, citizen),
        episode_reward=citizen.account.episode_sum,
    )
