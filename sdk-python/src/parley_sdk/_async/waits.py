"""Resources with methods that wait for the end of something, or follow it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .. import types
from .._request import PREFIX, Request, Upload, new_key, segment, to_csv
from .._retry import poll_delay
from ..errors import ParleyConnectionError, ServerError, WaitTimeoutError
from ..watching import CallEvent, CallWatch, ChatEvent, EventReader, is_ended_job, is_ended_row, is_ended_simulation
from . import resources
from .io import AsyncStream
from .transport import AsyncTransport

S = TypeVar("S")

CALL_POLL = 0.3
JOB_POLL = 0.5
SIMULATION_POLL = 0.25
SLOWER = 1.25
SLOWEST = 8.0
REHEARSAL_TIMEOUT = 180.0
MOST_BREAKS = 5


@dataclass
class AsyncWatched(Generic[S]):
    """Something that is read until it has ended. `wait_seconds` is None for no limit."""

    subject: str
    look: Callable[[], Awaitable[S]]
    is_ended: Callable[[S], bool]
    poll_seconds: float
    wait_seconds: float | None


async def read_states(client: AsyncTransport, watched: AsyncWatched[S]) -> AsyncIterator[S]:
    """Returns every state that was read, the ended one last. Reads more slowly while nothing changes, up to eightfold,
    and while the rate limit runs low. Raises WaitTimeoutError."""
    end = None if watched.wait_seconds is None else client.clock() + watched.wait_seconds
    slower = 1.0
    before: S | None = None
    while True:
        state = await watched.look()
        yield state
        if watched.is_ended(state):
            return
        slower = min(slower * SLOWER, SLOWEST) if state == before else 1.0
        before = state
        delay = poll_delay(client.rate_limit, watched.poll_seconds * slower)
        if end is not None:
            left = end - client.clock()
            if left <= 0:
                raise WaitTimeoutError(f"{watched.subject} has not ended within {watched.wait_seconds:g} s.")
            delay = min(delay, left)
        await client.sleep(delay)


class AsyncCalls(resources.AsyncCalls):
    """Single outbound calls."""

    async def events(
        self, row_id: str, *, poll_seconds: float = CALL_POLL, wait_seconds: float | None = None
    ) -> AsyncIterator[CallEvent]:
        """Returns each change of a call as it is observed; the last event has type "ended" and the ended row."""
        watched: AsyncWatched[types.CallRow] = AsyncWatched(
            f"Call {row_id}", lambda: self.get(row_id), lambda row: is_ended_row(row["status"]), poll_seconds, wait_seconds
        )
        watch = CallWatch()
        async for row in read_states(self._client, watched):
            for event in watch.observe(row):
                yield event

    async def wait(
        self,
        row_id: str,
        *,
        on_event: Callable[[CallEvent], object] | None = None,
        poll_seconds: float = CALL_POLL,
        wait_seconds: float | None = None,
    ) -> types.CallRow:
        """Waits until a call has ended, and returns its row."""
        async for event in self.events(row_id, poll_seconds=poll_seconds, wait_seconds=wait_seconds):
            if on_event:
                on_event(event)
        return event["row"]

    async def create_and_wait(
        self,
        body: types.PlaceCall,
        *,
        on_event: Callable[[CallEvent], object] | None = None,
        poll_seconds: float = CALL_POLL,
        wait_seconds: float | None = None,
        idempotency_key: str | None = None,
    ) -> types.CallRow:
        """Queues one call, waits until it has ended, and returns its row."""
        queued = await self.create(body, idempotency_key=idempotency_key)
        return await self.wait(
            queued["rowId"], on_event=on_event, poll_seconds=poll_seconds, wait_seconds=wait_seconds
        )


class AsyncJobs(resources.AsyncJobs):
    """Call jobs: many calls in one request."""

    async def create_from_csv(
        self,
        csv: Upload,
        options: types.CallJobOptions | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float = 0,
    ) -> types.CreatedCallJob:
        """Creates a job from a CSV with the columns customerNumber, contactName, contactEmail, externalId, priority,
        contextData; other columns become rowData. An upload has no timeout unless one is given.
        """
        body, query = to_csv(csv, options or {})
        key = idempotency_key or new_key()
        return await self._client.request(
            Request("POST", f"{PREFIX}/call-jobs", query, body=body, idempotency_key=key, timeout=timeout)
        )

    async def progress(
        self, job_id: str, *, poll_seconds: float = JOB_POLL, wait_seconds: float | None = None
    ) -> AsyncIterator[types.CallJob]:
        """Returns the states of a job as they are read, until a run of it has ended."""
        watched: AsyncWatched[types.CallJob] = AsyncWatched(
            f"Job {job_id}", lambda: self.get(job_id), lambda job: is_ended_job(job["status"]), poll_seconds, wait_seconds
        )
        async for job in read_states(self._client, watched):
            yield job

    async def wait(
        self,
        job_id: str,
        *,
        on_progress: Callable[[types.CallJob], object] | None = None,
        poll_seconds: float = JOB_POLL,
        wait_seconds: float | None = None,
    ) -> types.CallJob:
        """Waits until a run of a job has ended, and returns the job."""
        async for job in self.progress(job_id, poll_seconds=poll_seconds, wait_seconds=wait_seconds):
            if on_progress:
                on_progress(job)
        return job


class AsyncSimulations(resources.AsyncSimulations):
    """Runs of test suites: a flow against simulated people, with nobody called."""

    async def progress(
        self,
        simulation_id: str,
        *,
        transcripts: bool | None = None,
        poll_seconds: float = SIMULATION_POLL,
        wait_seconds: float | None = None,
    ) -> AsyncIterator[types.Simulation]:
        """Returns the states of a run as they are read; the last one has the report."""
        watched: AsyncWatched[types.Simulation] = AsyncWatched(
            f"Simulation {simulation_id}",
            lambda: self.get(simulation_id, transcripts=transcripts),
            lambda run: is_ended_simulation(run["state"]),
            poll_seconds,
            wait_seconds,
        )
        async for run in read_states(self._client, watched):
            yield run

    async def wait(
        self,
        simulation_id: str,
        *,
        transcripts: bool | None = None,
        on_progress: Callable[[types.Simulation], object] | None = None,
        poll_seconds: float = SIMULATION_POLL,
        wait_seconds: float | None = None,
    ) -> types.Simulation:
        """Waits until a run has ended, and returns it with its report."""
        async for run in self.progress(
            simulation_id, transcripts=transcripts, poll_seconds=poll_seconds, wait_seconds=wait_seconds
        ):
            if on_progress:
                on_progress(run)
        return run

    async def rehearse(
        self, body: types.RehearsalInput, *, timeout: float | None = REHEARSAL_TIMEOUT
    ) -> types.Forecast:
        """Forecasts a call job. Answers once its sample conversations are over, which takes long with a hosted
        model."""
        return await super().rehearse(body, timeout=timeout)


class AsyncChats(resources.AsyncChats):
    """Chats over CHAT, SMS and WhatsApp."""

    async def events(
        self, id: str, *, last_event_id: str | None = None, timeout: float | None = None
    ) -> AsyncIterator[ChatEvent]:
        """Returns the events of a chat as they happen, until it is over: messages, states, and typing while the agent
        answers. Begins after `last_event_id`, or with the first event of the chat.

        A stream that ends before (each lasts ten minutes) or breaks is opened again after the last event, also while
        the server restarts; five breaks without an event between them raise, and a server that is not there at the
        first time at once. `timeout` is the longest silence in seconds: the server sends something
        every 15 s.
        """
        breaks = 0
        opened = False
        while True:
            stream = None
            try:
                stream = await self._open_events(id, last_event_id, timeout)
                if stream is None:
                    return
                opened = True
                reader = EventReader()
                while piece := await stream.read():
                    for event in reader.feed(piece):
                        breaks = 0
                        last_event_id = event["id"] or last_event_id
                        yield event
            except (ParleyConnectionError, ServerError):
                breaks += 1
                if not opened or breaks == MOST_BREAKS:
                    raise
            finally:
                if stream is not None:
                    stream.close()
            await self._client.sleep(max(1, breaks))

    async def _open_events(self, id: str, last_event_id: str | None, timeout: float | None) -> AsyncStream | None:
        headers = {} if last_event_id is None else {"Last-Event-ID": last_event_id}
        path = f"{PREFIX}/chat-sessions/{segment(id)}/events"
        request: Request[Any] = Request("GET", path, headers=headers, timeout=timeout, answer="STREAM")
        stream: AsyncStream | None = await self._client.request(request)
        return stream
