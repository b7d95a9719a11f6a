"""Writes what the licences of others ask for into the built web client: `THIRD_PARTY_NOTICES.txt`.

A wheel carries the client with the npm packages its bundler took in, and the compiled core with the crates that are
linked into it. Both lists come from the tools that built them (`bundled-packages.json` of the bundler, `cargo
metadata`), names and texts from the packages themselves. Whatever has neither a text nor a known licence is refused.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
CLIENT: Final = ROOT / "src" / "diorama" / "server" / "static"
NOTICES: Final = "THIRD_PARTY_NOTICES.txt"
BUNDLED: Final = "bundled-packages.json"
CORE: Final = "diorama-python"
RUNTIME: Final = "onnxruntime-web"

_TEXTS: Final = Path(__file__).resolve().parent / "license_texts"
_TEXT_NAME: Final = re.compile(r"(licen[sc]e|copying|unlicense|notice|copyright)", re.IGNORECASE)
_RULE: Final = "=" * 80
_OPENING: Final = """\
Diorama is published under the MIT license (LICENSE). What it is shipped with belongs to others, who allow that under
the terms below: first what is in the web client, then what is linked into the compiled core.
"""


class Incomplete(Exception):
    """Something is shipped about which too little is known; the message says what would help."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Package:
    """Something of others that is shipped: `license` is its SPDX expression, `text` what has to be told."""

    kind: str
    name: str
    version: str
    license: str
    text: str

    def __str__(self) -> str:
        """Return what it is called."""
        return f"{self.kind} {self.name} {self.version}"


def bundled_packages(client: Path, modules: Path) -> list[Package]:
    """Return the npm packages in a built client.

    Raises:
        Incomplete: The client does not say what it consists of, or a package has no licence.
    """
    listing = client / BUNDLED
    if not listing.is_file():
        raise Incomplete(f"{listing} is missing; build the client first: cd web && npm run build")
    return [_npm_package(modules / name) for name in json.loads(listing.read_text(encoding="utf-8"))]


def _npm_package(folder: Path) -> Package:
    told: dict[str, Any] = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    author = told.get("author", "")
    holder = author.get("name", "") if isinstance(author, dict) else author
    license_id = told.get("license", "")
    name = told["name"]
    text = _runtime_text() if name == RUNTIME else _text(folder, license_id, holder or f"the authors of {name}", name)
    return Package(kind="npm", name=name, version=told["version"], license=license_id, text=text)


def _runtime_text() -> str:
    """Its npm package has no text, and is silent about the libraries in its program; its Python sister tells both."""
    try:
        found = distribution("onnxruntime")
    except PackageNotFoundError:
        raise Incomplete(
            "what onnxruntime consists of is told by its Python package; install diorama[export]"
        ) from None
    own, others = (
        Path(str(found.locate_file(f"onnxruntime/{name}"))).read_text(encoding="utf-8").strip()
        for name in ("LICENSE", "ThirdPartyNotices.txt")
    )
    return f"{own}\n\nIts program contains, as onnxruntime {found.version} tells:\n\n{others}"


def linked_crates(metadata: Mapping[str, Any], core: str = CORE) -> list[Package]:
    """Return the crates of others that end up in the compiled core; macros and build scripts only help to make it.

    Args:
        metadata: What `cargo metadata` tells.
        core: The crate that is shipped.

    Raises:
        Incomplete: A crate has no licence.
    """
    crates = {crate["id"]: crate for crate in metadata["packages"]}
    links = {node["id"]: node["deps"] for node in metadata["resolve"]["nodes"]}
    [start] = [key for key, crate in crates.items() if crate["name"] == core]
    found, waiting = {start}, [start]
    while waiting:
        for link in links[waiting.pop()]:
            is_linked = any(kind["kind"] is None for kind in link["dep_kinds"])
            if is_linked and link["pkg"] not in found and not _is_macro(crates[link["pkg"]]):
                found.add(link["pkg"])
                waiting.append(link["pkg"])
    return [_crate(crates[key]) for key in found if crates[key]["source"] is not None]


def _is_macro(crate: Mapping[str, Any]) -> bool:
    return any("proc-macro" in target["kind"] for target in crate["targets"])


def _crate(crate: Mapping[str, Any]) -> Package:
    holder = ", ".join(re.sub(r"\s*<[^>]*>", "", author) for author in crate["authors"])
    license_id = (crate["license"] or "").replace("/", " OR ")
    folder = Path(crate["manifest_path"]).parent
    text = _text(folder, license_id, holder or f"the authors of {crate['name']}", crate["name"])
    return Package(kind="crate", name=crate["name"], version=crate["version"], license=license_id, text=text)


def _text(folder: Path, license_id: str, holder: str, name: str) -> str:
    if not license_id:
        raise Incomplete(f"{name} names no licence; leave it out")
    own = sorted(path for path in folder.iterdir() if path.is_file() and _TEXT_NAME.match(path.name))
    if own:
        return "\n\n".join(path.read_text(encoding="utf-8").strip() for path in own)
    return standard_text(license_id, holder, name)


def standard_text(license_id: str, holder: str, name: str) -> str:
    """Return the text of a licence, for a package that names one and has none.

    Raises:
        Incomplete: We have no such text.
    """
    for choice in license_id.split(" OR "):
        path = _TEXTS / f"{choice.strip()}.txt"
        if path.is_file():
            return path.read_text(encoding="utf-8").strip().replace("{holder}", holder)
    raise Incomplete(f"{name} is under {license_id} and brings no text; add it to tools/license_texts")


def rust_library(version: str) -> Package:
    """Return Rust's own library, which is linked into everything it compiles."""
    license_id = "MIT OR Apache-2.0"
    text = standard_text(license_id, "the Rust project contributors", "rust")
    return Package(kind="crate", name="the standard library of Rust", version=version, license=license_id, text=text)


def write(packages: Sequence[Package]) -> str:
    """Return the notices as one text."""
    return "\n".join((_OPENING, *_table(packages), "", *_sections(packages)))


def _table(packages: Sequence[Package]) -> Iterator[str]:
    for package in packages:
        yield f"  {package.kind:<6} {package.name} {package.version}  ({package.license})"


def _sections(packages: Sequence[Package]) -> Iterator[str]:
    for package in packages:
        yield f"{_RULE}\n{package}\n{package.license}\n{_RULE}\n\n{package.text}\n"


def cargo_metadata() -> dict[str, Any]:
    """Return what cargo knows of the workspace on this kind of machine."""
    [host] = re.findall(r"^host: (\S+)$", _told("rustc", "-vV"), re.MULTILINE)
    metadata: dict[str, Any] = json.loads(
        _told("cargo", "metadata", "--format-version", "1", "--filter-platform", host)
    )
    return metadata


def _told(*words: str) -> str:
    return subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def collect(client: Path) -> list[Package]:
    """Return everything that a wheel with this client is shipped with.

    Raises:
        Incomplete: Of something too little is known.
    """
    [version] = re.findall(r"^release: (\S+)$", _told("rustc", "-vV"), re.MULTILINE)
    bundled = bundled_packages(client, ROOT / "web" / "node_modules")
    return [*sorted(bundled), rust_library(version), *sorted(linked_crates(cargo_metadata()))]


def main(arguments: Sequence[str]) -> int:
    """Write the notices into the client that is named, else into the one that wheels carry."""
    client = Path(arguments[0]) if arguments else CLIENT
    try:
        packages = collect(client)
    except Incomplete as lack:
        print(f"write_notices: {lack}", file=sys.stderr)
        return 1
    (client / NOTICES).write_text(write(packages), encoding="utf-8")
    print(f"{NOTICES}: {len(packages)} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
