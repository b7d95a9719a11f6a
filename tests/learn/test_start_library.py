"""The library of start states: its bounds, what makes room, how states are drawn, and what a checkpoint keeps."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from diorama.contracts.errors import ConfigError
from diorama.learn.settings.starts import StartSampling, StartSource, StartsSettings
from diorama.learn.start_library import StartLibrary, StartSampler, StartState
from tests.refusals import refused

MIB = 1 << 20
ENTRIES = st.lists(
    st.tuples(
        st.integers(1, 3 * MIB // 2), st.sampled_from(list(StartSource)), st.none() | st.floats(0.0, 10.0, width=32)
    ),
    max_size=30,
)


def library_of(
    entries: Sequence[tuple[int, StartSource, float | None]], sampling: StartSampling = StartSampling.UNIFORM
) -> StartLibrary:
    library = StartLibrary(StartsSettings(library_size=6, library_mib=4, sampling=sampling))
    for size, source, priority in entries:
        library.add(bytes(size), source, priority=priority)
    return library


def states_of(*priorities: float) -> tuple[StartState, ...]:
    return tuple(
        StartState(number=number, data=b"", source=StartSource.ROLLOUTS, priority=priority)
        for number, priority in enumerate(priorities)
    )


def sampler_of(states: Sequence[StartState], sampling: StartSampling, *, ordinary_share: float = 0.0) -> StartSampler:
    return StartSampler(states, sampling, seed=4, update=2, ordinary_share=ordinary_share)


@given(entries=ENTRIES, sampling=st.sampled_from(list(StartSampling)))
def test_it_never_holds_more_than_it_may_and_always_the_newest(
    entries: list[tuple[int, StartSource, float | None]], sampling: StartSampling
) -> None:
    library = library_of(entries, sampling)

    states = library.states
    assert len(states) <= 6
    assert sum(len(state.data) for state in states) <= 4 * MIB
    assert [state.number for state in states] == sorted(state.number for state in states)
    if entries:
        assert states[-1].number == len(entries) - 1


@given(entries=ENTRIES, sampling=st.sampled_from(list(StartSampling)))
def test_what_a_checkpoint_keeps_goes_on_alike(
    entries: list[tuple[int, StartSource, float | None]], sampling: StartSampling
) -> None:
    library, other = library_of(entries, sampling), library_of([], sampling)
    other.load(library.tensors())

    assert other.states == library.states
    for item in (library, other):
        item.add(b"more", StartSource.REPLAYS)
    assert other.states == library.states
    assert [state.priority for state in other.states] == [state.priority for state in library.states]


def test_memories_survive_a_checkpoint() -> None:
    library, other = library_of([]), library_of([])
    library.add(b"a", StartSource.REPLAYS)
    library.add(b"b", StartSource.ROLLOUTS, memory=torch.tensor([[1.0, 2.0]]))
    other.load(library.tensors())

    first, second = other.states
    assert first.memory is None
    assert second.memory is not None
    assert second.memory.tolist() == [[1.0, 2.0]]


def test_the_oldest_state_of_the_largest_source_makes_room() -> None:
    library = library_of([(1, StartSource.DEMONSTRATIONS, None)] * 2 + [(1, StartSource.ROLLOUTS, None)] * 9)

    counts = Counter(state.source for state in library.states)
    assert counts == {StartSource.DEMONSTRATIONS: 2, StartSource.ROLLOUTS: 4}
    assert [state.number for state in library.states] == [0, 1, 7, 8, 9, 10]


def test_the_state_with_the_least_advantage_makes_room_where_advantages_count() -> None:
    priorities = [3.0, 0.5, 2.0, 4.0, 0.5, 1.0]
    library = library_of([(1, StartSource.ROLLOUTS, item) for item in priorities], StartSampling.ADVANTAGE)
    library.set_priority(0, 0.1)
    library.set_priority(99, 5.0)  # was dropped long ago
    library.add(b"x", StartSource.ROLLOUTS, priority=1.0)
    library.add(b"y", StartSource.ROLLOUTS, priority=1.0)

    assert [state.number for state in library.states] == [2, 3, 4, 5, 6, 7]


def test_a_state_nothing_is_known_about_is_as_likely_as_the_likeliest() -> None:
    library = library_of([(1, StartSource.ROLLOUTS, 7.0), (1, StartSource.REPLAYS, None)])

    assert [state.priority for state in library.states] == [7.0, 7.0]


def test_a_state_that_is_larger_than_the_library_is_refused() -> None:
    with refused(ConfigError, "start_state_too_large", library_mib=4):
        library_of([(5 * MIB, StartSource.ROLLOUTS, None)])


@given(
    priorities=st.lists(st.floats(0.0, 1e6), min_size=1, max_size=20),
    sampling=st.sampled_from(list(StartSampling)),
    step=st.integers(0, 1 << 20),
    copy=st.integers(0, 1 << 20),
)
def test_every_draw_gives_a_state_that_can_be_drawn(
    priorities: list[float], sampling: StartSampling, step: int, copy: int
) -> None:
    state = sampler_of(states_of(*priorities), sampling).draw(step, copy)

    assert state is not None
    assert sampling is StartSampling.UNIFORM or state.priority > 0.0 or not any(priorities)


@pytest.mark.parametrize(
    ("sampling", "shares"),
    [
        pytest.param(StartSampling.UNIFORM, [1 / 3, 1 / 3, 1 / 3], id="uniform"),
        pytest.param(StartSampling.ADVANTAGE, [0.1, 0.0, 0.9], id="advantage"),
    ],
)
def test_states_are_drawn_in_their_shares(sampling: StartSampling, shares: list[float]) -> None:
    sampler = sampler_of(states_of(1.0, 0.0, 9.0), sampling, ordinary_share=0.25)
    drawn = Counter(
        None if state is None else state.number for state in (sampler.draw(step, 3) for step in range(4000))
    )

    assert drawn[None] / 4000 == pytest.approx(0.25, abs=0.03)
    stored = 4000 - drawn[None]
    assert np.allclose([drawn[number] / stored for number in range(3)], shares, atol=0.03)


def test_draws_depend_on_step_and_copy_alone() -> None:
    states = states_of(*[1.0] * 50)
    one, other = (sampler_of(states, StartSampling.UNIFORM) for _ in range(2))
    places = [(step, copy) for step in range(8) for copy in range(8)]

    assert [one.draw(*place) for place in places] == [other.draw(*place) for place in reversed(places)][::-1]
    assert len({one.fresh_seed(*place) for place in places}) == len(places)


def test_without_states_every_start_is_ordinary() -> None:
    assert sampler_of((), StartSampling.ADVANTAGE).draw(0, 0) is None
