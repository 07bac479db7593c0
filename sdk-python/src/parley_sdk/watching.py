"""States that never change any more, and the events of a call or a chat that is followed."""

from __future__ import annotations

import json
import re
from typing import Any, Literal, TypedDict, Union, cast

from . import types


class _CallEvent(TypedDict):
    type: Literal["status", "turn", "ended"]
    row: types.CallRow


class CallEvent(_CallEvent, total=False):
    """An event of a watched call: a new `status`, a `turn` (once for each line of the transcript, when the line is
    whole), or its end."""

    turn: types.TranscriptTurn


class ChatMessageData(TypedDict):
    """Data of a message that is new or whose delivery changed."""

    message: types.ChatMessage


class ChatState(TypedDict):
    """State of a chat as its events show it. `outputsReady` is True once it is over and its outputs are filled."""

    id: str
    status: str
    mode: str
    aiMode: str
    handoff: Any
    endReason: str | None
    windowExpiresAt: str | None
    endedAt: str | None
    outputsReady: bool


class ChatSessionData(TypedDict):
    """Data of a changed chat."""

    session: ChatState


class TypingData(TypedDict):
    """Data of typing: True while the agent answers."""

    active: bool


class ChatMessageEvent(TypedDict):
    """A message that is new, or whose delivery changed."""

    id: str
    type: Literal["message.created", "message.updated"]
    data: ChatMessageData


class ChatSessionEvent(TypedDict):
    """A chat whose state changed."""

    id: str
    type: Literal["session.updated"]
    data: ChatSessionData


class ChatTypingEvent(TypedDict):
    """An agent that began or ended to answer; it has no id, because it is not kept."""

    id: None
    type: Literal["typing"]
    data: TypingData


#: An event of a chat.
ChatEvent = Union[ChatMessageEvent, ChatSessionEvent, ChatTypingEvent]


class EventReader:
    """Makes events of the pieces of a stream (HTML standard, section 9.2.6). An event without its empty line is left
    out."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, piece: bytes) -> list[ChatEvent]:
        """Returns the events that this piece completes."""
        *blocks, self._rest = re.split(rb"\r?\n\r?\n", self._rest + piece)
        return [event for event in map(_read_event, blocks) if event is not None]


def _read_event(block: bytes) -> ChatEvent | None:
    fields: dict[str, list[str]] = {}
    # Lines of bytes end at CR and LF alone, as the standard says; those of a str end at U+2028 and U+0085 as well.
    for line in block.splitlines():
        name, _, value = line.decode("utf8", "replace").partition(":")
        fields.setdefault(name, []).append(value.removeprefix(" "))
    if "data" not in fields:
        return None
    kind = fields.get("event", ["message"])[-1]
    event = {"id": fields.get("id", [None])[-1], "type": kind, "data": json.loads("\n".join(fields["data"]))}
    return cast(ChatEvent, event)


def is_ended_row(status: str) -> bool:
    """Tells whether a row never leaves this status."""
    return status in ("COMPLETED", "FAILED", "SKIPPED", "CANCELLED", "UNCONFIRMED")


def is_ended_job(status: str) -> bool:
    """Tells whether this status ends a run of a job."""
    return status in ("COMPLETED", "CANCELLED", "FAILED")


def is_ended_simulation(state: str) -> bool:
    """Tells whether a run in this state will not change any more."""
    return state not in ("QUEUED", "RUNNING")


class CallWatch:
    """Finds what is new in each state of a call.

    The next attempt has a transcript of its own, but until its words are stored, which is at its end if it is short,
    the row still has the one before.
    """

    def __init__(self) -> None:
        self._status: str | None = None
        self._attempt: int | None = None
        self._given: list[types.TranscriptTurn] = []
        # True when an attempt may have begun since the lines were given.
        self._may_be_new = True

    def observe(self, row: types.CallRow) -> list[CallEvent]:
        """Returns the events that lie between the state before and this one."""
        events: list[CallEvent] = []
        ended = is_ended_row(row["status"])
        if row["status"] != self._status and not ended:
            events.append({"type": "status", "row": row})
        self._status = row["status"]
        for turn in self._take(row, ended):
            events.append({"type": "turn", "turn": turn, "row": row})
        if ended:
            events.append({"type": "ended", "row": row})
        return events

    def _take(self, row: types.CallRow, ended: bool) -> list[types.TranscriptTurn]:
        """Returns the whole lines that were not given yet."""
        whole = row["transcript"][: _count_whole(row)]
        if not (ended or row["status"] == "IN_PROGRESS") or row.get("attempt") != self._attempt:
            self._may_be_new = True
        self._attempt = row.get("attempt")
        goes_on = all(_is_same(*pair) for pair in zip(self._given, whole))
        if not row["transcript"] or (self._may_be_new and not goes_on):
            self._given = []
        fresh = whole[len(self._given) :]
        if fresh:
            self._given = whole
            self._may_be_new = False
        return fresh


def _is_same(one: types.TranscriptTurn, other: types.TranscriptTurn) -> bool:
    return one["content"] == other["content"] and one.get("startMs") == other.get("startMs")


def _count_whole(row: types.CallRow) -> int:
    """Counts the lines that stay as they are. Sentences join the last one of a conversation until somebody else
    speaks."""
    lines = len(row["transcript"])
    return max(0, lines - 1) if row["status"] == "IN_PROGRESS" else lines
