"""The synchronous client against a small server: retries, limits, errors, tokens, lists, uploads."""

from __future__ import annotations

import io
import os
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import parse_qs

import parley_sdk
from fake_api import Answer, FakeApi, Seen
from parley_sdk import Parley, types
from parley_sdk._sync import resources
from parley_sdk._sync.transport import Resource

CALL: types.PlaceCall = {"customerNumber": "+12025550100"}
QUEUED = {"rowId": "r1", "status": "QUEUED"}


def client_of(api: FakeApi, **options: Any) -> tuple[Parley, list[float]]:
    """Returns a client whose waits pass at once, and the list of them."""
    client = Parley(api.url, **({"api_key": "svc_live_test"} | options))
    api.cleanups.append(client.close)
    slept: list[float] = []
    settings = client._transport._settings
    settings.random = lambda: 0.5
    mock.patch.object(settings.io, "sleep", slept.append).start()
    return client, slept


def in_turn(*answers: Answer) -> Callable[[Seen, int], Answer]:
    """Returns an answering function that gives the answers in their order, and the last one for ever."""
    return lambda _seen, index: answers[min(index, len(answers) - 1)]


class TextTest(unittest.TestCase):
    def test_the_byte_order_mark_of_a_csv_is_none_of_its_text(self) -> None:
        with FakeApi(in_turn(Answer(chunks=["\ufeffnumber\r\n".encode()]))) as api:
            client, _ = client_of(api)
            self.assertEqual(client.do_not_call.export(), "number\r\n")


class RetryTest(unittest.TestCase):
    def test_a_get_is_repeated_after_5xx_and_after_a_broken_connection(self) -> None:
        with FakeApi(in_turn(Answer(503), Answer(hang_up=True), Answer(body={"id": "j1"}))) as api:
            client, slept = client_of(api)
            self.assertEqual(client.jobs.get("j1"), {"id": "j1"})
            self.assertEqual(slept, [0.375, 0.75])

    def test_an_upload_may_take_longer_unless_it_is_given_a_timeout(self) -> None:
        def serve(_seen: Seen, _index: int) -> Answer:
            time.sleep(0.2)
            return Answer(body={"id": "f1"})

        with FakeApi(serve) as api:
            client, _ = client_of(api, timeout=0.05, max_retries=0)
            self.assertEqual(client.knowledge_base.upload_file("a1", b"open at nine"), {"id": "f1"})
            with self.assertRaises(parley_sdk.ParleyTimeoutError):
                client.knowledge_base.upload_file("a1", b"open at nine", timeout=0.05)

    def test_a_timeout_of_infinity_is_none(self) -> None:
        with FakeApi(in_turn(Answer(body={"id": "j1"}))) as api:
            client, _ = client_of(api, timeout=float("inf"))
            self.assertEqual(client.jobs.get("j1"), {"id": "j1"})

    def test_a_call_is_repeated_with_one_key_and_two_calls_have_two(self) -> None:
        with FakeApi(in_turn(Answer(hang_up=True), Answer(body=QUEUED))) as api:
            client, _ = client_of(api)
            client.calls.create(CALL)
            client.calls.create(CALL)
            first, second, third = [seen.headers["idempotency-key"] for seen in api.seen]
            self.assertRegex(first, r"^[0-9a-f-]{36}$")
            self.assertEqual(first, second)
            self.assertNotEqual(first, third)

    def test_a_repeat_whose_first_try_still_runs_waits_as_long_as_it_is_asked_to(self) -> None:
        busy = Answer(409, {"code": "IDEMPOTENCY_KEY_IN_USE"}, {"Retry-After": "3"})
        with FakeApi(in_turn(Answer(hang_up=True), busy, Answer(body=QUEUED))) as api:
            client, slept = client_of(api)
            self.assertEqual(client.calls.create(CALL), QUEUED)
            self.assertEqual(slept, [0.375, 3])

    def test_a_write_without_a_key_is_sent_once(self) -> None:
        with FakeApi(lambda seen, _: Answer(500) if seen.method == "PUT" else Answer(hang_up=True)) as api:
            client, _ = client_of(api)
            with self.assertRaises(parley_sdk.ParleyConnectionError):
                client.jobs.pause("j1")
            with self.assertRaises(parley_sdk.ServerError):
                client.flows.update("f1", {"name": "x"})
            self.assertEqual(len(api.seen), 2)

    def test_it_gives_up_after_max_retries_and_tells_before_each_wait(self) -> None:
        notices: list[int] = []
        with FakeApi(in_turn(Answer(500, headers={"X-Request-Id": "req_9"}))) as api:
            client, _ = client_of(api, max_retries=3, on_retry=lambda notice: notices.append(notice.retry))
            with self.assertRaises(parley_sdk.ServerError) as caught:
                client.jobs.get("j1")
            self.assertEqual((caught.exception.status, caught.exception.request_id), (500, "req_9"))
            self.assertEqual((notices, len(api.seen)), ([1, 2, 3], 4))

    def test_429_waits_for_the_bucket_also_for_a_write_without_a_key(self) -> None:
        refusal = Answer(429, {"error": "Rate limit exceeded"}, {"X-RateLimit-Reset": "7", "Retry-After": "1"})
        with FakeApi(in_turn(refusal, Answer(body={}))) as api:
            client, slept = client_of(api)
            client.jobs.cancel("j1")
            self.assertEqual(slept, [7.125])

    def test_429_without_reset_waits_retry_after(self) -> None:
        with FakeApi(in_turn(Answer(429, headers={"Retry-After": "4"}), Answer(body={}))) as api:
            client, slept = client_of(api)
            client.jobs.cancel("j1")
            self.assertEqual(slept, [4.125])

    def test_a_bucket_that_takes_longer_than_two_minutes_is_reported_instead(self) -> None:
        with FakeApi(in_turn(Answer(429, headers={"X-RateLimit-Reset": "3600"}))) as api:
            client, slept = client_of(api)
            with self.assertRaises(parley_sdk.RateLimitError) as caught:
                client.jobs.get("j1")
            self.assertEqual((caught.exception.reset_seconds, slept), (3600, []))


class AnswerTest(unittest.TestCase):
    def test_each_status_has_its_own_error_with_code_details_and_request_id(self) -> None:
        details = [{"path": "customerNumber", "code": "E164", "message": "no"}]
        body = {"error": "Title", "message": "Text", "code": "CODE", "details": details, "requestId": "req_1"}
        kinds = {
            400: parley_sdk.BadRequestError,
            401: parley_sdk.AuthenticationError,
            403: parley_sdk.PermissionDeniedError,
            404: parley_sdk.NotFoundError,
            409: parley_sdk.ConflictError,
            418: parley_sdk.ApiError,
            422: parley_sdk.ValidationError,
        }
        for status, kind in kinds.items():
            with self.subTest(status), FakeApi(in_turn(Answer(status, body))) as api:
                client, _ = client_of(api)
                with self.assertRaises(parley_sdk.ApiError) as caught:
                    client.jobs.get("x")
                error = caught.exception
                self.assertIs(type(error), kind)
                facts = (error.status, error.error, str(error), error.code, error.details, error.request_id)
                self.assertEqual(facts, (status, "Title", "Text", "CODE", details, "req_1"))

    def test_a_success_that_is_not_json_asks_for_the_right_server(self) -> None:
        with FakeApi(in_turn(Answer(body=b"<html>"))) as api:
            client, _ = client_of(api)
            with self.assertRaisesRegex(parley_sdk.ParleyError, "Parley server"):
                client.jobs.get("x")

    def test_a_redirect_is_not_followed(self) -> None:
        with FakeApi(in_turn(Answer(302, headers={"Location": "/elsewhere"}))) as api:
            client, _ = client_of(api)
            with self.assertRaises(parley_sdk.ApiError):
                client.jobs.get("x")
            self.assertEqual(len(api.seen), 1)

    def test_unknown_members_of_a_write_are_passed_to_on_warning(self) -> None:
        warning = {"path": "/x", "member": "x", "nearest": None, "message": "m"}
        found: list[types.Warning] = []
        with FakeApi(in_turn(Answer(body={**QUEUED, "warnings": [warning]}))) as api:
            client, _ = client_of(api, on_warning=found.append)
            client.calls.create(CALL)
            self.assertEqual(found, [warning])

    def test_unknown_members_are_warned_of_without_on_warning(self) -> None:
        warning = {"path": "/x", "member": "x", "nearest": None, "message": "m"}
        with FakeApi(in_turn(Answer(body={**QUEUED, "warnings": [warning]}))) as api:
            client, _ = client_of(api)
            with self.assertWarnsRegex(UserWarning, "/x: m"):
                client.calls.create(CALL)

    def test_an_id_that_would_lead_to_another_operation_is_refused(self) -> None:
        with FakeApi(in_turn(Answer(body={}))) as api:
            client, _ = client_of(api)
            for value in ("", ".", "..", None, 7):
                with self.assertRaisesRegex(TypeError, "is no id"):
                    client.flows.get(value)  # type: ignore[arg-type]
            self.assertEqual(api.seen, [])

    def test_a_refused_credential_is_explained(self) -> None:
        with FakeApi(in_turn(Answer(401, body={"error": "Unauthorized"}))) as api:
            client, _ = client_of(api)
            with self.assertRaisesRegex(parley_sdk.AuthenticationError, "does not accept this credential"):
                client.jobs.get("x")

    def test_a_missing_resource_is_explained(self) -> None:
        with FakeApi(in_turn(Answer(404, body={"error": "Not found"}))) as api:
            client, _ = client_of(api)
            with self.assertRaisesRegex(parley_sdk.NotFoundError, "nothing with this id"):
                client.jobs.get("x")

    def test_a_file_that_is_only_named_is_refused(self) -> None:
        with FakeApi(in_turn(Answer(body={}))) as api:
            client, _ = client_of(api)
            for upload in (
                lambda: client.jobs.create_from_csv("people.csv", {"name": "x"}),  # type: ignore[arg-type]
                lambda: client.knowledge_base.upload_file("a", "hours.txt"),  # type: ignore[arg-type]
            ):
                with self.assertRaisesRegex(TypeError, "pathlib.Path, bytes"):
                    upload()
            self.assertEqual(api.seen, [])

    def test_names_in_paths_and_queries_are_escaped(self) -> None:
        with FakeApi(in_turn(Answer(body={"content": []}))) as api:
            client, _ = client_of(api)
            client.flows.get("a/b?c")
            client.call_history.list(status=["QUEUED", "FAILED"], search="Ö &", human_requested=True).first()
            self.assertEqual(api.seen[0].path, "/api/external/v1/flows/a%2Fb%3Fc")
            expected = {"status": ["QUEUED", "FAILED"], "search": ["Ö &"], "humanRequested": ["true"]}
            self.assertEqual(api.seen[1].query, expected)

    def test_a_base_url_may_have_a_path(self) -> None:
        with FakeApi(in_turn(Answer(body={}))) as api:
            with Parley(f"{api.url}/parley/", "k") as client:
                client.jobs.get("x")
            self.assertEqual(api.seen[0].path, "/parley/api/external/v1/call-jobs/x")

    def test_a_base_url_may_be_the_address_of_the_api(self) -> None:
        with FakeApi(in_turn(Answer(body={}))) as api:
            with Parley(f"{api.url}/api/external/v1/", "k") as client:
                client.jobs.get("x")
            self.assertEqual(api.seen[0].path, "/api/external/v1/call-jobs/x")

    def test_a_base_url_that_is_none_is_refused(self) -> None:
        for url in ("localhost:8080", "ftp://example.com", "http://"):
            with self.subTest(url), self.assertRaisesRegex(parley_sdk.ParleyError, "base_url"):
                Parley(url, "k")


class WatchTest(unittest.TestCase):
    def test_a_line_of_a_call_is_told_once_it_is_whole(self) -> None:
        texts = [["Hello."], ["Hello. How are you?"], ["Hello. How are you?", "Fine."]]
        rows = [{"status": "IN_PROGRESS", "transcript": [{"content": text} for text in lines]} for lines in texts]
        ended = {"status": "COMPLETED", "transcript": rows[-1]["transcript"]}
        with FakeApi(in_turn(*(Answer(body=row) for row in [*rows, ended]))) as api:
            client, _ = client_of(api)
            events = list(client.calls.events("r1"))
        lines = [event["turn"]["content"] for event in events if event["type"] == "turn"]
        self.assertEqual(lines, ["Hello. How are you?", "Fine."])

    def test_each_line_of_every_attempt_is_told_once(self) -> None:
        machine, talk = ["Leave a message.", "Please call back."], ["Hello.", "Yes?", "Bye."]
        states: list[tuple[str, int, list[str]]] = [
            ("IN_PROGRESS", 1, machine),
            ("WAITING_FOR_RETRY", 1, machine),
            ("RINGING", 2, machine),
            # The row still has the words of the attempt before.
            ("IN_PROGRESS", 2, machine),
            ("WAITING_FOR_RETRY", 2, talk),
            ("IN_PROGRESS", 3, talk),
            ("COMPLETED", 3, [*machine, "Beep.", "It is urgent."]),
        ]
        rows = [
            {"status": status, "attempt": attempt, "transcript": [{"content": text, "startMs": 0} for text in lines]}
            for status, attempt, lines in states
        ]
        with FakeApi(in_turn(*(Answer(body=row) for row in rows))) as api:
            client, _ = client_of(api)
            events = list(client.calls.events("r1"))
        lines = [event["turn"]["content"] for event in events if event["type"] == "turn"]
        self.assertEqual(lines, [*machine, *talk, *machine, "Beep.", "It is urgent."])


class ResourceTest(unittest.TestCase):
    def test_a_client_has_every_resource_of_the_document(self) -> None:
        with Parley("http://127.0.0.1:1", "k") as client:
            held = [one for one in vars(client).values() if isinstance(one, Resource)]
        made = [one for one in vars(resources).values() if isinstance(one, type) and issubclass(one, Resource)]
        missing = [one for one in made if one is not Resource and not any(isinstance(held_one, one) for held_one in held)]
        self.assertEqual(missing, [])


class ConnectionTest(unittest.TestCase):
    def test_requests_use_the_same_connection_also_after_an_error(self) -> None:
        with FakeApi(in_turn(Answer(404, {}), Answer(body={}))) as api:
            client, _ = client_of(api)
            with self.assertRaises(parley_sdk.NotFoundError):
                client.jobs.get("x")
            for _ in range(3):
                client.jobs.get("x")
            self.assertEqual(len({seen.connection for seen in api.seen}), 1)

    def test_a_connection_that_the_server_closed_meanwhile_is_not_used_again(self) -> None:
        with FakeApi(in_turn(Answer(body={}, headers={"Connection": "close"}), Answer(body={}))) as api:
            client, _ = client_of(api, max_retries=0)
            for _ in range(3):
                client.jobs.pause("x")
            self.assertEqual(len(api.seen), 3)

    def test_no_more_than_max_connections_are_used_by_many_threads(self) -> None:
        with FakeApi(in_turn(Answer(body={}, drip=0.001))) as api:
            client, _ = client_of(api, max_connections=2)
            threads = [threading.Thread(target=client.jobs.get, args=("x",)) for _ in range(20)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(len(api.seen), 20)
            self.assertLessEqual(len({seen.connection for seen in api.seen}), 2)

    def test_no_answer_in_time_is_a_timeout(self) -> None:
        with FakeApi(in_turn(Answer(hang=True))) as api:
            client, _ = client_of(api, timeout=0.05, max_retries=0)
            with self.assertRaises(parley_sdk.ParleyTimeoutError):
                client.jobs.get("x")

    def test_the_timeout_holds_for_the_whole_answer_and_not_for_each_piece_of_it(self) -> None:
        with FakeApi(in_turn(Answer(body=b"[" + b" " * 2_000 + b"]", drip=0.01))) as api:
            client, _ = client_of(api, max_retries=0)
            with self.assertRaises(parley_sdk.ParleyTimeoutError):
                client.jobs.get("x", timeout=0.2)

    def test_no_listener_is_an_error_that_names_the_server_and_no_secret(self) -> None:
        client = Parley("http://user:secret@127.0.0.1:1", "k", max_retries=0)
        with self.assertRaisesRegex(parley_sdk.ParleyConnectionError, r"http://127\.0\.0\.1:1:") as caught:
            client.jobs.get("x")
        self.assertNotIn("secret", str(caught.exception))
        self.assertNotIn("PARLEY_URL", str(caught.exception))

    def test_an_unreachable_server_that_was_not_chosen_is_named_with_the_setting(self) -> None:
        refused = mock.patch("http.client.HTTPConnection.connect", side_effect=ConnectionRefusedError())
        with refused, mock.patch.dict(os.environ):
            os.environ.pop("PARLEY_URL", None)
            with self.assertRaisesRegex(parley_sdk.ParleyConnectionError, "set PARLEY_URL to its address"):
                Parley(api_key="k", max_retries=0).jobs.get("x")

    def test_without_any_credential_nothing_is_sent(self) -> None:
        with FakeApi(in_turn(Answer(body={}))) as api, mock.patch.dict(os.environ):
            os.environ.pop("PARLEY_API_KEY", None)
            with self.assertRaisesRegex(parley_sdk.ParleyError, "No credential"):
                Parley(api.url).jobs.get("x")
            with self.assertRaisesRegex(parley_sdk.ParleyError, "No credential"):
                Parley(api.url, "").jobs.get("x")
            with self.assertRaisesRegex(parley_sdk.ParleyError, "is it a placeholder"):
                Parley(api.url, "svc_live_…").jobs.get("x")
            self.assertEqual(api.seen, [])

    def test_url_and_key_come_from_the_environment(self) -> None:
        with FakeApi(in_turn(Answer(body={}))) as api:
            with mock.patch.dict(os.environ, {"PARLEY_URL": api.url, "PARLEY_API_KEY": "from-the-environment"}):
                with Parley() as client:
                    client.jobs.get("x")
            self.assertEqual(api.seen[0].headers["x-api-key"], "from-the-environment")


class TokenTest(unittest.TestCase):
    def serve(self, seen: Seen, _index: int) -> Answer:
        if seen.path == "/api/oauth/token":
            self.tokens += 1
            return Answer(body={"access_token": f"t{self.tokens}", "token_type": "Bearer", "expires_in": 3600})
        return Answer(401, {}) if seen.headers["authorization"] == f"Bearer {self.revoked}" else Answer(body={})

    def setUp(self) -> None:
        self.tokens = 0
        self.revoked = ""

    def client(self, api: FakeApi) -> Parley:
        return client_of(api, api_key=None, client_id="svc_client_a", client_secret="s&=+")[0]

    def test_one_token_is_renewed_a_minute_before_its_end(self) -> None:
        with FakeApi(self.serve) as api:
            client, now = self.client(api), [1_000.0]
            client._transport._settings.clock = lambda: now[0]
            for seconds in (0, 3_539, 2):
                now[0] += seconds
                client.jobs.get("x")
            bearers = [seen.headers["authorization"] for seen in api.seen if seen.method == "GET"]
            self.assertEqual(bearers, ["Bearer t1", "Bearer t1", "Bearer t2"])
            form = {name: values[0] for name, values in parse_qs(api.seen[0].body.decode()).items()}
            expected = {"grant_type": "client_credentials", "client_id": "svc_client_a", "client_secret": "s&=+"}
            self.assertEqual(form, expected)

    def test_threads_share_one_request_for_a_token(self) -> None:
        with FakeApi(self.serve) as api:
            client = self.client(api)
            threads = [threading.Thread(target=client.jobs.get, args=("x",)) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(self.tokens, 1)

    def test_a_refused_token_is_replaced_once(self) -> None:
        with FakeApi(self.serve) as api:
            client = self.client(api)
            self.revoked = "t1"
            client.jobs.get("x")
            self.revoked = "t2"
            client.jobs.get("x")
            self.assertEqual(self.tokens, 3)

    def test_a_client_that_stays_refused_is_an_error(self) -> None:
        def refuse(seen: Seen, index: int) -> Answer:
            return self.serve(seen, index) if seen.method == "POST" else Answer(401, {})

        with FakeApi(refuse) as api:
            with self.assertRaises(parley_sdk.AuthenticationError):
                self.client(api).jobs.get("x")
            self.assertEqual(self.tokens, 2)


class ListTest(unittest.TestCase):
    def test_a_list_follows_its_cursor_until_the_last_page(self) -> None:
        pages = {"": (["a", "b"], "c1"), "c1": (["c"], "c2"), "c2": ([], None)}

        def serve(seen: Seen, _index: int) -> Answer:
            content, following = pages[seen.query.get("cursor", [""])[0]]
            return Answer(body={"content": content, "nextCursor": following})

        with FakeApi(serve) as api:
            client, _ = client_of(api)
            listed = client.flows.list(size=2)
            self.assertEqual(list(listed), ["a", "b", "c"])
            self.assertEqual([len(page["content"]) for page in listed.pages()], [2, 1, 0])
            self.assertEqual(listed.first()["content"], ["a", "b"])
            self.assertTrue(all(seen.query["size"] == ["2"] for seen in api.seen))

    def test_a_list_without_a_cursor_is_read_by_number(self) -> None:
        def serve(seen: Seen, _index: int) -> Answer:
            page = int(seen.query.get("page", ["0"])[0])
            return Answer(body={"content": [page], "page": page, "last": page == 2})

        with FakeApi(serve) as api:
            self.assertEqual(list(client_of(api)[0].jobs.row_errors("j1")), [0, 1, 2])

    def test_polls_are_slowed_down_by_a_bucket_that_runs_low(self) -> None:
        low = {"X-RateLimit-Limit": "120", "X-RateLimit-Remaining": "19", "X-RateLimit-Reset": "50"}
        jobs = in_turn(Answer(body={"status": "RUNNING"}, headers=low), Answer(body={"status": "COMPLETED"}))
        with FakeApi(jobs) as api:
            client, slept = client_of(api)
            self.assertEqual([job["status"] for job in client.jobs.progress("j1")], ["RUNNING", "COMPLETED"])
            # A quarter of the two tokens a second that the bucket gets.
            self.assertEqual(slept, [2.0])


class UploadTest(unittest.TestCase):
    CSV = b"customerNumber\n+12025550100\n"

    def send(self, csv: parley_sdk.Upload, job: types.CallJobOptions, *answers: Answer) -> list[Seen]:
        with FakeApi(in_turn(*(answers or (Answer(body={}),)))) as api:
            client_of(api)[0].jobs.create_from_csv(csv, job)
            return api.seen

    def test_plain_options_are_in_the_query(self) -> None:
        [seen] = self.send(self.CSV, {"name": "n", "fromPhoneNumbers": ["+1", "+2"], "retryConfig": {"maxAttempts": 2}})
        self.assertEqual((seen.headers["content-type"], seen.body), ("text/csv", self.CSV))
        self.assertEqual(seen.query, {"name": ["n"], "fromPhoneNumber": ["+1", "+2"], "maxAttempts": ["2"]})

    def test_a_webhook_secret_is_in_the_body_and_not_in_the_address(self) -> None:
        hook: types.CompletionWebhookInput = {"url": "https://x.example", "authMode": "BEARER", "secret": "s3cret"}
        [seen] = self.send(self.CSV, {"completionWebhook": hook})
        self.assertEqual(seen.query, {})
        self.assertIn(b's3cret', seen.body)
        self.assertLess(seen.body.index(b'name="payload"'), seen.body.index(b'name="file"; filename="rows.csv"'))

    def test_a_path_is_sent_with_its_length_and_sent_again_after_a_fault(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.csv"
            path.write_bytes(self.CSV)
            seen = self.send(path, {}, Answer(hang_up=True), Answer(body={}))
        self.assertEqual([one.body for one in seen], [self.CSV, self.CSV])
        self.assertEqual(seen[0].headers["content-length"], str(len(self.CSV)))

    def test_an_open_file_is_sent_once_whatever_happens(self) -> None:
        with FakeApi(in_turn(Answer(429, headers={"X-RateLimit-Reset": "1"}))) as api:
            with self.assertRaises(parley_sdk.RateLimitError):
                client_of(api)[0].jobs.create_from_csv(io.BytesIO(self.CSV))
            self.assertEqual([one.body for one in api.seen], [self.CSV])

    def test_a_missing_file_is_the_callers_fault(self) -> None:
        with FakeApi(in_turn(Answer())) as api, self.assertRaises(FileNotFoundError):
            client_of(api)[0].jobs.create_from_csv(Path("/nowhere/rows.csv"))


if __name__ == "__main__":
    unittest.main()
