"""Exports a policy of a run: `python -m diorama.server.exports ROOT RUN CHECKPOINT [FOLDER…]`.

The folders are those whose files the configuration of the run may name.
"""

import os
import sys
from pathlib import Path
from typing import Final

from diorama.contracts.errors import DioramaError
from diorama.contracts.foreign_config import FileAccess
from diorama.server.exports.ending import TOLD, leave_in_order
from diorama.training.export import ExportRequest, export_policy

_NICENESS: Final = 10
_DECISIONS: Final = 512  # in which file and policy are compared


def main() -> int:
    """Export beside a server that has better things to do; what cannot be exported is told in one line."""
    leave_in_order()
    os.nice(_NICENESS)
    root, run_id, checkpoint, *folders = sys.argv[1:]
    files = FileAccess.below(map(Path, folders))
    try:
        export_policy(
            ExportRequest(
                run_root=Path(root), run_id=run_id, checkpoint=Path(checkpoint), decisions=_DECISIONS, files=files
            )
        )
    except DioramaError as error:
        print(" ".join(str(error).split()))
        return TOLD
    return 0


if __name__ == "__main__":
    sys.exit(main())
