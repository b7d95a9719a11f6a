"""Which cases are measured."""

from diorama.contracts.values import JsonObject, JsonValue

MLP = "mlp-128-gelu-v1"
MINGRU = "mingru-128-v1"
# Copies, threads, slices, kind of memory.
PROSPECTOR_GRID: list[JsonValue] = [
    [8192, 16, 1, "pinned"],
    [8192, 1, 1, "pinned"],
    [2048, 16, 1, "pinned"],
    [1024, 1, 1, "pinned"],
    [16384, 16, 1, "pinned"],
]


def cases() -> dict[str, JsonObject]:
    """Return every case by name, the most telling first; `part` says which measurement it is for."""
    return {
        "machine": {"part": "machine"},
        "probe-plain": {"part": "training", "seconds": 0.5, **prospector(MLP, copies=1024, graphs=False)},
        "probe": {"part": "training", "seconds": 0.5, **prospector(MLP, copies=1024, overlap=True)},
        "train-mlp-32k": {"part": "training", "seconds": 12.0, **prospector(MLP, copies=32768, overlap=True)},
        "train-gameboy-overlap": gameboy(copies=16384, overlap=True),
        "roofline-mlp": {"part": "roofline", "seconds": 8.0, **prospector(MLP, copies=32768, overlap=True)},
        "train-mingru-32k": {"part": "training", **prospector(MINGRU, passes=3, copies=32768, overlap=True)},
        "train-gameboy-64k": gameboy(copies=65536, overlap=True),
        "nccl": {"part": "together", **prospector(MLP, copies=1024, pipeline=False)},
        "train-gameboy": gameboy(copies=16384),
        "train-gameboy-bf16": gameboy(copies=16384, overlap=True, precision="bfloat16"),
        "train-mlp-overlap": {"part": "training", **prospector(MLP, overlap=True)},
        "train-mlp": {"part": "training", "profile": True, **prospector(MLP)},
        "train-mingru-overlap": {"part": "training", **prospector(MINGRU, passes=3, overlap=True)},
        "roofline-mingru": {"part": "roofline", **prospector(MINGRU, passes=3, copies=32768, overlap=True)},
        "train-mlp-plain": {"part": "training", **prospector(MLP, copies=8192, graphs=False)},
        "train-mlp-8k": {"part": "training", **prospector(MLP, copies=8192, overlap=True)},
        "stepping": {"part": "stepping", "world": "prospector", "grid": PROSPECTOR_GRID},
        "train-mingru": {"part": "training", "profile": True, **prospector(MINGRU, passes=3)},
        "train-mlp-tf32": {"part": "training", **prospector(MLP, precision="tfloat32")},
        "train-tidebreak": {"part": "training", **other("tidebreak", copies=2048, overlap=True)},
        "train-townlet": {"part": "training", **other("townlet", copies=256, overlap=True)},
        "inference-mlp": {"part": "inference", **prospector(MLP)},
        "update-mlp": {"part": "update", **prospector(MLP)},
        "update-mingru": {"part": "update", **prospector(MINGRU, passes=3)},
        "transfers": {"part": "transfers"},
        "stepping-tidebreak": {"part": "stepping", "world": "tidebreak", "grid": [[1024, 16, 1, "pinned"]]},
        "stepping-townlet": {"part": "stepping", "world": "townlet", "grid": [[256, 16, 1, "pinned"]]},
        "inference-mingru": {"part": "inference", **prospector(MINGRU)},
        "update-mlp-bf16": {"part": "update", **prospector(MLP, precision="bfloat16")},
    }


def prospector(arch: str, *, copies: int = 16384, passes: int = 1, **execution: JsonValue) -> JsonObject:
    """Return a case of prospector: one pass over a rollout of 64 steps unless told otherwise."""
    return _case("prospector", arch, copies, 64, passes, execution)


def other(world: str, *, copies: int, **execution: JsonValue) -> JsonObject:
    """Return a case of another world with the network its presets have."""
    return _case(world, "mlp-256x256-tanh-v1", copies, 64, 1, execution)


def gameboy(*, copies: int, **execution: JsonValue) -> JsonObject:
    """Return a case of gameboy: GRID_GOAL from its pictures, half as high and wide as the screen."""
    case = _case("gameboy", "cnn-small-v1", copies, 32, 1, execution, minibatches=max(4, copies // 4096))
    return {**case, "part": "consoles", "config": {"frames_per_step": 4, "release_after_frames": 2, "max_steps": 64}}


def _case(
    world: str,
    arch: str,
    copies: int,
    steps: int,
    passes: int,
    execution: dict[str, JsonValue],
    *,
    minibatches: int = 4,
) -> JsonObject:
    return {
        "world": world,
        "copies": copies,
        "settings": {
            "policy": {"arch": arch},
            "ppo": {
                "rollout_steps": steps,
                "num_minibatches": minibatches,
                "update_epochs": passes,
                "shuffle": "blocks",
            },
            "execution": {"device": "cuda", **execution},
        },
    }
