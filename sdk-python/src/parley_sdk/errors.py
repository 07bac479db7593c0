"""Errors that the SDK raises."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict


class Fault(TypedDict):
    """One fault of a request: where it is, a stable code, what to do."""

    path: str
    code: str
    message: str


class ParleyError(Exception):
    """The base of every error that this SDK raises itself."""


class ParleyConnectionError(ParleyError):
    """No answer arrived: connection refused, broken off, or name not found. `__cause__` holds the system's error."""


class ParleyTimeoutError(ParleyConnectionError, TimeoutError):
    """No answer arrived in time."""


class WaitTimeoutError(ParleyError):
    """The call, job or run has not ended within `wait_seconds`. It goes on at the server."""


class WebhookVerificationError(ParleyError):
    """A webhook whose signature, time or agreed secret is missing or wrong, or whose body is not an event."""


@dataclass(frozen=True)
class ErrorFacts:
    """Contents of an error answer."""

    status: int
    error: str
    message: str
    code: str | None = None
    details: list[Fault] = field(default_factory=list)
    request_id: str | None = None
    reset_seconds: float | None = None
    retry_after_seconds: float | None = None


class ApiError(ParleyError):
    """The service answered with an error status. `request_id` names the request in the server's log."""

    def __init__(self, facts: ErrorFacts) -> None:
        super().__init__(facts.message)
        self.status = facts.status
        self.error = facts.error
        self.message = facts.message
        self.code = facts.code
        self.details = facts.details
        self.request_id = facts.request_id
        self.reset_seconds = facts.reset_seconds
        self.retry_after_seconds = facts.retry_after_seconds


class BadRequestError(ApiError):
    """400: the request cannot be read or has a wrong type."""


class AuthenticationError(ApiError):
    """401: no credential, or one that is not valid."""


class PermissionDeniedError(ApiError):
    """403: the credential lacks a permission."""


class NotFoundError(ApiError):
    """404: there is no such resource in this workspace."""


class ConflictError(ApiError):
    """409: the state of the resource, or an Idempotency-Key, does not allow this."""


class GoneError(ApiError):
    """410: the first answer to this Idempotency-Key named a contact who has been erased since."""


class TooLargeError(ApiError):
    """413: the body, or one part of it, is larger than the operation takes."""


class ValidationError(ApiError):
    """422: well formed, but it breaks a rule; `details` names the fields."""


class RateLimitError(ApiError):
    """429: nothing was queued or applied. Wait `reset_seconds`."""


class ServerError(ApiError):
    """5xx: something went wrong on the server's side."""


_BY_STATUS: dict[int, type[ApiError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: GoneError,
    413: TooLargeError,
    422: ValidationError,
    429: RateLimitError,
}


#: A 401 says nothing more about a credential that it does not know.
_REFUSED = "The server does not accept this credential: it is wrong, or was revoked."

#: A 404 of a resource's path says nothing more.
_MISSING = "Not found: there is nothing with this id in the workspace of the credential."


def to_api_error(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    """Returns the error for an answer; `headers` have names in lower case, and the body need not be JSON."""
    fields = _read_body(body)
    error = _text(fields.get("error")) or f"HTTP {status}"
    details = fields.get("details")
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
    return kind(
        ErrorFacts(
            status=status,
            error=error,
            # OAuth (RFC 6749, section 5.2) explains itself in error_description.
            message=_text(fields.get("message"))
            or _text(fields.get("error_description"))
            or _explain(status, error),
            code=_text(fields.get("code")),
            details=details if isinstance(details, list) else [],
            request_id=headers.get("x-request-id") or _text(fields.get("requestId")),
            reset_seconds=seconds_of(headers.get("x-ratelimit-reset")),
            retry_after_seconds=seconds_of(headers.get("retry-after")),
        )
    )


def _explain(status: int, error: str) -> str:
    """Explains an answer of the API that has no message; `error` for those of other servers, such as a proxy's 404."""
    if status == 401:
        return _REFUSED
    return _MISSING if status == 404 and error == "Not found" else error


def seconds_of(text: str | None) -> float | None:
    """Returns a header's number; None when it is absent, a date, or negative."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


def _read_body(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
