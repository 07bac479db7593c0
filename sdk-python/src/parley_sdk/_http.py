"""HTTP/1.1 over kept connections: one attempt of one request, with one deadline and from any thread."""

from __future__ import annotations

import http.client
import io
import math
import selectors
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from ._request import PREFIX
from .errors import ParleyConnectionError, ParleyError, ParleyTimeoutError

#: Server of a client that is given none.
DEFAULT_URL = "http://127.0.0.1:8080"

# A connection that was idle for longer is not used again; servers and proxies close them about then.
IDLE_SECONDS = 30.0


@dataclass(frozen=True)
class Reply:
    """An answer. Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class Attempt:
    """One attempt of a request: its deadline, and the means to end it from another thread."""

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self.renew()
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._aborted = False

    def renew(self) -> None:
        """Starts the time of the attempt anew: a stream has it for each piece."""
        self._deadline = time.monotonic() + self.timeout if 0 < self.timeout < math.inf else None

    def remaining(self) -> float | None:
        """Returns the seconds left, None without a limit; raises TimeoutError after the deadline."""
        if self._deadline is None:
            return None
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def use(self, sock: socket.socket) -> None:
        """Takes the socket that the attempt runs on; raises when the attempt was ended before."""
        with self._lock:
            self._socket = sock
            if self._aborted:
                raise ConnectionAbortedError("The request was cancelled.")

    def abort(self) -> None:
        """Ends the attempt: what waits on its socket fails at once."""
        with self._lock:
            self._aborted = True
            if self._socket is not None:
                try:
                    # That of the plain socket: the one of TLS drops its state, which the other thread is using.
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
                except OSError:
                    pass

    def done(self) -> None:
        """Lets go of the socket, which may now serve another request."""
        with self._lock:
            self._socket = None


class _DeadlineReader(io.RawIOBase):
    """Reads a socket so that the deadline holds for the whole answer and not for each piece of it."""

    def __init__(self, sock: socket.socket, attempt: Attempt) -> None:
        self._sock = sock
        self._raw: Any = sock.makefile("rb", buffering=0)
        self._attempt = attempt

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(self._attempt.remaining())
        count: int | None = self._raw.readinto(buffer)
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


class _DeadlineFile:
    """Hands out a file's pieces while the deadline has not passed."""

    def __init__(self, file: IO[bytes], connection: http.client.HTTPConnection, attempt: Attempt) -> None:
        self._file = file
        self._connection = connection
        self._attempt = attempt

    def read(self, size: int) -> bytes:
        self._connection.sock.settimeout(self._attempt.remaining())
        return self._file.read(size)


class Stream:
    """The body of an answer that is read while it arrives. It holds its connection until it is closed."""

    def __init__(
        self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse, attempt: Attempt, origin: str
    ) -> None:
        self._connection = connection
        self._response = response
        self._attempt = attempt
        self._origin = origin

    def read(self) -> bytes:
        """Returns the next piece, b"" at the end. Raises ParleyConnectionError when the stream breaks, and
        ParleyTimeoutError when nothing comes for the time of an attempt."""
        self._attempt.renew()
        with _faults(self._origin, self._attempt):
            return self._response.read1(65_536)

    def close(self) -> None:
        """Closes the connection."""
        self._attempt.done()
        self._response.close()
        self._connection.close()


@contextmanager
def _faults(origin: str, attempt: Attempt) -> Iterator[None]:
    """Raises faults of the network as errors of the SDK."""
    try:
        yield
    except TimeoutError as error:
        raise ParleyTimeoutError(f"No answer from {origin} within {attempt.timeout:g} s.") from error
    except (OSError, http.client.HTTPException) as error:
        hint = " Start the server, or set PARLEY_URL to its address." if origin == DEFAULT_URL else ""
        raise ParleyConnectionError(f"Cannot connect to {origin}: {error or type(error).__name__}.{hint}") from error


class Connections:
    """The connections to one server. Safe to share between threads; unused ones are kept for the next request."""

    def __init__(self, base_url: str, tls: ssl.SSLContext | None = None) -> None:
        url = urlsplit(base_url)
        if url.scheme not in ("http", "https") or not url.hostname:
            raise ParleyError(f"base_url must be an address such as https://parley.example.com, not {base_url!r}.")
        self.origin = f"{url.scheme}://{url.netloc.rpartition('@')[2]}"
        # Appended to, not resolved: a base URL may have a path, behind a proxy for example.
        # The address of the API, as the server prints it, means the same server.
        self._path = url.path.rstrip("/").removesuffix(PREFIX)
        self._host, self._port = url.hostname, url.port
        self._tls = (tls or ssl.create_default_context()) if url.scheme == "https" else None
        self._idle: list[tuple[http.client.HTTPConnection, float]] = []
        self._lock = threading.Lock()
        self._is_closed = False

    def exchange(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        content: bytes | Path | IO[bytes] | None,
        attempt: Attempt,
    ) -> Reply:
        """Sends one request and returns its answer, whatever the status. Raises ParleyConnectionError without one."""
        if isinstance(content, Path):
            with content.open("rb") as file:
                length = {"Content-Length": str(content.stat().st_size)}
                return self.exchange(method, target, {**headers, **length}, file, attempt)
        with _faults(self.origin, attempt):
            return self._exchange(method, target, headers, content, attempt)

    def open_stream(self, target: str, headers: Mapping[str, str], attempt: Attempt) -> tuple[Reply, Stream | None]:
        """Sends a GET on a connection of its own. Returns the head of its answer with a stream of the body where the
        status is 200, and the whole answer without a stream otherwise."""
        with _faults(self.origin, attempt):
            connection = self._open(attempt)
            stream = None
            try:
                attempt.use(connection.sock)
                sock: socket.socket = connection.sock
                self._send(connection, "GET", self._path + target, headers, None, attempt)
                response = _read_head(connection, sock, "GET", attempt)
                if response.status == 200:
                    stream = Stream(connection, response, attempt, self.origin)
                return _reply_of(response, b"" if stream else response.read()), stream
            finally:
                if stream is None:
                    attempt.done()
                    connection.close()

    def close(self) -> None:
        """Closes the connections that are kept; those in use close when their answer is there."""
        with self._lock:
            idle, self._idle, self._is_closed = self._idle, [], True
        for connection, _ in idle:
            connection.close()

    def _exchange(
        self, method: str, target: str, headers: Mapping[str, str], content: bytes | IO[bytes] | None, attempt: Attempt
    ) -> Reply:
        connection = self._take() or self._open(attempt)
        keep = False
        try:
            sock: socket.socket = connection.sock
            attempt.use(sock)
            self._send(connection, method, self._path + target, headers, content, attempt)
            response = _read_head(connection, sock, method, attempt)
            content_read = response.read()
            keep = not response.will_close
            return _reply_of(response, content_read)
        finally:
            attempt.done()
            self._put(connection, keep)

    def _open(self, attempt: Attempt) -> http.client.HTTPConnection:
        limit = attempt.remaining()
        if self._tls:
            connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                self._host, self._port, timeout=limit, context=self._tls
            )
        else:
            connection = http.client.HTTPConnection(self._host, self._port, timeout=limit)
        try:
            connection.connect()
        except BaseException:
            connection.close()
            raise
        return connection

    def _send(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        target: str,
        headers: Mapping[str, str],
        content: bytes | IO[bytes] | None,
        attempt: Attempt,
    ) -> None:
        connection.sock.settimeout(attempt.remaining())
        body: Any = content
        if content is not None and not isinstance(content, bytes):
            body = _DeadlineFile(content, connection, attempt)
        try:
            connection.request(method, target, body, dict(headers))
        except (BrokenPipeError, ConnectionResetError):
            # A server that refuses a large body answers before its end, and stops reading.
            pass

    def _take(self) -> http.client.HTTPConnection | None:
        while True:
            with self._lock:
                if not self._idle:
                    return None
                connection, since = self._idle.pop()
            if time.monotonic() - since < IDLE_SECONDS and not _has_input(connection.sock):
                return connection
            connection.close()

    def _put(self, connection: http.client.HTTPConnection, keep: bool) -> None:
        with self._lock:
            if keep and not self._is_closed:
                self._idle.append((connection, time.monotonic()))
                return
        connection.close()


def _read_head(
    connection: http.client.HTTPConnection, sock: socket.socket, method: str, attempt: Attempt
) -> http.client.HTTPResponse:
    class Response(http.client.HTTPResponse):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.fp.close()
            self.fp = io.BufferedReader(_DeadlineReader(sock, attempt))

    connection.response_class = Response
    return connection.getresponse()


def _reply_of(response: http.client.HTTPResponse, content: bytes) -> Reply:
    return Reply(response.status, {name.lower(): value for name, value in response.getheaders()}, content)


def _has_input(sock: socket.socket) -> bool:
    """Tells whether something arrived on an idle connection: that is its end."""
    with selectors.DefaultSelector() as selector:
        selector.register(sock, selectors.EVENT_READ)
        return bool(selector.select(0))
