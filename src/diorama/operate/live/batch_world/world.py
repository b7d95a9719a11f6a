"""`BatchWorld`: one copy of any world as the services of a live one see it."""

import base64
import binascii
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import SnapshotError
from diorama.contracts.live.events import LiveEvent, Narration
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.stability import TickRecord
from diorama.contracts.live.world import Clock, LiveIdentity, PolicyIdentity, Reload, Selection, View
from diorama.contracts.records import StepRecord
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import I32, U8, JsonObject, JsonValue
from diorama.engine.batch import Batch
from diorama.operate.live.batch_world import orders
from diorama.operate.live.batch_world.happenings import end_of_episode, mean_metrics, step_events
from diorama.operate.live.batch_world.numbers import Window, load_window
from diorama.operate.live.batch_world.reloading import plan_batch_reload
from diorama.telemetry.live.merge_patch import difference

HASH_DIGITS: Final = 8


class BatchWorld:
    """A batch of one copy that goes on for ever: where an episode ends the next one begins in the same tick.

    The whole tick of the world happens in stage 4; ticks are counted over all episodes.
    """

    def __init__(self, batch: Batch, path: Path | None, seed: int, settings: LiveSettings) -> None:
        """Open the first episode.

        Args:
            batch: One copy that was not reset yet.
            path: Where its configuration came from.
            seed: Of the first episode.
            settings: Of the services; a reload leaves them as they are.
        """
        batch.reset()
        self._batch = batch
        self._path = path
        self._settings = settings
        self._tick, self._episode, self._dt = 0, 0, 0
        self._starts: U8 = np.ones(batch.spec.agents, np.uint8)
        self._selection: Selection | None = None
        self._policy = PolicyIdentity()
        self._events: list[LiveEvent] = []
        self._record: StepRecord = batch.step_record(0)
        self._exits: dict[int, str] = {}
        self._kpis, self._window = Window(), Window()
        self._told: JsonObject = {}
        digits = batch.config_hash[:HASH_DIGITS]
        self.identity = LiveIdentity(
            world=batch.spec.world,
            config_id=f"{batch.spec.interface_version}.{digits}",
            structural_id=digits,
            variant=batch.spec.interface_version,
            seed=seed,
        )

    @property
    def spec(self) -> WorldSpec:
        """Its contract."""
        return self._batch.spec

    @property
    def config(self) -> WorldConfig:
        """Its configuration."""
        return self._batch.config

    @property
    def clock(self) -> Clock:
        """Ticks since the world was opened; it knows no days."""
        return Clock(tick=self._tick, day=0, tod=0)

    @property
    def subject(self) -> object:
        """The desk of the batch: what takes the orders of the world's own commands."""
        return self._batch.desk

    def schedule(self) -> None:
        """Do nothing: an episode that is over has begun anew already."""

    def view(self) -> View:
        """What policies see."""
        batch = self._batch
        return View(obs=batch.obs, obs_u8=batch.obs_u8, masks=batch.masks, alive=batch.alive, starts=self._starts)

    def expert_actions(self) -> I32:
        """What the world's own controller selects; the no-op where it has none."""
        if self._batch.world.expert is not None:
            return self._batch.expert_actions()
        noop: I32 = np.tile(np.array(self.spec.noop, np.int32), (self.spec.agents, 1))
        return noop

    def decide(self, selection: Selection) -> None:
        """Keep what was selected until stage 4."""
        self._selection = selection

    def resolve(self) -> None:
        """Take the step."""
        if self._selection is None:
            raise ValueError("nothing was selected for this tick")
        batch, seed = self._batch, self._batch.episode_seed(0)
        batch.step(self._selection.actions)
        self._policy, self._selection = self._selection.policy, None
        self._record = batch.step_record(0)
        self._dt = max(1, int(batch.dt[0]))
        self._starts = batch.episode_start.copy()
        self._exits = {seat: "ended" for seat, over in enumerate(self._record.terminated) if over}
        self._events += step_events(self.spec, self._record, self._tick)
        # A copy that ended was reset inside the step; only then do all its rows open an episode at once.
        if batch.episode_seed(0) != seed:
            self._end_episode(seed)

    def settle(self) -> None:
        """Count the step."""
        reward = sum(self._record.rewards)
        for window in (self._kpis, self._window):
            window.note_step(reward)

    def advance(self) -> None:
        """Go on to the next tick."""
        self._tick += self._dt

    def take_events(self) -> Sequence[LiveEvent]:
        """Hand over what happened since the last call."""
        events, self._events = self._events, []
        return events

    def record(self, events: Sequence[LiveEvent], transport: JsonObject) -> TickRecord:
        """Describe the tick."""
        alive = {seat for seat, received in enumerate(self._record.received) if received is not None}
        return TickRecord(
            tick=self._tick,
            rewards={seat: reward for seat, reward in enumerate(self._record.rewards) if seat in alive},
            exits=self._exits,
            events=events,
            facts={},
            transport=transport,
        )

    def narrate(self, events: Sequence[LiveEvent]) -> Sequence[Narration]:
        """Say nothing: only a world itself knows what is worth a sentence."""
        return ()

    def blocks(self) -> JsonObject:
        """Metrics, KPIs, policy, episode and seats."""
        self._told = self._blocks()
        return self._told

    def changes(self) -> JsonObject:
        """What is different from what was told last."""
        before, self._told = self._told, self._blocks()
        return difference(before, self._told)

    def scene(self) -> JsonObject:
        """The render state."""
        return self._batch.render_state(0)

    def people(self) -> Iterable[tuple[str, str]]:
        """Nobody: seats have no names."""
        return ()

    def kpis(self) -> Mapping[str, float]:
        """KPI values since the world was opened."""
        return self._kpis.kpis()

    def close_window(self) -> Mapping[str, float]:
        """KPI values of the window that ends now."""
        window, self._window = self._window, Window()
        return window.kpis()

    def forget_context(self) -> None:
        """Have every memory cleared before the next decision."""
        self._starts[:] = 1

    def state_hash(self) -> int:
        """Hash of the canonical state."""
        return self._batch.state_hash(0)

    def save(self) -> JsonObject:
        """The copy's own snapshot, what operators ordered, and what is counted over episodes."""
        return {
            "snapshot": base64.b64encode(self._batch.snapshot(0)).decode(),
            "tick": self._tick,
            "episode": self._episode,
            "starts": self._starts.tolist(),
            "orders": orders.exported(self.subject),
            "kpis": self._kpis.export(),
            "window": self._window.export(),
        }

    def load(self, body: JsonObject) -> None:
        """Take over what `save` wrote; on an error nothing changes.

        Raises:
            SnapshotError: It is no state of this world.
        """
        try:
            data = base64.b64decode(str(body["snapshot"]), validate=True)
            tick, episode = _count(body["tick"]), _count(body["episode"])
            starts = np.array(body["starts"], np.uint8)
            kpis, window = load_window(body["kpis"]), load_window(body["window"])
        except (KeyError, ValueError, TypeError, OverflowError, binascii.Error) as error:
            raise SnapshotError(f"this is no state of a live {self.spec.world!r}: {error}") from None
        if starts.shape != (self.spec.agents,):
            raise SnapshotError(f"starts has shape {starts.shape}; there are {self.spec.agents} seats")
        before = orders.exported(self.subject)
        orders.load(self.subject, body.get("orders", {}))
        try:
            self._batch.restore(0, data)
        except SnapshotError:
            orders.load(self.subject, before)
            raise
        self._tick, self._episode, self._starts = tick, episode, starts
        self._kpis, self._window = kpis, window
        self._record, self._events, self._exits, self._selection = self._batch.step_record(0), [], {}, None

    def plan_reload(self, section: str | None) -> Reload:
        """Say what is different in the configuration's file; nothing of it can change while the world runs.

        Raises:
            ConfigError: What is there now is wrong.
        """
        return plan_batch_reload(self._batch, self._path, self._settings, section)

    def _end_episode(self, seed: int) -> None:
        ended = end_of_episode(self.spec, self._record, tick=self._tick, episode=self._episode, seed=seed)
        self._events.append(ended)
        for window in (self._kpis, self._window):
            window.note_episode(mean_metrics(self.spec, self._record))
        self._episode += 1

    def _blocks(self) -> JsonObject:
        record, heads = self._record, self.spec.heads
        return {
            "metrics": mean_metrics(self.spec, record),
            "kpis": {"current": self._kpis.kpis()},
            "policy": {"identity": dict(self._policy.to_json(self.identity.variant))},
            "episode": {"number": self._episode, "seed": str(self._batch.episode_seed(0))},
            "seats": {
                str(seat): {
                    "alive": bool(self._batch.alive[seat]),
                    "reward": record.rewards[seat],
                    "action": [
                        head.options[option] for head, option in zip(heads, decision or self.spec.noop, strict=True)
                    ],
                }
                for seat, decision in enumerate(record.effective)
            },
        }


def _count(value: JsonValue) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{value!r} is no count")
    return value
