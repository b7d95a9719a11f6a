"""Writes the manifest anew: `python -m diorama.worlds.gameboy.roms`."""

from pathlib import Path

from diorama.worlds.gameboy.roms.manifest import MANIFEST_NAME, make_manifest, manifest_text, replace_file

if __name__ == "__main__":
    print(replace_file(Path(__file__).with_name(MANIFEST_NAME), manifest_text(make_manifest()).encode()))
