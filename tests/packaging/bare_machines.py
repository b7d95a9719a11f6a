"""Stand-ins for containers where there is no engine: a root of its own, in which only system and Python are found.

The system's programs and the interpreter are there to be read; everything else is empty and thrown away. It needs root,
as mounts and changes of user do.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_SHARED: Final = ("/usr", sys.base_prefix)
_LINKED: Final = ("bin", "lib", "lib64", "sbin")
_KERNEL: Final = ("/dev", "/proc", "/sys")
_OF_PIP: Final = ("PIP_", "SSL_CERT", "REQUESTS_CA")
_SYSTEM_PATH: Final = f"{sys.base_prefix}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def can_be_made() -> bool:
    """Return whether this process may make such a machine."""
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        return False
    probe = ["unshare", "--mount", "--net", "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(probe, capture_output=True).returncode == 0


@dataclass(frozen=True, slots=True)
class Volume:
    """A folder that is seen at a place of the machine."""

    source: Path
    target: str
    is_read_only: bool = False


@dataclass(slots=True)
class BareMachine:
    """A root below a folder, the environment and the user its programs get."""

    root: Path
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": _SYSTEM_PATH, "HOME": "/root"})
    user: str = "root"
    folder: str = "/"

    def prepare(self) -> None:
        """Lay out the root."""
        for name in ("data", "dev", "home", "opt", "proc", "root", "run", "sys", "tmp", "usr", "var/lib", "var/tmp"):
            (self.root / name).mkdir(parents=True)
        self.root.chmod(0o755)
        (self.root / "tmp").chmod(0o1777)
        shutil.copytree("/etc", self.root / "etc", symlinks=True)
        for name in _LINKED:
            if (Path("/") / name).is_symlink():
                (self.root / name).symlink_to((Path("/") / name).readlink())
        (self.root / sys.base_prefix.lstrip("/")).mkdir(parents=True, exist_ok=True)
        if find_links := os.environ.get("PIP_FIND_LINKS"):
            shutil.copytree(find_links, self.root / find_links.lstrip("/"))

    def inside(self, path: str) -> Path:
        """Return where a path of the machine is for us."""
        return self.root / path.lstrip("/")

    def owner(self, path: str) -> tuple[int, int]:
        """Return who owns a path of the machine."""
        told = self.inside(path).stat()
        return told.st_uid, told.st_gid

    def run(
        self,
        words: Sequence[str],
        *,
        volumes: Sequence[Volume] = (),
        environment: Mapping[str, str] | None = None,
        is_sealed: bool = False,
        is_online: bool = True,
        user: str | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Run a program on the machine.

        Args:
            words: The program and its arguments.
            volumes: Folders from outside.
            environment: On top of the machine's own.
            is_sealed: Whether nothing but volumes and `/tmp` can be written.
            is_online: Whether it reaches anything but itself.
            user: Who runs it, if not the machine's user.
        """
        who = self.user if user is None else user
        net = [] if is_online else ["--net"]
        return subprocess.run(
            [
                *("unshare", "--mount", "--pid", "--fork", "--kill-child", *net),
                *("sh", "-ec", self._script(volumes, is_sealed, is_online), "sh"),
                *("chroot", f"--userspec={who}:{who}", str(self.root)),
                *("sh", "-c", 'cd "$0" && exec "$@"', self.folder, *words),
            ],
            env={**_pip_settings(), **self.environment, "HOME": self._home(who), **(environment or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _home(self, user: str) -> str:
        return next(
            line.split(":")[5]
            for line in self.inside("/etc/passwd").read_text().splitlines()
            if line.split(":")[0] == user
        )

    def _script(self, volumes: Sequence[Volume], is_sealed: bool, is_online: bool) -> str:
        lines = ["mount --make-rprivate /", f"mount --bind {self.root} {self.root}"]
        lines += [f"mount --rbind {shared} {self.inside(shared)}" for shared in _KERNEL if shared != "/proc"]
        lines += [f"mount --bind -o ro {shared} {self.inside(shared)}" for shared in _SHARED]
        lines.append(f"mount -t proc proc {self.inside('/proc')}")
        if is_sealed:
            lines += [f"mount -o remount,bind,ro {self.root}", f"mount -t tmpfs tmpfs {self.inside('/tmp')}"]
        for volume in volumes:
            lines.append(f"mount --bind {volume.source} {self.inside(volume.target)}")
            if volume.is_read_only:
                lines.append(f"mount -o remount,bind,ro {self.inside(volume.target)}")
        if not is_online:
            lines.append("ip link set lo up")
        return "\n".join([*lines, 'exec "$@"'])


def _pip_settings() -> dict[str, str]:
    """Where packages come from is a matter of the machine, not of the recipe."""
    return {name: value for name, value in os.environ.items() if name.startswith(_OF_PIP)}
