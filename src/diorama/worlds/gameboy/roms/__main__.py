"""Writes the manifest anew: `python -m diorama.worlds.gameboy.roms`."""

from pathlib import Path

from diorama.storage.atomic_files import replace_file
from diorama.worlds.gameboy.roms.manifest import MANIFEST_NAME, make_manifest, manifest_text

if __name__ == "__main__":
    manifest = Path(__file__).with_name(MANIFEST_NAME)
    replace_file(manifest, manifest_text(make_manifest()).encode())
    print(manifest)
