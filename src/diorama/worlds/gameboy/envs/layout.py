"""Where everything stands in an observation row, from the configuration alone."""

from dataclasses import dataclass
from math import prod

from diorama.worlds.gameboy.config import GameboyConfig, Kind, ObservationFormat
from diorama.worlds.gameboy.envs.screen import PICTURE_SHAPES
from diorama.worlds.gameboy.envs.tasks.reading import Task, load_task

RAM_V3_WIDTH = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Parts of the rows, in this order; a part that a configuration does not have is empty.

    Attributes:
        picture: Shape of the pictures, (stack, rows, bytes) or without the stack where it is one.
        watch: Addresses observed byte by byte, after the pictures.
        events: How many event bytes of the task, after the watched ones.
        ram_v3: Whether the float row begins with the 32 numbers of that format.
        senses: Names of the task's senses, after them.
        addresses: Everything the lanes watch: the task's addresses, then the configuration's.
        task: The task of `gb_tasks`.
    """

    picture: tuple[int, ...]
    watch: tuple[int, ...]
    events: int
    ram_v3: bool
    senses: tuple[str, ...]
    addresses: tuple[int, ...]
    task: Task | None

    @property
    def picture_bytes(self) -> int:
        """Bytes of a row that are pictures."""
        return prod(self.picture) if self.picture else 0

    @property
    def names(self) -> dict[str, int]:
        """Watched bytes for viewers: symbols of the task, then nameless addresses as `$C0F0`; the place of each."""
        symbols = {} if self.task is None else self.task.file.watch
        named = {name: self.addresses.index(address) for name, address in symbols.items()}
        known = set(symbols.values())
        nameless = {
            f"${address:04X}": self.addresses.index(address) for address in self.addresses if address not in known
        }
        return {**named, **nameless}


def layout_of(config: GameboyConfig) -> Layout:
    """Lay out the observation of a configuration.

    Raises:
        ConfigError: If its task file is wrong.
        UnknownName: If it names no task and its ROM has none.
    """
    task = load_task(config.task or config.rom) if config.kind is Kind.TASKS else None
    task_addresses = () if task is None else task.addresses
    watch: tuple[int, ...] = ()
    if config.observation is ObservationFormat.WATCH:
        watch = config.watch or (() if task is None else tuple(task.file.watch.values()))
    shape = PICTURE_SHAPES.get(config.observation)
    columns = None if task is None else task.event_columns
    return Layout(
        picture=() if shape is None else shape if config.stack == 1 else (config.stack, *shape),
        watch=watch,
        events=0 if columns is None else columns.stop - columns.start,
        ram_v3=config.observation is ObservationFormat.RAM_V3,
        senses=() if task is None else task.sense_names,
        addresses=tuple(dict.fromkeys((*task_addresses, *config.watch))),
        task=task,
    )
