"""A small API server for tests: records requests and answers them from a function."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass
class Seen:
    """A request as the fake server received it."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes
    connection: int


@dataclass
class Answer:
    """An answer. `hang_up` breaks the connection without one, `hang` waits for `release`, `drip` sends it slowly.

    `chunks` are sent as they are, without a length; `broken` leaves out their end.
    """

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    hang_up: bool = False
    hang: bool = False
    drip: float = 0
    chunks: list[bytes] | None = None
    broken: bool = False


class FakeApi:
    """The server; a context manager."""

    def __init__(self, answer: Callable[[Seen, int], Answer]) -> None:
        self.seen: list[Seen] = []
        #: Called at the end: what closes the clients.
        self.cleanups: list[Callable[[], None]] = []
        self.release = threading.Event()
        #: Set when a client closed the connection of a request that hangs.
        self.abandoned = threading.Event()
        self._answer = answer
        self._lock = threading.Lock()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                fake._handle(self)

            do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

            def log_message(self, format: str, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> FakeApi:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for cleanup in self.cleanups:
            cleanup()
        self.release.set()
        self._server.shutdown()
        self._server.server_close()

    def _handle(self, handler: BaseHTTPRequestHandler) -> None:
        url = urlsplit(handler.path)
        headers = {name.lower(): value for name, value in handler.headers.items()}
        seen = Seen(
            handler.command,
            url.path,
            parse_qs(url.query, keep_blank_values=True),
            headers,
            _read(handler, headers),
            handler.client_address[1],
        )
        with self._lock:
            self.seen.append(seen)
            index = len(self.seen) - 1
        answer = self._answer(seen, index)
        if answer.hang and answer.chunks is None:
            self._hang(handler.connection)
        if answer.hang_up or (answer.hang and answer.chunks is None):
            handler.close_connection = True
            handler.connection.shutdown(socket.SHUT_RDWR)
            return
        body = answer.body if isinstance(answer.body, bytes) else b""
        if answer.body is not None and not isinstance(answer.body, bytes):
            body = json.dumps(answer.body).encode()
        handler.send_response(answer.status)
        for name, value in answer.headers.items():
            handler.send_header(name, value)
        if answer.chunks is not None:
            self._send_chunks(handler, answer)
            return
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        for piece in [body[i : i + 1] for i in range(len(body))] if answer.drip else [body]:
            time.sleep(answer.drip)
            handler.wfile.write(piece)
            handler.wfile.flush()

    def _send_chunks(self, handler: BaseHTTPRequestHandler, answer: Answer) -> None:
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for chunk in answer.chunks or []:
            handler.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
            handler.wfile.flush()
        if answer.hang:
            self._hang(handler.connection)
        if answer.broken or answer.hang:
            handler.close_connection = True
            handler.connection.shutdown(socket.SHUT_RDWR)
        else:
            handler.wfile.write(b"0\r\n\r\n")

    def _hang(self, connection: socket.socket) -> None:
        connection.settimeout(0.01)
        while not self.release.is_set():
            try:
                if connection.recv(1) == b"":
                    self.abandoned.set()
                    return
            except TimeoutError:
                continue


def _read(handler: BaseHTTPRequestHandler, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding") != "chunked":
        return handler.rfile.read(int(headers.get("content-length", 0)))
    body = b""
    while size := int(handler.rfile.readline(), 16):
        body += handler.rfile.read(size)
        handler.rfile.readline()
    handler.rfile.readline()
    return body
