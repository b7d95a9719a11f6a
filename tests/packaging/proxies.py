"""Reverse proxies as the guide to deployment sets them up, on free ports and with certificates made for a test."""

import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_UP_SECONDS: Final = 30
_NAMES: Final = "DNS:worlds.example,DNS:live.worlds.example,DNS:watch.example,IP:127.0.0.1"


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate for all names of the guide, signed by itself."""

    file: Path
    key: Path

    @classmethod
    def make(cls, folder: Path) -> "Certificate":
        """Make one with openssl."""
        made = cls(folder / "certificate.pem", folder / "key.pem")
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
        command += ["-subj", "/CN=worlds.example", "-addext", f"subjectAltName={_NAMES}"]
        command += ["-out", str(made.file), "-keyout", str(made.key)]
        subprocess.run(command, check=True, capture_output=True)
        return made

    def trusted(self) -> ssl.SSLContext:
        """Return a context that believes this certificate and no other."""
        return ssl.create_default_context(cafile=str(self.file))


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
        return number


@contextmanager
def running(command: list[str], port: int, environment: Mapping[str, str] | None = None) -> Iterator[None]:
    """Run a program until the block ends; it begins once the program answers at the port."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        deadline = time.monotonic() + _UP_SECONDS
        while not _answers(port):
            assert process.poll() is None, process.communicate()[0]
            assert time.monotonic() < deadline, f"{command[0]} does not answer"
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.communicate(timeout=_UP_SECONDS)


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def nginx(site: str, folder: Path) -> list[str]:
    """Return how nginx is started with a site; everything it writes stays in the folder."""
    paths = [f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")]
    http = "\n".join(["access_log off;", "include /etc/nginx/mime.types;", *paths, site])
    config = folder / "nginx.conf"
    config.write_text(
        f"user root;\npid {folder}/nginx.pid;\nerror_log stderr;\ndaemon off;\nevents {{}}\nhttp {{\n{http}\n}}\n"
    )
    return ["nginx", "-p", str(folder), "-c", str(config)]


def caddy(site: str, folder: Path) -> list[str]:
    """Return how Caddy is started with a site; it fetches no certificates and opens no other port."""
    config = folder / "Caddyfile"
    options = f"{{\n  admin off\n  auto_https disable_redirects\n  storage file_system {folder}/caddy\n}}\n"
    config.write_text(options + site)
    return ["caddy", "run", "--config", str(config), "--adapter", "caddyfile"]
