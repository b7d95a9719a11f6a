"""Which code the two sides of a comparison ran."""

import hashlib
from pathlib import Path

import diorama
from diorama.contracts.errors import TierUnavailable
from diorama.contracts.values import JsonObject
from diorama.native import load_native


def build_identifiers() -> JsonObject:
    """Return what tells one build of either side from another: versions, and digests of sources and binary."""
    sources = source_digest()
    return {
        "reference": {"diorama": diorama.__version__, "sources": sources},
        "fast": {"diorama": diorama.__version__, "sources": sources, "native": native_digest()},
    }


def source_digest() -> str:
    """Return the SHA-256 over the Python files of the package, in path order."""
    root = Path(diorama.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def native_digest() -> str | None:
    """Return the SHA-256 of the compiled core, or None where it does not load."""
    try:
        binary = load_native().__file__
    except TierUnavailable:
        return None
    return None if binary is None else hashlib.sha256(Path(binary).read_bytes()).hexdigest()
