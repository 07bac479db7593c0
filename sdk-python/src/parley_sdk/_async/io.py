"""Input and output of the asynchronous client: HTTP in a bounded pool of threads, waits by asyncio."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

from .._http import Attempt, Connections, Reply


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

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)

    def close(self) -> None:
        """Closes the connections that are kept."""
        self._threads.shutdown(wait=False)
        self._connections.close()


#: Makes the tasks that need a token wait for one request. Bound to the loop of its first use.
AsyncLock = asyncio.Lock
