"""Writes `docs/learning.md` and its curves from the learning report; with `--check` it only says if they are old."""

import argparse
import json
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

from learning_page.curves import curve_picture  # noqa: E402
from learning_page.page import learning_page, picture_name  # noqa: E402

from harness.learning.protocols import PROTOCOLS  # noqa: E402 - the protocols lie beside the benchmarks

DOCS: Final = ROOT / "docs"


def written_files(docs: Path) -> dict[Path, str]:
    """Return every file that is made from the report of a folder of documents, with its text."""
    path = docs / "reports" / "learning.json"
    report = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    files = {docs / "learning.md": learning_page(PROTOCOLS, report)}
    for part in (report or {}).get("protocols", ()):
        files[docs / "pictures" / picture_name(part["name"])] = curve_picture(part)
    return files


def main() -> int:
    """Write the files, or compare them with what is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is out of date")
    options = parser.parse_args()
    is_old = False
    for path, text in written_files(DOCS).items():
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        is_old = True
        name = path.relative_to(ROOT)
        if options.check:
            print(f"out of date: {name}; python tools/write_learning.py writes it", file=sys.stderr)
            continue
        path.write_text(text, encoding="utf-8")
        print(f"wrote: {name}")
    return 1 if is_old and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
