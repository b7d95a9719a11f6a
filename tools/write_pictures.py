"""Writes the pictures of the documentation from what `DIORAMA_NIGHT=1 make browser` has photographed."""

import sys
from pathlib import Path
from typing import Final

from PIL import Image

ROOT: Final = Path(__file__).parents[1]
SCREENSHOTS: Final = ROOT / "build" / "screenshots"
PICTURES: Final = ROOT / "docs" / "pictures"
WIDTH: Final = 960
QUALITY: Final = 78
SOURCES: Final = {
    "prospector": "play-dark.png",
    "tidebreak": "tidebreak-watch-dark.png",
    "townlet": "townlet-watch-dark.png",
    "gameboy": "gameboy-wall-dark.png",
    "morphogenesis": "morphogenesis-watch-dark.png",
    "operate": "operate-dark.png",
}


def main() -> int:
    """Write all of them; one that was not photographed leaves the others as they are."""
    missing = [name for name in SOURCES.values() if not (SCREENSHOTS / name).is_file()]
    if missing:
        print(f"not photographed: {', '.join(missing)}; `DIORAMA_NIGHT=1 make browser` does it", file=sys.stderr)
        return 1
    PICTURES.mkdir(exist_ok=True)
    for name, source in SOURCES.items():
        with Image.open(SCREENSHOTS / source) as photograph:
            height = round(photograph.height * WIDTH / photograph.width)
            small = photograph.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS)
        small.save(PICTURES / f"{name}.webp", quality=QUALITY, method=6)
    return 0


if __name__ == "__main__":
    sys.exit(main())
