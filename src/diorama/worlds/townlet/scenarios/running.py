"""Plays scenarios, tick by tick."""

from collections.abc import Callable

from diorama.snapshots import hash_words
from diorama.worlds.townlet.events import EVENT_NAMES
from diorama.worlds.townlet.reference.names import agent_id, payload
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.kpis import kpi_row
from diorama.worlds.townlet.reference.tick import begin_tick, finish_tick
from diorama.worlds.townlet.reference.words import state_words
from diorama.worlds.townlet.scenarios.expectations import Finding, Happening, check
from diorama.worlds.townlet.scenarios.loading import StoredScenario
from diorama.worlds.townlet.scenarios.opening import open_scenario
from diorama.worlds.townlet.scenarios.operator import Operator
from diorama.worlds.townlet.scenarios.result import HASH_EVERY, ScenarioResult
from diorama.worlds.townlet.scenarios.scripts import ScriptedTown


class ScenarioRun:
    """A scenario under way.

    Attributes:
        town: The town; between two steps its tick is the next one.
        happened: Every event so far.
        operator: Who gives the commands of the timeline.
    """

    def __init__(self, stored: StoredScenario, *, seed: int | None = None) -> None:
        """Open the scenario; `seed` is its own unless given.

        Raises:
            ConfigError: It does not fit together.
        """
        self.scenario = stored.scenario
        self.town: Town = open_scenario(stored, seed)
        self.happened: list[Happening] = []
        self.operator = Operator(self.scenario.timeline)
        self._hooks = (self.operator,)
        self._citizens = ScriptedTown(self.scenario.citizens, self.town.config.policy_runtime.action_level)
        self._findings: dict[int, Finding] = {}
        self._hashes: dict[int, str] = {}
        self._returns: dict[str, float] = {}

    @property
    def is_over(self) -> bool:
        """Whether the last tick has been played."""
        return self.town.tick >= self.scenario.ticks

    def begin(self) -> dict[int, int]:
        """Open a tick up to where observations are taken, and return what everybody selects, by seat."""
        begin_tick(self.town, self._hooks)
        return self._citizens.select(self.town)

    def finish(self, selections: dict[int, int]) -> None:
        """Carry the tick out."""
        town, tick = self.town, self.town.tick
        ids = {citizen.seat: agent_id(town, citizen.number) for citizen in town.living()}
        finish_tick(town, selections, self._hooks)
        for seat, reward in town.report.rewards.items():
            self._returns[ids[seat]] = self._returns.get(ids[seat], 0.0) + reward.total
        self.happened += [
            Happening(tick=event.tick, event=EVENT_NAMES[event.kind], fields=payload(town, event))
            for event in town.events
        ]
        town.events.clear()
        is_last = self.is_over
        if town.tick % HASH_EVERY == 0 or is_last:
            self._hashes[town.tick] = f"{hash_words(state_words(town)):016x}"
        for place, expectation in enumerate(self.scenario.expect):
            if expectation.at == tick or (expectation.at is None and is_last):
                self._findings[place] = check(expectation, town, self.happened)

    def step(self) -> None:
        """Play one tick."""
        self.finish(self.begin())

    def result(self) -> ScenarioResult:
        """What has come of it so far."""
        return ScenarioResult(
            name=self.scenario.name,
            seed=self.town.seed,
            ticks=self.town.tick,
            effective_id=self.town.tables.effective_id,
            findings=tuple(finding for _, finding in sorted(self._findings.items())),
            hashes=self._hashes,
            returns=self._returns,
            surprises=tuple(self.operator.surprises),
            happened=self.happened,
            kpis=kpi_row(self.town),
            kpi_rows=tuple(self.town.kpis.rows),
        )


def run_scenario(
    stored: StoredScenario, *, seed: int | None = None, advance: Callable[[], None] = lambda: None
) -> ScenarioResult:
    """Play a scenario to its end.

    Args:
        stored: The scenario.
        seed: Its own unless given.
        advance: Called after every tick.
    """
    run = ScenarioRun(stored, seed=seed)
    while not run.is_over:
        run.step()
        advance()
    return run.result()
