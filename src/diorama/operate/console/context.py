"""`OperatorContext`: what the platform's own commands can ask of the services around a live world."""

from collections.abc import Sequence
from typing import Literal, Protocol

from diorama.contracts.values import JsonObject

SpeedName = Literal["pause", "1x", "10x", "100x", "max"]


class OperatorContext(Protocol):
    """The services around one live world.

    Everything but `tick` and `snapshots` is called in stage 1, on the thread that runs the world, or between ticks
    while it is paused. What cannot be done raises `CommandError`; `unsupported` where a service does not exist.
    """

    @property
    def tick(self) -> int:
        """The tick that is being or will next be executed; read from any thread."""

    def latest_snapshot(self) -> JsonObject:
        """The whole state as telemetry tells it now, with its envelope."""

    def health(self) -> JsonObject:
        """Blocks `health` and `transport`."""

    def hide(self, value: JsonObject) -> JsonObject:
        """Return a value without the ids and names that privacy mode hides; as it is while the mode is off."""

    def promotion_status(self) -> JsonObject:
        """Where the promotion of a candidate stands."""

    def promote_policy(self, checkpoint: str, policy_hash: str | None) -> JsonObject:
        """Make the candidate the release; returns the promotion state."""

    def rollback_policy(self, to: str | None, reason: str | None) -> JsonObject:
        """Go back to a former release; returns the promotion state."""

    def policy_swap(self, checkpoint: str, policy_hash: str | None) -> JsonObject:
        """Move the release without asking whether it is ready; returns the release."""

    def offer_policy(self, checkpoint: str) -> JsonObject:
        """Judge a candidate beside the release; returns the promotion state."""

    def promotion_ack(self) -> JsonObject:
        """Keep a release whose rollback was recommended; returns the promotion state."""

    def snapshots(self) -> Sequence[JsonObject]:
        """What was saved, newest first: `path` inside the root, `tick`, `bytes`, `modified_at`; from any thread."""

    def save_snapshot(self, name: str | None) -> JsonObject:
        """Save everything; returns `path` inside the root, `state_hash` and `tick`."""

    def load_snapshot(self, path: str) -> JsonObject:
        """Go on from what was saved; returns `tick`, `state_hash` and the migrations that were applied."""

    def inspect_snapshot(self, path: str) -> JsonObject:
        """Metadata of what was saved, without its body."""

    def validate_snapshot(self, path: str, *, is_strict: bool) -> JsonObject:
        """Whether it could be loaded, and what is wrong otherwise; strictly: without any migration."""

    def migrate_snapshot(self, path: str, output: str) -> JsonObject:
        """Write it again for this configuration; returns the steps that were applied."""

    def reload_config(self, section: str | None) -> JsonObject:
        """Read the configuration again; what changed is applied at the next stage 1. Returns the paths."""

    def set_speed(self, speed: SpeedName) -> JsonObject:
        """Let time pass faster, slower or not at all."""

    def step(self, ticks: int) -> JsonObject:
        """Run so many ticks of a paused world; returns the tick it will then stand at."""

    def announce(self, message: str, category: str, *, is_priority: bool) -> JsonObject:
        """Tell a story among the narrations; returns `status`: `queued` or `throttled`."""

    def set_privacy(self, *, is_on: bool) -> JsonObject:
        """Hide who is who in everything that leaves; conflict `no_salt` where that needs a salt."""
