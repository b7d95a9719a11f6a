"""A server that traces its memory: prints its address, then one number of bytes for every line it is sent."""

import gc
import sys
import tracemalloc
from pathlib import Path
from threading import Thread

from diorama.server.app import create_app
from diorama.server.serving import Serving, listen
from diorama.server.settings import ServerSettings


def main() -> None:
    """Serve until a signal ends it."""
    tracemalloc.start()
    opened = listen("127.0.0.1", 0)
    print(f"http://127.0.0.1:{opened.getsockname()[1]}", flush=True)
    Thread(target=_answer, daemon=True).start()
    app = create_app(ServerSettings(runs_root=Path(sys.argv[1])))
    Serving(app, app.services.streams).run(sockets=[opened])


def _answer() -> None:
    for _ in sys.stdin:
        gc.collect()
        print(tracemalloc.get_traced_memory()[0], flush=True)


if __name__ == "__main__":
    main()
