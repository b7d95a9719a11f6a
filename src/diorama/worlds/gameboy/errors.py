"""What can go wrong with the artifacts of this world.

ConfigError
├── ScheduleError             frames that no step can have; a `ValueError` too
└── CartridgeError            a ROM file cannot be loaded: size, checksum
    └── UnsupportedCartridge  the ROM is sound and needs hardware that is not emulated
DocumentError
├── CodecMismatch             an artifact was made with another action codec; a `ValueError` too
└── GoalTemplateMismatch      a goal template was captured under other conditions, or is damaged
    └── GoalCodecMismatch     it was captured with another action codec; a `CodecMismatch` too
SnapshotError
└── SavestateError            bytes that are no savestate of this ROM and layout
UnknownName
└── UnknownCodec              no action codec has that id; a `ValueError` too
DioramaError
└── AssemblyError             a program cannot be assembled; the message begins with its source line
"""

from typing import Self

from diorama.contracts.errors import ConfigError, DioramaError, DocumentError, SnapshotError, UnknownName


class ScheduleError(ConfigError, ValueError):
    """A press-and-release schedule that no step can keep."""


class CartridgeError(ConfigError):
    """The bytes are not a ROM that can be loaded; the message says what is wrong with them."""


class UnsupportedCartridge(CartridgeError):
    """The cartridge needs a mapper or a console that is not emulated."""


class CodecMismatch(DocumentError, ValueError):
    """A stored artifact counts its actions by another codec than the one in use."""


class GoalTemplateMismatch(DocumentError):
    """A goal template does not fit what is running; the message names the field and both values."""

    @classmethod
    def of(cls, template: object, field: str, stored: object, expected: object) -> Self:
        """Say which field differs."""
        return cls(f"goal template {template}: {field} is {stored!r}; expected {expected!r}; capture it anew")


class GoalCodecMismatch(GoalTemplateMismatch, CodecMismatch):
    """A goal template counts its actions by another codec, or does not say by which."""


class SavestateError(SnapshotError):
    """The bytes are not a savestate that can be loaded here; the message names both values."""


class UnknownCodec(UnknownName, ValueError):
    """No action codec is registered under that id."""


class AssemblyError(DioramaError):
    """A program cannot be assembled."""

    def __init__(self, line: str, problem: str) -> None:
        """Say which source line is wrong, and how."""
        super().__init__(f"{line}: {problem}")
        self.line = line
        self.problem = problem
