"""Decides when a request is sent again, and when a watched object is read again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._request import Request
from .errors import ApiError, ConflictError, ParleyConnectionError, RateLimitError, ServerError

# A bucket that takes longer to refill is reported instead of waited for.
LONGEST_WAIT = 120.0
FIRST_BACKOFF = 0.5


@dataclass(frozen=True)
class RateLimit:
    """State of the caller's bucket, as of the last answer. `reset_seconds` is the time until it is full."""

    limit: float
    remaining: float
    reset_seconds: float


@dataclass(frozen=True)
class RetryNotice:
    """A request that is about to wait before it is sent again; `retry` is 1 for the first."""

    error: Exception
    wait_seconds: float
    retry: int


def wait_before_retry(error: Exception, request: Request[Any], retries: int, random: float) -> float | None:
    """Returns the seconds to wait before the request is sent again; None: do not send it again.

    `retries` is the number of retries made, `random` is from 0 to 1. A 429 applied nothing, so any request may follow
    it. After a 5xx or a lost connection the server may have acted: only a GET, or a request whose Idempotency-Key lets
    the server recognise it, is sent again.
    """
    if not request.replayable:
        return None
    backoff: float = FIRST_BACKOFF * 2**retries * (0.5 + random / 2)
    if isinstance(error, RateLimitError):
        return _wait_for_bucket(error, random)
    if isinstance(error, ConflictError) and error.code == "IDEMPOTENCY_KEY_IN_USE":
        return _within_limit(max(backoff, error.retry_after_seconds or 0))
    if request.method != "GET" and request.idempotency_key is None:
        return None
    if isinstance(error, ParleyConnectionError):
        return backoff
    if isinstance(error, ServerError):
        return _within_limit(max(backoff, error.retry_after_seconds or 0))
    return None


def _wait_for_bucket(error: ApiError, random: float) -> float | None:
    seconds = next((one for one in (error.reset_seconds, error.retry_after_seconds) if one is not None), 1)
    # Up to 250 ms more, so that clients refused together do not return together.
    return _within_limit(max(seconds, 0.05) + random / 4)


def _within_limit(seconds: float) -> float | None:
    return None if seconds > LONGEST_WAIT else seconds


def poll_delay(rate: RateLimit | None, wanted: float) -> float:
    """Returns the seconds to wait before the next poll.

    Above half a bucket that is `wanted`. Below half a watch uses half of the refill, below a quarter a quarter, so that
    it never empties the bucket that it shares with the caller's other requests. The refill rate is
    (limit - remaining) over the seconds until full, with one token less for the rounding of `remaining`.
    """
    if rate is None:
        return wanted
    # One poll too many empties a bucket of three or less: wait until it is full.
    if rate.limit < 4:
        return max(wanted, rate.reset_seconds)
    if rate.remaining > rate.limit / 2 or rate.reset_seconds == 0:
        return wanted
    tokens_per_second = (rate.limit - rate.remaining - 1) / rate.reset_seconds
    share = 4 if rate.remaining < rate.limit / 4 else 2
    return max(wanted, share / tokens_per_second)
