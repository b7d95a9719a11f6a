"""`LatestWriter`: keeps a document on the disk up to date without making anybody wait for the disk."""

from pathlib import Path
from threading import Condition, Thread

from diorama.contracts.errors import StorageError
from diorama.runs.documents import Document, replace_document


class LatestWriter:
    """Writes the newest of the documents it is given, on a thread of its own.

    A document that is overtaken by a newer one before its turn is never written: a disk takes milliseconds to
    make one durable, and training must not stand still for each.
    """

    def __init__(self, path: Path) -> None:
        """Write to this file; the thread begins with the first document."""
        self._path = path
        self._condition = Condition()
        self._pending: Document | None = None
        self._failure: StorageError | None = None
        self._thread: Thread | None = None
        self._is_writing = False
        self._is_closing = False

    def offer(self, document: Document) -> None:
        """Let a document be written soon.

        Raises:
            StorageError: The disk has refused an earlier one.
        """
        with self._condition:
            self._raise_failure()
            self._pending = document
            if self._thread is None:
                self._thread = Thread(target=self._write_on, name="diorama-metadata", daemon=True)
                self._thread.start()
            self._condition.notify_all()

    def flush(self) -> None:
        """Wait until the newest document is on the disk.

        Raises:
            StorageError: The disk refuses.
        """
        with self._condition:
            self._condition.wait_for(lambda: self._pending is None and not self._is_writing)
            self._raise_failure()

    def close(self) -> None:
        """Write what is still to be written and end the thread; nothing may be offered afterwards.

        Raises:
            StorageError: The disk refuses.
        """
        with self._condition:
            self._is_closing = True
            self._condition.notify_all()
        if self._thread is not None:
            self._thread.join()
        self._raise_failure()

    def _raise_failure(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def _write_on(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._pending is not None or self._is_closing)
                document, self._pending = self._pending, None
                if document is None:
                    return
                self._is_writing = True
            failure = self._write(document)
            with self._condition:
                self._is_writing = False
                self._failure = self._failure or failure
                self._condition.notify_all()

    def _write(self, document: Document) -> StorageError | None:
        try:
            replace_document(self._path, document)
        except StorageError as error:
            return error
        return None
