"""PCG32 (XSH-RR, 64-bit state, 32-bit output) with the derived draws of the specs, counted u32 by u32."""

from collections.abc import Mapping, MutableSequence
from hashlib import sha256
from math import sqrt
from typing import Any, Final, Self

from diorama.contracts.errors import ContractError
from diorama.contracts.values import U8
from diorama.numerics import TWO_PI, cos, exp, ln

_MULTIPLIER: Final = 6364136223846793005
_MASK32: Final = 0xFFFFFFFF
_MASK64: Final = 0xFFFFFFFFFFFFFFFF
_PER_U32: Final = 2.0**-32
_SMALLEST_UNIT: Final = 1e-8  # draws that go into a logarithm are raised to this


class Pcg32:
    """One random stream.

    Attributes:
        state: Position in the stream, 64 bits.
        inc: Odd number that tells streams apart, 64 bits.
        draws: u32 consumed since seeding.
    """

    __slots__ = ("draws", "inc", "state")

    def __init__(self, state: int, inc: int, draws: int = 0) -> None:
        """Continue a stream from the three numbers of a snapshot; to begin one use `from_seed` or `named`."""
        self.state = state
        self.inc = inc
        self.draws = draws

    @classmethod
    def from_seed(cls, seed: int, stream: int) -> Self:
        """Begin a stream from two integers, each taken modulo 2^64."""
        inc = (stream << 1 | 1) & _MASK64
        return cls(((inc + seed) * _MULTIPLIER + inc) & _MASK64, inc)

    @classmethod
    def named(cls, run_seed: int | str, stream_name: str) -> Self:
        """Begin a stream from a run's seed and a name, through SHA-256 of the text `<run_seed>:<stream_name>`.

        Town `b` of a batch with seed `N` passes the text `"N/b"` as its run seed.
        """
        digest = sha256(f"{run_seed}:{stream_name}".encode()).digest()
        return cls.from_seed(int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little"))

    def next_u32(self) -> int:
        """Draw 32 random bits."""
        old = self.state
        self.state = old * _MULTIPLIER + self.inc & _MASK64
        self.draws += 1
        x = (old >> 18 ^ old) >> 27 & _MASK32
        return (x << 32 | x) >> (old >> 59) & _MASK32

    def advance(self, n: int) -> None:
        """Skip `n` draws (zero or more) in O(log n); they count as drawn."""
        mult, plus = 1, 0
        step_mult, step_plus = _MULTIPLIER, self.inc
        remaining = n
        while remaining > 0:
            if remaining & 1:
                mult = mult * step_mult & _MASK64
                plus = plus * step_mult + step_plus & _MASK64
            step_plus = (step_mult + 1) * step_plus & _MASK64
            step_mult = step_mult * step_mult & _MASK64
            remaining >>= 1
        self.state = self.state * mult + plus & _MASK64
        self.draws += n

    def f64(self) -> float:
        """Draw a fraction in [0, 1); townlet.md calls it `uniform()`. One u32."""
        # `next_u32` written out: this is the readable tier's hottest call.
        old = self.state
        self.state = old * _MULTIPLIER + self.inc & _MASK64
        self.draws += 1
        x = (old >> 18 ^ old) >> 27 & _MASK32
        return ((x << 32 | x) >> (old >> 59) & _MASK32) * _PER_U32

    def uniform(self, lo: float, hi: float) -> float:
        """Draw from [lo, hi). One u32."""
        return lo + (hi - lo) * self.f64()

    def randint_exclusive(self, lo: int, hi: int) -> int:
        """Draw an integer in lo..hi-1 by remainder (prospector.md 4.2). One u32."""
        if hi <= lo:
            raise ContractError(f"randint_exclusive({lo}, {hi}) has nothing to draw from; hi must exceed lo")
        return lo + self.next_u32() % (hi - lo)

    def choose_valid(self, mask: U8) -> int:
        """Draw one of the options that a mask allows, each as likely. One u32."""
        valid: list[int] = mask.nonzero()[0].tolist()
        return valid[self.randint_exclusive(0, len(valid))]

    def randint_inclusive(self, lo: int, hi: int) -> int:
        """Draw an integer in lo..hi by rejection (townlet.md 4), without bias. One u32 or, rarely, more."""
        n = hi - lo + 1
        if not 1 <= n <= 1 << 32:
            raise ContractError(f"randint_inclusive({lo}, {hi}) spans {n} values; 1 to 2^32 can be drawn from")
        rejected_below = (1 << 32) % n
        r = self.next_u32()
        while r < rejected_below:
            r = self.next_u32()
        return lo + r % n

    def exp_unit(self) -> float:
        """Draw from the exponential distribution with mean 1. One u32."""
        u = self.f64()
        return -ln(u if u >= _SMALLEST_UNIT else _SMALLEST_UNIT)

    def normal(self, mu: float, sigma: float) -> float:
        """Draw from the normal distribution. Two u32: the sine twin is thrown away."""
        u1 = self.f64()
        if u1 < _SMALLEST_UNIT:
            u1 = _SMALLEST_UNIT
        return mu + sigma * (sqrt(-2.0 * ln(u1)) * cos(TWO_PI * self.f64()))

    def lognormal(self, mu: float, sigma: float) -> float:
        """Draw a number whose logarithm is `normal(mu, sigma)`. Two u32."""
        return exp(self.normal(mu, sigma))

    def dirichlet6(self) -> list[float]:
        """Draw six shares that sum to one, uniform over the simplex. Six u32."""
        parts = [self.exp_unit() for _ in range(6)]
        total = 0.0
        for part in parts:
            total += part
        return [part / total for part in parts] if total > 0.0 else [1.0 / 6.0] * 6

    def beta32(self) -> float:
        """Draw from the beta distribution with parameters 3 and 2. Five u32."""
        a = self.exp_unit() + self.exp_unit() + self.exp_unit()
        b = self.exp_unit() + self.exp_unit()
        total = a + b
        return a / total if total > 0.0 else 0.5

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Reorder in place, Fisher-Yates from the last index down; one `randint_inclusive(0, i)` per index i >= 1."""
        for i in range(len(items) - 1, 0, -1):
            j = self.randint_inclusive(0, i)
            items[i], items[j] = items[j], items[i]

    def choice_weighted(self, weights: Mapping[str, float]) -> str:
        """Draw a key with a chance in proportion to its weight. One u32.

        Args:
            weights: Weight of each key, zero or more, not all zero. They are summed in key order, so the order of
                insertion does not matter.
        """
        keys = sorted(weights)
        total = 0.0
        for key in keys:
            total += weights[key]
        if not total > 0.0:
            raise ContractError(f"choice_weighted needs a positive weight; {dict(weights)!r} has none")
        target = self.f64() * total
        chosen = keys[0]
        reached = 0.0
        for key in keys:
            if weights[key] > 0.0:
                chosen = key
                reached += weights[key]
                if target < reached:
                    break
        return chosen
