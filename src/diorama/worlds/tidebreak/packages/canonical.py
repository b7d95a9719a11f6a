"""Documents as text: the canonical form is what hashes are taken of."""

from diorama.contracts.values import canonical_json, sha256_hex
from diorama.worlds.tidebreak.packages.base import Exchange


def to_canonical_json(document: Exchange) -> str:
    """Return the document with sorted keys, no spaces and shortest floats; absent options are null."""
    return canonical_json(document.model_dump(mode="json"))


def document_hash(document: Exchange) -> str:
    """Return the SHA-256 of the canonical form, 64 hexadecimal digits."""
    return sha256_hex(to_canonical_json(document))
