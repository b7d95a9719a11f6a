import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.worlds.morphogenesis.contracts.errors import ContractError, SlotIdError
from diorama.worlds.morphogenesis.contracts.slots import (
    InjectionSpec,
    SlotConfig,
    SurfaceType,
    format_slot_id,
    parse_slot_id,
)


@given(st.integers(0, 999), st.integers(0, 999))
def test_a_slot_id_names_its_row_and_column(row: int, col: int) -> None:
    assert parse_slot_id(format_slot_id(row, col)) == (row, col)


@pytest.mark.parametrize("text", ["", "r0", "c0r0", "r-1c0", "r0c0 ", "r0c0\n", "R0C0", "r0c", "r٣c0"])
def test_a_malformed_slot_id_is_refused(text: str) -> None:
    with pytest.raises(SlotIdError):
        parse_slot_id(text)


def test_a_grid_counts_row_by_row_and_the_default_has_three_slots() -> None:
    assert SlotConfig.for_grid(2, 2).slot_ids == ("r0c0", "r0c1", "r1c0", "r1c1")
    assert SlotConfig.default().slot_ids == ("r0c0", "r0c1", "r0c2")


@given(st.integers(1, 4), st.integers(1, 5))
def test_index_and_id_lead_to_each_other(rows: int, cols: int) -> None:
    config = SlotConfig.for_grid(rows, cols)

    for index in range(config.num_slots):
        assert config.index_for_slot_id(config.slot_id_for_index(index)) == index


def test_what_is_not_there_is_not_found() -> None:
    config = SlotConfig.default()

    with pytest.raises(IndexError):
        config.slot_id_for_index(3)
    with pytest.raises(IndexError):
        config.slot_id_for_index(-1)
    with pytest.raises(KeyError):
        config.index_for_slot_id("r1c0")


@pytest.mark.parametrize("ids", [(), ("r0c0", "r0c0"), ("r0c1", "r0c01")], ids=["none", "twice", "twice-padded"])
def test_slots_are_at_least_one_and_all_different(ids: tuple[str, ...]) -> None:
    with pytest.raises(ContractError):
        SlotConfig(ids)


def _spec(col: int, order: int) -> InjectionSpec:
    return InjectionSpec(
        slot_id=f"r0c{col}",
        channels=4 + col,
        position=0.5,
        layer_range=(col, col),
        surface=SurfaceType.PRE_POOL,
        order=order,
        row=0,
        col=col,
    )


def test_injection_points_are_counted_by_their_order() -> None:
    config = SlotConfig.from_specs([_spec(0, 2), _spec(1, 0), _spec(2, 1)])

    assert config.slot_ids == ("r0c1", "r0c2", "r0c0")
    assert config.channels_of("r0c2") == 6
    with pytest.raises(ContractError, match="not unique"):
        SlotConfig.from_specs([_spec(0, 1), _spec(1, 1)])
