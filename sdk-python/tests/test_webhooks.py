"""Verification of webhooks. The signatures are made here by the steps of the Standard Webhooks specification."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import unittest

from parley_sdk import WebhookVerificationError, webhooks

KEY = bytes(range(32))
SECRET = "whsec_" + base64.b64encode(KEY).decode()
OTHER = "whsec_" + base64.b64encode(bytes(32)).decode()
NOW = 1_790_000_000
BODY = json.dumps({"eventId": "e1", "eventType": "session.ended", "note": "é"}, ensure_ascii=False).encode()


def signed(body: bytes = BODY, at: int = NOW, key: bytes = KEY, event_id: str = "msg_1") -> dict[str, str]:
    """Returns the headers of a delivery."""
    mac = hmac.new(key, f"{event_id}.{at}.".encode() + body, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(mac).decode()
    return {"Webhook-Id": event_id, "webhook-timestamp": str(at), "WEBHOOK-SIGNATURE": signature}


class WebhookTest(unittest.TestCase):
    def refuse(self, headers: dict[str, str], body: bytes = BODY, now: float = NOW) -> None:
        with self.assertRaises(WebhookVerificationError):
            webhooks.verify(headers, body, SECRET, now=now)

    def test_the_example_of_the_specification_passes(self) -> None:
        # standard-webhooks/spec, "Signature scheme"; its library's own test vector.
        headers = {
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp": "1614265330",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }
        with self.assertRaisesRegex(WebhookVerificationError, "not an event"):
            # It passes every check of the signature; its body is no event of the service.
            webhooks.verify(headers, b'{"test": 2432232314}', "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", now=1614265330)

    def test_a_signed_event_is_returned_from_text_and_from_bytes(self) -> None:
        for body in (BODY, BODY.decode(), bytearray(BODY)):
            event = webhooks.verify(signed(), body, SECRET, now=NOW)
            self.assertEqual(event["eventType"], "session.ended")

    def test_either_of_two_secrets_and_either_of_two_signatures_passes(self) -> None:
        for secrets in ([OTHER, SECRET], (SECRET, OTHER)):
            webhooks.verify(signed(), BODY, secrets, now=NOW)
        headers = signed()
        headers["WEBHOOK-SIGNATURE"] = f"v1a,xxxx {signed(key=bytes(32))['WEBHOOK-SIGNATURE']} " + headers["WEBHOOK-SIGNATURE"]
        webhooks.verify(headers, BODY, SECRET, now=NOW)

    def test_an_altered_body_id_or_time_is_refused(self) -> None:
        self.refuse(signed(), BODY.replace(b"e1", b"e2"))
        self.refuse({**signed(), "Webhook-Id": "msg_2"})
        self.refuse({**signed(), "webhook-timestamp": str(NOW + 1)})

    def test_a_forged_signature_is_refused(self) -> None:
        self.refuse(signed(key=bytes(32)))
        for forged in ("v1,", "v1,AAAA", "v2," + "A" * 43 + "=", "é", "v1,é", ""):
            self.refuse({**signed(), "WEBHOOK-SIGNATURE": forged})

    def test_a_replay_after_five_minutes_is_refused_and_so_is_the_future(self) -> None:
        for now in (NOW - 300, NOW + 300):
            webhooks.verify(signed(), BODY, SECRET, now=now)
        for now in (NOW - 301, NOW + 301):
            self.refuse(signed(), now=now)
        webhooks.verify(signed(), BODY, SECRET, now=NOW + 301, tolerance_seconds=600)

    def test_a_time_that_is_none_is_refused(self) -> None:
        for text in ("", "soon", "-1", "1e9", "٣", "9" * 30, str(NOW) + "\n"):
            self.refuse({**signed(), "webhook-timestamp": text})

    def test_each_header_is_required(self) -> None:
        for name in list(signed()):
            self.refuse({key: value for key, value in signed().items() if key != name})

    def test_the_agreed_secret_is_checked_beside_the_signature(self) -> None:
        bearer = webhooks.Bearer("s")
        custom = webhooks.CustomHeader("X-Token", "t")
        webhooks.verify({**signed(), "Authorization": "Bearer s"}, BODY, SECRET, auth=bearer, now=NOW)
        webhooks.verify({**signed(), "x-token": "t"}, BODY, SECRET, auth=custom, now=NOW)
        for headers, auth in (({"Authorization": "Bearer é"}, bearer), ({}, bearer), ({"X-Token": "s"}, custom)):
            with self.assertRaises(WebhookVerificationError):
                webhooks.verify({**signed(), **headers}, BODY, SECRET, auth=auth, now=NOW)

    def test_a_receivers_own_faults_are_type_errors(self) -> None:
        for secret in ("", [], "whsec_", "whsec_short", [SECRET, ""], ["", SECRET]):
            with self.assertRaises(TypeError):
                webhooks.verify(signed(), BODY, secret, now=NOW)
        with self.assertRaises(TypeError):
            webhooks.verify(signed(), json.loads(BODY), SECRET, now=NOW)
        with self.assertRaises(TypeError):
            webhooks.verify(signed(), BODY, SECRET, auth=webhooks.Bearer(""), now=NOW)
        with self.assertRaises(TypeError):
            webhooks.verify(signed(), BODY, SECRET, tolerance_seconds=float("nan"), now=NOW)

    def test_a_signed_body_that_is_no_event_is_refused(self) -> None:
        for body in (b"", b"null", b"[]", b'{"eventType": 1, "eventId": "x"}', b"\xff"):
            self.refuse(signed(body), body)

    def test_delivery_reads_the_headers(self) -> None:
        headers = {"X-Service-Event-Type": "t", "X-Service-Event-Id": "e", "X-Service-Delivery-Attempt": "2"}
        self.assertEqual(webhooks.delivery(headers), webhooks.WebhookDelivery("t", "e", 2))


if __name__ == "__main__":
    unittest.main()
