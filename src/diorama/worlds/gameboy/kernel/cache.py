"""Generated modules on disk, named by the hash of their text (section 24.3)."""

import os
import sys
import tempfile
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

from diorama.worlds.gameboy.kernel.generator import generate
from diorama.worlds.gameboy.kernel.options import BuildOptions

CACHE_VARIABLE: Final = "DIORAMA_GB_KERNEL_CACHE"
_DIGITS: Final = 16


def cache_folder() -> Path:
    """Folder of the generated modules: `DIORAMA_GB_KERNEL_CACHE`, or one in the user's cache."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "diorama" / "gameboy"


def digest_of(text: str) -> str:
    """Name of a module's text."""
    return sha256(text.encode()).hexdigest()[:_DIGITS]


def stored_module(options: BuildOptions, folder: Path | None = None) -> Path:
    """Find the file of a build, writing it where it is missing or damaged."""
    text = generate(options)
    folder = cache_folder() if folder is None else folder
    path = folder / f"cpu_step_{digest_of(text)}.py"
    if not (path.is_file() and digest_of(path.read_text(encoding="utf-8", errors="replace")) == digest_of(text)):
        folder.mkdir(parents=True, exist_ok=True)
        _write(path, text)
    return path


def _write(path: Path, text: str) -> None:
    """Write under another name first, so that nobody reads half a file."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, suffix=".part", delete=False, encoding="utf-8") as file:
        file.write(text)
    Path(file.name).replace(path)


def load_module(path: Path, wp: object, *, name: str) -> ModuleType:
    """Execute a generated module with the given Warp, or what stands in for it.

    Args:
        path: The file of the build.
        wp: What the module knows as `wp`.
        name: Set before the digest in the module's name, to keep the modules of several users apart.
    """
    full_name = f"{name}_{path.stem}"
    spec = spec_from_file_location(full_name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be loaded")
    module = module_from_spec(spec)
    vars(module)["wp"] = wp
    sys.modules[full_name] = module
    spec.loader.exec_module(module)
    return module
