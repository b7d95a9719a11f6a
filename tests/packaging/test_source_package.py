"""What is published: everything that is needed, and nothing of the machine it was made on."""

import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from tests.packaging.environments import ROOT

CLIENT = "src/diorama/server/static"
OURS_ALONE = ("tests", "benchmarks", "docs", "runs", ".venv", "target", "web", "dist", "build")
SECRETS = re.compile(
    rb"-----BEGIN [A-Z ]*PRIVATE KEY-----|aws_secret_access_key|_authToken=|https?://[^/\s:@\"']+:[^/\s@\"']+@"
)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tarfile.TarFile]:
    """The source package of this tree; making one compiles nothing."""
    target = tmp_path_factory.mktemp("sdist")
    maturin = Path(sys.executable).parent / "maturin"
    subprocess.run([maturin, "sdist", "--out", target], cwd=ROOT, check=True, capture_output=True)
    [archive] = target.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        yield opened


@pytest.fixture(scope="module")
def names(package: tarfile.TarFile) -> set[str]:
    """Its files, without the folder around them."""
    return {PurePosixPath(*PurePosixPath(name).parts[1:]).as_posix() for name in package.getnames()}


def tracked(*folders: str) -> set[str]:
    listed = subprocess.run(["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this tree has no history, so nothing says which files belong to it")
    return {name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()}


def test_every_file_of_the_package_and_the_core_is_inside(names: set[str]) -> None:
    linked = [name.removesuffix("/Cargo.toml") for name in names if re.fullmatch(r"crates/\w+/Cargo.toml", name)]
    sources = {name for name in tracked("src", *linked) if not re.match(r"crates/\w+/(tests|benches)/", name)}

    assert {"crates/kernel", "crates/python"} <= set(linked)
    assert sources - names == set()
    assert {"PKG-INFO", "pyproject.toml", "Cargo.toml", "LICENSE", "README.md"} <= names


def test_the_client_is_inside_as_built(names: set[str]) -> None:
    built = {path.relative_to(ROOT).as_posix() for path in (ROOT / CLIENT).rglob("*") if path.is_file()}

    assert f"{CLIENT}/index.html" in built, "the client is not built; run make setup"
    assert built - names == set()


def test_nothing_else_is_inside(names: set[str]) -> None:
    strange = {
        name
        for name in names
        if name.startswith(tuple(f"{folder}/" for folder in OURS_ALONE))
        or PurePosixPath(name).suffix in {".so", ".pyc", ".pem", ".key"}
        or PurePosixPath(name).name.startswith((".env", ".netrc", ".npmrc", ".pypirc"))
    }

    assert strange == set()


def test_no_file_tells_of_this_machine_or_holds_a_secret(package: tarfile.TarFile) -> None:
    # A clone right below the root, such as in /src, has a name that is found in half of all files.
    places = [f"{ROOT}/"] * (len(ROOT.parts) > 2) + [f"{Path.home()}/"] * (len(Path.home().parts) > 1)
    found = []
    for member in package.getmembers():
        opened = package.extractfile(member)
        body = opened.read() if opened is not None else b""
        if any(place.encode() in body for place in places) or SECRETS.search(body):
            found.append(member.name)

    assert found == []
