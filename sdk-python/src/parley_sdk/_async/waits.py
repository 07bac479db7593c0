"""Resources with methods that wait for the end of something."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from .. import types
from .._request import PREFIX, Request, Upload, new_key, to_csv
from .._retry import poll_delay
from ..watching import CallEvent, CallWatch, is_ended_job, is_ended_simulation
from . import resources

CALL_POLL = 0.3
JOB_POLL = 0.5
SIMULATION_POLL = 0.25


class AsyncCalls(resources.AsyncCalls):
    """Single outbound calls."""

    async def watch(self, row_id: str, *, poll_seconds: float = CALL_POLL) -> AsyncIterator[CallEvent]:
        """Returns what happens to a call, as it happens; the last event has type "ended" and the ended row."""
        watch = CallWatch()
        while True:
            for event in watch.observe(await self.get(row_id)):
                yield event
                if event["type"] == "ended":
                    return
            await self._client.sleep(poll_delay(self._client.rate_limit, poll_seconds))

    async def wait(
        self,
        row_id: str,
        *,
        on_event: Callable[[CallEvent], object] | None = None,
        poll_seconds: float = CALL_POLL,
    ) -> types.CallRow:
        """Waits until a call has ended, and returns its row."""
        async for event in self.watch(row_id, poll_seconds=poll_seconds):
            if on_event:
                on_event(event)
        return event["row"]

    async def create_and_wait(
        self,
        body: types.PlaceCall,
        *,
        on_event: Callable[[CallEvent], object] | None = None,
        poll_seconds: float = CALL_POLL,
        idempotency_key: str | None = None,
    ) -> types.CallRow:
        """Queues one call, waits until it has ended, and returns its row."""
        queued = await self.create(body, idempotency_key=idempotency_key)
        return await self.wait(queued["rowId"], on_event=on_event, poll_seconds=poll_seconds)


class AsyncJobs(resources.AsyncJobs):
    """Call jobs: many calls in one request."""

    async def create_from_csv(
        self,
        csv: Upload,
        options: types.CallJobOptions | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float = 0,
    ) -> types.CreatedCallJobAndWarned:
        """Creates a job from a CSV with the columns customerNumber, contactName, contactEmail, externalId, priority,
        contextData; other columns become rowData. An upload has no timeout unless one is given.
        """
        body, query = to_csv(csv, options or {})
        key = idempotency_key or new_key()
        return await self._client.request(
            Request("POST", f"{PREFIX}/call-jobs", query, body=body, idempotency_key=key, timeout=timeout)
        )

    async def progress(self, job_id: str, *, poll_seconds: float = JOB_POLL) -> AsyncIterator[types.CallJob]:
        """Returns the states of a job as they are read, until a run of it has ended."""
        while True:
            job = await self.get(job_id)
            yield job
            if is_ended_job(job["status"]):
                return
            await self._client.sleep(poll_delay(self._client.rate_limit, poll_seconds))

    async def wait(self, job_id: str, *, poll_seconds: float = JOB_POLL) -> types.CallJob:
        """Waits until a run of a job has ended, and returns the job."""
        async for job in self.progress(job_id, poll_seconds=poll_seconds):
            pass
        return job


class AsyncSimulations(resources.AsyncSimulations):
    """Runs of test suites: a flow against simulated people, with nobody called."""

    async def progress(
        self, simulation_id: str, *, transcripts: bool | None = None, poll_seconds: float = SIMULATION_POLL
    ) -> AsyncIterator[types.Simulation]:
        """Returns the states of a run as they are read; the last one has the report."""
        while True:
            run = await self.get(simulation_id, transcripts=transcripts)
            yield run
            if is_ended_simulation(run["state"]):
                return
            await self._client.sleep(poll_delay(self._client.rate_limit, poll_seconds))

    async def wait(
        self, simulation_id: str, *, transcripts: bool | None = None, poll_seconds: float = SIMULATION_POLL
    ) -> types.Simulation:
        """Waits until a run has ended, and returns it with its report."""
        async for run in self.progress(simulation_id, transcripts=transcripts, poll_seconds=poll_seconds):
            pass
        return run


class AsyncOptOutReviews(resources.AsyncOptOutReviews):
    """Sessions in which somebody may have asked for no more contact."""

    async def confirm(self, review_id: str, note: str | None = None) -> types.OptOutReview:
        """Puts the person on the do-not-call list; their waiting calls are skipped."""
        return await self.decide(review_id, {"decision": "CONFIRM", "note": note})

    async def dismiss(self, review_id: str, note: str | None = None) -> types.OptOutReview:
        """Lifts the hold; retries go on."""
        return await self.decide(review_id, {"decision": "DISMISS", "note": note})
