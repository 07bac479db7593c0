"""Input and output of the asynchronous client: HTTP in a bounded pool of threads, waits by asyncio."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Callable, TypeVar

from .._http import Attempt, Connections, Reply, Stream

T = TypeVar("T")


class AsyncStream:
    """A stream that is read on a thread of its own, because it may last for as long as a chat."""

    def __init__(self, attempt: Attempt) -> None:
        self._attempt = attempt
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="parley-stream")
        self._stream: Stream | None = None

    async def open(
        self, connections: Connections, target: str, headers: Mapping[str, str]
    ) -> tuple[Reply, AsyncStream | None]:
        """Opens the stream. Returns it with the head of the answer, or the whole answer of another status than 200."""
        opened = False
        try:
            reply = await self._run(lambda: self._open(connections, target, headers))
            opened = self._stream is not None
        finally:
            if not opened:
                self.close()
        return reply, self if opened else None

    async def read(self) -> bytes:
        """Returns the next piece, b"" at the end."""
        return b"" if self._stream is None else await self._run(self._stream.read)

    def close(self) -> None:
        """Closes the connection, which also ends a read that waits."""
        self._attempt.abort()
        # On the thread, so that it also closes what a cancelled task was opening.
        self._thread.submit(self._close)
        self._thread.shutdown(wait=False)

    def _open(self, connections: Connections, target: str, headers: Mapping[str, str]) -> Reply:
        reply, self._stream = connections.open_stream(target, headers, self._attempt)
        return reply

    def _close(self) -> None:
        if self._stream is not None:
            self._stream.close()

    async def _run(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except asyncio.CancelledError:
            self._attempt.abort()
            raise


class AsyncIo:
    """Sends single attempts. A task that is cancelled closes its connection, so that its thread is free at once."""

    def __init__(self, base_url: str, tls: ssl.SSLContext | None, max_connections: int) -> None:
        self._connections = Connections(base_url, tls)
        self._threads = ThreadPoolExecutor(max_connections, thread_name_prefix="parley")
        self.origin = self._connections.origin

    async def exchange(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        content: bytes | Path | IO[bytes] | None,
        timeout: float,
    ) -> Reply:
        """Sends one request and returns its answer. The time spent waiting for a free thread counts, too."""
        attempt = Attempt(timeout)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(
                self._threads, self._connections.exchange, method, target, headers, content, attempt
            )
        except asyncio.CancelledError:
            attempt.abort()
            raise

    async def open_stream(
        self, target: str, headers: Mapping[str, str], timeout: float
    ) -> tuple[Reply, AsyncStream | None]:
        """Opens a stream, which takes none of the client's threads."""
        return await AsyncStream(Attempt(timeout)).open(self._connections, target, headers)

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)

    def close(self) -> None:
        """Closes the connections that are kept."""
        self._threads.shutdown(wait=False)
        self._connections.close()


#: Makes the tasks that need a token wait for one request. Bound to the loop of its first use.
AsyncLock = asyncio.Lock
