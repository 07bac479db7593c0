"""The asynchronous client against a small server: what differs from the synchronous one."""

from __future__ import annotations

import asyncio
import threading
import unittest
from typing import Any

import parley_sdk
from fake_api import Answer, FakeApi, Seen
from parley_sdk import AsyncParley


def client_of(api: FakeApi, **options: Any) -> tuple[AsyncParley, list[float]]:
    """Returns a client whose waits pass at once, and the list of them."""
    client = AsyncParley(api.url, **({"api_key": "svc_live_test"} | options))
    api.cleanups.append(client._io.close)
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    settings = client._transport._settings
    settings.random = lambda: 0.5
    settings.io.sleep = sleep  # type: ignore[method-assign]
    return client, slept


class AsyncTest(unittest.IsolatedAsyncioTestCase):
    async def test_a_call_is_repeated_with_one_key(self) -> None:
        answers = [Answer(hang_up=True), Answer(503), Answer(body={"rowId": "r1"})]
        with FakeApi(lambda _seen, index: answers[index]) as api:
            client, slept = client_of(api)
            async with client:
                self.assertEqual(await client.calls.create({"customerNumber": "+12025550100"}), {"rowId": "r1"})
            self.assertEqual(len({seen.headers["idempotency-key"] for seen in api.seen}), 1)
            self.assertEqual(slept, [0.375, 0.75])

    async def test_a_cancelled_task_closes_its_connection_and_frees_its_thread(self) -> None:
        with FakeApi(lambda seen, _: Answer(hang=True) if seen.path.endswith("/hang") else Answer(body={})) as api:
            client, _ = client_of(api, max_connections=1, timeout=0)
            task = asyncio.create_task(client.jobs.get("hang"))
            while not api.seen:
                await asyncio.sleep(0.005)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            # The only thread serves the next request, though the server never answers the first.
            await asyncio.wait_for(client.jobs.get("x"), 20)
            self.assertTrue(await asyncio.to_thread(api.abandoned.wait, 20))

    async def test_a_request_that_waits_for_a_thread_is_never_sent_once_cancelled(self) -> None:
        with FakeApi(lambda _seen, index: Answer(hang=True) if index == 0 else Answer(body={})) as api:
            client, _ = client_of(api, max_connections=1, timeout=0)
            first = asyncio.create_task(client.jobs.get("first"))
            while not api.seen:
                await asyncio.sleep(0.005)
            second = asyncio.create_task(client.jobs.get("second"))
            await asyncio.sleep(0)
            second.cancel()
            first.cancel()
            await asyncio.gather(first, second, return_exceptions=True)
            await client.jobs.get("third")
            self.assertEqual([seen.path.rpartition("/")[2] for seen in api.seen], ["first", "third"])

    async def test_a_timeout_ends_the_request(self) -> None:
        with FakeApi(lambda _seen, _index: Answer(hang=True)) as api:
            client, _ = client_of(api, max_retries=0)
            with self.assertRaises(parley_sdk.ParleyTimeoutError):
                await client.jobs.get("x", timeout=0.05)

    async def test_parallel_requests_share_one_token_and_a_bounded_number_of_connections(self) -> None:
        tokens = 0

        def serve(seen: Seen, _index: int) -> Answer:
            nonlocal tokens
            if seen.path == "/api/oauth/token":
                tokens += 1
                return Answer(body={"access_token": "t", "token_type": "Bearer", "expires_in": 3600})
            return Answer(body={}, drip=0.001)

        with FakeApi(serve) as api:
            client, _ = client_of(api, api_key=None, client_id="a", client_secret="b", max_connections=3)
            async with client:
                await asyncio.gather(*(client.jobs.get("x") for _ in range(30)))
            self.assertEqual((tokens, len(api.seen)), (1, 31))
            self.assertLessEqual(len({seen.connection for seen in api.seen}), 3)

    async def test_lists_and_progress_are_asynchronous_iterators(self) -> None:
        def serve(seen: Seen, index: int) -> Answer:
            if seen.path.endswith("/flows"):
                following = None if "cursor" in seen.query else "c"
                return Answer(body={"content": [index], "nextCursor": following})
            return Answer(body={"status": "COMPLETED" if index > 3 else "RUNNING"})

        with FakeApi(serve) as api:
            client, _ = client_of(api)
            self.assertEqual([flow async for flow in client.flows.list()], [0, 1])
            states = [job["status"] async for job in client.jobs.progress("j1")]
            self.assertEqual(states, ["RUNNING", "RUNNING", "COMPLETED"])

    async def test_the_loop_goes_on_while_a_request_waits(self) -> None:
        with FakeApi(lambda _seen, _index: Answer(hang=True)) as api:
            client, _ = client_of(api, max_retries=0)
            waiting = asyncio.create_task(client.jobs.get("x"))
            for _ in range(50):
                await asyncio.sleep(0)
            self.assertFalse(waiting.done())
            while not api.seen:
                await asyncio.sleep(0.005)
            threading.Thread(target=api.release.set).start()
            with self.assertRaises(parley_sdk.ParleyConnectionError):
                await waiting


if __name__ == "__main__":
    unittest.main()
