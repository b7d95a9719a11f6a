"""The action codec: which index presses which keys. Pure data; backends press and release.

The one codec, id `pokemonred_puffer_v1`. The id is historical; the codec serves every ROM.

| Index | Name  | Oracle button | D-pad mask     | Button mask      |
|-------|-------|---------------|----------------|------------------|
| 0     | NOOP  | none          | 0              | 0                |
| 1     | A     | a             | 0              | BUTTON_A = 1     |
| 2     | B     | b             | 0              | BUTTON_B = 2     |
| 3     | START | start         | 0              | BUTTON_START = 8 |
| 4     | UP    | up            | DPAD_UP = 4    | 0                |
| 5     | DOWN  | down          | DPAD_DOWN = 8  | 0                |
| 6     | LEFT  | left          | DPAD_LEFT = 2  | 0                |
| 7     | RIGHT | right         | DPAD_RIGHT = 1 | 0                |

The id flows one way: configuration, backend, environment, goal template, checkpoint. Nobody remaps an index, and
a stored artifact with another id is refused (`require_codec`). A new table gets a new id and a new kernel id.
"""

from dataclasses import dataclass
from operator import index
from typing import Final, SupportsIndex, TypedDict

from diorama.contracts.errors import UnknownOption
from diorama.worlds.gameboy.errors import CodecMismatch, UnknownCodec

DPAD_RIGHT: Final = 1
DPAD_LEFT: Final = 2
DPAD_UP: Final = 4
DPAD_DOWN: Final = 8
BUTTON_A: Final = 1
BUTTON_B: Final = 2
BUTTON_SELECT: Final = 4  # not reachable by the codec
BUTTON_START: Final = 8

POKERED_PUFFER_V1_ID: Final = "pokemonred_puffer_v1"
DEFAULT_ACTION_CODEC_ID: Final = POKERED_PUFFER_V1_ID
KERNEL_CODEC_IDS: Final[dict[str, int]] = {POKERED_PUFFER_V1_ID: 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRow:
    """One action: its name, the oracle's name of the button, and the two key masks (set bit = pressed)."""

    name: str
    pyboy_button: str | None = None
    dpad: int = 0
    buttons: int = 0


class CodecStamp(TypedDict):
    """What is written into every artifact that holds action indices."""

    id: str
    name: str
    version: str
    num_actions: int
    action_names: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionCodec:
    """A numbered list of actions."""

    name: str
    version: str
    rows: tuple[ActionRow, ...]

    @property
    def id(self) -> str:
        """The identifier that artifacts carry."""
        return f"{self.name}_{self.version}"

    @property
    def action_names(self) -> tuple[str, ...]:
        """Names of the actions in index order."""
        return tuple(row.name for row in self.rows)

    @property
    def num_actions(self) -> int:
        """How many actions there are; models, heads and checks read it here."""
        return len(self.rows)

    def validate_action(self, action: SupportsIndex) -> int:
        """Return the index as a plain integer.

        Raises:
            UnknownOption: If there is no such action; it is a `ValueError`.
        """
        number = index(action)
        if not 0 <= number < self.num_actions:
            raise UnknownOption(f"action {number} is outside 0..{self.num_actions - 1} of codec {self.id!r}")
        return number

    def to_pyboy_button(self, action: SupportsIndex) -> str | None:
        """Name the button that the oracle presses for this action; None presses nothing."""
        return self.rows[self.validate_action(action)].pyboy_button

    def to_joypad_mask(self, action: SupportsIndex) -> tuple[int, int]:
        """Give the D-pad mask and the button mask of an action."""
        row = self.rows[self.validate_action(action)]
        return row.dpad, row.buttons

    def stamp(self) -> CodecStamp:
        """Serialize what artifacts store of the codec."""
        return CodecStamp(
            id=self.id,
            name=self.name,
            version=self.version,
            num_actions=self.num_actions,
            action_names=list(self.action_names),
        )


_CODECS: Final[dict[str, ActionCodec]] = {
    codec.id: codec
    for codec in (
        ActionCodec(
            name="pokemonred_puffer",
            version="v1",
            rows=(
                ActionRow(name="NOOP"),
                ActionRow(name="A", pyboy_button="a", buttons=BUTTON_A),
                ActionRow(name="B", pyboy_button="b", buttons=BUTTON_B),
                ActionRow(name="START", pyboy_button="start", buttons=BUTTON_START),
                ActionRow(name="UP", pyboy_button="up", dpad=DPAD_UP),
                ActionRow(name="DOWN", pyboy_button="down", dpad=DPAD_DOWN),
                ActionRow(name="LEFT", pyboy_button="left", dpad=DPAD_LEFT),
                ActionRow(name="RIGHT", pyboy_button="right", dpad=DPAD_RIGHT),
            ),
        ),
    )
}


def get_action_codec(codec_id: str = DEFAULT_ACTION_CODEC_ID) -> ActionCodec:
    """Look a codec up.

    Raises:
        UnknownCodec: If no codec has this id; it is a `ValueError` and lists the registered ids.
    """
    try:
        return _CODECS[codec_id]
    except KeyError:
        raise UnknownCodec.among("action codec", codec_id, list_action_codecs()) from None


def list_action_codecs() -> tuple[str, ...]:
    """Ids of all registered codecs, sorted."""
    return tuple(sorted(_CODECS))


def action_codec_kernel_id(codec_id: str) -> int:
    """Give the number by which kernels know a codec."""
    return KERNEL_CODEC_IDS[get_action_codec(codec_id).id]


def require_codec(stored_id: object, *, expected_id: str, artifact: str) -> None:
    """Refuse an artifact whose actions were counted by another codec.

    Args:
        stored_id: The id found in the artifact; None where there is none.
        expected_id: Id of the codec in use.
        artifact: What the artifact is, for the message, such as `goal template at-door`.

    Raises:
        CodecMismatch: If the ids differ, or the artifact has none.
    """
    get_action_codec(expected_id)
    if stored_id == expected_id:
        return
    found = "carries no action codec id" if stored_id is None else f"was made with action codec {stored_id!r}"
    raise CodecMismatch(f"{artifact} {found}, {expected_id!r} is in use; there is no conversion, recapture it")
