"""Both clients against a real server, which PARLEY_URL and the other variables below name."""

from __future__ import annotations

import asyncio
import inspect
import os
import queue
import re
import tempfile
import threading
import unittest
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import parley_sdk
from parley_sdk import AsyncParley, Parley, types, webhooks

URL = os.environ.get("PARLEY_URL")
CALL: types.PlaceCall = {"customerNumber": "+12025550100"}


@unittest.skipUnless(URL, "PARLEY_URL names no server")
class ServerTest(unittest.TestCase):
    def setUp(self) -> None:
        self.parley = Parley()
        self.addCleanup(self.parley.close)

    def test_a_call_is_watched_to_its_end(self) -> None:
        events: list[parley_sdk.CallEvent] = []
        row = self.parley.calls.create_and_wait({**CALL, "contextData": {"crm": 2**70}}, on_event=events.append)
        self.assertEqual((row["status"], row["outcome"]), ("COMPLETED", "ANSWERED"))
        self.assertEqual(row["contextData"], {"crm": 2**70})
        turns = [event["turn"] for event in events if event["type"] == "turn"]
        self.assertEqual([turn["index"] for turn in turns], list(range(len(row["transcript"]))))
        self.assertEqual(events[-1]["type"], "ended")
        self.assertTrue(self.parley.calls.recording(row["id"]).startswith(b"RIFF"))

    def test_one_key_makes_one_call(self) -> None:
        first, second = (self.parley.calls.create(CALL, idempotency_key="python-1")["rowId"] for _ in range(2))
        self.assertEqual(first, second)
        self.assertNotEqual(self.parley.calls.create(CALL)["rowId"], first)

    def test_a_csv_becomes_a_job_in_each_form(self) -> None:
        csv = b"customerNumber,name\n" + b"".join(b"+120255501%02d,n\n" % n for n in range(5)) + b"nonsense,n\n"
        hook: types.CompletionWebhookInput = {"url": "http://127.0.0.1:4444", "authMode": "BEARER", "secret": "s"}
        plain: types.CallJobOptions = {"name": "csv"}
        for options in (plain, types.CallJobOptions(**plain, completionWebhook=hook)):
            job = self.parley.jobs.create_from_csv(csv, options)
            states = list(self.parley.jobs.progress(job["id"], poll_seconds=0.05))
            self.assertEqual((states[-1]["status"], states[-1]["totalRows"]), ("COMPLETED", 5))
            counts = [state["processedRows"] for state in states]
            self.assertEqual(counts, sorted(counts))
            rows = list(self.parley.jobs.rows(job["id"], size=2))
            self.assertEqual(len({row["customerNumber"] for row in rows}), 5)
            self.assertEqual([error["line"] for error in self.parley.jobs.row_errors(job["id"])], [7])

    def test_a_file_is_streamed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.csv"
            path.write_text("customerNumber\n+12025550100\n", encoding="utf8")
            with path.open("rb") as file:
                for csv in (path, file):
                    self.assertEqual(self.parley.jobs.create_from_csv(csv)["acceptedRows"], 1)

    def test_errors_have_their_class_and_name_their_request(self) -> None:
        nobody = "00000000-0000-4000-8000-000000000000"
        wrong: Any = {"customerNumber": "nonsense"}
        with self.assertRaises(parley_sdk.NotFoundError) as caught:
            self.parley.calls.get(nobody)
        self.assertTrue(caught.exception.request_id)
        with self.assertRaises(parley_sdk.ValidationError) as refused:
            self.parley.calls.create(wrong)
        self.assertEqual(refused.exception.details[0]["path"].strip("/"), "customerNumber")
        with Parley(api_key="svc_live_wrong") as stranger, self.assertRaises(parley_sdk.AuthenticationError):
            stranger.billing.balance()

    def test_a_misspelt_member_is_a_warning(self) -> None:
        found: list[types.Warning] = []
        body: Any = {**CALL, "contctName": "Ada"}
        with Parley(on_warning=found.append) as parley:
            parley.calls.create(body)
        self.assertEqual([(one["member"], one["nearest"]) for one in found], [("contctName", "contactName")])

    def test_an_empty_bucket_is_waited_for(self) -> None:
        notices: list[parley_sdk.RetryNotice] = []
        with Parley(api_key=os.environ["PARLEY_SLOW_KEY"], on_retry=notices.append, max_retries=20) as parley:
            for _ in range(8):
                parley.billing.balance()
            self.assertEqual(parley.rate_limit and parley.rate_limit.limit, 3)
        self.assertTrue(notices)
        self.assertTrue(all(isinstance(one.error, parley_sdk.RateLimitError) for one in notices))

    def test_lists_can_be_read(self) -> None:
        read = 0
        for name, resource in vars(self.parley).items():
            method = getattr(resource, "list", None)
            if method is None or name.startswith("_"):
                continue
            required = [one for one in inspect.signature(method).parameters.values() if one.default is one.empty]
            # A list of a part, such as the items of one agent, needs the id of the whole.
            if required:
                continue
            listed = method()
            list(listed)
            read += 1
        self.assertGreater(read, 20)

    def test_texts_and_empty_answers(self) -> None:
        self.parley.do_not_call.add({"numbers": ["+12025550177"], "note": "asked"})
        self.assertIn("+12025550177", self.parley.do_not_call.export())
        self.assertEqual(self.parley.do_not_call.get("+12025550177")["note"], "asked")
        self.parley.do_not_call.remove("+12025550177", reason="a mistake")
        with self.assertRaises(parley_sdk.NotFoundError):
            self.parley.do_not_call.get("+12025550177")

    def test_a_suite_is_run(self) -> None:
        suite = {
            "suite": "python",
            "flow": os.environ["PARLEY_FLOW"],
            "scenarios": [{"name": "says yes", "persona": "agrees", "expect": {"outcome": "ANSWERED"}}],
        }
        run = self.parley.simulations.start({"suite": suite})
        ended = self.parley.simulations.wait(run["id"], poll_seconds=0.05)
        self.assertNotIn(ended["state"], ("QUEUED", "RUNNING"))
        self.assertIn("<testsuite", self.parley.simulations.junit(run["id"]))

    def test_a_file_is_uploaded_as_a_form(self) -> None:
        agent = os.environ["PARLEY_AGENT"]
        self.assertTrue(self.parley.knowledge_base.upload_file(agent, b"Open from nine to five.", filename="hours.txt"))
        with self.assertRaises(parley_sdk.ValidationError):
            self.parley.knowledge_base.upload_file(agent, b"Open from nine to five.", filename="hours.exe")


@unittest.skipUnless(URL, "PARLEY_URL names no server")
class AsyncServerTest(unittest.IsolatedAsyncioTestCase):
    async def test_calls_run_side_by_side_under_one_token(self) -> None:
        async with AsyncParley(
            client_id=os.environ["PARLEY_CLIENT_ID"], client_secret=os.environ["PARLEY_CLIENT_SECRET"]
        ) as parley:
            rows = await asyncio.gather(*(parley.calls.create_and_wait(CALL) for _ in range(20)))
            self.assertEqual({row["status"] for row in rows}, {"COMPLETED"})
            listed = {row["id"] async for row in parley.call_history.list(size=7)}
            self.assertLessEqual({row["id"] for row in rows}, listed)

    async def test_a_chat_is_followed_to_its_end(self) -> None:
        async with AsyncParley() as parley:
            chat = (await parley.chats.create({"channel": "CHAT", "contactIdentifier": "python"}))["session"]
            types_seen: list[str] = []
            contents: list[str] = []
            async for event in parley.chats.events(chat["id"]):
                types_seen.append(event["type"])
                if event["type"] == "message.created":
                    contents.append(event["data"]["message"]["content"])
                    if len(contents) == 1:
                        await parley.chats.send_message(chat["id"], {"content": "Hello"})
                        await parley.chats.close(chat["id"])
            self.assertIn("Hello", contents)
            self.assertIn("session.updated", types_seen)

    async def test_a_job_is_followed(self) -> None:
        async with AsyncParley() as parley:
            job = await parley.jobs.create({"rows": [{"customerNumber": "+12025550100"}]})
            states = [state async for state in parley.jobs.progress(job["id"], poll_seconds=0.05)]
            self.assertEqual(states[-1]["status"], "COMPLETED")


class Receiver:
    """A receiver of webhooks; a context manager."""

    def __init__(self) -> None:
        self.deliveries: queue.Queue[tuple[dict[str, str], bytes]] = queue.Queue()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                self.send_response(204)
                self.end_headers()
                receiver.deliveries.put((dict(self.headers.items()), body))

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/hook"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def delivered(test: unittest.TestCase) -> tuple[Mapping[str, str], bytes, str]:
    """Returns headers and body of a job's webhook, and its signing secret."""
    receiver = Receiver()
    test.addCleanup(receiver.close)
    with Parley() as parley:
        hook: types.CompletionWebhookInput = {"url": receiver.url, "authMode": "BEARER", "secret": "agreed"}
        job = parley.jobs.create({"name": "hooked", "rows": [{"customerNumber": "+12025550100"}], "completionWebhook": hook})
        made = job["completionWebhook"]
        test.assertIsNotNone(made)
        headers, body = receiver.deliveries.get(timeout=60)
        return headers, body, str(made and made.get("signingSecret"))


@unittest.skipUnless(URL, "PARLEY_URL names no server")
class DeliveryTest(unittest.TestCase):
    def test_the_servers_own_delivery_passes_and_nothing_else_does(self) -> None:
        headers, body, secret = delivered(self)
        event = webhooks.verify(headers, body, secret, auth=webhooks.Bearer("agreed"))
        self.assertEqual(event["eventType"], "call_job.completed")
        facts = webhooks.delivery(headers)
        self.assertEqual((facts.event_type, facts.event_id, facts.attempt), (event["eventType"], event["eventId"], 1))
        at = int(next(value for name, value in headers.items() if name.lower() == "webhook-timestamp"))
        other = "whsec_" + "A" * 32
        for altered, key, now, auth in (
            (body.replace(b"hooked", b"forged"), secret, at, "agreed"),
            (body, other, at, "agreed"),
            (body, secret, at + 301, "agreed"),
            (body, secret, at, "guessed"),
        ):
            with self.assertRaises(parley_sdk.WebhookVerificationError):
                webhooks.verify(headers, altered, key, now=now, auth=webhooks.Bearer(auth))


@unittest.skipUnless(URL and os.environ.get("PARLEY_DOCS"), "PARLEY_DOCS names no page")
class DocumentationTest(unittest.TestCase):
    def test_the_examples_of_the_page_run_in_their_order(self) -> None:
        page = Path(os.environ["PARLEY_DOCS"]).read_text(encoding="utf8")
        blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
        self.assertEqual(len(blocks), 6)
        names: dict[str, Any] = {}
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "rows.csv").write_text("customerNumber\n+12025550110\n+12025550100\n", encoding="utf8")
            before = os.getcwd()
            os.chdir(folder)
            self.addCleanup(os.chdir, before)
            for block in blocks:
                exec(compile(block, "sdk-python.md", "exec"), names)
        self.addCleanup(names["parley"].close)
        self.assertEqual(names["row"]["outcome"], "BUSY")
        headers, body, secret = delivered(self)
        self.assertEqual(names["receive"](headers, body, secret), 204)
        self.assertEqual(names["receive"](headers, body + b" ", secret), 401)


if __name__ == "__main__":
    unittest.main()
