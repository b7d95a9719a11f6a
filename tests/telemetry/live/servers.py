"""Receivers on this machine that keep every byte they are sent."""

import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread


class Collector:
    """Keeps what came; `port` is where it listens."""

    def __init__(self) -> None:
        self.data = b""
        self.port = 0


@contextmanager
def tcp_collector(context: ssl.SSLContext | None = None) -> Iterator[Collector]:
    """Listen for one connection and read it to its end; leaving waits for that end."""
    collector = Collector()
    with socket.create_server(("127.0.0.1", 0)) as server:
        collector.port = server.getsockname()[1]

        def collect() -> None:
            connection, _ = server.accept()
            try:
                with connection if context is None else context.wrap_socket(connection, server_side=True) as reader:
                    while data := reader.recv(1 << 16):
                        collector.data += data
            except ssl.SSLError:
                connection.close()

        thread = Thread(target=collect, daemon=True)
        thread.start()
        yield collector
        thread.join(30.0)


@contextmanager
def http_collector(
    status: int = 200, *, context: ssl.SSLContext | None = None, keeps_open: bool = True
) -> Iterator[Collector]:
    """Answer every POST with a status."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1" if keeps_open else "HTTP/1.0"

        def do_POST(self) -> None:
            collector.data += self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    class Server(HTTPServer):
        def get_request(self) -> tuple[socket.socket, tuple[str, int]]:
            connection, address = super().get_request()
            return (connection if context is None else context.wrap_socket(connection, server_side=True)), address

    with Server(("127.0.0.1", 0), Handler) as server:
        collector.port = server.server_address[1]
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield collector
        server.shutdown()
        thread.join(30.0)


def self_signed(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate for a host name, and its key."""
    certificate, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-keyout", str(key), "-out", str(certificate), "-days", "2", "-subj", f"/CN={name}"),
            *("-addext", f"subjectAltName=DNS:{name}"),
        ],
        check=True,
        capture_output=True,
    )
    return certificate, key
