"""Asks for known weaknesses of everything Diorama installs: Python packages, packages of the web client, crates.

    python tools/audit.py

Whatever cannot be asked here (no network, no auditor) is said and left out; a weakness that is known ends with 1.
"""

import json
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
AUDITORS: Final = ROOT / "build" / "auditors"  # apart from what they look at
_PATIENCE_SECONDS: Final = 900
_SHOWN_CHARACTERS: Final = 160

Document = Mapping[str, Any]


class NotAudited(Exception):
    """Nothing is known of these packages; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weakness:
    """A known weakness of a package."""

    package: str
    advisory: str

    def __str__(self) -> str:
        """Say both."""
        return f"{self.package}: {self.advisory}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What an auditor knows; `unknown` packages are in no database."""

    weaknesses: list[Weakness]
    unknown: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """One kind of packages.

    Attributes:
        what: For people.
        command: Makes sure that the auditor is there and returns how it is called; it prints JSON.
        folder: Where it is called.
        read: Finds the weaknesses in what it printed.
    """

    what: str
    command: Callable[[], Sequence[str]]
    folder: Path
    read: Callable[[Document], Findings]


def python_findings(document: Document) -> Findings:
    """Read what pip-audit prints.

    Raises:
        NotAudited: It knows none of the packages.
    """
    packages = document["dependencies"]
    unknown = [package["name"] for package in packages if "skip_reason" in package]
    if len(unknown) == len(packages):
        raise NotAudited(f"the database knows none of {len(packages)} packages")
    found = [
        Weakness(package=f"{package['name']} {package['version']}", advisory=known["id"])
        for package in packages
        for known in package.get("vulns", ())
    ]
    return Findings(weaknesses=found, unknown=unknown)


def web_findings(document: Document) -> Findings:
    """Read what `npm audit` prints.

    Raises:
        NotAudited: The registry does not answer.
    """
    if "vulnerabilities" not in document:
        said = document.get("message") or document.get("error", {}).get("summary")
        raise NotAudited(str(said or "the registry does not say"))
    found = [
        Weakness(package=name, advisory=", ".join(str(cause.get("url", cause.get("title"))) for cause in causes))
        for name, affected in document["vulnerabilities"].items()
        # A package that is only listed because of one it needs names that one instead of an advisory.
        if (causes := [cause for cause in affected["via"] if isinstance(cause, dict)])
    ]
    return Findings(weaknesses=found, unknown=[])


def crate_findings(document: Document) -> Findings:
    """Read what cargo-audit prints."""
    found = [
        Weakness(package=f"{found['package']['name']} {found['package']['version']}", advisory=found["advisory"]["id"])
        for found in document["vulnerabilities"]["list"]
    ]
    return Findings(weaknesses=found, unknown=[])


def pip_audit() -> Sequence[str]:
    """Install pip-audit where it is not, and let it look at the packages of this interpreter."""
    python = AUDITORS / "python" / "bin" / "python"
    if not python.exists():
        _run([sys.executable, "-m", "venv", str(python.parent.parent)])
    _run([str(python), "-m", "pip", "install", "--quiet", "pip-audit"])
    looked_at = sysconfig.get_path("purelib")
    return [str(python), "-m", "pip_audit", "--progress-spinner", "off", "--format", "json", "--path", looked_at]


def npm_audit() -> Sequence[str]:
    """Look at what the page loads; what only builds and tests it reaches nobody."""
    if shutil.which("npm") is None:
        raise NotAudited("npm is not installed")
    return ["npm", "audit", "--omit=dev", "--json"]


def cargo_audit() -> Sequence[str]:
    """Install cargo-audit where it is not."""
    if shutil.which("cargo") is None:
        raise NotAudited("cargo is not installed")
    if shutil.which("cargo-audit") is not None:
        return ["cargo", "audit", "--json"]
    program = AUDITORS / "cargo" / "bin" / "cargo-audit"
    if not program.exists():
        _run(["cargo", "install", "--quiet", "--locked", "--root", str(program.parent.parent), "cargo-audit"])
    return [str(program), "audit", "--json"]


AUDITS: Final = (
    Audit(what="Python packages", command=pip_audit, folder=ROOT, read=python_findings),
    Audit(what="packages of the web client", command=npm_audit, folder=ROOT / "web", read=web_findings),
    Audit(what="crates", command=cargo_audit, folder=ROOT, read=crate_findings),
)


def findings(audit: Audit) -> Findings:
    """Ask for the weaknesses of one kind of packages.

    Raises:
        NotAudited: Nobody can say.
    """
    command = audit.command()
    try:
        done = subprocess.run(
            command, cwd=audit.folder, capture_output=True, text=True, timeout=_PATIENCE_SECONDS, check=False
        )
        document = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise NotAudited("the auditor does not come to an end") from None
    except json.JSONDecodeError:
        raise NotAudited(_last_line(done.stderr)) from None
    if not isinstance(document, dict):
        raise NotAudited("the auditor speaks another language")
    return audit.read(document)


def report(audits: Sequence[Audit]) -> int:
    """Print one line for every kind of packages, and for every weakness; return the exit code."""
    found_any = False
    for audit in audits:
        try:
            found = findings(audit)
        except NotAudited as error:
            print(f"{audit.what}: NOT AUDITED ({error})")
            continue
        count = len(found.weaknesses)
        print(f"{audit.what}: {count} known weaknesses" if count else f"{audit.what}: no known weakness")
        for weakness in found.weaknesses:
            print(f"  {weakness}")
        if found.unknown:
            print(f"  in no database: {', '.join(found.unknown)}")
        found_any = found_any or count > 0
    return 1 if found_any else 0


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise NotAudited(f"{Path(command[0]).name} takes too long to install the auditor") from None
    if done.returncode != 0:
        raise NotAudited(f"the auditor cannot be installed: {_last_line(done.stderr)}")


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:_SHOWN_CHARACTERS] if lines else "the auditor said nothing"


if __name__ == "__main__":
    sys.exit(report(AUDITS))
