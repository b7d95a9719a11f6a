"""One copy of the belt as the engine drives it."""

from collections.abc import Sequence
from operator import index

from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.values import F32, U8, U64, JsonObject, JsonValue
from diorama.rng import Pcg32
from diorama.snapshots import check_bounds
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.reference.actions import action_mask
from diorama.worlds.prospector.reference.constants import RNG_STREAM
from diorama.worlds.prospector.reference.generation.belt import open_belt
from diorama.worlds.prospector.reference.metrics import measure
from diorama.worlds.prospector.reference.observe import observation
from diorama.worlds.prospector.reference.reward import reward_terms, total_reward
from diorama.worlds.prospector.reference.state import State
from diorama.worlds.prospector.reference.step import advance
from diorama.worlds.prospector.reference.turn import GOES_ON, Ending
from diorama.worlds.prospector.reference.words import read_state, write_state
from diorama.worlds.prospector.render import render_state


class ProspectorSimulation:
    """The readable tier: a state and the rules that move it."""

    def __init__(self, config: ProspectorConfig) -> None:
        """Open the belt of seed 0; `reset` opens any other."""
        self.config = config
        self.state = open_belt(0, config)

    def reset(self, seed: int) -> None:
        """Start the episode of this seed."""
        self.state = open_belt(seed, self.config)

    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        """Advance by one decision; a number that names no valid action holds instead.

        Raises:
            EpisodeOver: When the episode has ended.
            TypeError: When the action is not an integer.
        """
        ((action,),) = decisions
        turn = advance(self.state, self.config, index(action))
        terms = reward_terms(self.state, self.config, turn)
        ending = turn.ending
        return StepRecord(
            received=((turn.received,),),
            effective=((turn.action,),),
            rewards=(total_reward(terms),),
            reward_terms=(terms,),
            terminated=(ending.is_terminated,),
            truncated=(ending.is_truncated,),
            metrics=(measure(self.state),),
            dt=turn.dt,
            events=turn.events.names(),
            event_data=turn.events.data(),
            info=_info(self.state, ending, is_invalid=turn.is_invalid),
            draws=self.state.rng.draws,
        )

    def opening_record(self) -> StepRecord:
        """Describe an episode that has not been stepped yet."""
        return StepRecord(
            received=(None,),
            effective=(None,),
            rewards=(0.0,),
            reward_terms=({},),
            terminated=(False,),
            truncated=(False,),
            metrics=(measure(self.state),),
            dt=0,
            events=(),
            event_data={},
            info=_info(self.state, GOES_ON, is_invalid=False),
            draws=self.state.rng.draws,
        )

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended."""
        return self.state.is_over

    @property
    def episode_seed(self) -> int:
        """Seed of the running episode."""
        return self.state.seed

    def observe(self, obs: F32, obs_u8: U8) -> None:
        """Write the observation row."""
        obs[0] = observation(self.state, self.config)

    def write_masks(self, masks: U8) -> None:
        """Write the row of valid actions."""
        masks[0] = action_mask(self.state)

    def write_alive(self, alive: U8) -> None:
        """Write 1: the one pilot always takes the next decision."""
        alive[0] = 1

    def write_episode_starts(self, starts: U8) -> None:
        """Mark nobody: seats do not change hands."""
        starts[:] = 0

    def state_words(self) -> U64:
        """Return the canonical state."""
        return write_state(self.state)

    def snapshot_words(self) -> U64:
        """Return what a snapshot holds, which is the canonical state."""
        return self.state_words()

    def load_words(self, words: U64) -> None:
        """Take over a state written by `snapshot_words`; on an error nothing changes."""
        state = read_state(words)
        check_bounds("the belt", [("time_remaining", state.time_remaining, 0.0, self.config.time_max)])
        self.state = state

    def reseed(self, seed: int) -> None:
        """Draw everything from now on from another seed."""
        self.state.rng = Pcg32.from_seed(seed, RNG_STREAM)

    def render_state(self) -> JsonObject:
        """Return what a viewer needs to draw this moment."""
        return render_state(self.state, self.config)


def _info(state: State, ending: Ending, *, is_invalid: bool) -> dict[str, JsonValue]:
    return {
        "invalid_action": is_invalid,
        "destroyed": ending.is_destroyed,
        "stranded": ending.is_stranded,
        "end_reason": None if ending.reason is None else ending.reason.value,
        "time_remaining": state.time_remaining,
        "ticks": state.ticks,
        "total_spend": state.counters.total_spend,
        "gross_revenue": state.counters.gross_revenue,
        "node_context": state.ship.context,
        "seed": state.seed,
    }
