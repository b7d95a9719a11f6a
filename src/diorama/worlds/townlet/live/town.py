"""`LiveTown`: one town on the readable tier, as the services that run it live see it."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from diorama.contracts.live.events import LiveEvent, Narration
from diorama.contracts.live.stability import TickRecord
from diorama.contracts.live.world import Clock, LiveIdentity, Reload, Selection, View
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import F32, I32, U8, JsonObject, JsonValue
from diorama.snapshots import hash_words
from diorama.worlds.townlet.config.identity import structural_hash
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.contract import WORLD_ID, describe
from diorama.worlds.townlet.live.blocks.scene import Decisions, Scene
from diorama.worlds.townlet.live.blocks.state import StateBlocks
from diorama.worlds.townlet.live.catalogue import live_event
from diorama.worlds.townlet.live.files import TownFiles, open_files
from diorama.worlds.townlet.live.narrating.narrator import Narrator
from diorama.worlds.townlet.live.recording import TickNotes, take_notes, tick_record
from diorama.worlds.townlet.live.reloading import plan
from diorama.worlds.townlet.live.saving import LiveState, read_body, write_body
from diorama.worlds.townlet.live.ties import TieWatch
from diorama.worlds.townlet.live.windows import COVERAGE, promotion_window, shown_values
from diorama.worlds.townlet.reference.decisions.controller import BehaviorController
from diorama.worlds.townlet.reference.decisions.deciding import action_mask, decide
from diorama.worlds.townlet.reference.decisions.options import is_bound
from diorama.worlds.townlet.reference.names import agent_id, display_name
from diorama.worlds.townlet.reference.observe import Observer
from diorama.worlds.townlet.reference.opening import open_town
from diorama.worlds.townlet.reference.policy_runner import Source
from diorama.worlds.townlet.reference.reloading import apply_reload
from diorama.worlds.townlet.reference.resolving import resolve
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.hooks import run_deferred
from diorama.worlds.townlet.reference.systems.kpis import latest_row
from diorama.worlds.townlet.reference.tick import clear_page, schedule, settle
from diorama.worlds.townlet.reference.words import state_words
from diorama.worlds.townlet.render import render_state
from diorama.worlds.townlet.tables.town_tables import TownTables

ALERT_EDGES: Final = ("stability_alert_raised", "stability_alert_cleared")


class LiveTown:
    """A town that goes on for as long as it is run; a `LiveWorld`."""

    def __init__(self, config: SimulationConfig, path: Path | None, seed: int) -> None:
        """Open the town of a configuration.

        Args:
            config: The configuration.
            path: The file it came from; None where it came from none.
            seed: Of the town's streams.

        Raises:
            ConfigError: Its files are wrong.
        """
        self._files = open_files(config, path)
        self._controller = BehaviorController()
        town = open_town(self._files.compile(config), config, seed)
        self._take_over(LiveState(town, promotion_window(town), Narrator()))

    def _take_over(self, state: LiveState) -> None:
        self.town = state.town
        self._window, self._narrator = state.window, state.narrator
        self._is_settled = False
        self._primitives: list[int] = []
        self._seats: dict[int, int] = {}
        self._notes = TickNotes()
        self._told_events: list[LiveEvent] = []
        self._ties = TieWatch(state.town)
        self._scene = Scene(state.town)
        self._blocks = StateBlocks()
        self._names: dict[str, str] = {}
        self._fit_tables()

    def _fit_tables(self) -> None:
        town = self.town
        self._spec = describe(town.config)
        self._identity = LiveIdentity(
            world=WORLD_ID,
            config_id=town.tables.effective_id,
            structural_id=structural_hash(town.config, town.tables.town_checksum),
            variant=town.config.features.systems.observations,
            seed=town.seed,
            checksums={"town": town.tables.town_checksum, "affordances": town.tables.manifest.sha256},
        )
        self._thresholds: JsonObject = town.config.stability.model_dump(mode="json")
        self._observer = Observer(town.tables, town.config)
        seats, actions = len(town.seats), len(self._spec.option_names)
        self._obs: F32 = np.zeros((seats, self._observer.width), dtype=np.float32)
        self._masks: U8 = np.zeros((seats, actions), dtype=np.uint8)
        self._scene.edition += 1
        self._named = 0

    @property
    def identity(self) -> LiveIdentity:
        """Who it is; changes with a reload."""
        return self._identity

    @property
    def spec(self) -> WorldSpec:
        """Its contract."""
        return self._spec

    @property
    def clock(self) -> Clock:
        """The tick that is being or will next be executed."""
        return Clock(tick=self.town.tick, day=self.town.day, tod=self.town.tod)

    @property
    def subject(self) -> Town:
        """What the town's own commands are given."""
        return self.town

    def schedule(self) -> None:
        """Stage 2."""
        schedule(self.town)

    def view(self) -> View:
        """What policies see before stage 3; the arrays are reused by the next call."""
        town = self.town
        self._observer.write_rows(town, self._obs)
        for row, citizen in zip(self._masks, town.seats, strict=True):
            row[:] = 0
            row[0] = 1
            if citizen is not None:
                row[:] = action_mask(town, citizen)
        return View(
            obs=self._obs,
            obs_u8=np.zeros((len(town.seats), 0), dtype=np.uint8),
            masks=self._masks,
            alive=np.array([citizen is not None for citizen in town.seats], dtype=np.uint8),
            starts=np.array([citizen is not None and citizen.ctx_reset for citizen in town.seats], dtype=np.uint8),
        )

    def expert_actions(self) -> I32:
        """What the scripted controller selects; the no-op where citizens are led by primitives."""
        actions: I32 = np.zeros((len(self.town.seats), 1), dtype=np.int32)
        if self.town.config.policy_runtime.action_level == "option":
            for citizen in self.town.living():
                actions[citizen.seat, 0] = self._controller.decide(self.town, citizen)
        return actions

    def decide(self, selection: Selection) -> None:
        """Stage 3."""
        town = self.town
        citizens = town.living()
        wanted = {citizen.seat: int(selection.actions[citizen.seat, 0]) for citizen in citizens}
        sources = {
            citizen.seat: str(
                Source.POSSESSED
                if citizen.is_possessed
                else Source.COMMITTED
                if is_bound(town, citizen)
                else selection.source
            )
            for citizen in citizens
        }
        self._seats = {citizen.number: citizen.seat for citizen in citizens}
        self._scene.decisions = Decisions(selection.policy, sources, selection.opinions)
        self._primitives = decide(town, wanted)

    def resolve(self) -> None:
        """Stage 4."""
        resolve(self.town, self._primitives)

    def settle(self) -> None:
        """Stage 5; what the tick paid and did is noted, and the page is clean for commands of the next one."""
        town = self.town
        settle(town)
        run_deferred(town)
        self._notes = take_notes(town, self._seats)
        self._notes.tie_changes = self._ties.changes(town)
        town.chronicle.note(town.tick, town.events, town.queues, self._notes.tie_changes)
        self._window.note(town, self._notes)
        self._scene.report = town.report
        clear_page(town)
        self._is_settled = True

    def advance(self) -> None:
        """Go on to the next tick."""
        self.town.tick += 1
        self._is_settled = False
        self._ties.look(self.town)

    def take_events(self) -> Sequence[LiveEvent]:
        """Hand over what happened since the last call, in order."""
        events = [live_event(self.town, event) for event in self.town.events]
        self.town.events.clear()
        self._told_events = events
        return events

    def record(self, events: Sequence[LiveEvent], transport: JsonObject) -> TickRecord:
        """Describe the tick for the stability monitor."""
        return tick_record(self.town, self._notes, self._thresholds, events, transport)

    def narrate(self, events: Sequence[LiveEvent]) -> Sequence[Narration]:
        """Say what of this is worth a sentence."""
        for event in events:
            if event.name in ALERT_EDGES:
                self.town.chronicle.note_alert(str(event.fields["alert"]), is_raised=event.name == ALERT_EDGES[0])
        told = self._narrator.tell(self.town, self._known_names(), events, self._notes)
        # What is told while the town is paused is not told of the tick before once more.
        self._notes.avoided, self._notes.tie_changes = [], []
        return told

    def blocks(self) -> JsonObject:
        """The whole state by block."""
        self.changes()
        return self._blocks.told

    def changes(self) -> JsonObject:
        """A merge patch from what `blocks` or `changes` told last to now."""
        self._scene.look()
        return self._blocks.news(self._scene)

    def scene(self) -> JsonObject:
        """The render state: what pages and replays draw a town from."""
        return render_state(
            self.town, time_remaining=0, rewards=self._scene.report.rewards, event_data=_event_data(self._told_events)
        )

    def people(self) -> Iterable[tuple[str, str]]:
        """Id and shown name of everybody who ever lived here."""
        return self._known_names().items()

    def kpis(self) -> Mapping[str, float]:
        """KPI values of the running day."""
        return shown_values(self.town, latest_row(self.town))

    def close_window(self) -> Mapping[str, float]:
        """KPI values of the promotion window that ends now, and begin the next."""
        values = self._window.close(self.town)
        if self.town.config.features.stages.social_rewards == "OFF":
            # Nobody is paid for making friends, so that nobody is judged by it.
            del values[COVERAGE]
        return values

    def forget_context(self) -> None:
        """Clear what policies remember of every citizen."""
        for citizen in self.town.living():
            citizen.ctx_reset = True

    def state_hash(self) -> int:
        """Hash of the canonical state, as the next tick begins with it."""
        with self._next_tick():
            return hash_words(state_words(self.town))

    def save(self) -> JsonObject:
        """Everything that can influence the future, as the next tick begins with it."""
        with self._next_tick():
            state = LiveState(self.town, self._window, self._narrator)
            return write_body(state, self._files)

    def load(self, body: JsonObject) -> None:
        """Take over what `save` wrote; on an error nothing changes.

        Raises:
            SnapshotError: It is no state of this town.
        """
        state, files = read_body(body, self.town, self._files)
        self._files = files
        self._take_over(state)

    def plan_reload(self, section: str | None) -> Reload:
        """Read the configuration and its files again and say what would change.

        Raises:
            ConfigError: What is there now is wrong.
        """
        return plan(self.town, self._files, section, self._reload)

    def _reload(self, config: SimulationConfig, tables: TownTables, files: TownFiles) -> None:
        apply_reload(self.town, config, tables)
        self._files = files
        self._fit_tables()

    def _next_tick(self) -> "_NextTick":
        return _NextTick(self.town, self._is_settled)

    def _known_names(self) -> Mapping[str, str]:
        for number in range(self._named, self.town.next_number):
            self._names[agent_id(self.town, number)] = display_name(self.town, number)
        self._named = self.town.next_number
        return self._names


def _event_data(events: Sequence[LiveEvent]) -> dict[str, JsonObject]:
    records: dict[str, list[JsonValue]] = {}
    for event in events:
        records.setdefault(event.name, []).append({"tick": event.tick, **event.fields})
    return {name: {"records": rows} for name, rows in records.items()}


class _NextTick:
    """While it is entered, a town whose tick is over stands at the beginning of the next one."""

    def __init__(self, town: Town, is_settled: bool) -> None:
        self._town = town
        self._ticks = int(is_settled)

    def __enter__(self) -> None:
        self._town.tick += self._ticks

    def __exit__(self, *_: object) -> None:
        self._town.tick -= self._ticks
