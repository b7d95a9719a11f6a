"""Settings of the services around a live world: where they come from, and who may command it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from diorama.cli.console.command import DEFAULT_TOKEN_ENV
from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ConfigError
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.settings.operation import ConsoleAuth, Token
from diorama.contracts.validation import problem_line
from diorama.contracts.world import World
from diorama.operate.live.batch_world.offer import live_offer
from diorama.operate.live.config_files import read_mapping

_OPERATOR: Final = "operator"


def chosen_settings(world: World[WorldConfig], config: WorldConfig, path: Path | None) -> LiveSettings:
    """Return what a file says, or the configuration of a world that holds these settings itself, or the defaults.

    Raises:
        ConfigError: The file is wrong, or the world takes none.
    """
    if path is None:
        return live_offer(world, config).settings(config)
    if world.live is not None:
        raise ConfigError(f"--services does not go with {world.id!r}: its own configuration holds these settings")
    try:
        return LiveSettings.model_validate(read_mapping(path))
    except ValidationError as error:
        problems = [problem_line(item) for item in error.errors(include_url=False)]
        raise ConfigError(f"{path}: {'; '.join(problems)}") from None


def with_operator(settings: LiveSettings, environment: Mapping[str, str]) -> LiveSettings:
    """Make whoever has the token of the environment an admin, where the settings name nobody."""
    if settings.console_auth.enabled or not environment.get(DEFAULT_TOKEN_ENV):
        return settings
    operator = Token(label=_OPERATOR, role="admin", token_env=DEFAULT_TOKEN_ENV)
    auth = ConsoleAuth(
        enabled=True, require_auth_for_viewer=settings.console_auth.require_auth_for_viewer, tokens=(operator,)
    )
    return settings.model_copy(update={"console_auth": auth})


def commanders(auth: ConsoleAuth) -> str:
    """Say who may give commands that change something; never by which token."""
    admins = [token for token in auth.tokens if token.role == "admin"] if auth.enabled else []
    if not admins:
        return f"nobody may command it; a token in {DEFAULT_TOKEN_ENV} before the start makes an operator"
    return f"commanded by {', '.join(map(_known_by, admins))}"


def _known_by(token: Token) -> str:
    return f"{token.label} (token in {token.token_env})" if token.token_env is not None else f"{token.label} (token)"
