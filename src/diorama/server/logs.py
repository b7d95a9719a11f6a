"""The log of a server: text or JSON, on standard error or in files that are put aside, without secrets."""

import logging
import os
import re
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from typing import Any, Final

import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict, Processor

from diorama.contracts.errors import ConfigError
from diorama.operate.console.audit import REMOVED, is_secret_key
from diorama.server.operation_settings import OperationSettings

ACCESS: Final = "diorama.access"
_SECRET_VARIABLE: Final = re.compile(r"token|secret|password|api_?key|salt", re.IGNORECASE)
_SHORTEST_SECRET: Final = 8
_IN_TEXT: Final = (
    re.compile(r"(?i)(\bbearer\s+)[^\s\"',;]+"),
    re.compile(r"(?i)(\b(?:access_token|token|auth|authorization|api_?key|password|secret)=)[^\s&\"']+"),
)


class SecretRemover:
    """A step of the log: takes out what lies under a secret's name, and the values of secret variables anywhere."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Learn which values must not be written."""
        found = {value for name, value in environment.items() if _SECRET_VARIABLE.search(name)}
        self._values = sorted((value for value in found if len(value) >= _SHORTEST_SECRET), key=len, reverse=True)

    def __call__(self, logger: Any, method: str, event: EventDict) -> EventDict:
        """Return the line without secrets."""
        return {name: REMOVED if is_secret_key(name) else self._cleaned(value) for name, value in event.items()}

    def _cleaned(self, value: Any) -> Any:
        match value:
            case str():
                return self.text(value)
            case Mapping():
                return {key: REMOVED if is_secret_key(str(key)) else self._cleaned(item) for key, item in value.items()}
            case list() | tuple():
                return [self._cleaned(item) for item in value]
        return value

    def text(self, text: str) -> str:
        """Return a text without secrets."""
        for secret in self._values:
            text = text.replace(secret, REMOVED)
        for pattern in _IN_TEXT:
            text = pattern.sub(rf"\g<1>{REMOVED}", text)
        return text


@contextmanager
def logging_of(settings: OperationSettings, environment: Mapping[str, str] = os.environ) -> Iterator[None]:
    """Write the log as the settings say, until the block ends.

    Raises:
        ConfigError: The file cannot be written.
    """
    handler = _handler(settings)
    handler.setFormatter(_formatter(settings, SecretRemover(environment), has_colors=_has_colors(handler)))
    root, access = logging.getLogger(), logging.getLogger(ACCESS)
    handlers, level = root.handlers[:], root.level
    root.handlers = [handler]
    root.setLevel(settings.log_level.upper())
    access.setLevel(logging.INFO if settings.logs_access else logging.CRITICAL)
    logging.captureWarnings(capture=True)
    try:
        yield
    finally:
        logging.captureWarnings(capture=False)
        root.handlers = handlers
        root.setLevel(level)
        access.setLevel(logging.NOTSET)
        handler.close()


def access_log() -> Any:
    """Return the log that gets a line for every request."""
    return structlog.wrap_logger(
        logging.getLogger(ACCESS),
        wrapper_class=structlog.stdlib.BoundLogger,
        processors=[structlog.stdlib.filter_by_level, ProcessorFormatter.wrap_for_formatter],
    )


def _handler(settings: OperationSettings) -> logging.Handler:
    if settings.log_file is None:
        return logging.StreamHandler(sys.stderr)
    try:
        settings.log_file.parent.mkdir(parents=True, exist_ok=True)
        opened = RotatingFileHandler(
            settings.log_file,
            maxBytes=settings.log_rotate_bytes,
            backupCount=settings.log_rotate_keep,
            encoding="utf-8",
        )
        settings.log_file.chmod(0o600)
    except OSError as error:
        raise ConfigError(
            f"DIORAMA_LOG_FILE: {settings.log_file} cannot be written ({error.strerror})", code="log_not_writable"
        ) from None
    return opened


def _formatter(settings: OperationSettings, remover: SecretRemover, *, has_colors: bool) -> ProcessorFormatter:
    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
    ]
    shown: list[Processor] = (
        # The traceback is text by now, from which secrets are taken, too.
        [structlog.processors.format_exc_info, remover, structlog.processors.JSONRenderer()]
        if settings.log_format == "json"
        else [structlog.processors.format_exc_info, remover, structlog.dev.ConsoleRenderer(colors=has_colors)]
    )
    return ProcessorFormatter(
        foreign_pre_chain=[*shared, structlog.stdlib.ExtraAdder()],
        processors=[_own_fields(shared), _without_colors, ProcessorFormatter.remove_processors_meta, *shown],
    )


def _without_colors(logger: Any, method: str, event: EventDict) -> EventDict:
    """Leave out the second form of a line that the framework adds for terminals."""
    event.pop("color_message", None)
    return event


def _own_fields(shared: list[Processor]) -> Processor:
    """Return a step that adds level, logger and time to lines of our own; those of others have them already."""

    def add(logger: Any, method: str, event: MutableMapping[str, Any]) -> EventDict:
        found: Any = event
        if "level" not in found:
            record = found["_record"]
            for step in shared:
                found = step(logger or logging.getLogger(record.name), record.levelname.lower(), found)
        return found  # type: ignore[no-any-return]  # every step returns what it was given

    return add


def _has_colors(handler: logging.Handler) -> bool:
    return type(handler) is logging.StreamHandler and sys.stderr.isatty()
