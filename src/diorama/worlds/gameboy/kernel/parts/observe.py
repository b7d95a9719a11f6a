"""What a learner sees besides the picture (section 21): `ram_v3` and watched bytes."""

from diorama.worlds.gameboy.kernel.dialect import (
    WATCH_COUNT,
    ByteTable,
    FloatTable,
    Ints,
    Machine,
    float32,
    kernel,
    tid,
    uint8,
)
from diorama.worlds.gameboy.kernel.parts.bus import peek
from diorama.worlds.gameboy.kernel.parts.conversion import enter
from diorama.worlds.gameboy.kernel.parts.layout import WRAM, first, mi


def put(features: FloatTable, lane: int, column: int, value: int) -> None:
    """Store a byte as a number of 0 to 1."""
    features[lane, column] = float32(value & 0xFF) / 255.0


@kernel
def observe_lanes(
    m: Machine, addresses: Ints, watched: ByteTable, features: FloatTable, traps: Ints, lanes: int
) -> None:
    """Fill a lane's row of every array."""
    lane = tid()
    if lane < lanes:
        enter(m, lane)
        if WATCH_COUNT > 0:
            for i in range(WATCH_COUNT):
                watched[lane, i] = uint8(peek(m, lane, 0, addresses[i]))
        fill_features(m, lane, features)
        traps[lane] = m.trap_kind[lane]


def fill_features(m: Machine, lane: int, features: FloatTable) -> None:
    """Registers, the first bytes of work RAM and six mixes of them."""
    features[lane, 0] = float32(m.pc[lane]) / 65535.0
    features[lane, 1] = float32(m.sp[lane]) / 65535.0
    put(features, lane, 2, m.a[lane])
    put(features, lane, 3, m.f[lane])
    put(features, lane, 4, m.b[lane])
    put(features, lane, 5, m.c[lane])
    put(features, lane, 6, m.d[lane])
    put(features, lane, 7, m.e[lane])
    put(features, lane, 8, m.h[lane])
    put(features, lane, 9, m.l[lane])
    base = first(m, lane)
    for i in range(16):
        put(features, lane, 10 + i, m.mem[mi(base, WRAM + i)])
    put(features, lane, 26, m.mem[mi(base, WRAM)] ^ m.mem[mi(base, WRAM + 1)])
    put(features, lane, 27, m.mem[mi(base, WRAM + 2)] + 5 * m.mem[mi(base, WRAM + 3)])
    put(features, lane, 28, m.mem[mi(base, WRAM + 4)] ^ m.a[lane])
    put(features, lane, 29, m.mem[mi(base, WRAM + 5)] + m.b[lane])
    put(features, lane, 30, m.mem[mi(base, WRAM + 6)] ^ m.c[lane])
    put(features, lane, 31, m.mem[mi(base, WRAM + 7)] + m.d[lane])
