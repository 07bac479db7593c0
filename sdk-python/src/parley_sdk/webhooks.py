"""Verification of webhooks by Standard Webhooks 1.0; needs no server."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, Union

from .errors import WebhookVerificationError

TOLERANCE_SECONDS = 300
SIGNATURE_BYTES = 32


@dataclass(frozen=True)
class Bearer:
    """The secret that `authMode` BEARER adds to the signature."""

    secret: str


@dataclass(frozen=True)
class CustomHeader:
    """The header that `authMode` CUSTOM_HEADER adds to the signature."""

    name: str
    value: str


class WebhookJob(TypedDict):
    """A job as its event shows it."""

    id: str
    name: str
    status: str
    totalRows: int
    processedRows: int
    successfulRows: int
    errorRows: int
    flowApiId: str


class CallJobCompleted(TypedDict):
    """A job's last row has ended, or it was cancelled."""

    eventId: str
    eventType: Literal["call_job.completed"]
    occurredAt: str
    deliveryAttempt: int
    job: WebhookJob
    retrieval: dict[str, dict[str, str]]


class WebhookSession(TypedDict):
    """A session as events show it; members that do not apply are None."""

    id: str
    channel: Literal["VOICE", "CHAT", "SMS", "WHATSAPP"]
    status: str | None
    outcome: str | None
    flowId: str | None
    flowApiId: str | None
    contactName: str | None
    contactPhone: str | None
    startedAt: str | None
    endedAt: str | None
    endReason: str | None
    contextData: Any


class WebhookRow(TypedDict):
    """The row of a call."""

    id: str
    jobId: str | None
    humanRequested: bool


class WebhookMessage(TypedDict):
    """A message of a chat."""

    id: str
    role: Literal["ASSISTANT", "USER", "AGENT"]
    content: str
    createdAt: str


class _SessionEvent(TypedDict):
    eventId: str
    occurredAt: str
    deliveryAttempt: int
    session: WebhookSession
    row: WebhookRow | None
    retrieval: dict[str, dict[str, str]]


class SessionStarted(_SessionEvent):
    """A conversation began."""

    eventType: Literal["session.started"]


class MessageCreated(_SessionEvent):
    """A message of a chat was stored."""

    eventType: Literal["message.created"]
    message: WebhookMessage


class HumanRequested(_SessionEvent):
    """Somebody asked for a human: a chat waits for an operator, or a call could not be transferred."""

    eventType: Literal["session.human_requested"]


class WebhookAlert(TypedDict):
    """What a supervisor should look at in a live call."""

    kind: Literal["LONG_SILENCE", "ANGER", "OPT_OUT_DOUBTFUL", "TOOL_FAILING"]
    raisedAt: str
    times: int


class CallAlerted(_SessionEvent):
    """A supervisor should look at a live call."""

    eventType: Literal["call.alert"]
    alert: WebhookAlert


class SessionEnded(_SessionEvent):
    """A dialled call reached its final end, or a chat was closed."""

    eventType: Literal["session.ended"]


#: Every event that the service sends; distinguish them by `eventType`.
WebhookEvent = Union[CallJobCompleted, SessionStarted, MessageCreated, HumanRequested, CallAlerted, SessionEnded]


@dataclass(frozen=True)
class WebhookDelivery:
    """Facts about a delivery that a receiver needs before it reads the body.

    `event_id` is the same for every attempt: store it, and drop an event that was handled before.
    """

    event_type: str
    event_id: str
    attempt: int


def verify(
    headers: Mapping[str, str],
    body: bytes | bytearray | str,
    signing_secret: str | Iterable[str],
    *,
    auth: Bearer | CustomHeader | None = None,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies a delivery (HMAC-SHA256 of id, time and raw body) and returns its event.

    `body` is the body as it arrived, before anything parsed it. `signing_secret` is the `whsec_…` that was shown when
    the webhook was set, or several while one replaces another. An event type that this SDK does not know is returned
    as it came. Raises WebhookVerificationError when the signature, its time or the agreed secret is missing or wrong:
    answer that with a 401. Raises TypeError when it is not given a signing secret or the raw body: that is a fault of
    the receiver, and no delivery passes.
    """
    keys = _read_secrets(signing_secret)
    content = _read_content(body)
    _check_auth(auth)
    if not tolerance_seconds >= 0:
        raise TypeError("tolerance_seconds must be a number of seconds, 0 or more.")
    fields = {name.lower(): value for name, value in headers.items()}
    event_id, at, signatures = (_need(fields, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    _check_time(at, tolerance_seconds, time.time() if now is None else now)
    signed = f"{event_id}.{at}.".encode() + content
    if not _is_signed(signed, signatures, keys):
        raise WebhookVerificationError("The signature does not fit the body and the signing secret.")
    if auth is not None and not _has_secret(fields, auth):
        raise WebhookVerificationError("The webhook does not carry the agreed secret.")
    return _read_event(content)


def delivery(headers: Mapping[str, str]) -> WebhookDelivery:
    """Returns the delivery's event type, event id and attempt from its headers, without verifying them."""
    fields = {name.lower(): value for name, value in headers.items()}
    attempt = fields.get("x-service-delivery-attempt", "")
    return WebhookDelivery(
        event_type=fields.get("x-service-event-type", ""),
        event_id=fields.get("x-service-event-id", ""),
        attempt=int(attempt) if re.fullmatch(r"[0-9]{1,9}", attempt) else 0,
    )


def _read_secrets(given: str | Iterable[str]) -> list[bytes]:
    secrets = [given] if isinstance(given, str) else list(given or ())
    keys = [_decode(secret.removeprefix("whsec_")) if isinstance(secret, str) else None for secret in secrets]
    usable = [key for key in keys if key is not None and 24 <= len(key) <= 64]
    if not keys or len(usable) < len(keys):
        raise TypeError("signing_secret must be the whsec_… secret that was shown when the webhook was set.")
    return usable


def _read_content(body: object) -> bytes:
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, (bytes, bytearray)):
        return bytes(body)
    raise TypeError("body must be the raw body, as text or bytes; parsed JSON has another signature.")


def _check_auth(auth: Bearer | CustomHeader | None) -> None:
    value = auth.secret if isinstance(auth, Bearer) else auth.value if isinstance(auth, CustomHeader) else None
    if auth is not None and not value:
        raise TypeError("auth must be Bearer(secret) or CustomHeader(name, value).")


def _check_time(text: str, tolerance: float, now: float) -> None:
    if not re.fullmatch(r"[0-9]{1,12}", text):
        raise WebhookVerificationError("webhook-timestamp is no time in seconds.")
    if abs(now - int(text)) > tolerance:
        raise WebhookVerificationError(
            f"webhook-timestamp is more than {tolerance:g} s from this machine's clock: a replay, or a wrong clock."
        )


def _is_signed(signed: bytes, header: str, keys: list[bytes]) -> bool:
    """Compares in constant time. Signatures that are not v1 are not made with a shared secret."""
    given = [_decode(one[3:]) for one in header.split(" ") if one.startswith("v1,")]
    right = False
    for key in keys:
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        for signature in given:
            if signature is not None and len(signature) == SIGNATURE_BYTES:
                right |= hmac.compare_digest(signature, expected)
    return right


def _has_secret(fields: Mapping[str, str], auth: Bearer | CustomHeader) -> bool:
    if isinstance(auth, Bearer):
        return _is_same(fields.get("authorization", ""), f"Bearer {auth.secret}")
    return _is_same(fields.get(auth.name.lower(), ""), auth.value)


def _is_same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode("utf8", "surrogateescape"), expected.encode())


def _read_event(content: bytes) -> WebhookEvent:
    try:
        event: Any = json.loads(content)
    except ValueError:
        event = None
    if isinstance(event, dict) and isinstance(event.get("eventType"), str) and isinstance(event.get("eventId"), str):
        return event  # type: ignore[return-value]
    raise WebhookVerificationError("The signed body is not an event of the service.")


def _need(fields: Mapping[str, str], name: str) -> str:
    value = fields.get(name, "")
    if not value:
        raise WebhookVerificationError(f"The header {name} is missing: the webhook is not signed.")
    return value


def _decode(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True) if text else None
    except (binascii.Error, ValueError):
        return None
