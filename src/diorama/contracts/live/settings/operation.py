"""`console_auth`, `console`, `snapshot` and `runtime`."""

from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from diorama.contracts.named_files import FilePath
from diorama.contracts.sections import Section, fixed, hot

_AUDIT_BYTES: Final = 64 << 20
_AUDIT_FILES: Final = 31


class Token(Section):
    """Who may speak to the console; the secret itself, or the environment variable that holds it.

    Attributes:
        label: Name under which answers and the audit know whoever has it.
        role: What it allows: to ask, or to change as well.
        token: The secret itself, which makes a secret of the file.
        token_env: Environment variable with the secret; exactly one of the two is given.
    """

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
    """Roles; without it everybody is a viewer.

    Attributes:
        enabled: Whether tokens count; otherwise everybody is a viewer, or DIORAMA_CONSOLE_TOKEN makes an
            operator.
        require_auth_for_viewer: Whether nobody watches without a token.
    """

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
    """Limits of the console.

    Attributes:
        max_commands_per_tick: Commands carried out in one tick; the others wait for the next.
        max_pending: Commands that may wait; beyond it they are refused.
        history_limit: Answers that are kept for whoever repeats a `cmd_id`.
        audit_path: File of the audit, below the folder of the live world.
        rate_limit_per_minute: Commands of one sender in a minute.
        audit_rotate_bytes: Size at which the file of the audit is put aside.
        audit_rotate_keep: Files of the audit put aside that stay; none goes where it is null.
        allow_unaudited: Whether a command is carried out when the audit cannot be written; otherwise it is refused.
    """

    max_commands_per_tick: int = hot(32, ge=1, le=10000)
    max_pending: int = hot(256, ge=1, le=100000)
    history_limit: int = fixed(512, ge=1, le=100000)
    audit_path: Annotated[str, FilePath()] = fixed("logs/console/commands.jsonl", min_length=1)
    rate_limit_per_minute: int = hot(120, ge=1, le=1000000)
    # Left out of stored configurations at their defaults, so that hashes of before hold.
    audit_rotate_bytes: int = hot(_AUDIT_BYTES, ge=4096, le=1 << 40, exclude_if=lambda size: size == _AUDIT_BYTES)
    audit_rotate_keep: int | None = hot(_AUDIT_FILES, ge=1, le=100_000, exclude_if=lambda keep: keep == _AUDIT_FILES)
    allow_unaudited: bool = hot(False, exclude_if=lambda allowed: not allowed)


class Migrations(Section):
    """What happens to snapshots of another configuration.

    Attributes:
        auto_apply: Whether a snapshot of another configuration is migrated when it is loaded.
    """

    auto_apply: bool = hot(False)


class Snapshot(Section):
    """Where and when the town is saved.

    Attributes:
        root: Folder, below that of the live world.
        autosave_cadence_ticks: Ticks from one autosave to the next; what `--autosave` says unless given.
        retain: Autosaves that are kept, with their logs.
        capture_on_failure: Whether a loop that fails saves what it had.
        require_exact_config: Whether a snapshot needs the very same configuration; otherwise the same structure
            will do.
        allow_downgrade: Whether a snapshot of a newer schema is read without what is not known of it.
    """

    root: Annotated[str, FilePath()] = fixed("snapshots", min_length=1)
    autosave_cadence_ticks: int | None = hot(None, ge=100, le=100000000)
    retain: int = hot(3, ge=1, le=10000)
    capture_on_failure: bool = hot(True)
    migrations: Migrations = Field(default_factory=Migrations)
    require_exact_config: bool = hot(True)
    allow_downgrade: bool = hot(False)


class Runtime(Section):
    """The clock.

    Attributes:
        mode: Not used: the command says how the town runs.
        speed: How fast a live world begins; `--speed` and the console change it.
    """

    mode: Literal["live", "headless", "batch"] = hot("headless")
    speed: Literal["pause", "1x", "10x", "100x", "max"] = hot("1x")
    state_hash_every: int = hot(0, ge=0, le=100000000, description="Ticks; 0: never.")
