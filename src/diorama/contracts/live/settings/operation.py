"""`console_auth`, `console`, `snapshot` and `runtime`."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from diorama.contracts.sections import Section, fixed, hot


class Token(Section):
    """Who may speak to the console; the secret itself, or the environment variable that holds it."""

    label: str = fixed(min_length=1, max_length=64)
    role: Literal["viewer", "admin"] = fixed()
    token: str | None = fixed(None, min_length=16, repr=False)
    token_env: str | None = fixed(None, min_length=1)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.token is None) == (self.token_env is None):
            raise ValueError("give exactly one of token and token_env")
        return self


class ConsoleAuth(Section):
    """Roles; without it everybody is a viewer."""

    enabled: bool = fixed(False)
    require_auth_for_viewer: bool = fixed(False)
    tokens: Annotated[tuple[Token, ...], Field(strict=False)] = fixed(())

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.enabled and not self.tokens:
            raise ValueError("at least one token is needed when it is enabled")
        for kind in ("label", "token", "token_env"):
            given = [getattr(token, kind) for token in self.tokens if getattr(token, kind) is not None]
            if len(set(given)) < len(given):
                raise ValueError(f"two tokens share a {kind}")
        return self


class Console(Section):
    """Limits of the console."""

    max_commands_per_tick: int = hot(32, ge=1, le=10000)
    max_pending: int = hot(256, ge=1, le=100000)
    history_limit: int = fixed(512, ge=1, le=100000)
    audit_path: str = fixed("logs/console/commands.jsonl", min_length=1)
    rate_limit_per_minute: int = hot(120, ge=1, le=1000000)


class Migrations(Section):
    """What happens to snapshots of another configuration."""

    auto_apply: bool = hot(False)


class Snapshot(Section):
    """Where and when the town is saved."""

    root: str = fixed("snapshots", min_length=1)
    autosave_cadence_ticks: int | None = hot(None, ge=100, le=100000000)
    retain: int = hot(3, ge=1, le=10000)
    capture_on_failure: bool = hot(True)
    migrations: Migrations = Field(default_factory=Migrations)
    require_exact_config: bool = hot(True)
    allow_downgrade: bool = hot(False)


class Runtime(Section):
    """The clock."""

    mode: Literal["live", "headless", "batch"] = hot("headless")
    speed: Literal["pause", "1x", "10x", "100x", "max"] = hot("1x")
    state_hash_every: int = hot(0, ge=0, le=100000000, description="Ticks; 0: never.")
