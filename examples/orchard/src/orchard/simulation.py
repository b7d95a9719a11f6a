"""The readable tier: one orchard, one picker."""

from collections.abc import Sequence

from diorama.contracts.errors import SnapshotError
from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.values import F32, U8, U64, JsonObject
from diorama.rng import Pcg32
from diorama.snapshots import WordReader, WordWriter
from orchard.contract import ACTIONS, EMPTY, MAX_CARRIED, MOVES, PICK, SIZE, WAIT, OrchardConfig

TREES = SIZE * SIZE
BASKET = 0  # the tree in the north-western corner has a basket and bears no apples
STEP_COST = 0.01
PICKED_BONUS = 0.1  # so that learning begins before the first apple reaches the basket


class OrchardSimulation:
    """A square of trees. Apples ripen by chance, the picker carries them to the basket."""

    def __init__(self, config: OrchardConfig) -> None:
        """Plant the orchard; `reset` opens an episode."""
        self._config = config
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start the episode of this seed."""
        self._seed = seed
        self._rng = Pcg32.named(seed, "ripening")
        self._tick = 0
        self._tree = TREES // 2
        self._carried = self._picked = self._delivered = 0
        self._ripe = [False] * TREES

    @property
    def is_over(self) -> bool:
        """Whether time is up."""
        return self._tick >= self._config.length

    @property
    def episode_seed(self) -> int:
        """Seed of the running episode."""
        return self._seed

    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        """Do what was decided, let apples ripen, and let a tick go by."""
        received = decisions[0]
        action = received[0] if self._can(received[0]) else WAIT
        events = [] if received[0] == action else ["invalid_action"]
        brought = self._act(action)
        events += ["picked"] if action == PICK else ["delivered"] if action == EMPTY else []
        self._ripen()
        self._tick += 1
        events += ["time_up"] if self.is_over else []
        return self._record(received, (action,), float(brought), events)

    def opening_record(self) -> StepRecord:
        """Describe an episode that has not been stepped yet."""
        return self._record(None, None, 0.0, [])

    def observe(self, obs: F32, obs_u8: U8) -> None:
        """Write the picker's view."""
        obs[0, 0:2] = [part / (SIZE - 1) for part in divmod(self._tree, SIZE)]
        obs[0, 2] = self._carried / MAX_CARRIED
        obs[0, 3] = 1.0 - self._tick / self._config.length
        obs[0, 4:] = self._ripe

    def write_masks(self, masks: U8) -> None:
        """Write what can be done now."""
        masks[0] = [self._can(action) for action in range(len(ACTIONS))]

    def write_alive(self, alive: U8) -> None:
        """The picker always decides."""
        alive[:] = 1

    def write_episode_starts(self, starts: U8) -> None:
        """Nobody else ever takes the seat."""
        starts[:] = 0

    def state_words(self) -> U64:
        """Return everything the future depends on; the random stream is a part of it."""
        writer = WordWriter()
        writer.add_ints([self._seed, self._tick, self._tree, self._carried, self._picked, self._delivered])
        writer.add_ints(self._ripe)
        writer.add_ints([self._rng.state, self._rng.inc, self._rng.draws])
        return writer.words()

    def snapshot_words(self) -> U64:
        """Return what a snapshot holds: the state, and nothing else."""
        return self.state_words()

    def load_words(self, words: U64) -> None:
        """Take over a state; it is read to its end before anything changes."""
        reader = WordReader(words)
        seed = reader.read_u64()
        tick, tree, carried, picked, delivered = reader.read_ints(5)
        ripe = [bool(word) for word in reader.read_ints(TREES)]
        rng = Pcg32(reader.read_u64(), reader.read_u64(), reader.read_int())
        reader.finish()
        if not (tick >= 0 and 0 <= tree < TREES and 0 <= carried <= MAX_CARRIED):
            raise SnapshotError(f"no orchard has tick {tick}, a picker at tree {tree} and {carried} apples carried")
        self._seed, self._tick, self._tree, self._ripe, self._rng = seed, tick, tree, ripe, rng
        self._carried, self._picked, self._delivered = carried, picked, delivered

    def reseed(self, seed: int) -> None:
        """Draw everything from now on from another seed; what was drawn stays."""
        self._rng = Pcg32.named(seed, "ripening")

    def render_state(self) -> JsonObject:
        """Return what a viewer needs; with a legend, a list of equally long texts is a board."""
        cells = ["a" if ripe else "." for ripe in self._ripe]
        cells[BASKET] = "B"
        cells[self._tree] = "P"
        return {
            "schema_version": 1,
            "headline": {"delivered": self._delivered},
            "time": self._tick,
            "time_remaining": self._config.length - self._tick,
            "board": ["".join(cells[start : start + SIZE]) for start in range(0, TREES, SIZE)],
            "legend": {"P": "picker", "B": "basket", "a": "ripe apple"},
            "carried": self._carried,
            "picked": self._picked,
        }

    def _can(self, action: int) -> bool:
        if action in MOVES:
            row, column = self._beside(action)
            return 0 <= row < SIZE and 0 <= column < SIZE
        if action == PICK:
            return self._ripe[self._tree] and self._carried < MAX_CARRIED
        if action == EMPTY:
            return self._tree == BASKET and self._carried > 0
        return action == WAIT

    def _beside(self, action: int) -> tuple[int, int]:
        row, column = divmod(self._tree, SIZE)
        down, right = MOVES[action]
        return row + down, column + right

    def _act(self, action: int) -> int:
        """Carry out an action that can be done, and return the apples it brings to the basket."""
        if action in MOVES:
            row, column = self._beside(action)
            self._tree = row * SIZE + column
        elif action == PICK:
            self._ripe[self._tree] = False
            self._carried += 1
            self._picked += 1
        elif action == EMPTY:
            brought, self._carried = self._carried, 0
            self._delivered += brought
            return brought
        return 0

    def _ripen(self) -> None:
        # Both are drawn whatever comes of them: a skipped draw would shift every later one.
        tree, luck = self._rng.randint_exclusive(0, TREES), self._rng.next_u32()
        if tree != BASKET and luck < self._config.ripening * 2**32:
            self._ripe[tree] = True

    def _record(
        self, received: Decision | None, effective: Decision | None, brought: float, events: list[str]
    ) -> StepRecord:
        terms = {"brought": brought, "picked": PICKED_BONUS if "picked" in events else 0.0, "time": -STEP_COST}
        terms = {} if received is None else terms
        return StepRecord(
            received=(received,),
            effective=(effective,),
            rewards=(sum(terms.values()),),
            reward_terms=(terms,),
            terminated=(False,),
            truncated=(self.is_over,),
            metrics=((float(self._delivered), float(self._picked)),),
            dt=0 if received is None else 1,
            events=tuple(events),
            event_data={"delivered": {"apples": int(brought)}} if "delivered" in events else {},
            info={"seed": self._seed},
            draws=self._rng.draws,
        )
