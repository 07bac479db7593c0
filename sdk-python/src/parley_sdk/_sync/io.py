"""Input and output of the synchronous client: HTTP and waits in the caller's thread."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from .._http import Attempt, Connections, Reply
from .._http import Stream as Stream


class Io:
    """Sends single attempts."""

    def __init__(self, base_url: str, tls: ssl.SSLContext | None, max_connections: int) -> None:
        self._connections = Connections(base_url, tls)
        self._places = threading.BoundedSemaphore(max_connections)
        self.origin = self._connections.origin

    def exchange(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        content: bytes | Path | IO[bytes] | None,
        timeout: float,
    ) -> Reply:
        """Sends one request and returns its answer. The time spent waiting for a free place counts, too."""
        attempt = Attempt(timeout)
        with self._places:
            return self._connections.exchange(method, target, headers, content, attempt)

    def open_stream(self, target: str, headers: Mapping[str, str], timeout: float) -> tuple[Reply, Stream | None]:
        """Opens a stream, which counts for no place: it may last for as long as a chat."""
        return self._connections.open_stream(target, headers, Attempt(timeout))

    def sleep(self, seconds: float) -> None:
        """Waits."""
        time.sleep(seconds)

    def close(self) -> None:
        """Closes the connections that are kept."""
        self._connections.close()


#: Makes the threads that need a token wait for one request.
Lock = threading.Lock
