"""A server that strangers attack for a while: others are answered, it stays small, ends in time and tells nothing."""

import gzip
import json
import os
import random
import signal
import socket
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import uuid4

from diorama.contracts.values import canonical_json, sha256_hex
from tests.processes import address_in, running
from tests.runs.factories import empty_run, recorded

MEMORY_BYTES: Final = 2 << 30
STOP_SECONDS: Final = 10.0
ATTACKERS: Final = 4
HONEST: Final = "198.51.100.7"
BAIT: Final = f"bait-{uuid4().hex}"  # lies outside of the runs, and may be in no answer
_WARM_UP_SECONDS: Final = 600.0
_PATIENCE_SECONDS: Final = 300.0
_COSTLY: Final[tuple[dict[str, Any], ...]] = (
    {"world": "gameboy", "config": {"frames_per_step": 3600, "starts": [{"actions": [1] * 500}]}},
    {"world": "gameboy", "config": {"noop_start_max": 255, "starts": [{}] * 256}},
    {"world": "gameboy", "config": {"kind": "gb_curriculum", "stages": [{"start": {}, "solution": [1] * 50_000}]}},
    {"world": "gameboy", "config": {"frames_per_step": 200}},
    {"world": "morphogenesis", "config": {"task": "shapes", "batch_size": 1}},
    {"world": "townlet", "config": {"jobs": [{"id": {}}]}},
    {"world": "townlet", "config": {"world": {"town_file": "/etc/passwd"}}},
    {"world": "gameboy", "config": {"rom": "/etc/passwd", "allow_bad_checksum": True, "observation": "watch"}},
    {"world": "tidebreak", "config": {"stage": 12, "seats": 64, "played": "all", "decision_ticks": 60}},
)


@dataclass(slots=True)
class Findings:
    """What attackers and honest visitors have seen; every thread adds to it."""

    hostile: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def hostile_visitors(
    directory: Path, *, seconds: float, seed: int, answered_within: float = 1.0, attackers: int = ATTACKERS
) -> dict[str, Any]:
    """Attack a server from many addresses for so long, and ask it honest questions from another one meanwhile.

    Args:
        directory: For the runs and the log.
        seconds: How long.
        seed: Of what the attackers choose.
        answered_within: Seconds in which every honest question must be answered.
        attackers: How many attack at once.
    """
    root = directory / "runs"
    replay_id, drawn = _prepare(root, directory)
    log, found, stop = directory / "serve.log", Findings(), threading.Event()
    os.environ["DIORAMA_TRUSTED_PROXIES"] = "127.0.0.1"
    try:
        with running(log, "serve", "--no-demo", "--port", "0", "--run-root", str(root)) as process:
            url = address_in(log, process)
            _warm_up(url)
            threads = [
                threading.Thread(target=_attack, args=(url, random.Random(seed + number), drawn, found, stop))
                for number in range(attackers)
            ]
            for thread in threads:
                thread.start()
            _ask_honestly(url, replay_id, found, time.monotonic() + seconds)
            peak = _peak_bytes(process.pid)
            began = time.monotonic()
            process.send_signal(signal.SIGTERM)
            process.wait(60)
            stopped = time.monotonic() - began
            stop.set()
            for thread in threads:
                thread.join(60)
    finally:
        del os.environ["DIORAMA_TRUSTED_PROXIES"]
    text = log.read_text("utf-8", "replace")
    slowest = max(found.seconds)
    assert not found.problems, found.problems[:5]
    assert "Traceback" not in text, text[-3000:]
    assert BAIT not in text
    assert slowest <= answered_within, f"somebody waited {slowest:.1f} s"
    assert peak <= MEMORY_BYTES, f"the server took {peak >> 20} MiB"
    assert stopped <= STOP_SECONDS, f"the server took {stopped:.1f} s to end"
    return {
        "hostile_requests": dict(sorted(found.hostile.items())),
        "honest_requests": len(found.seconds),
        "slowest_answer_s": round(slowest, 3),
        "median_answer_s": round(sorted(found.seconds)[len(found.seconds) // 2], 4),
        "peak_mib": peak >> 20,
        "stopped_after_s": round(stopped, 2),
    }


def _warm_up(url: str) -> None:
    """Let the server load what it loads once, which takes as long as the machine does: worlds, campaigns, PyTorch."""
    for path in ("/api/worlds", "/api/campaign-scenarios", "/api/consoles"):
        _ask(f"{url}{path}", HONEST)
    _sealed_save(url, random.Random(0), "")
    deadline = time.monotonic() + _WARM_UP_SECONDS
    for world in ("prospector", "townlet", "tidebreak", "gameboy", "morphogenesis"):
        # What is loaded for the first time may take longer than a call may; the next one finds it loaded.
        while (answered := _ask(f"{url}/api/play/session", HONEST, {"world": world}))[0] != 200:
            assert time.monotonic() < deadline, answered


def _prepare(root: Path, directory: Path) -> tuple[str, str]:
    """Write an honest run, and one whose files lie: links out of it, pipes, moments that no world writes."""
    honest = recorded(empty_run(root), bot="idle", max_steps=40)
    (directory / "bait.txt").write_text(BAIT)
    layout = empty_run(root, "run-b")
    entry = recorded(layout, bot="idle", max_steps=4)
    path = layout.resolve(entry.replay_path)
    lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    for line, value in zip(lines, (2**63, 1e9, -1e300, "x" * 100_000), strict=False):
        line["render_state"]["ship"]["cargo"] = [value] * 6
        line["render_state"]["asteroids"] = [{"slot": value}] * 40
    path.write_bytes(gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines)))
    checkpoints = root / "run-b" / "checkpoints"
    checkpoints.mkdir(exist_ok=True)
    (checkpoints / "ckpt_000001.safetensors").symlink_to(directory / "bait.txt")
    os.mkfifo(checkpoints / "ckpt_000002.safetensors")
    with (root / "run-b" / "metrics" / "windows.jsonl").open("a") as windows:
        windows.write('{"window_id": 9223372036854775808}\nno JSON\n')
    return honest.replay_id, entry.replay_id


def _ask_honestly(url: str, replay_id: str, found: Findings, until: float) -> None:
    status, answer = _ask(f"{url}/api/play/session", HONEST, {"world": "prospector"})
    assert status == 200, answer
    session = f"{url}/api/play/session/{json.loads(answer)['session_id']}"
    frames = f"{url}/api/runs/run-a/replays/{replay_id}/frames"
    questions: tuple[tuple[str, Any], ...] = (
        (f"{url}/health", None),
        (f"{session}/step", {"action": 6}),
        (f"{url}/api/runs", None),
        (f"{frames}?limit=20", None),
        (f"{frames}/3/picture", None),
        (session, None),
    )
    while time.monotonic() < until:
        for address, body in questions:
            began = time.monotonic()
            status, answer = _ask(address, HONEST, body)
            found.seconds.append(time.monotonic() - began)
            if status != 200:
                found.problems.append(f"{urlsplit(address).path}: {status} {answer[:200]!r}")
        time.sleep(0.02)


def _attack(url: str, chance: random.Random, replay_id: str, found: Findings, stop: threading.Event) -> None:
    attacks: tuple[Callable[[str, random.Random, str], tuple[int, bytes]], ...] = (
        _costly_session,
        _many_sessions,
        _odd_body,
        _odd_path,
        _hostile_picture,
        _sealed_save,
        _standings,
        _leaves_early,
        _long_head,
    )
    while not stop.is_set():
        attack = chance.choice(attacks)
        try:
            status, answer = attack(url, chance, replay_id)
        except OSError:  # the server has hung up, or ends
            found.hostile[f"{attack.__name__[1:]} refused"] += 1
            time.sleep(0.01)
            continue
        found.hostile[f"{attack.__name__[1:]} {status}"] += 1
        if BAIT.encode() in answer or b"root:x:0" in answer:
            found.problems.append(f"{attack.__name__} read what lies outside of the runs")
        # A file that was broken on purpose is told with 500 and words; a mistake of the server has none of its own.
        if status == 500 and b"the server made a mistake" in answer:
            found.problems.append(f"{attack.__name__}: {answer[:200]!r}")


def _address(chance: random.Random) -> str:
    return chance.choice((f"192.0.2.{chance.randrange(4)}", f"2001:db8::{chance.randrange(1 << 16):x}"))


def _costly_session(url: str, chance: random.Random, replay_id: str) -> tuple[int, bytes]:
    return _ask(f"{url}/api/play/session", _address(chance), chance.choice(_COSTLY))


def _many_sessions(url: str, chance: random.Random, replay_id: str) -> tuple[int, bytes]:
    address = _address(chance)
    answers = [_ask(f"{url}/api/play/session", address, {"world": "prospector"}) for _ in range(20)]
    return answers[-1]


def _standings(url: str, chance: random.Random, replay_id: str) -> tuple[int, bytes]:
    address = _address(chance)
    status, answer = _ask(
        f"{url}/api/play/session", address, {"world": "prospector", "seed": chance.randrange(1 << 32)}
    )
    if status != 200:
        return status, answer
    return _ask(f"{url}/api/play/session/{json.loads(answer)['session_id']}/standings", address)


def _odd_body(url: str, chance: random.Random, replay_id: str) -> tuple[int, bytes]:
    body = chance.choice(
        (b"[" * 900_000, b"{" * 1000, b"\xff\xfe", b"0" * (2 << 20), b'{"seed": ' + b"9" * 5000 + b"}", b"null")
    )
    return _send(f"{url}/api/play/session", _address(chance), body)


def _odd_path(url: str, chance: random.Random, replay_id: str) -> tuple[int, bytes]:
    path = chance.choice(
        (
            "/api/runs/..%2f..%2fbait.txt",
            "/api/runs/run-b",
            "/api/runs/run-b/windows",
            "/api/runs",
            "/..%2f..%2f..%2fetc/passwd",
            "/api/runs/run-b/replays/..%2f..%2fcheckpoints",
            f"/api/runs/run-b/replays/{replay_id}/frames?offset=999999999999",
            "/api/champions/run-b",
            "/api/exports",
        )
    )
    return _ask(f"{url}{path}", _address(chance))


def _hostile_picture(url: str, chance: random.Random, replay_id: str) -> tuple[int, bytes]:
    frame = chance.randrange(5)
    return _ask(f"{url}/api/runs/run-b/replays/{replay_id}/frames/{frame}/picture", _address(chance))


def _sealed_save(url: str, chance: random.Random, replay_id: str) -> tuple[int, bytes]:
    state: dict[str, Any] = {"scenario": "two_powers", "player": {}, "hubs": [{"id": "nowhere"}], "seed": 2**60}
    save = canonical_json({"format": "campaign.v1", "sha256": sha256_hex(canonical_json(state)), "state": state})
    return _ask(f"{url}/api/campaign-saves", _address(chance), {"save": save})


def _leaves_early(url: str, chance: random.Random, replay_id: str) -> tuple[int, bytes]:
    """Ask for work and hang up before the answer."""
    body = json.dumps({"world": "gameboy", "config": {"frames_per_step": 200}}).encode()
    with _connected(url) as client:
        client.sendall(_head("POST /api/play/session", _address(chance), len(body)) + body)
        time.sleep(0.01)
    return 0, b""


def _long_head(url: str, chance: random.Random, replay_id: str) -> tuple[int, bytes]:
    with _connected(url) as client:
        with suppress(BrokenPipeError, ConnectionResetError):
            client.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 100_000 + b"\r\n\r\n")
        answer = client.recv(1 << 12)
    return int(answer[9:12] or b"0"), answer


def _connected(url: str) -> socket.socket:
    parts = urlsplit(url)
    return socket.create_connection((parts.hostname or "", parts.port or 80), timeout=30)


def _head(request: str, address: str, length: int) -> bytes:
    lines = (f"{request} HTTP/1.1", "Host: x", f"X-Forwarded-For: {address}", "Content-Type: application/json")
    return "\r\n".join((*lines, f"Content-Length: {length}", "", "")).encode()


def _ask(url: str, address: str, body: Any = None) -> tuple[int, bytes]:
    return _send(url, address, None if body is None else json.dumps(body).encode())


def _send(url: str, address: str, data: bytes | None) -> tuple[int, bytes]:
    headers = {"Content-Type": "application/json", "X-Forwarded-For": address}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=_PATIENCE_SECONDS) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def _peak_bytes(pid: int) -> int:
    """Return the most memory a process has held."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) << 10
    raise AssertionError("this system does not tell how much memory a process has held")
