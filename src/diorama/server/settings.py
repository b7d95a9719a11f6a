"""`ServerSettings`: what the server is told by its environment and its flags."""

import re
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Final, Self
from urllib.parse import urlsplit

from pydantic import Field, NonNegativeFloat, PositiveFloat, PositiveInt, SecretStr, ValidationError, field_validator
from pydantic_settings import NoDecode, SettingsConfigDict

from diorama.contracts.errors import ConfigError
from diorama.contracts.foreign_config import FileAccess
from diorama.contracts.validation import problem_words
from diorama.server.operation_settings import OperationSettings
from diorama.server.origin_names import as_host, as_origin

_PREFIX: Final = "DIORAMA_"


class ServerSettings(OperationSettings):
    """Every value can be given as `DIORAMA_` plus its name in capitals; flags of `diorama serve` beat the environment.

    Attributes:
        runs_root: Directory of the runs.
        hosts: Names with a dot under which the server is asked, such as that of a proxy before it; `*` stands for all.
            Numbers, names without a dot such as `localhost`, and the name in `--host` are always known.
        cors_origins: Other origins whose pages may call the server, exactly as browsers name them; none by default.
        cors_origin_regex: A pattern for such origins, which must match all of one.
        cors_localhost: Whether pages that this machine serves on other ports may call the server where it is asked on
            this machine under a local name; a live world never lets them in.
        client_dir: The built web client.
        follow_poll_seconds: How often the files of a followed run are looked at.
        follow_heartbeat_seconds: A silent event stream says that it is alive after so long.
        max_followers: Open event streams.
        max_frame_streams: Open frame streams.
        frame_cache_bytes: Unpacked replay members that are kept, in all.
        wandb_api_key: From `WANDB_API_KEY`; never leaves the server.
        wandb_entity: Default scope of the tracker.
        wandb_project: Default scope of the tracker.
        wandb_cache_ttl_seconds: How long answers of the tracker are kept; 0 and below keep none.
        play_max_sessions: Play sessions at one time.
        play_idle_seconds: A session that is left alone for so long ends.
        allowed_files: Folders whose files the configurations of visitors and of stored runs may name; none by default.
        roms_root: Directory of the programs people may run on consoles, besides those that come with the worlds.
        console_max_sessions: Consoles at one time.
        console_idle_seconds: A console that is left alone for so long is switched off.
        play_memory_bytes: Memory that all play sessions may hold together, by what the worlds declare.
        call_seconds: How long one request may simulate, in the world of a session, a console or a campaign.
        opening_cost_seconds: How long opening an episode may take, by what the world declares of its configuration.
        decision_cost_seconds: How long one decision may take, by the same.
        visitor_share: How much of every limit, and of all processors, one address may take (of IPv6 each /64).
        visitor_saved_seconds: Processor time that an address can save up; after it, its calls get 429 for a while.
        trusted_proxies: Addresses and networks of proxies whose `X-Forwarded-For` is believed; none by default.
        wall_max: Walls of live copies at one time.
        wall_max_copies: Copies of one wall.
        campaigns_root: Directory of the campaigns; `campaigns` beside the runs unless given.
        campaigns_max: Campaigns that are kept.
        campaign_idle_seconds: A campaign that is left alone for so long is on the disk only.
        export_max_waiting: Requests that wait for exports of policies at one time.
        live_max_spectators: Sockets that follow the telemetry of a live world.
        live_max_operators: Sockets that operate it.
        live_max_event_streams: Open event streams of it.
        live_address: Where `diorama live` serves a live world, for the Operate page; none by default.
    """

    model_config = SettingsConfigDict(env_prefix=_PREFIX, frozen=True, extra="ignore", populate_by_name=True)

    runs_root: Path = Path("runs")
    hosts: Annotated[tuple[str, ...], NoDecode] = ()
    cors_origins: Annotated[tuple[str, ...], NoDecode] = ()
    cors_origin_regex: str | None = None
    cors_localhost: bool = True
    client_dir: Path = Path(__file__).parent / "static"
    follow_poll_seconds: PositiveFloat = 0.5
    follow_heartbeat_seconds: PositiveFloat = 15.0
    max_followers: PositiveInt = 512
    max_frame_streams: PositiveInt = 256
    frame_cache_bytes: int = Field(default=64 << 20, ge=0)
    wandb_api_key: SecretStr | None = Field(default=None, validation_alias="WANDB_API_KEY")
    wandb_entity: str | None = None
    wandb_project: str | None = None
    wandb_cache_ttl_seconds: float = 30.0
    play_max_sessions: PositiveInt = 256
    play_idle_seconds: NonNegativeFloat = 1800.0
    allowed_files: Annotated[tuple[Path, ...], NoDecode] = ()
    roms_root: Path | None = None
    console_max_sessions: PositiveInt = 16
    console_idle_seconds: NonNegativeFloat = 600.0
    play_memory_bytes: PositiveInt = 4 << 30
    call_seconds: PositiveFloat = 20.0
    opening_cost_seconds: PositiveFloat = 5.0
    decision_cost_seconds: PositiveFloat = 5.0
    visitor_share: Annotated[float, Field(gt=0.0, le=1.0)] = 0.25
    visitor_saved_seconds: PositiveFloat = 60.0
    trusted_proxies: Annotated[tuple[str, ...], NoDecode] = ()
    wall_max: PositiveInt = 2
    wall_max_copies: PositiveInt = 1024
    campaigns_root: Path | None = None
    campaigns_max: PositiveInt = 200
    campaign_idle_seconds: NonNegativeFloat = 1800.0
    export_max_waiting: PositiveInt = 8
    live_max_spectators: PositiveInt = 1024
    live_max_operators: PositiveInt = 64
    live_max_event_streams: PositiveInt = 256
    live_address: str | None = None

    @property
    def campaigns_directory(self) -> Path:
        """Where campaigns are kept."""
        return self.campaigns_root or self.runs_root.parent / "campaigns"

    def known_as(self, host: str) -> Self:
        """Return the same settings for a server that is also asked under this name."""
        return self.model_copy(update={"hosts": (*self.hosts, host.lower().rstrip("."))})

    @field_validator("live_address")
    @classmethod
    def _is_address(cls, value: str | None) -> str | None:
        if not value:
            return None
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise ValueError("it is no address of a server; use one like http://127.0.0.1:8001")
        return value.rstrip("/")

    @property
    def file_access(self) -> FileAccess:
        """Which files the configurations of others may name."""
        return FileAccess.below(self.allowed_files)

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for text in value:
            try:
                ip_network(text)
            except ValueError:
                raise ValueError(f"{text!r} is no address or network; use one like 10.0.0.7 or 10.0.0.0/24") from None
        return value

    @field_validator("roms_root")
    @classmethod
    def _is_folder(cls, value: Path | None) -> Path | None:
        if value is not None and not value.is_dir():
            raise ValueError("it is no folder")
        return value

    @field_validator("allowed_files")
    @classmethod
    def _are_folders(cls, value: tuple[Path, ...]) -> tuple[Path, ...]:
        for folder in value:
            if not folder.is_dir():
                raise ValueError(f"{str(folder)!r} is no folder")
        return value

    @field_validator("hosts", "cors_origins", "allowed_files", "trusted_proxies", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return tuple(part.strip() for part in value.split(",") if part.strip())

    @field_validator("cors_origins")
    @classmethod
    def _are_origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(as_origin(text) for text in value)

    @field_validator("hosts")
    @classmethod
    def _are_hosts(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(as_host(text) for text in value)

    @field_validator("cors_origin_regex")
    @classmethod
    def _compiles(cls, value: str | None) -> str | None:
        if not value:
            return None
        try:
            re.compile(value)
        except re.error as error:
            raise ValueError(f"it is no regular expression ({error})") from None
        return value


def read_settings(**flags: object) -> ServerSettings:
    """Read the environment; flags that are not None beat it.

    Raises:
        ConfigError: A value is wrong; with its name and what would be right.
    """
    given = {name: value for name, value in flags.items() if value is not None}
    try:
        return ServerSettings(**given)  # type: ignore[arg-type]  # pydantic checks what the names mean
    except ValidationError as error:
        raise ConfigError("; ".join(_problem(dict(item)) for item in error.errors(include_url=False))) from None


def _problem(item: dict[str, object]) -> str:
    location = item["loc"]
    name = str(location[0]) if isinstance(location, tuple) and location else "settings"
    variable = name if name.isupper() else f"{_PREFIX}{name.upper()}"
    message = problem_words(item)
    return f"{variable}: {str(item['input'])!r} is wrong; {message}"
