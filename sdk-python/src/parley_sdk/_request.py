"""Requests as data: what both clients send."""

from __future__ import annotations

import json as json_module
import mimetypes
import os
import sys
import uuid
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Generic, Literal, TypeVar, Union
from urllib.parse import quote, urlencode

from . import types
from .errors import ParleyError

T = TypeVar("T")

#: Base path of the external API.
PREFIX = "/api/external/v1"

#: A file to upload: its path, its content, or an open binary file. An open CSV is sent once, never again.
Upload = Union["os.PathLike[str]", bytes, IO[bytes]]


def segment(value: str) -> str:
    """Returns an id as one segment of a path.

    Raises TypeError for an empty value and for the segments that URLs drop: the request would go to another operation.
    """
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise TypeError(f"{value!r} is no id: give the id that the API returned.")
    return quote(value, safe="")


def key_header(api_key: str) -> dict[str, str]:
    """Returns the header with an API key. Raises ParleyError for a text that cannot be one."""
    if not all("!" <= character <= "~" for character in api_key):
        raise ParleyError(
            "The API key has characters that no key has: is it a placeholder, such as svc_live_…?"
        )
    return {"X-API-Key": api_key}


def print_warning(warning: types.Warning) -> None:
    """Reports a member of a body that had no effect by Python's own warnings."""
    text = f"{warning['path']}: {warning['message']}"
    if sys.version_info >= (3, 12):
        # The line that is named is the caller's, outside this package.
        warnings.warn(text, skip_file_prefixes=(os.path.dirname(__file__),))
    else:
        warnings.warn(text, stacklevel=2)


@dataclass
class Body:
    """A body that is not JSON. `replayable` is False for an open file, which is used up once sent."""

    content_type: str
    content: bytes | Path | IO[bytes]

    @property
    def replayable(self) -> bool:
        return isinstance(self.content, (bytes, Path))


@dataclass
class Request(Generic[T]):
    """One request. `T` is the type of its answer. `json` and `body` exclude each other."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    json: Any = None
    body: Body | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    idempotency_key: str | None = None
    #: Seconds for each attempt; 0 for no limit, None for the client's own, which an upload does not have.
    timeout: float | None = None
    answer: Literal["JSON", "TEXT", "BYTES", "STREAM"] = "JSON"
    authenticated: bool = True

    @property
    def replayable(self) -> bool:
        return self.body is None or self.body.replayable

    @property
    def is_upload(self) -> bool:
        """Tells whether the body is a form with a file."""
        return self.body is not None and self.body.content_type.startswith("multipart/")

    @property
    def target(self) -> str:
        """Path and query."""
        items = [
            (name, _query_text(item))
            for name, value in self.query.items()
            for item in (value if isinstance(value, (list, tuple)) else [value])
            if item is not None
        ]
        return f"{self.path}?{urlencode(items)}" if items else self.path

    def head(self) -> dict[str, str]:
        """Returns the request's own headers, without those of its credential."""
        head = {"Accept": "application/json" if self.answer == "JSON" else "*/*", **self.headers}
        if self.idempotency_key is not None:
            head["Idempotency-Key"] = self.idempotency_key
        if self.json is not None:
            head["Content-Type"] = "application/json"
        elif self.body is not None:
            head["Content-Type"] = self.body.content_type
        return head

    def content(self) -> bytes | Path | IO[bytes] | None:
        """Returns the body to send."""
        if self.json is not None:
            return json_module.dumps(self.json, ensure_ascii=False, allow_nan=False).encode()
        return None if self.body is None else self.body.content


def new_key() -> str:
    """Returns a new Idempotency-Key."""
    return str(uuid.uuid4())


def to_form(fields: Mapping[str, Any], file: Upload, filename: str | None = None) -> Body:
    """Returns a multipart body with the fields first, so that the server knows them when the file arrives.

    `filename` tells the server what the file is; a path has its own.
    """
    name, content = _read_upload(file)
    boundary = uuid.uuid4().hex
    parts = [
        _part(boundary, f'name="{_escape(key)}"', _field_text(value).encode())
        for key, value in fields.items()
        if value is not None
    ]
    name = filename or name
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    parts.append(_part(boundary, f'name="file"; filename="{_escape(name)}"\r\nContent-Type: {kind}', content))
    parts.append(f"--{boundary}--\r\n".encode())
    return Body(f"multipart/form-data; boundary={boundary}", b"".join(parts))


def to_csv(csv: Upload, job: types.CallJobOptions) -> tuple[Body, dict[str, Any]]:
    """Returns body and query of a job from a CSV.

    That is the plain text/csv form when its query can express every option; else multipart, whose `payload` part keeps
    secrets of webhooks and inline flows out of URLs, which end up in logs.
    """
    query = _csv_query(dict(job))
    if query is None:
        if not isinstance(csv, (bytes, os.PathLike)):
            raise ParleyError("A job with a webhook secret or an inline flow needs its CSV as bytes or a path.")
        return to_form({"payload": json_module.dumps(job)}, csv, "rows.csv"), {}
    _check_upload(csv)
    content = Path(csv) if isinstance(csv, os.PathLike) else csv
    return Body("text/csv", content), query


def _csv_query(job: dict[str, Any]) -> dict[str, Any] | None:
    retry = job.pop("retryConfig", None) or {}
    webhook = job.pop("completionWebhook", None) or {}
    window = job.pop("callingWindow", None)
    if job.get("flow") is not None or "jitterPercent" in retry or set(webhook) - {"url"}:
        return None
    numbers = job.pop("fromPhoneNumbers", None)
    return {
        **job,
        **({"fromPhoneNumber": numbers} if numbers else {}),
        "callingWindow": None if window is None else json_module.dumps(window),
        "maxAttempts": retry.get("maxAttempts"),
        "retryOn": _comma(retry.get("retryOn")),
        "delaysSeconds": _comma(retry.get("delaysSeconds")),
        "completionWebhookUrl": webhook.get("url"),
    }


def _comma(values: list[Any] | None) -> str | None:
    return None if values is None else ",".join(str(value) for value in values)


def _query_text(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _field_text(value: object) -> str:
    return value if isinstance(value, str) else json_module.dumps(value)


def _check_upload(file: object) -> None:
    if not isinstance(file, (bytes, os.PathLike)) and not hasattr(file, "read"):
        raise TypeError(f"A file is a pathlib.Path, bytes or an open binary file, not {type(file).__name__}.")


def _read_upload(file: Upload) -> tuple[str, bytes]:
    _check_upload(file)
    if isinstance(file, bytes):
        return "file", file
    if isinstance(file, os.PathLike):
        return Path(file).name, Path(file).read_bytes()
    return Path(str(getattr(file, "name", "file"))).name, file.read()


def _escape(text: str) -> str:
    # As browsers do it (WHATWG HTML, multipart/form-data encoding).
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _part(boundary: str, disposition: str, content: bytes) -> bytes:
    head = f"--{boundary}\r\nContent-Disposition: form-data; {disposition}\r\n\r\n"
    return head.encode() + content + b"\r\n"
