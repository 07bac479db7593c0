"""Events of chats, and the limit of a wait, with both clients against a small server."""

from __future__ import annotations

import asyncio
import threading
import unittest
from unittest import mock

import parley_sdk
from fake_api import Answer, FakeApi, Seen
from parley_sdk import AsyncParley, ChatEvent
from test_async import client_of as async_client_of
from test_client import client_of, in_turn


def created(number: int) -> bytes:
    """Returns an event as the server sends it."""
    return b'id: %d\nevent: message.created\ndata: {"message":{"content":"Gr\xc3\xbc\xc3\x9fe"}}\n\n' % number


TYPING = b': keep-alive\n\nevent: typing\r\ndata: {"active":true}\r\n\r\n'
OVER = Answer(204)
#: A stream that ends, one that breaks within an event, one that goes on with that event, and the end of the chat.
STREAMS = (
    Answer(chunks=[created(1), created(2)]),
    Answer(chunks=[created(3), created(4)[:20]], broken=True),
    Answer(chunks=[created(4)]),
    OVER,
)


def asked(api: FakeApi) -> list[str | None]:
    """Returns the Last-Event-ID of each request."""
    return [seen.headers.get("last-event-id") for seen in api.seen]


class ChatEventTest(unittest.TestCase):
    def test_events_come_whole_whatever_pieces_the_network_makes_of_them(self) -> None:
        pieces = [bytes([byte]) for byte in created(1) + TYPING]
        with FakeApi(in_turn(Answer(chunks=pieces), OVER)) as api:
            client, _ = client_of(api)
            message, typing = client.chats.events("c1")
            self.assertEqual(message, {"id": "1", "type": "message.created", "data": {"message": {"content": "Grüße"}}})
            self.assertEqual(typing, {"id": None, "type": "typing", "data": {"active": True}})

    def test_only_line_feeds_and_carriage_returns_end_a_line(self) -> None:
        content = "one\u2028two\u2029three\u0085four"
        event = created(1).replace("Grüße".encode(), content.encode())
        with FakeApi(in_turn(Answer(chunks=[event]), OVER)) as api:
            client, _ = client_of(api)
            (message,) = client.chats.events("c1")
            self.assertEqual(message["data"], {"message": {"content": content}})

    def test_a_stream_that_ends_or_breaks_goes_on_after_the_last_event(self) -> None:
        with FakeApi(in_turn(*STREAMS)) as api:
            client, _ = client_of(api)
            self.assertEqual([event["id"] for event in client.chats.events("c1")], ["1", "2", "3", "4"])
            self.assertEqual(asked(api), [None, "2", "3", "4"])

    def test_a_stream_goes_on_after_a_restart_that_outlasts_the_repeats_of_a_request(self) -> None:
        away = [Answer(hang_up=True)] * 3 + [Answer(503)] * 3
        with FakeApi(in_turn(Answer(chunks=[created(1)], broken=True), *away, Answer(chunks=[created(2)]), OVER)) as api:
            client, _ = client_of(api)
            self.assertEqual([event["id"] for event in client.chats.events("c1")], ["1", "2"])

    def test_a_server_that_is_not_there_at_the_first_time_is_told_at_once(self) -> None:
        with FakeApi(in_turn(Answer(hang_up=True))) as api:
            client, _ = client_of(api)
            with self.assertRaises(parley_sdk.ParleyConnectionError):
                list(client.chats.events("c1"))
            self.assertEqual(len(api.seen), 3)

    def test_a_stream_that_only_breaks_is_given_up(self) -> None:
        with FakeApi(in_turn(Answer(chunks=[], broken=True))) as api:
            client, slept = client_of(api)
            with self.assertRaises(parley_sdk.ParleyConnectionError):
                list(client.chats.events("c1", last_event_id="7"))
            self.assertEqual((asked(api), slept), (["7"] * 5, [1, 2, 3, 4]))

    def test_a_silent_stream_is_broken_after_the_timeout(self) -> None:
        with FakeApi(in_turn(Answer(chunks=[created(1)], hang=True), OVER)) as api:
            client, _ = client_of(api)
            self.assertEqual([event["id"] for event in client.chats.events("c1", timeout=0.2)], ["1"])
            self.assertTrue(api.abandoned.wait(20))

    def test_a_refusal_is_an_error_and_a_busy_server_is_asked_again(self) -> None:
        with FakeApi(in_turn(Answer(503), Answer(404, {"error": "No such chat"}))) as api:
            client, slept = client_of(api)
            with self.assertRaises(parley_sdk.NotFoundError) as caught:
                list(client.chats.events("c1"))
            self.assertEqual((caught.exception.error, slept), ("No such chat", [0.375]))

    def test_a_reader_that_leaves_closes_its_connection(self) -> None:
        with FakeApi(in_turn(Answer(chunks=[created(1)], hang=True))) as api:
            client, _ = client_of(api)
            for event in client.chats.events("c1"):
                break
            del event
            self.assertTrue(api.abandoned.wait(20))


class AsyncChatEventTest(unittest.IsolatedAsyncioTestCase):
    async def test_a_stream_that_ends_or_breaks_goes_on_after_the_last_event(self) -> None:
        with FakeApi(in_turn(*STREAMS)) as api:
            client, _ = async_client_of(api)
            self.assertEqual([event["id"] async for event in client.chats.events("c1")], ["1", "2", "3", "4"])
            self.assertEqual(asked(api), [None, "2", "3", "4"])

    async def test_streams_take_none_of_the_threads_and_a_cancelled_one_closes_its_connection(self) -> None:
        def serve(_seen: Seen, index: int) -> Answer:
            return Answer(chunks=[created(1)], hang=True) if index < 3 else Answer(body={})

        with FakeApi(serve) as api:
            client, _ = async_client_of(api, max_connections=1)
            events: list[ChatEvent] = []
            tasks = [asyncio.create_task(follow(client, events)) for _ in range(3)]
            while len(events) < 3:
                await asyncio.sleep(0.005)
            await asyncio.wait_for(client.jobs.get("x"), 20)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.assertTrue(await asyncio.to_thread(api.abandoned.wait, 20))
            while sum(one.name.startswith("parley-stream") for one in threading.enumerate()) > 0:
                await asyncio.sleep(0.005)


async def follow(client: AsyncParley, events: list[ChatEvent]) -> None:
    """Adds the events of a chat to a list."""
    async for event in client.chats.events("c1"):
        events.append(event)


class WaitTest(unittest.TestCase):
    def test_a_wait_ends_at_its_limit_and_reads_more_slowly_while_nothing_changes(self) -> None:
        with FakeApi(in_turn(Answer(body={"status": "RUNNING"}))) as api:
            client, slept = client_of(api)
            now = 0.0

            def sleep(seconds: float) -> None:
                nonlocal now
                now += seconds
                slept.append(seconds)

            settings = client._transport._settings
            settings.clock = lambda: now
            with mock.patch.object(settings.io, "sleep", sleep), self.assertRaises(parley_sdk.WaitTimeoutError):
                client.jobs.wait("j1", poll_seconds=1, wait_seconds=3)
            self.assertEqual(slept, [1, 1.25, 0.75])


if __name__ == "__main__":
    unittest.main()
