"""A client of the Parley API: `Parley` for ordinary code, `AsyncParley` for asyncio."""

from . import types, webhooks
from ._async.client import AsyncParley
from ._async.pages import AsyncPages, Page
from ._request import Upload
from ._retry import RateLimit, RetryNotice
from ._sync.client import Parley
from ._sync.pages import Pages
from .errors import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    Fault,
    GoneError,
    NotFoundError,
    ParleyConnectionError,
    ParleyError,
    ParleyTimeoutError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    TooLargeError,
    ValidationError,
    WaitTimeoutError,
    WebhookVerificationError,
)
from .watching import CallEvent, ChatEvent, is_ended_job, is_ended_row, is_ended_simulation

__all__ = [
    "ApiError",
    "AsyncPages",
    "AsyncParley",
    "AuthenticationError",
    "BadRequestError",
    "CallEvent",
    "ChatEvent",
    "ConflictError",
    "Fault",
    "GoneError",
    "NotFoundError",
    "Page",
    "Pages",
    "Parley",
    "ParleyConnectionError",
    "ParleyError",
    "ParleyTimeoutError",
    "PermissionDeniedError",
    "RateLimit",
    "RateLimitError",
    "RetryNotice",
    "ServerError",
    "TooLargeError",
    "Upload",
    "ValidationError",
    "WaitTimeoutError",
    "WebhookVerificationError",
    "is_ended_job",
    "is_ended_row",
    "is_ended_simulation",
    "types",
    "webhooks",
]
