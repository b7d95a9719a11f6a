import numpy as np
import pytest

from diorama.contracts.errors import EpisodeOver, SnapshotError
from diorama.contracts.values import U64
from diorama.rng import Pcg32
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import Act
from diorama.worlds.prospector.reference.simulation import ProspectorSimulation
from diorama.worlds.prospector.reference.words import read_state, write_state

# Places of words in every state: see `reference/words/writing.py`.
TIME_REMAINING, IS_OVER, NODE_COUNT, NODE, SELECTION, FIRST_NODE_TYPE = range(5, 11)


@pytest.fixture
def simulation() -> ProspectorSimulation:
    return ProspectorSimulation(ProspectorConfig())


def play(simulation: ProspectorSimulation, steps: int, seed: int) -> None:
    """Take random valid actions other than cashing out; open a new belt where the old one ends."""
    rng = Pcg32.from_seed(seed, 1)
    mask = np.zeros((1, 69), np.uint8)
    for _ in range(steps):
        simulation.write_masks(mask)
        valid = np.flatnonzero(mask[0, : Act.CASH_OUT_END_EPISODE]).tolist()
        simulation.step([(valid[rng.randint_exclusive(0, len(valid))],)])
        if simulation.is_over:
            simulation.reset(simulation.episode_seed + 1)


def test_a_finished_episode_refuses_to_be_stepped_and_stays_as_it_is(simulation: ProspectorSimulation) -> None:
    simulation.step([(Act.CASH_OUT_END_EPISODE,)])
    words = simulation.state_words()

    with pytest.raises(EpisodeOver, match="seed 0 ended after 1 ticks"):
        simulation.step([(Act.HOLD_DRIFT,)])

    assert simulation.is_over
    assert (simulation.state_words() == words).all()


def test_an_action_that_is_no_integer_is_a_type_error(simulation: ProspectorSimulation) -> None:
    with pytest.raises(TypeError):
        simulation.step([(6.0,)])  # type: ignore[list-item]


def test_an_opening_tells_the_state_and_nothing_else(simulation: ProspectorSimulation) -> None:
    simulation.reset(-1)

    opening = simulation.opening_record()

    assert (opening.received, opening.effective, opening.dt, opening.rewards) == ((None,), (None,), 0, (0.0,))
    assert (opening.reward_terms, opening.events, opening.event_data) == (({},), (), {})
    assert opening.info == {
        "invalid_action": False,
        "destroyed": False,
        "stranded": False,
        "end_reason": None,
        "time_remaining": 20000.0,
        "ticks": 0,
        "total_spend": 0.0,
        "gross_revenue": 0.0,
        "node_context": "station",
        "seed": 2**64 - 1,
    }


@pytest.mark.parametrize("seed", [0, 9, 2**63])
def test_a_state_survives_the_way_through_words(simulation: ProspectorSimulation, seed: int) -> None:
    simulation.reset(seed)
    play(simulation, 60, seed=seed)
    words = simulation.state_words()
    twin = ProspectorSimulation(ProspectorConfig())

    twin.load_words(words)

    assert repr(twin.state.nodes) == repr(simulation.state.nodes)
    assert twin.state.ship == simulation.state.ship
    assert (write_state(twin.state) == words).all()
    play(simulation, 60, seed=1)
    play(twin, 60, seed=1)
    assert (twin.state_words() == simulation.state_words()).all()


@pytest.mark.parametrize(
    ("place", "value", "complaint"),
    [
        pytest.param(IS_OVER, 2, "episode-over flag is 2; it must be 0 to 1", id="flag"),
        pytest.param(NODE_COUNT, 7, "node count is 7; it must be 8 to 32", id="too-few-nodes"),
        pytest.param(NODE, 9, "current node is 9; it must be 0 to 8", id="nowhere"),
        pytest.param(SELECTION, 0, "asteroid 0 is selected; node 0 has 0 of them", id="selection-at-the-station"),
        pytest.param(FIRST_NODE_TYPE, 1, "type of node 0 is 1; it must be 0 to 0", id="no-station"),
        pytest.param(FIRST_NODE_TYPE + 4, 3, "type of node 1 is 3; it must be 1 to 2", id="unknown-type"),
        pytest.param(
            TIME_REMAINING, 0x7FF0000000000000, "time_remaining is inf; it must be a finite number", id="infinity"
        ),
        pytest.param(
            FIRST_NODE_TYPE + 1, 0x7FF8000000000000, "node is NaN; it must be a finite number", id="not-a-number"
        ),
    ],
)
def test_words_of_no_belt_are_refused(simulation: ProspectorSimulation, place: int, value: int, complaint: str) -> None:
    words = simulation.state_words()
    words[place] = value

    with pytest.raises(SnapshotError, match=complaint):
        read_state(words)


@pytest.mark.parametrize("change", [lambda words: words[:-1], lambda words: np.append(words, np.uint64(0))])
def test_words_that_are_too_few_or_too_many_change_nothing(simulation: ProspectorSimulation, change: object) -> None:
    assert callable(change)
    words = simulation.state_words()
    changed: U64 = change(words)

    with pytest.raises(SnapshotError):
        simulation.load_words(changed)

    assert (simulation.state_words() == words).all()
