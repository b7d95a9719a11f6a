"""Types of the compiled module; `diorama.native` is the only module that imports it."""

from collections.abc import Mapping, Sequence
from typing import Self, TypedDict, final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.records import Decision
from diorama.contracts.values import F32, F64, I32, U8, U64, JsonObject, JsonValue

__all__ = [
    "FieldSpace",
    "GameboyLanes",
    "HeadKernel",
    "NativeBatch",
    "NativeBots",
    "PolicyKernel",
    "PolicyTape",
    "TidebreakArena",
    "TidebreakGenerator",
    "__version__",
    "episode_seeds",
    "gameboy_flat_step",
    "gameboy_tables",
    "has_fused_multiply_add",
    "hash_words",
    "keyed_draws",
    "numerics_map",
    "numerics_map2",
    "pcg32_choices",
    "pcg32_draws",
    "pcg32_named_u32",
    "pcg32_shuffle",
    "pcg32_u32",
    "prospector_batch",
    "prospector_bots",
    "prospector_tables",
    "rollout_advantages",
    "scan_backward",
    "scan_forward",
    "tidebreak_batch",
    "tidebreak_bots",
    "tidebreak_simulate",
    "tidebreak_tables",
    "townlet_batch",
    "townlet_reload",
    "townlet_tables",
]

__version__: str
has_fused_multiply_add: bool

class _StepRecordFields(TypedDict):
    """Keyword arguments of `diorama.contracts.records.StepRecord`; exists for the type checker alone."""

    received: tuple[Decision | None, ...]
    effective: tuple[Decision | None, ...]
    rewards: tuple[float, ...]
    reward_terms: tuple[dict[str, float], ...]
    terminated: tuple[bool, ...]
    truncated: tuple[bool, ...]
    metrics: tuple[tuple[float, ...], ...]
    dt: int
    events: tuple[str, ...]
    event_data: dict[str, JsonObject]
    info: dict[str, JsonValue]
    draws: int

class _ProspectorTables(TypedDict):
    """Layout tables of the native `prospector`; exists for the type checker alone."""

    observation: list[tuple[str, int, int]]
    actions: list[str]
    metrics: list[str]
    events: list[str]

class _TidebreakTables(TypedDict):
    """Layout tables of the native `tidebreak`; exists for the type checker alone."""

    obs_widths: tuple[int, int]
    heads: list[tuple[str, int]]
    held_options: list[list[int]]
    metrics: list[str]
    events: list[str]
    reward_components: list[str]

class _TownletTables(TypedDict):
    """Tables of the native `townlet`; exists for the type checker alone."""

    events: list[str]
    actions: tuple[int, int]
    metrics: int

class _VolumeReading(TypedDict):
    """Statistics of a circle; exists for the type checker alone."""

    mean: F64
    min: F32
    max: F32
    variance: F64
    count: int
    nodes: int

@final
class NativeBatch:
    """Copies of one world; `diorama.native.NativeCore` presents it to the engine."""

    @property
    def copies(self) -> int: ...
    def reset(self, copies: Sequence[int], seeds: Sequence[int] | None, buffers: Buffers) -> None: ...
    def step(self, actions: I32, buffers: Buffers) -> None: ...
    def episode_seed(self, copy: int) -> int: ...
    def step_record(self, copy: int) -> _StepRecordFields: ...
    def opening_record(self, copy: int) -> _StepRecordFields: ...
    def picture(self, copy: int) -> str: ...
    def reward_parts(self) -> F64: ...
    def expert_actions(self, actions: I32) -> None: ...
    def snapshot(self, copy: int) -> bytes: ...
    def restore(self, copy: int, data: bytes, buffers: Buffers) -> None: ...
    def reconfigure(
        self, copies: Sequence[int], prototypes: Sequence[NativeBatch], seeds: Sequence[int], buffers: Buffers
    ) -> None: ...
    def start_from(self, copy: int, data: bytes, seed: int | None, buffers: Buffers) -> None: ...
    def state_words(self, copy: int) -> U64: ...
    def state_hash(self, copy: int) -> int: ...
    def carried(self, copy: int) -> U64: ...
    def carry(self, copy: int, words: U64) -> None: ...
    def stay_awake(self) -> None: ...
    def rest(self) -> None: ...
    def split(self, sizes: Sequence[int]) -> list[NativeBatch]: ...

@final
class NativeBots:
    """One scripted player per row; `diorama.native.NativeBotRows` presents them."""

    @property
    def rows(self) -> int: ...
    @property
    def heads(self) -> int: ...
    def reset(self, rows: Sequence[int], seeds: Sequence[int]) -> None: ...
    def act(self, obs: F32, masks: U8, actions: I32) -> None: ...
    def memories(self) -> U64: ...
    def load_memories(self, words: U64) -> None: ...

@final
class FieldSpace:
    """Fields over three layers; its twin in `worlds/tidebreak/reference/fields/space.py` says what the calls do."""

    def __new__(
        cls,
        bounds: tuple[float, float, float, float],
        *,
        field_period: int = 2,
        max_bricks: int = 192,
        temperature: Sequence[float] | None = None,
        is_dynamic: bool = True,
        diffusivity: Sequence[float] | None = None,
        decay: Sequence[float] | None = None,
    ) -> Self: ...
    @property
    def origin(self) -> tuple[float, float]: ...
    @property
    def side_m(self) -> float: ...
    @property
    def cell_m(self) -> float: ...
    @property
    def brick_keys(self) -> list[int]: ...
    @property
    def is_saturated(self) -> bool: ...
    def reset(self) -> None: ...
    def set_static(self, field: int, layer: int, values: F32) -> None: ...
    def stamp_circle(
        self,
        layers: int,
        x: float,
        y: float,
        radius_m: float,
        mods: Sequence[tuple[int, int, float, float]],
        has_falloff: bool = True,
    ) -> int: ...
    def stamp_box(
        self,
        layers: int,
        min_x: float,
        min_y: float,
        max_x: float,
        max_y: float,
        mods: Sequence[tuple[int, int, float, float]],
    ) -> int: ...
    def stamp_capsule(
        self,
        layers: int,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        radius_m: float,
        mods: Sequence[tuple[int, int, float, float]],
        has_falloff: bool = True,
    ) -> int: ...
    def explosion_surface(self, x: float, y: float, intensity: float) -> int: ...
    def explosion_underwater(self, x: float, y: float) -> int: ...
    def fire(self, x: float, y: float, share: float) -> int: ...
    def sonar_ping(self, layer: int, x: float, y: float) -> int: ...
    def transit(self, layers: int, x: float, y: float) -> int: ...
    def wake(self, layer: int, x: float, y: float, hull_radius_m: float, speed_ms: float) -> int: ...
    def sinking(self, x: float, y: float) -> int: ...
    def propagate(self, wind_x: float = 0.0, wind_y: float = 0.0) -> int: ...
    def point(self, layer: int, x: float, y: float, level: int = 0) -> F32: ...
    def volume(self, layer: int, x: float, y: float, radius_m: float, level: int) -> _VolumeReading: ...
    def foveated(
        self,
        layer: int,
        x: float,
        y: float,
        heading: float,
        fields: Sequence[int],
        shells: Sequence[tuple[float, float, int, int]] | None = None,
    ) -> F32: ...
    def grid(self, field: int, layer: int, level: int = 0) -> F32: ...
    def summary(self, depth: int, ix: int, iy: int, iz: int) -> F32: ...
    def state_words(self) -> U64: ...
    def restore(self, words: U64) -> None: ...
    def state_hash(self) -> int: ...

@final
class HeadKernel:
    """Masked choices over a fixed layout of heads; `diorama.learn.kernels` presents it to torch."""

    def __new__(cls, sizes: Sequence[int], noops: Sequence[int], exploration: Sequence[float]) -> Self: ...
    def sample(
        self,
        logits: F32,
        masks: U8 | None,
        key: tuple[int, int, int, int, int] | None,
        actions: I32,
        log_probs: F32,
    ) -> int: ...
    def score(
        self,
        logits: F32,
        masks: U8 | None,
        actions: I32,
        log_probs: F32,
        entropies: F32,
        choices: F32,
        log_sums: F32,
        probabilities: F32,
    ) -> None: ...
    def score_backward(
        self,
        logits: F32,
        actions: I32,
        probabilities: F32,
        entropies: F32,
        choices: F32,
        log_sums: F32,
        of_log_probs: F32,
        of_entropies: F32,
        of_logits: F32,
    ) -> None: ...

@final
class PolicyTape:
    """Room for the rows that pass through a policy; belongs to the one kernel it was first used with."""

    def __new__(cls) -> Self: ...

@final
class PolicyKernel:
    """A policy's layers in the order encoder, gates, actor, critic, entities; `diorama.learn.native` uses it."""

    def __new__(
        cls,
        *,
        obs: int,
        bytes: tuple[Sequence[float], Sequence[float]],
        entities: Sequence[tuple[int, int, int, int, int | None]],
        encoder: Sequence[int],
        activation: str,
        has_memory: bool,
        options: int,
        critic: Sequence[tuple[int, str]],
        critic_sees_input: bool,
        values: int,
    ) -> Self: ...
    def load(
        self,
        weights: Sequence[tuple[F32, F32]],
        *,
        scaling: tuple[F32, F32, F32] | None,
        value_unit: float,
        with_backward: bool,
    ) -> None: ...
    def act(
        self,
        tape: PolicyTape,
        heads: HeadKernel,
        obs: F32,
        obs_u8: U8,
        starts: U8,
        memory: F32 | None,
        masks: U8 | None,
        key: tuple[int, int, int, int, int] | None,
        actions: I32,
        log_probs: F32,
        values: F32,
    ) -> int: ...
    def values(self, tape: PolicyTape, obs: F32, obs_u8: U8, starts: U8, memory: F32 | None, values: F32) -> None: ...
    def forward(
        self,
        tape: PolicyTape,
        obs: F32,
        obs_u8: U8,
        starts: U8,
        memory: F32 | None,
        logits: F32,
        values: F32,
    ) -> None: ...
    def backward(
        self,
        tape: PolicyTape,
        obs: F32,
        obs_u8: U8,
        starts: U8,
        memory: F32 | None,
        of_logits: F32,
        of_values: F32,
        gradients: Sequence[tuple[F32, F32]],
    ) -> None: ...

class _GameboyTables(TypedDict):
    """Layout of the native consoles; exists for the type checker alone."""

    abi_version: int
    fields: list[tuple[str, str, int, int]]
    trace_columns: list[str]

@final
class GameboyLanes:
    """Many consoles with one cartridge; `diorama.worlds.gameboy` presents them."""

    def __new__(
        cls,
        rom: bytes,
        lanes: int,
        *,
        threads: int = 1,
        boot: bytes | None = None,
        picture: str = "none",
        watch: Sequence[int] = ...,
        cartridge_ram: bytes | None = None,
        allow_bad_checksum: bool = False,
    ) -> Self: ...
    @property
    def lanes(self) -> int: ...
    @property
    def mbc_kind(self) -> str: ...
    @property
    def cram_bytes(self) -> int: ...
    @property
    def picture_shape(self) -> tuple[int, int]: ...
    def step(
        self,
        actions: I32,
        frames_per_step: int,
        release_after_frames: int,
        *,
        picture: U8 | None = None,
        ram_v3: F32 | None = None,
        watch: U8 | None = None,
    ) -> None: ...
    def observe(self, *, picture: U8 | None = None, ram_v3: F32 | None = None, watch: U8 | None = None) -> None: ...
    def run_frames(self, frames: int) -> None: ...
    def press(self, lane: int, dpad: int, buttons: int) -> None: ...
    def power_cycle(self, mask: U8 | None = None) -> None: ...
    def field(self, name: str) -> I32 | NDArray[np.int64]: ...
    def set_field(self, name: str, values: NDArray[np.int64]) -> None: ...
    def state(self, lane: int) -> NDArray[np.int64]: ...
    def ram(self, lane: int) -> U8: ...
    def set_ram(self, lane: int, values: U8) -> None: ...
    def cram(self, lane: int) -> U8: ...
    def set_cram(self, lane: int, values: U8) -> None: ...
    def read_memory(self, lane: int, lo: int, hi: int) -> bytes: ...
    def read_frame(self, lane: int) -> U8: ...
    def read_serial(self, lane: int) -> bytes: ...
    def drain_serial(self, lane: int) -> bytes: ...
    def snapshot(self, lane: int) -> bytes: ...
    def restore(self, lane: int, data: bytes) -> None: ...
    def state_words(self, lane: int) -> U64: ...
    def state_hash(self, lane: int) -> int: ...
    def capture(self, lane: int, slot: int) -> None: ...
    def restore_golden(self, mask: U8, slots: I32) -> None: ...
    def set_stops(
        self, *, max_instr: int | None = None, break_at: int | None = None, watch_write: int | None = None
    ) -> None: ...
    def trace(self, lane: int, count: int) -> NDArray[np.int64]: ...

def gameboy_tables() -> _GameboyTables: ...
def gameboy_flat_step(
    registers: Mapping[str, int], memory: Sequence[tuple[int, int]]
) -> tuple[dict[str, int], list[tuple[int, int, str]]]: ...
def rollout_advantages(
    rewards: F32,
    values: F32,
    terminated: U8,
    truncated: U8,
    bootstrap: F32,
    discounts: F32 | None,
    decay: tuple[float, float],
    correction: tuple[F32, float, float] | None,
    out: F32,
) -> None: ...
def scan_forward(a: F32, b: F32, first: F32, h: F32) -> None: ...
def scan_backward(a: F32, of_h: F32, of_first: F32, g: F32) -> None: ...
def prospector_batch(config_json: str, copies: int, seed: int, threads: int) -> NativeBatch: ...
def prospector_bots(name: str, rows: int) -> NativeBots: ...
def prospector_tables() -> _ProspectorTables: ...

@final
class TidebreakArena:
    """One native battle; its twin in `worlds/tidebreak/reference/arena.py` says what the calls do."""

    def __new__(
        cls,
        document: bytes,
        sha256: str,
        controllers: Mapping[str, str],
        *,
        seed: int | None = None,
        is_collecting: bool = False,
    ) -> Self: ...
    @property
    def tick(self) -> int: ...
    @property
    def is_over(self) -> bool: ...
    def reset(self, seed: int | None = None) -> None: ...
    def set_controller(self, ship_id: str, name: str) -> None: ...
    def step(self, actions: Mapping[str, Sequence[int]]) -> None: ...
    def profile(self, ticks: int) -> dict[str, float]: ...
    def abort(self) -> None: ...
    def result(self) -> str: ...
    def events(self) -> list[tuple[int, int, int, int, int, int, int, float, float, int]]: ...
    def state_hash(self) -> int: ...
    def state_words(self) -> U64: ...
    def observe(self, ship_id: str) -> tuple[F32, U8]: ...
    def reward_components(self, ship_id: str) -> list[float]: ...
    def metrics(self, ship_id: str) -> list[float]: ...
    def snapshot(self) -> bytes: ...
    def restore(self, data: bytes) -> None: ...

@final
class TidebreakGenerator:
    """Draws battles of the curriculum as JSON; its twin is `worlds/tidebreak/scenarios/generation.py`."""

    def __new__(cls, catalogue: bytes) -> Self: ...
    def generate(self, stage: int, seed: int) -> tuple[str, int]: ...
    @staticmethod
    def episode_stage(stage: int, seed: int) -> int: ...

def tidebreak_batch(header: str, plan: str, content: bytes, copies: int, seed: int, threads: int) -> NativeBatch: ...
def tidebreak_bots(name: str, rows: int, hulls: Sequence[tuple[float, float, float, bool]]) -> NativeBots: ...
def tidebreak_simulate(document: bytes, controllers: Mapping[str, str]) -> bytes: ...
def tidebreak_tables() -> _TidebreakTables: ...
def townlet_batch(header: str, config: str, tables: str, copies: int, seed: int, threads: int) -> NativeBatch: ...
def townlet_reload(batch: NativeBatch, header: str, config: str, tables: str) -> None: ...
def townlet_tables() -> _TownletTables: ...
def numerics_map(name: str, x: F64) -> F64: ...
def numerics_map2(name: str, a: F64, b: F64) -> F64: ...
def pcg32_u32(seed: int, stream: int, n: int) -> NDArray[np.uint32]: ...
def pcg32_named_u32(run_seed: str, stream_name: str, n: int) -> NDArray[np.uint32]: ...
def pcg32_draws(seed: int, stream: int, kind: str, n: int, a: float = 0.0, b: float = 1.0) -> F64: ...
def pcg32_shuffle(seed: int, stream: int, n: int) -> U64: ...
def pcg32_choices(seed: int, stream: int, weights: Sequence[float], n: int) -> U64: ...
def keyed_draws(keys: U64) -> U64: ...
def hash_words(words: U64) -> int: ...
def episode_seeds(base: int, index: int, counts: U64) -> U64: ...
