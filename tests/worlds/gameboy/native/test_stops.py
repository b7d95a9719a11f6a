"""Traps 2 and 3 as Python sees them."""

from diorama.worlds.gameboy.stops import open_stoppable
from tests.worlds.gameboy.on_oracle import built

NAMES = ("trap_kind", "trap_pc", "instr_count")


def test_a_console_stops_at_budget_address_and_write_and_can_be_sent_on() -> None:
    console = open_stoppable(built("GRID_GOAL"))

    console.set_stops(max_instr=30)
    console.run_frames(2)
    budget = [int(console.field(name)[0]) for name in NAMES]
    console.set_stops(break_at=0x0150)
    console.run_frames(2)
    address = [int(console.field(name)[0]) for name in NAMES]
    console.set_stops(watch_write=0xC0F0)
    console.run_frames(20)
    write = [int(console.field(name)[0]) for name in NAMES]
    console.set_stops()
    console.run_frames(2)

    assert (budget[0], budget[2]) == (2, 30)
    assert address[:2] == [3, 0x0150]
    assert write[0] == 3
    assert write[2] > address[2] > 30
    assert int(console.field("trap_kind")[0]) == 0


def test_stops_are_left_out_of_the_state() -> None:
    free, watched = (open_stoppable(built("CATCH")) for _ in range(2))
    watched.set_stops(max_instr=1 << 40, break_at=0x7FFF, watch_write=0xDFFF)

    for console in (free, watched):
        console.run_frames(30)

    assert free.state_hash(0) == watched.state_hash(0)
