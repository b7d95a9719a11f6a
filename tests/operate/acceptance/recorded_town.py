"""The stream that the panels of the page Operate are tested with: a town in which something of everything happens.

`python -m tests.operate.acceptance.recorded_town` records it anew.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from diorama.operate.rehearsals.theater import Theater
from tests.operate.live.policies import untrained_policy
from tests.operate.live.runtimes import open_live_world

STREAM: Final = Path(__file__).parents[3] / "web/src/operate/recorded/town.ndjson"
CONFIG: Final[dict[str, Any]] = {
    "config_id": "recorded",
    "features": {"stages": {"relationships": "C1", "social_rewards": "C1"}},
    "rewards": {},
    "world": {"population": 4},
    "perturbations": {"max_concurrent_events": 4, "global_cooldown_ticks": 0},
    "stability": {"starvation": {"min_duration_ticks": 5}, "promotion": {"window_ticks": 400}},
    "telemetry": {"transport": {"type": "none"}},
}
ORDERS: Final[tuple[tuple[str, tuple[object, ...], dict[str, object]], ...]] = (
    ("policy_shadow", ("idle",), {}),
    ("spawn", ("guest",), {"name": "Nora"}),
    ("force_chat", ("guest", "citizen_000"), {}),
    ("set_rel", ("guest", "citizen_001"), {"rivalry": 0.9}),
    ("possess", ("guest", "acquire"), {}),
    ("price", ("meal_cost", 0.8), {}),
    ("perturbation_trigger", ("price_spike",), {"duration": 100}),
    ("perturbation_trigger", ("blackout",), {"starts_in": 60}),
    ("utility", ("water", "off"), {"duration": 60}),
    ("setneed", ("guest", "hunger", 0.0), {}),
    ("announce_story", ("The fair comes to town.",), {"priority": True}),
    ("kill", ("citizen_003",), {}),
    ("kill", ("nobody",), {}),
)


def record() -> bytes:
    """Return the messages that a spectator gets, one a line."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        untrained_policy(root / "runs", "townlet")
        runtime = open_live_world(
            root, "townlet", config=CONFIG, settings=None, seed=3, policy="novice", run_root=root / "runs"
        )
        with Theater(runtime) as town:
            # On the first evening everybody has been to work, and has met others.
            town.run(840)
            spectator = runtime.publisher.subscribe()
            for name, args, kwargs in ORDERS:
                town.command(name, args, kwargs)
            town.run(20)
            messages = iter(lambda: spectator.next(0.0), None)
            return b"".join(message + b"\n" for message in messages)


if __name__ == "__main__":
    STREAM.parent.mkdir(exist_ok=True)
    STREAM.write_bytes(record())
    print(f"{STREAM.stat().st_size} bytes in {STREAM}")
