"""Sends requests of the asynchronous client: credential, retries, errors by status."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlencode

from .. import types
from .._http import Reply
from .._request import Body, Request, key_header
from .._retry import RateLimit, RetryNotice, wait_before_retry
from ..errors import AuthenticationError, ParleyError, seconds_of, to_api_error
from .io import AsyncIo, AsyncLock

T = TypeVar("T")

# A token is renewed this long before it ends, so that none ends on the way.
RENEW_EARLY = 60.0


@dataclass
class AsyncTransportSettings:
    """Settings of a transport. Either `api_key` or both parts of `oauth` are set; neither: every request fails."""

    io: AsyncIo
    timeout: float
    max_retries: int
    api_key: str | None
    oauth: tuple[str, str] | None
    on_retry: Callable[[RetryNotice], None] | None
    on_warning: Callable[[types.Warning], None]
    clock: Callable[[], float] = time.time
    random: Callable[[], float] = random.random


class AsyncTransport:
    """Sends requests: credential, timeout, retries, errors by status. Remembers the rate limit for pollers."""

    def __init__(self, settings: AsyncTransportSettings) -> None:
        self._settings = settings
        self._oauth = None if settings.oauth is None else AsyncOAuthCredential(self, *settings.oauth)
        self.rate_limit: RateLimit | None = None

    @property
    def clock(self) -> Callable[[], float]:
        return self._settings.clock

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await self._settings.io.sleep(seconds)

    async def request(self, request: Request[T]) -> T:
        """Returns the answer (None for an empty one), or raises a ParleyError."""
        retries = 0
        while True:
            try:
                answer: T = await self._send_with_credential(request)
                return answer
            except ParleyError as error:
                may = retries < self._settings.max_retries
                wait = wait_before_retry(error, request, retries, self._settings.random()) if may else None
                if wait is None:
                    raise
                retries += 1
                if self._settings.on_retry:
                    self._settings.on_retry(RetryNotice(error, wait, retries))
            await self.sleep(wait)

    async def _send_with_credential(self, request: Request[Any]) -> Any:
        if not request.authenticated:
            return await self._send(request, {})
        if self._settings.api_key:
            return await self._send(request, key_header(self._settings.api_key))
        if self._oauth is None:
            raise ParleyError(
                "No credential. Set PARLEY_API_KEY, or pass api_key, or client_id and client_secret."
            )
        token = await self._oauth.token()
        try:
            return await self._send(request, {"Authorization": f"Bearer {token}"})
        except AuthenticationError:
            self._oauth.refused(token)
            if not request.replayable:
                raise
        return await self._send(request, {"Authorization": f"Bearer {await self._oauth.token()}"})

    async def _send(self, request: Request[Any], proof: Mapping[str, str]) -> Any:
        timeout = request.timeout
        if timeout is None:
            # An upload takes as long as its file is large, up to 500 MiB.
            timeout = 0 if request.is_upload else self._settings.timeout
        headers = {**request.head(), **proof, "User-Agent": "parley-sdk-python"}
        io = self._settings.io
        stream = None
        if request.answer == "STREAM":
            reply, stream = await io.open_stream(request.target, headers, timeout)
        else:
            reply = await io.exchange(request.method, request.target, headers, request.content(), timeout)
        self.rate_limit = _read_rate_limit(reply.headers) or self.rate_limit
        if not 200 <= reply.status < 300:
            raise to_api_error(reply.status, reply.headers, reply.content)
        if request.answer == "STREAM":
            return stream
        answer = _read_answer(request, reply, io.origin)
        if request.method != "GET" and isinstance(answer, dict):
            for warning in answer.get("warnings") or []:
                self._settings.on_warning(warning)
        return answer


class AsyncOAuthCredential:
    """OAuth client credentials (RFC 6749, section 4.4).

    Keeps the token until a minute before its end (half its life for shorter ones). Requests that need a token at the
    same time share one request for it.
    """

    def __init__(self, transport: AsyncTransport, client_id: str, client_secret: str) -> None:
        self._transport = transport
        self._form = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": client_secret}
        self._lock = AsyncLock()
        self._token: str | None = None
        self._renew_at = 0.0

    async def token(self) -> str:
        """Returns a token, a new one when the kept one is about to end."""
        async with self._lock:
            if self._token is None or self._transport.clock() >= self._renew_at:
                await self._renew()
            return str(self._token)

    def refused(self, token: str) -> None:
        """Forgets a token that the server refused (revoked, or its database restored), unless a newer one is kept."""
        if self._token == token:
            self._token = None

    async def _renew(self) -> None:
        content = urlencode(self._form).encode()
        request: Request[dict[str, Any]] = Request(
            "POST",
            "/api/oauth/token",
            body=Body("application/x-www-form-urlencoded", content),
            authenticated=False,
        )
        answer = await self._transport.request(request)
        lifetime = float(answer["expires_in"])
        self._renew_at = self._transport.clock() + lifetime - min(RENEW_EARLY, lifetime / 2)
        self._token = answer["access_token"]


class AsyncResource:
    """The base of the resources."""

    def __init__(self, client: AsyncTransport) -> None:
        self._client = client


def _read_rate_limit(headers: Mapping[str, str]) -> RateLimit | None:
    limit = seconds_of(headers.get("x-ratelimit-limit"))
    remaining = seconds_of(headers.get("x-ratelimit-remaining"))
    reset = seconds_of(headers.get("x-ratelimit-reset"))
    return None if limit is None or remaining is None or reset is None else RateLimit(limit, remaining, reset)


def _read_answer(request: Request[Any], reply: Reply, origin: str) -> Any:
    if request.answer == "BYTES":
        return reply.content
    if request.answer == "TEXT":
        # A CSV begins with a byte order mark, which is for spreadsheets that open the file.
        return reply.content.decode("utf-8-sig")
    if not reply.content:
        return None
    try:
        return json.loads(reply.content)
    except ValueError:
        where = origin + request.path
        raise ParleyError(f"The answer of {where} is not JSON. Is this a Parley server?") from None
