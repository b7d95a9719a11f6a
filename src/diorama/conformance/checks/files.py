"""Files: a key that names one says so, so that a server can refuse it, and nothing else looks at the file system."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from diorama.conformance.report import Report
from diorama.conformance.subject import SEED, Subject
from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.named_files import TextValue, text_keys, text_values
from diorama.contracts.tiers import Tier
from diorama.engine.make import make_batch

_NAMES_A_FILE: Final = re.compile(r"(?:^|_)(?:files?|filename|paths?|dirs?|directory|folders?|root)$")
_DECLARE: Final = "annotate it: Annotated[str, FilePath()] of diorama.contracts.named_files"


def check_files(subject: Subject, report: Report) -> None:
    """Look at the names and types of keys, then put paths where texts stand and see whether it matters what is there.

    A world that opens a file, or only asks whether it exists, behaves otherwise where there is none: whoever names the
    file learns from it.
    """
    for key in text_keys(subject.world.config_type):
        if key.mark is None and (key.is_path or _NAMES_A_FILE.search(key.key.rpartition(".")[2])):
            report.fail(f"the key {key.key!r} holds a path and does not say so", fix=_DECLARE)
    with TemporaryDirectory(prefix="diorama-files-") as folder:
        paths = _paths(Path(folder))
        for text in _tried(subject.config):
            is_open = text.mark is None
            outcomes = {_outcome(subject, text, path, opens=is_open) for path in paths}
            if len(outcomes) > 1 and is_open:
                report.fail(f"the key {text.key!r} names a file that is looked for, and does not say so", fix=_DECLARE)
            elif len(outcomes) > 1:
                report.fail(
                    f"the key {text.key!r} is valid or not by what lies at the path that it names",
                    fix="look for the file when the world is opened: a configuration is checked before that is allowed",
                )


def _tried(config: WorldConfig) -> Iterator[TextValue]:
    """Yield the texts that are tried: of a list the first entry stands for all."""
    for text in text_values(config):
        if not any(isinstance(part, int) and part > 0 for part in text.place):
            yield text


def _paths(folder: Path) -> tuple[Path, ...]:
    """Return the path of nothing, of a file and of a folder; the paths are equally long."""
    nothing, file, inside = folder / "absent", folder / "a-file", folder / "folder"
    file.write_bytes(b"no world can mean this\n")
    inside.mkdir(exist_ok=True)
    return nothing, file, inside


def _outcome(subject: Subject, text: TextValue, path: Path, *, opens: bool) -> str:
    """Say what comes of a configuration that names a path; in words that leave the path out."""
    world = subject.world
    try:
        config = parse_config(
            world.id, world.config_type, _replaced(subject.config.model_dump(), text.place, str(path))
        )
        if not opens:
            return "it is valid"
        world.describe(config)
        if world.training is not None:
            world.training(config)
        batch = make_batch(world, copies=1, config=config, seed=SEED, tier=Tier.REFERENCE, threads=1)
        batch.reset()
        opened = batch.state_hash(0)
        batch.close()
        return f"it opens with the state {opened}"
    except Exception as error:  # whatever the world raises is what its caller learns
        return f"{type(error).__name__}: {error}".replace(str(path), "it").replace(path.name, "it")


def _replaced(node: object, place: tuple[str | int, ...], value: str) -> dict[str, object]:
    changed = _with(node, place, value)
    assert isinstance(changed, dict), "a configuration is a mapping"
    return changed


def _with(node: object, place: tuple[str | int, ...], value: str) -> object:
    if not place:
        return value
    first, *rest = place
    if isinstance(node, Mapping):
        return {key: _with(item, tuple(rest), value) if str(key) == first else item for key, item in node.items()}
    assert isinstance(node, list | tuple), "what holds texts is a list or a mapping"
    return type(node)(_with(item, tuple(rest), value) if index == first else item for index, item in enumerate(node))
