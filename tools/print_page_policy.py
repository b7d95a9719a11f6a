"""Prints the Content Security Policy of a built web client, for a host that serves its files without our server."""

import argparse
from pathlib import Path

from diorama.server.page_policy import PagePolicy

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("client", type=Path, help="folder of the built client")
    parser.add_argument("--live", help="address of a live world its pages may follow")
    told = parser.parse_args()
    index = told.client / "index.html"
    if not index.is_file():
        parser.error(f"{told.client} holds no built client; it has no index.html")
    print(PagePolicy(told.live).of(index))
