"""One copy of a town as the engine drives it: episodes, seats, last observations, snapshots."""

from collections.abc import Sequence
from typing import Final

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ContractError, EpisodeOver
from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.values import F32, I32, U8, U64, JsonObject, JsonValue
from diorama.worlds.townlet.codes import ExitReason, word
from diorama.worlds.townlet.config.simulation import TownletConfig
from diorama.worlds.townlet.events import EVENT_NAMES, Event
from diorama.worlds.townlet.reference.curiosity import Curiosity
from diorama.worlds.townlet.reference.decisions.controller import BehaviorController
from diorama.worlds.townlet.reference.decisions.deciding import action_mask
from diorama.worlds.townlet.reference.metrics import NO_CITIZEN, citizen_metrics, town_metrics
from diorama.worlds.townlet.reference.names import agent_id, display_name, payload
from diorama.worlds.townlet.reference.observe import Observer
from diorama.worlds.townlet.reference.opening import open_town
from diorama.worlds.townlet.reference.reloading import apply_reload, check_reload
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.kpis import TickReport
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.streams import Streams
from diorama.worlds.townlet.reference.tick import StageHooks, begin_tick, finish_tick
from diorama.worlds.townlet.reference.unfinished import Unfinished
from diorama.worlds.townlet.reference.words import check_doings, read_town, snapshot_words, state_words
from diorama.worlds.townlet.render import render_state, terms_of
from diorama.worlds.townlet.situations import Visits, visit_words, visits_of
from diorama.worlds.townlet.tables.compiling import load_tables, require_batch_hooks
from diorama.worlds.townlet.tables.town_tables import TownTables

MAX_CITIZENS: Final = 256  # who can ever come in one episode


class TownletSimulation:
    """The readable tier: a town between two decisions."""

    town: Town
    _report: TickReport
    _events: list[Event]
    _last_rows: dict[int, F32]
    _last_metrics: dict[int, tuple[float, ...]]
    _unfinished: Unfinished | None

    def __init__(self, config: TownletConfig) -> None:
        """Compile the town of a configuration and open the episode of seed 0.

        Raises:
            ConfigError: Its files are wrong, or hold hooks that cannot run in a batch.
        """
        self._config = config
        self._tables = load_tables(config)
        require_batch_hooks(self._tables)
        self._observer = Observer(self._tables, config)
        self._controller = BehaviorController()
        self._hooks: tuple[StageHooks, ...] = (Curiosity(),) if config.features.training.curiosity == "phase_A" else ()
        self._visits: Visits = {}
        self._next: tuple[TownletConfig, TownTables] | None = None
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start the episode of this seed."""
        self._open(open_town(self._tables, self._config, seed))
        self.town.visits = self._visits
        begin_tick(self.town)
        self._events = self._take_events()

    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        """Advance one tick; what free seats decide is ignored.

        Raises:
            EpisodeOver: When the episode has ended.
        """
        if self.is_over:
            raise EpisodeOver(f"the episode of seed {self.town.seed} ended at tick {self.town.tick}; reset it first")
        town = self.town
        deciding = [citizen is not None for citizen in town.seats]
        received = [decision if acts else None for decision, acts in zip(decisions, deciding, strict=True)]
        numbers = [None if citizen is None else citizen.number for citizen in town.seats]
        self._last_rows.clear()
        self._last_metrics.clear()
        finish_tick(
            town,
            {seat: decision[0] for seat, decision in enumerate(received) if decision is not None},
            self._hooks,
            on_exit=self._keep_last_view,
        )
        self._report = town.report
        self._take_reload()
        begin_tick(town)
        self._events = self._take_events()
        return self._record(self._report, received, numbers)

    def opening_record(self) -> StepRecord:
        """Describe an episode that has not been stepped yet."""
        nobody: list[Decision | None] = [None] * len(self.town.seats)
        return self._record(TickReport(), nobody, [None] * len(self.town.seats), dt=0)

    @property
    def is_over(self) -> bool:
        """Whether the time is up, or nobody else can come."""
        ledger = self.town.lifecycle
        is_drained = self.town.next_number >= MAX_CITIZENS and bool(ledger.tickets)
        return self.town.tick >= self._config.episode_ticks or is_drained

    @property
    def episode_seed(self) -> int:
        """Seed of the running episode."""
        return self.town.seed

    def observe(self, obs: F32, obs_u8: U8) -> None:
        """Write one row per seat; the last view of who has just left, zeros for other free seats."""
        self._observer.write_rows(self.town, obs)
        for seat, row in self._last_rows.items():
            obs[seat] = row

    def expert_actions(self, actions: I32) -> None:
        """Write the option the scripted controller would select for every citizen; 0 for free seats.

        Raises:
            ContractError: The town is played with primitives.
        """
        if self._config.policy_runtime.action_level != "option":
            raise ContractError("the scripted controller selects options; set policy_runtime.action_level to option")
        actions[:] = 0
        for citizen in self.town.living():
            actions[citizen.seat, 0] = self._controller.decide(self.town, citizen)

    def write_masks(self, masks: U8) -> None:
        """Write one row per seat; only the no-op for a free one."""
        for row, citizen in zip(masks, self.town.seats, strict=True):
            if citizen is None:
                row[:] = 0
                row[0] = 1
            else:
                row[:] = action_mask(self.town, citizen)

    def write_alive(self, alive: U8) -> None:
        """Write 1 for every seat somebody has."""
        alive[:] = [citizen is not None for citizen in self.town.seats]

    def write_episode_starts(self, starts: U8) -> None:
        """Write 1 for every seat whose memory must be cleared: newcomers, and whoever was moved or changed."""
        starts[:] = [citizen is not None and citizen.ctx_reset for citizen in self.town.seats]

    def state_words(self) -> U64:
        """Return the canonical state."""
        return state_words(self.town)

    def snapshot_words(self) -> U64:
        """Return the canonical state and what else going on needs.

        Raises:
            SnapshotError: Somebody is doing something by rules that a reload has changed since.
        """
        if self._unfinished is not None:
            self._unfinished.check(self.town)
        return snapshot_words(self.town)

    def load_words(self, words: U64) -> None:
        """Take over what `snapshot_words` wrote; on an error nothing changes."""
        town = read_town(words, self._tables, self._config)
        check_doings(town)
        self._open(town)
        self._visits = town.visits

    def reseed(self, seed: int) -> None:
        """Draw everything from now on from another seed."""
        self.town.streams = Streams.of_seed(seed)

    def carried_words(self) -> U64:
        """Return how often citizens have been in every situation."""
        return visit_words(self._visits)

    def carry_words(self, words: U64) -> None:
        """Go on from other counts; on an error nothing changes."""
        self._visits = self.town.visits = visits_of(words, len(self._tables.map.zones))

    def drop_carried(self) -> None:
        """Count from nothing."""
        self._visits = {}

    def stage_reload(self, config: WorldConfig) -> tuple[str, ...]:
        """Go on under another configuration from the next tick on, and return the paths that change.

        Raises:
            ConfigError: Its files are wrong, or something that needs a restart differs; nothing changes then.
        """
        assert isinstance(config, TownletConfig), "the engine parses configurations"
        tables = load_tables(config)
        require_batch_hooks(tables)
        changed = check_reload(self._tables, self._config, tables, config)
        self._next = config, tables
        return changed

    def render_state(self) -> JsonObject:
        """Return what a viewer needs to draw this moment."""
        remaining = max(0, self._config.episode_ticks - self.town.tick)
        return render_state(
            self.town, time_remaining=remaining, rewards=self._report.rewards, event_data=self._event_data()
        )

    def _open(self, town: Town) -> None:
        self.town = town
        self._unfinished = None
        self._report = TickReport()
        self._events = []
        self._last_rows = {}
        self._last_metrics = {}

    def _take_reload(self) -> None:
        if self._next is not None:
            self._config, self._tables = self._next
            self._next = None
            before = self.town.tables
            apply_reload(self.town, self._config, self._tables)
            self._unfinished = Unfinished.after_reload(self.town, before, self._unfinished)
            self._observer = Observer(self._tables, self._config)

    def _keep_last_view(self, town: Town, citizen: Citizen) -> None:
        self._last_rows[citizen.seat] = self._observer.row_of(town, citizen)
        self._last_metrics[citizen.seat] = citizen_metrics(town, citizen)

    def _take_events(self) -> list[Event]:
        events = [*self.town.events]
        self.town.events.clear()
        return events

    def _record(
        self, report: TickReport, received: list[Decision | None], numbers: list[int | None], *, dt: int = 1
    ) -> StepRecord:
        town = self.town
        is_over = self.is_over
        seats = range(len(town.seats))
        rewards = [report.rewards.get(seat) for seat in seats]
        return StepRecord(
            received=tuple(received),
            effective=tuple(
                None if decision is None else (report.effective.get(seat, 0),) for seat, decision in enumerate(received)
            ),
            rewards=tuple(0.0 if reward is None else reward.total for reward in rewards),
            reward_terms=tuple({} if reward is None else terms_of(reward) for reward in rewards),
            terminated=tuple(seat in report.exits for seat in seats),
            truncated=tuple(is_over and numbers[seat] is not None and seat not in report.exits for seat in seats),
            metrics=self._metrics(),
            dt=dt,
            events=tuple(dict.fromkeys(EVENT_NAMES[event.kind] for event in self._events)),
            event_data=self._event_data(),
            info=self._info(report, numbers),
            draws=town.streams.draws,
        )

    def _metrics(self) -> tuple[tuple[float, ...], ...]:
        town = self.town
        shared = town_metrics(town)
        return tuple(
            shared + self._last_metrics.get(seat, NO_CITIZEN if citizen is None else citizen_metrics(town, citizen))
            for seat, citizen in enumerate(town.seats)
        )

    def _event_data(self) -> dict[str, JsonObject]:
        records: dict[str, list[JsonValue]] = {}
        for event in self._events:
            records.setdefault(EVENT_NAMES[event.kind], []).append({"tick": event.tick, **payload(self.town, event)})
        return {name: {"records": rows} for name, rows in records.items()}

    def _info(self, report: TickReport, numbers: list[int | None]) -> dict[str, JsonValue]:
        town = self.town
        return {
            "tick": town.tick,
            "seats": [
                None
                if citizen is None
                else {
                    "agent_id": agent_id(town, citizen.number),
                    "display_name": display_name(town, citizen.number),
                    "embedding_slot": citizen.slot,
                    "option": int(citizen.plan.option),
                    "new_citizen": citizen.spawn_tick == town.tick,
                }
                for citizen in town.seats
            ],
            "exits": [
                {"seat": seat, "agent_id": agent_id(town, number), "exit_reason": word(ExitReason(reason))}
                for seat, reason in report.exits.items()
                if (number := numbers[seat]) is not None
            ],
            "invalid_action": [seat in report.invalid for seat in range(len(numbers))],
            "commit_enforced": [seat in report.commit_enforced for seat in range(len(numbers))],
        }
