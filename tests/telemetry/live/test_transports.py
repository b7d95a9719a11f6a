"""The ways out, each with a real receiver."""

import os
import shutil
import ssl
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from diorama.contracts.errors import ConfigError, StorageError
from diorama.contracts.live.settings.telemetry import Telemetry
from diorama.contracts.live.settings.telemetry import Transport as Settings
from diorama.telemetry.live.transports.building import build_transports
from diorama.telemetry.live.transports.prometheus import PrometheusTransport
from diorama.telemetry.live.transports.protocol import Transport, TransportError
from diorama.telemetry.live.transports.stdout import StdoutTransport
from tests.telemetry.live.factories import moment
from tests.telemetry.live.servers import http_collector, self_signed, tcp_collector

PLAIN = {"enable_tls": False, "allow_plaintext": True}
LINES = [b'{"n":1}', b'{"n":2}']


def built(tmp_path: Path, **settings: Any) -> Transport:
    (transport,) = build_transports(Telemetry(transport=Settings(**settings)), tmp_path)
    return transport


def test_a_file_grows_by_whole_lines_and_is_continued(tmp_path: Path) -> None:
    for _ in range(2):
        transport = built(tmp_path, type="file")
        transport.send(LINES)
        transport.close()

    assert (tmp_path / "telemetry/live.ndjson").read_bytes() == 2 * b'{"n":1}\n{"n":2}\n'


def test_a_folder_in_the_place_of_the_file_is_a_storage_error(tmp_path: Path) -> None:
    transport = built(tmp_path, type="file", file_path=".")

    with pytest.raises(StorageError):
        transport.send(LINES)


def test_stdout_ends_the_line_that_a_failure_cut(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    transport = StdoutTransport(writing)
    transport.send(LINES[:1])
    os.close(reading)
    with pytest.raises(BrokenPipeError):
        transport.send(LINES[1:])
    again, other = os.pipe()
    os.dup2(other, writing)
    transport.send(LINES[1:])

    assert os.read(again, 100) == b'\n{"n":2}\n'
    for descriptor in (again, other, writing):
        os.close(descriptor)


def test_tcp_sends_lines(tmp_path: Path) -> None:
    with tcp_collector() as collector:
        transport = built(tmp_path, type="tcp", endpoint=f"127.0.0.1:{collector.port}", **PLAIN)
        transport.send(LINES)
        transport.close()

    assert collector.data == b'{"n":1}\n{"n":2}\n'


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_tls_is_spoken_with_whom_the_certificate_names_and_nobody_else(tmp_path: Path) -> None:
    certificate, key = self_signed(tmp_path, "localhost")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    sent = {}
    for host, ca_file in (("localhost", str(certificate)), ("127.0.0.1", str(certificate)), ("localhost", None)):
        with tcp_collector(context) as collector:
            transport = built(tmp_path, type="tcp", endpoint=f"{host}:{collector.port}", ca_file=ca_file)
            with suppress(ssl.SSLCertVerificationError):
                transport.send(LINES)
            transport.close()
        sent[host, ca_file is not None] = collector.data

    assert sent == {("localhost", True): b'{"n":1}\n{"n":2}\n', ("127.0.0.1", True): b"", ("localhost", False): b""}


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
@pytest.mark.parametrize("kind", ["tcp", "http"])
def test_a_receiver_that_wants_to_know_us_is_shown_our_certificate(kind: str, tmp_path: Path) -> None:
    for folder in ("theirs", "ours"):
        (tmp_path / folder).mkdir()
    certificate, key = self_signed(tmp_path / "theirs", "localhost")
    our_certificate, our_key = self_signed(tmp_path / "ours", "diorama")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.load_verify_locations(our_certificate)
    context.verify_mode = ssl.CERT_REQUIRED
    arrived = {}
    for is_shown in (True, False):
        shown = {"cert_file": str(our_certificate), "key_file": str(our_key)} if is_shown else {}
        with tcp_collector(context) if kind == "tcp" else http_collector(context=context) as collector:
            transport = built(
                tmp_path, type=kind, endpoint=f"localhost:{collector.port}", ca_file=str(certificate), **shown
            )
            with suppress(OSError, TransportError):  # with TLS 1.3 the refusal may come after what was sent
                transport.send(LINES)
            transport.close()
        arrived[is_shown] = collector.data

    assert arrived == {True: b'{"n":1}\n{"n":2}\n', False: b""}


def test_half_a_certificate_is_refused() -> None:
    with pytest.raises(ValidationError, match="give both or neither"):
        Settings.model_validate({"type": "tcp", "endpoint": "localhost:1", "cert_file": "ours.pem"})


def test_http_connects_again_where_every_answer_ends_the_connection(tmp_path: Path) -> None:
    with http_collector(keeps_open=False) as collector:
        transport = built(tmp_path, type="http", endpoint=f"http://localhost:{collector.port}/", **PLAIN)
        for line in LINES:
            transport.send([line])
        transport.close()

    assert collector.data == b'{"n":1}\n{"n":2}\n'


def test_http_posts_lines_over_one_connection_and_minds_the_answer(tmp_path: Path) -> None:
    with http_collector() as collector:
        transport = built(tmp_path, type="http", endpoint=f"http://localhost:{collector.port}/in?x=1", **PLAIN)
        transport.send(LINES[:1])
        transport.send(LINES[1:])
        transport.close()
    with http_collector(status=503) as busy:
        transport = built(tmp_path, type="http", endpoint=f"http://localhost:{busy.port}/", **PLAIN)
        with pytest.raises(TransportError, match="answered 503; 2xx is needed"):
            transport.send(LINES)

    assert collector.data == b'{"n":1}\n{"n":2}\n'


def test_counters_are_written_as_prometheus_reads_them(tmp_path: Path) -> None:
    transport = PrometheusTransport(tmp_path / "live.prom")
    transport.send([moment(seq).encoded(None) for seq in range(3)])
    transport.send([moment(2).encoded(None)])

    text = (tmp_path / "live.prom").read_text()

    assert 'diorama_live_messages_total{payload_type="diff",world="w"} 2.0' in text
    assert 'diorama_live_tick{world="w"} 2.0' in text


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        pytest.param({"endpoint": "localhost"}, "write host:port", id="no-port"),
        pytest.param({"endpoint": "localhost:99999"}, "out of range", id="wrong-port"),
        pytest.param({"endpoint": "tls://localhost:1", **PLAIN}, "needs enable_tls: true", id="scheme-says-tls"),
        pytest.param({"endpoint": "u:p@localhost:1"}, "no place in an address", id="password"),
        pytest.param({"endpoint": "localhost:1", "ca_file": "none.pem"}, "cannot be used", id="no-certificate"),
    ],
)
def test_a_wrong_address_is_refused_before_anything_is_sent(
    tmp_path: Path, settings: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ConfigError, match=reason):
        built(tmp_path, type="tcp", **settings)


@pytest.mark.parametrize("endpoint", ["localhost.example.com:1", "127.0.0.1.example.com:1"])
def test_plain_text_goes_to_nobody_who_only_sounds_like_this_machine(endpoint: str) -> None:
    with pytest.raises(ValidationError, match="only go to this machine"):
        Settings.model_validate({"type": "tcp", "endpoint": endpoint, **PLAIN})


def test_several_are_told_apart_and_those_who_subscribe_need_none(tmp_path: Path) -> None:
    listed = tuple(Settings(type=kind) for kind in ("websocket", "file", "none", "file", "stdout"))

    transports = build_transports(Telemetry(transport=listed), tmp_path)

    assert [transport.name for transport in transports] == ["file", "file2", "stdout"]
