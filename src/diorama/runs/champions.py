"""Champions: the best policy of a world, which comes with it and is named `champion/WORLD` wherever a run is."""

from pathlib import Path
from typing import Final, Literal

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.runs.checkpoints.headers import PolicyCheckpoint
from diorama.runs.documents import Document, RawObject, read_document
from diorama.runs.layout import RunLayout
from diorama.runs.run import Run, open_run
from diorama.worlds.registry import world_folder, world_ids

CHAMPION_PREFIX: Final = "champion/"
ADDRESS_PREFIX: Final = "champion:"  # the same in an address, where a slash would begin another part
CHAMPION_FOLDER: Final = "champion"
MAX_POLICY_BYTES: Final = 3_000_000  # of each of the two policy files
_CARD: Final = "card.json"


class CardFile(Document, frozen=True, kw_only=True):
    """A file of a champion by its path in the champion's folder."""

    path: str
    sha256: str
    size_bytes: int


class CardScore(Document, frozen=True, kw_only=True):
    """One number of a player over all episodes, with its 95% bootstrap interval."""

    value: float
    low: float
    high: float


class CardRow(Document, frozen=True, kw_only=True):
    """How one player did; `scores` holds headline metrics by key and returns as `return_PROFILE`."""

    name: str
    kind: Literal["bot", "run"]
    scores: dict[str, CardScore]


class CardEpisode(Document, frozen=True, kw_only=True):
    """The record of one seat in an episode that a check plays again."""

    seed: int
    seat: int
    decisions: int
    ticks: int
    returns: dict[str, float]
    metrics: dict[str, float]


class CardEvaluation(Document, frozen=True, kw_only=True):
    """The champion beside every script on held-out episodes.

    Attributes:
        first_seed: Seed of the first episode; the others count up from it.
        episodes: Number of seeds.
        max_decisions: Limit of decisions per episode.
        tier: The tier that ran.
        rows: The champion first, then the scripts in the order of the world.
        sample_decisions: Limit of decisions per episode of the sample.
        sample: The first few episodes, played in a batch of their own.
    """

    first_seed: int
    episodes: int
    max_decisions: int
    tier: str
    rows: tuple[CardRow, ...]
    sample_decisions: int
    sample: tuple[CardEpisode, ...]

    @property
    def sample_seeds(self) -> tuple[int, ...]:
        """Seeds of the sample, in order."""
        return tuple(dict.fromkeys(item.seed for item in self.sample))


class ChampionCard(Document, frozen=True, kw_only=True):
    """What a champion says about itself.

    Attributes:
        config: The world's configuration it was trained and judged in.
        origin_run_id: The run it was taken from.
        seed: Of that run.
        revision: Commit of the checkout that built it; None where there was none.
        deterministic: Whether it takes the likeliest option of every head, or draws one.
        settings: Of the training, complete.
        replay_id: The replay that comes with it.
        policy: The checkpoint, as runs write them.
        onnx: The same policy as an ONNX file.
        frames: Frames of the replay.
        sidecar: What is known about the replay beside its frames.
    """

    schema_version: Literal[1] = 1
    world: str
    interface_version: str
    config: RawObject
    config_hash: str
    origin_run_id: str
    seed: int
    revision: str | None
    diorama_version: str
    built_at: str
    env_steps_total: int
    window_id: int
    policy_arch: str
    parameters: int
    deterministic: bool
    settings: RawObject
    policy: CardFile
    onnx: CardFile
    frames: CardFile
    sidecar: CardFile
    replay_id: str
    evaluation: CardEvaluation

    @property
    def files(self) -> tuple[CardFile, ...]:
        """Every file that the card vouches for."""
        return self.policy, self.onnx, self.frames, self.sidecar


class Champion(Run):
    """The champion of a world: a run of one checkpoint, one export and one replay, with a card."""

    @property
    def card_path(self) -> Path:
        """Where the card lies."""
        return self.layout.directory / _CARD

    def card(self) -> ChampionCard:
        """Read the card.

        Raises:
            UnknownName: There is none.
            DocumentError: It is broken.
        """
        return read_document(self.card_path, ChampionCard, within=self.layout.directory)

    def policy_path(self) -> Path:
        """Return the checkpoint that the card names."""
        return self.layout.resolve(self.card().policy.path)

    def onnx_path(self) -> Path:
        """Return the ONNX file that the card names."""
        return self.layout.resolve(self.card().onnx.path)


def champion_id(world_id: str) -> str:
    """Return the name of a world's champion, as commands take it."""
    return f"{CHAMPION_PREFIX}{world_id}"


def champion_address_id(world_id: str) -> str:
    """Return the name of a world's champion as a part of an address."""
    return f"{ADDRESS_PREFIX}{world_id}"


def champion_world(name: str) -> str | None:
    """Return the world whose champion a name means, in a command or an address; None for any other run."""
    for prefix in (CHAMPION_PREFIX, ADDRESS_PREFIX):
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return None


def is_champion_id(name: str) -> bool:
    """Whether a name is that of a champion, be there one or not."""
    return name.startswith(CHAMPION_PREFIX)


def champion_layout(world_id: str) -> RunLayout:
    """Return where the champion of a world lies, or would lie.

    Raises:
        UnknownName: There is no such world.
    """
    return RunLayout(world_folder(world_id) / CHAMPION_FOLDER, champion_id(world_id))


def has_champion(world_id: str) -> bool:
    """Whether a world comes with a champion."""
    return (champion_layout(world_id).directory / _CARD).is_file()


def champion_worlds() -> tuple[str, ...]:
    """Return the worlds that come with a champion, without loading any."""
    return tuple(world for world in world_ids() if has_champion(world))


def open_champion(world_id: str) -> Champion:
    """Return the champion of a world.

    Raises:
        UnknownName: There is no such world, or it has no champion yet.
    """
    layout = champion_layout(world_id)
    if not has_champion(world_id):
        known = champion_worlds()
        others = f"; there are: {', '.join(map(champion_id, known))}" if known else ""
        raise UnknownName(
            f"{world_id!r} has no champion yet{others}", code="world_has_no_champion", world=world_id, known=known
        )
    return Champion(layout)


def read_champion_header(world_id: str) -> PolicyCheckpoint:
    """Read what the policy of a world's champion says about itself, and none of its tensors.

    Raises:
        UnknownName: The world has no champion yet.
        DocumentError: A file of it is broken.
    """
    from diorama.runs.checkpoints.tensor_files import read_header  # brings numpy, which lists of runs do without

    return read_header(open_champion(world_id).policy_path(), PolicyCheckpoint)


def find_run(runs_root: Path, name: str) -> Run:
    """Return the run or the champion (`champion/WORLD`) of a name, to read it.

    Raises:
        ConfigError: The id is not allowed.
        UnknownName: There is no such run, world or champion.
    """
    if is_champion_id(name):
        return open_champion(name.removeprefix(CHAMPION_PREFIX))
    return open_run(runs_root, name)


def check_card(card: ChampionCard, world_id: str, interface_version: str) -> None:
    """Refuse a card of another world or interface.

    Raises:
        DocumentError: With the first field that differs.
    """
    found = {"world": card.world, "interface_version": card.interface_version}
    for name, wanted in {"world": world_id, "interface_version": interface_version}.items():
        if found[name] != wanted:
            raise DocumentError(
                f"the card of {champion_id(world_id)} has {name} {found[name]!r}; this is {wanted!r}",
                code="champion_does_not_fit",
                world=world_id,
                field=name,
                recorded=found[name],
                found=wanted,
            )
