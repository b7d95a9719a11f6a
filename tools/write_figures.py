"""Writes `docs/figures.md` from the reports in `docs/reports`; with `--check` it only says if it is out of date."""

import argparse
import sys
from pathlib import Path
from typing import Final

from figures.importing import take_over
from figures.pages import figures_page, scripts_of

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
REPORTS: Final = DOCS / "reports"
PAGE: Final = DOCS / "figures.md"


def main() -> int:
    """Write the page, or compare it with what is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the page is out of date")
    parser.add_argument("--take", type=Path, metavar="FOLDER", help="take the reports of this folder over first")
    options = parser.parse_args()
    if options.take is not None:
        for path in take_over(options.take, REPORTS, scripts_of(REPORTS)):
            print(f"took over: {path.name}")
    text = figures_page(REPORTS)
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    if options.check:
        print("out of date: docs/figures.md; python tools/write_figures.py writes it", file=sys.stderr)
        return 1
    PAGE.write_text(text, encoding="utf-8")
    print("wrote: docs/figures.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
