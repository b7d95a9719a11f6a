"""A console over a real town, whose services note what they are asked."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from diorama.contracts.live.refusals import CommandError
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.world import LiveWorld
from diorama.contracts.values import JsonObject
from diorama.operate.console.callers import Caller
from diorama.operate.console.desk import ConsoleDesk
from diorama.worlds.townlet.reference.console.executing import COMMANDS
from diorama.worlds.townlet.reference.state import Town
from diorama.worlds.townlet.reference.words import state_words
from tests.worlds.townlet.towns import SOCIAL, tick, town_of

ADMIN_TOKEN = "an-admin-token-0123456789"
VIEWER_TOKEN = "a-viewer-token-0123456789"
AUTH = {
    "enabled": True,
    "tokens": [
        {"label": "olga", "role": "admin", "token": ADMIN_TOKEN},
        {"label": "vera", "role": "viewer", "token_env": "VIEWER_TOKEN"},
    ],
}
ENVIRONMENT = {"VIEWER_TOKEN": VIEWER_TOKEN}
OLGA = Caller(issuer="olga", role="admin", address="10.0.0.1", limit_key="token olga")
VERA = Caller(issuer="vera", role="viewer", address="10.0.0.2", limit_key="token vera")


@dataclass
class Services:
    """The services around a town, as far as a console needs them."""

    town: Town
    asked: list[tuple[Any, ...]] = field(default_factory=list)
    journal: list[JsonObject] = field(default_factory=list)

    @property
    def tick(self) -> int:
        return self.town.tick

    @property
    def subject(self) -> Town:
        return self.town

    def latest_snapshot(self) -> JsonObject:
        return {"schema_version": "0.3.0", "tick": self.tick, "state": {"economy": {"prices": {}}, "utilities": {}}}

    def health(self) -> JsonObject:
        return {"health": {}, "transport": {}}

    def hide(self, value: JsonObject) -> JsonObject:
        return value

    def snapshots(self) -> Sequence[JsonObject]:
        return []

    def _note(self, *asked: Any) -> JsonObject:
        self.asked.append(asked)
        return {"asked": asked[0]}

    def promotion_status(self) -> JsonObject:
        return self._note("promotion_status")

    def promote_policy(self, checkpoint: str, policy_hash: str | None) -> JsonObject:
        raise CommandError("conflict", "not_ready", "no candidate is ready", {"state": "monitoring"})

    def rollback_policy(self, to: str | None, reason: str | None) -> JsonObject:
        return self._note("rollback_policy", to, reason)

    def policy_swap(self, checkpoint: str, policy_hash: str | None) -> JsonObject:
        return self._note("policy_swap", checkpoint, policy_hash)

    def offer_policy(self, checkpoint: str) -> JsonObject:
        return self._note("offer_policy", checkpoint)

    def promotion_ack(self) -> JsonObject:
        return self._note("promotion_ack")

    def save_snapshot(self, name: str | None) -> JsonObject:
        return self._note("save_snapshot", name)

    def load_snapshot(self, path: str) -> JsonObject:
        return self._note("load_snapshot", path)

    def inspect_snapshot(self, path: str) -> JsonObject:
        return self._note("inspect_snapshot", path)

    def validate_snapshot(self, path: str, *, is_strict: bool) -> JsonObject:
        return self._note("validate_snapshot", path, is_strict)

    def migrate_snapshot(self, path: str, output: str) -> JsonObject:
        return self._note("migrate_snapshot", path, output)

    def reload_config(self, section: str | None) -> JsonObject:
        return self._note("reload_config", section)

    def set_speed(self, speed: str) -> JsonObject:
        return self._note("set_speed", speed)

    def step(self, ticks: int) -> JsonObject:
        return self._note("step", ticks)

    def announce(self, message: str, category: str, *, is_priority: bool) -> JsonObject:
        return self._note("announce", message, category, is_priority)

    def set_privacy(self, *, is_on: bool) -> JsonObject:
        raise ZeroDivisionError("a mistake of the service")


def open_desk(root: Path, services: Services | None = None, /, **console: Any) -> tuple[ConsoleDesk, Services]:
    """Open a console with both tokens; returns it and its services."""
    if services is None:
        town = town_of(SOCIAL, population=3)
        tick(town)
        services = Services(town)
    settings = LiveSettings.model_validate({"console_auth": AUTH, "console": console})
    world = cast(LiveWorld, services)  # a console asks its world for nothing but the subject
    desk = ConsoleDesk.open(
        services, world, list(COMMANDS.values()), settings, root, ENVIRONMENT, journal=services.journal.append
    )
    return desk, services


def words_of(services: Services) -> bytes:
    """Return the canonical state of the town."""
    return state_words(services.town).tobytes()


def ask(desk: ConsoleDesk, caller: Caller, name: str, /, *args: Any, cmd_id: str | None = None, **kwargs: Any) -> Any:
    """Give a command, execute what waits, and return the answer."""
    envelope = {"name": name, "args": list(args), "kwargs": kwargs, "cmd_id": cmd_id}
    answer = desk.submit(envelope, caller)
    desk.drain()
    return answer.result(timeout=0)
