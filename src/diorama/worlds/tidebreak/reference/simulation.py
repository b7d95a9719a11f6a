"""One copy of the arena as the engine drives it: episodes, seats, rewards that wait, snapshots."""

from collections.abc import Sequence
from typing import Final

from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.values import F32, U8, U64, JsonObject
from diorama.snapshots import WordReader, WordWriter
from diorama.worlds.tidebreak.config import ObservationProfile, TidebreakConfig
from diorama.worlds.tidebreak.contract import HEAD_OFFSETS, HEADS, METRICS
from diorama.worlds.tidebreak.reference.arena import Arena
from diorama.worlds.tidebreak.reference.decisions import repeated
from diorama.worlds.tidebreak.reference.events import Event
from diorama.worlds.tidebreak.reference.masks import action_mask
from diorama.worlds.tidebreak.reference.metrics import Metrics, unit_metrics
from diorama.worlds.tidebreak.reference.observe import compact, observation
from diorama.worlds.tidebreak.reference.reward import Reward, RewardRule, ending_flags, tick_rewards
from diorama.worlds.tidebreak.reference.seats import EMPTY_SEAT, Episode, EpisodePlan
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.step_outcome import StepOutcome
from diorama.worlds.tidebreak.reference.told import event_data, event_names, info_of
from diorama.worlds.tidebreak.reference.words import read_battle, state_words, write_battle
from diorama.worlds.tidebreak.render import render_state
from diorama.worlds.tidebreak.reward_weights import Component
from diorama.worlds.tidebreak.scenarios.seeds import battle_seed

_NO_METRICS: Final = (0.0,) * len(METRICS)
_NOOPS: Final = [HEAD_OFFSETS[place] + head.noop for place, head in enumerate(HEADS)]
_EXTRA_WORDS: Final = 3  # total, team and shaping, beside the components


class TidebreakSimulation:
    """The readable tier: a battle, its seats, and what units that are out are still owed."""

    def __init__(self, config: TidebreakConfig) -> None:
        """Prepare episodes; `reset` or `load_words` opens one.

        Raises:
            ConfigError: The configuration names a side or a ship that is not in its battle.
        """
        self._plan = EpisodePlan(config)
        self._is_compact = config.observation is ObservationProfile.COMPACT
        self._credit_dead = config.credit_dead
        self._decision_ticks = config.decision_ticks
        self._rule = RewardRule(weights=config.weights, team_share=config.team_weight, discount=config.shaping_discount)
        self._seed = 0
        self._arena: Arena | None = None
        self._owed: list[Reward] = []
        self._events: list[Event] = []

    def reset(self, seed: int) -> None:
        """Start the episode of this seed."""
        self._open(seed)
        self._events = self._battle.log.take()

    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        """Advance by one decision, a tick or more; what seats decide that are empty or out is ignored.

        Raises:
            ContractError: An option does not exist; nothing has changed then.
        """
        deciding = [self._is_alive(unit) for unit in self._units]
        taken = [decision if is_deciding else None for decision, is_deciding in zip(decisions, deciding, strict=True)]
        outcome = self._advance(taken)
        while outcome.ticks < self._decision_ticks and not self.is_over:
            outcome.add(self._advance([self._repeated(*seat) for seat in zip(self._units, taken, strict=True)]))
        self._events = self._battle.log.take()
        return self._record(taken, outcome)

    def opening_record(self) -> StepRecord:
        """Describe an episode that has not been stepped yet."""
        units = self._units
        nothing = StepOutcome(
            paid=[None if unit is None else Reward() for unit in units],
            ended=[(False, False)] * len(units),
            invalid=[0] * len(units),
            ticks=0,
        )
        return self._record([None] * len(units), nothing)

    @property
    def arena(self) -> Arena:
        """The battle and who commands in it."""
        assert self._arena is not None, "reset or load_words comes first"
        return self._arena

    @property
    def episode(self) -> Episode:
        """Which battle is fought, and by whom."""
        return self._plan.episode(self._seed)

    @property
    def is_over(self) -> bool:
        """Whether the battle has ended."""
        return self._battle.outcome.is_over

    @property
    def episode_seed(self) -> int:
        """Seed of the running episode."""
        return self._seed

    def observe(self, obs: F32, obs_u8: U8) -> None:
        """Write one row per seat; zeros for an empty one."""
        for row, unit in zip(obs, self._units, strict=True):
            if unit is None:
                row[:] = 0.0
            else:
                seen = observation(self._battle, unit)
                row[:] = compact(seen) if self._is_compact else seen

    def write_masks(self, masks: U8) -> None:
        """Write one row per seat; only the no-ops for an empty one."""
        for row, unit in zip(masks, self._units, strict=True):
            if unit is None:
                row[:] = 0
                row[_NOOPS] = 1
            else:
                row[:] = action_mask(self._battle, unit)

    def write_alive(self, alive: U8) -> None:
        """Write 1 for every seat whose unit can still fight."""
        alive[:] = [self._is_alive(unit) for unit in self._units]

    def write_episode_starts(self, starts: U8) -> None:
        """Mark nobody: seats do not change hands."""
        starts[:] = 0

    def state_words(self) -> U64:
        """Return the canonical state, which the hash covers."""
        return state_words(self._battle)

    def snapshot_words(self) -> U64:
        """Return everything a snapshot holds: seed, first hash, the battle, and what is owed."""
        words = WordWriter()
        words.add_int(self._seed)
        words.add_int(self._battle.initial_hash)
        write_battle(words, self._battle)
        for owed in self._owed:
            words.add_floats([owed.total, *owed.components, owed.team, owed.shaping])
        return words.words()

    def load_words(self, words: U64) -> None:
        """Take over what `snapshot_words` wrote; on an error nothing changes."""
        reader = WordReader(words)
        seed, initial_hash = reader.read_u64(), reader.read_u64()
        episode = self._plan.episode(seed)
        battle = read_battle(reader, episode.package, is_collecting=True)
        battle.initial_hash = initial_hash
        owed = [_read_owed(reader) for _ in episode.seats]
        reader.finish()
        if self._arena is None or seed != self._seed:
            self._open(seed)
        self.arena.resume(battle)
        self._owed, self._events = owed, []

    def reseed(self, seed: int) -> None:
        """Draw everything from now on from another seed."""
        self._battle.seed = battle_seed(seed)

    def render_state(self) -> JsonObject:
        """Return what a viewer needs to draw this moment."""
        return render_state(self._battle, self.episode, self._event_data())

    @property
    def _battle(self) -> Battle:
        return self.arena.battle

    @property
    def _units(self) -> list[Unit | None]:
        return [None if unit_id == EMPTY_SEAT else self._battle.units[unit_id - 1] for unit_id in self.episode.seats]

    def _open(self, seed: int) -> None:
        episode = self._plan.episode(seed)
        self._seed = seed
        self._arena = Arena(episode.package, episode.controllers, seed=episode.seed, is_collecting=True)
        self._owed = [Reward() for _ in episode.seats]

    def _is_alive(self, unit: Unit | None) -> bool:
        return unit is not None and unit.is_effective and not self.is_over

    def _advance(self, decisions: Sequence[Decision | None]) -> StepOutcome:
        """Advance one tick; a seat without a decision gives no orders."""
        self.arena.step(
            {
                unit.spec.ship_id: decision
                for unit, decision in zip(self._units, decisions, strict=True)
                if unit is not None and decision is not None
            }
        )
        return StepOutcome(
            paid=self._pay(),
            ended=[self._flags(unit) for unit in self._units],
            invalid=[0 if unit is None else unit.scratch.invalid for unit in self._units],
        )

    def _repeated(self, unit: Unit | None, decision: Decision | None) -> Decision | None:
        if unit is None or decision is None or not self._is_alive(unit):
            return None
        return repeated(self._battle, unit, decision)

    def _pay(self) -> list[Reward | None]:
        """Return what every seat gets for a tick; what a unit that is out would get waits for the end of the battle."""
        earned = tick_rewards(self._battle, self._rule)
        paid: list[Reward | None] = []
        for seat, unit in enumerate(self._units):
            if unit is None:
                paid.append(None)
            elif unit.memory.was_effective:
                paid.append(earned[unit.id])
            elif not self._credit_dead:
                paid.append(Reward())
            else:
                self._owed[seat].add(earned[unit.id])
                paid.append(self._owed[seat] if self.is_over else Reward())
        return paid

    def _record(self, taken: Sequence[Decision | None], outcome: StepOutcome) -> StepRecord:
        paid, dt = outcome.paid, outcome.ticks
        return StepRecord(
            received=tuple(taken),
            effective=tuple(taken),
            rewards=tuple(0.0 if reward is None else reward.total for reward in paid),
            reward_terms=tuple({} if reward is None or not dt else reward.terms(self._rule) for reward in paid),
            terminated=tuple(terminated for terminated, _ in outcome.ended),
            truncated=tuple(truncated for _, truncated in outcome.ended),
            metrics=tuple(self._metrics(unit) for unit in self._units),
            dt=dt,
            events=event_names(self._events),
            event_data=self._event_data(),
            info=info_of(self._battle, self.episode, paid, outcome.invalid),
            draws=0,
        )

    def _event_data(self) -> dict[str, JsonObject]:
        return event_data(self._events, with_ticks=self._decision_ticks > 1)

    def _flags(self, unit: Unit | None) -> tuple[bool, bool]:
        return (False, False) if unit is None else ending_flags(self._battle, unit, credit_dead=self._credit_dead)

    def _metrics(self, unit: Unit | None) -> Metrics:
        return _NO_METRICS if unit is None else unit_metrics(self._battle, unit)


def _read_owed(words: WordReader) -> Reward:
    total, *parts = words.read_floats(len(Component) + _EXTRA_WORDS)
    return Reward(total=total, components=parts[: len(Component)], team=parts[-2], shaping=parts[-1])
