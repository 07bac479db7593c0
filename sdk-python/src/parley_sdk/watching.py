"""States that never change any more, and the events of a call that is watched."""

from __future__ import annotations

from typing import Literal, TypedDict

from . import types


class _CallEvent(TypedDict):
    type: Literal["status", "turn", "ended"]
    row: types.CallRow


class CallEvent(_CallEvent, total=False):
    """An event of a watched call: a new `status`, a `turn` (once for each line of the transcript), or its end."""

    turn: types.TranscriptTurn


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
    """Finds what is new in each state of a call."""

    def __init__(self) -> None:
        self._status: str | None = None
        self._turns = 0

    def observe(self, row: types.CallRow) -> list[CallEvent]:
        """Returns the events that lie between the state before and this one."""
        events: list[CallEvent] = []
        ended = is_ended_row(row["status"])
        if row["status"] != self._status and not ended:
            events.append({"type": "status", "row": row})
        self._status = row["status"]
        # A new attempt starts a new transcript.
        if len(row["transcript"]) < self._turns:
            self._turns = 0
        for turn in row["transcript"][self._turns :]:
            events.append({"type": "turn", "turn": turn, "row": row})
        self._turns = len(row["transcript"])
        if ended:
            events.append({"type": "ended", "row": row})
        return events
