"""Which files of the user a configuration names."""

from typing import Final

from diorama.worlds.gameboy.config import GameboyConfig
from diorama.worlds.gameboy.roms.catalogue import rom_names

_TASK_SUFFIXES: Final = (".yaml", ".yml")


def named_files(config: GameboyConfig) -> tuple[str, ...]:
    """Return ROM, task and goal folders that do not come with the package, as they are named."""
    roms = () if config.rom in rom_names() else (config.rom,)
    tasks = (config.task,) if _is_path(config.task) else ()
    goals = tuple(goal for goal in (config.goal, *(stage.goal for stage in config.stages)) if goal)
    return roms + tasks + goals


def _is_path(task: str) -> bool:
    return task.endswith(_TASK_SUFFIXES) or "/" in task or "\\" in task
