"""What the clients promise beside the cases, against a transport in place of a network."""

import asyncio
import io
import json
import tempfile
import time
import unittest
from datetime import date, datetime
from decimal import Decimal
from email.utils import formatdate
from pathlib import Path

import cradle_client
import httpx
from cradle_client import AsyncClient, Client, webhooks
from cradle_client._methods import Operation

# What does something more each time: another import, key, closing, preview, secret or delivery, or an erasure.
ONCE = set(
    "close_periods create_import create_key create_pact_client create_restatement create_webhook load_demo_fleet "
    "pseudonymise_customer replay_webhook_delivery rotate_webhook_secret test_webhook".split()
)
OPERATIONS = {name: one for name in dir(Client) if isinstance(one := getattr(Client, name), Operation)}


class Server:
    """Answers as a test says, one response after the other and then the last one, and keeps what it was sent."""

    def __init__(self, *answers):
        self.answers, self.sent, self.bodies = answers, [], []

    def answer(self, request, body):
        self.sent.append(request)
        self.bodies.append(body)
        told = self.answers[min(len(self.sent), len(self.answers)) - 1]
        if isinstance(told, Exception):
            raise told
        status, headers, content = told
        return httpx.Response(status, headers=headers, json=content)

    def client(self, **options):
        def handle(request):
            return self.answer(request, request.read())

        return Client("http://cradle/", "a-key", http=httpx.Client(transport=httpx.MockTransport(handle)), **options)

    def async_client(self, **options):
        async def handle(request):
            return self.answer(request, await request.aread())

        http = httpx.AsyncClient(transport=httpx.MockTransport(handle))
        return AsyncClient("http://cradle/", "a-key", http=http, **options)


def failing(status, code="some_code", after="0"):
    return status, {"retry-after": after}, {"code": code, "error": "Wrong", "request_id": "r-1"}


def input_of(operation):
    return {name: b"1" if name == "body" and "file" in operation.marks else "1" for name in operation.needed}


class Repetition(unittest.TestCase):
    def test_what_is_stored_once_is_sent_three_times_anything_else_once(self):
        for name, operation in OPERATIONS.items():
            attempts = 1 if name in ONCE else 3
            for broken in (failing(503), httpx.ConnectError("cut")):
                server = Server(broken)
                client = server.client()
                # The pause after a broken connection is not what this test is about.
                client = client.with_options(retries=0) if isinstance(broken, Exception) else client
                sent = 1 if isinstance(broken, Exception) else attempts
                method = getattr(client, name)
                with self.subTest(name), self.assertRaises(cradle_client.CradleError) as caught:
                    method.with_response(**input_of(operation))
                error = caught.exception
                self.assertEqual((len(server.sent), error.attempts, error.retryable), (sent, sent, attempts == 3))
        self.assertGreater(len(OPERATIONS), 80)

    def test_a_further_attempt_succeeds_sync_and_async(self):
        for status in (408, 429, 502, 503, 504):
            server = Server(failing(status), (200, {}, []))
            received = server.client().list_keys.with_response()
            self.assertEqual((received.data, received.attempts), ([], 2))
            server = Server(failing(status), (200, {}, []))
            received = asyncio.run(server.async_client().list_keys.with_response())
            self.assertEqual((received.data, received.attempts), ([], 2))

    def test_a_broken_connection_and_no_answer_in_time_are_told_apart(self):
        with self.assertRaises(cradle_client.ConnectionError) as caught:
            Server(httpx.ReadError("cut")).client(retries=0).get_account()
        self.assertEqual((caught.exception.code, caught.exception.retryable), ("connection_failed", True))
        with self.assertRaises(cradle_client.TimeoutError) as caught:
            asyncio.run(Server(httpx.ReadTimeout("late")).async_client(retries=0).create_key(body={}))
        self.assertEqual((caught.exception.code, caught.exception.retryable), ("timeout", False))

    def test_other_errors_are_told_at_once(self):
        for status in (400, 401, 403, 404, 409, 412, 413, 500):
            server = Server(failing(status))
            with self.assertRaises(cradle_client.CradleError) as caught:
                server.client().create_order(body={})
            error = caught.exception
            self.assertEqual((len(server.sent), error.code, error.status), (1, "some_code", status))
            self.assertEqual((error.request_id, error.retryable, str(error)), ("r-1", False, "Wrong"))

    def test_429_says_that_nothing_was_stored_and_a_wrong_key_stays_wrong(self):
        for code, sent in (("too_many_requests", 3), ("too_many_wrong_keys", 1)):
            server = Server(failing(429, code))
            with self.assertRaises(cradle_client.RateLimitError):
                server.client().create_key(body={})
            self.assertEqual(len(server.sent), sent)

    def test_retry_after_is_waited_for_and_more_than_a_minute_left_to_the_caller(self):
        start = time.monotonic()
        Server(failing(503, after="1"), (200, {}, [])).client().list_keys.with_response()
        self.assertGreaterEqual(time.monotonic() - start, 1)
        for after, least in (("61", 61), (formatdate(time.time() + 7200, usegmt=True), 7000)):
            server = Server(failing(503, after=after))
            with self.assertRaises(cradle_client.UnavailableError) as caught:
                server.client().get_account()
            self.assertEqual(len(server.sent), 1)
            self.assertGreaterEqual(caught.exception.retry_after_seconds, least)

    def test_an_error_of_a_proxy_is_no_json(self):
        http = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(500, text="<html>")))
        with self.assertRaises(cradle_client.ServiceError) as caught:
            Client("http://cradle", http=http).get_account()
        self.assertEqual((caught.exception.code, caught.exception.details), ("http_500", []))

    def test_an_answer_that_is_not_as_documented_is_an_error_of_this_client(self):
        server = Server((200, {}, {"name": []}))
        with self.assertRaises(cradle_client.CradleError) as caught:
            server.client().get_account()
        self.assertEqual((caught.exception.code, len(server.sent)), ("invalid_answer", 1))


class Requests(unittest.TestCase):
    def test_key_headers_and_parameters_are_sent_and_redirects_not_followed(self):
        server = Server((200, {}, []))
        server.client(headers={"Traceparent": "00-1"}).list_orders.with_response(
            status=["created", "amended"], from_=date(2025, 1, 1), search="ü &/", known_at=datetime(2025, 1, 2), preview=True
        )
        (request,) = server.sent
        query = b"status=created&status=amended&from=2025-01-01&search=%C3%BC+%26%2F"
        query += b"&known_at=2025-01-02T00%3A00%3A00&preview=true"
        self.assertEqual(request.url.raw_path, b"/api/customer-orders?" + query)
        self.assertEqual((request.headers["x-api-key"], request.headers["traceparent"]), ("a-key", "00-1"))
        self.assertRegex(request.headers["user-agent"], r"^cradle-client-python/\d+\.\d+\.\d+$")
        server = Server((302, {"location": "/elsewhere"}, {}))
        with self.assertRaises(cradle_client.CradleError):
            server.client().get_account()
        self.assertEqual(len(server.sent), 1)

    def test_what_no_request_can_have_is_refused_before_anything_is_sent(self):
        server = Server((200, {}, {}))
        for bad in ("", ".", ".."):
            with self.assertRaises(TypeError):
                server.client().get_own_lifetime(id=bad)
        for args, given in (((), {}), (({},), {}), (("customer",), {"body": {}})):
            with self.assertRaises(TypeError):
                server.client().create_order(*args, **given)
            with self.assertRaises(TypeError):
                asyncio.run(server.async_client().create_order(*args, **given))
        with self.assertRaises(ValueError):
            server.client().create_order(body={"weight_kg": Decimal("1.00000000000000000000001")})
        self.assertEqual(server.sent, [])

    def test_models_decimals_and_dates_are_written_as_the_api_has_them(self):
        server = Server((503, {}, {}))
        config = cradle_client.models.PackagingConfig(packaging_id="box", weight_kg=0.26)
        item = cradle_client.models.PackagingItem(type="packaging", config=config)
        body = {"order_date": date(2025, 1, 1), "n": Decimal("1.50"), "items": [item]}
        with self.assertRaises(cradle_client.UnavailableError):
            server.client(retries=0).create_order(body=body)
        packed = {"type": "packaging", "config": {"packaging_id": "box", "weight_kg": 0.26}}
        self.assertEqual(json.loads(server.bodies[0]), {"order_date": "2025-01-01", "n": 1.5, "items": [packed]})

    def test_numbers_are_decimals_on_request_and_new_members_are_kept(self):
        page = {"restatement_threshold_percent": 2.10, "dataset_release": "r", "mappings_version": 1, "created_at": ""}
        page |= {"name": "a", "amortisation": "new", "strictness": "warn", "days_ahead_max": None, "added": 1.1}
        page["grid_series"] = "default"
        server = Server((200, {}, page | {"is_demo": False, "has_demo_fleet": False}))
        account = server.client(decimals=True).get_account()
        self.assertEqual(account.restatement_threshold_percent, Decimal("2.1"))
        self.assertEqual((account.added, account.amortisation), (Decimal("1.1"), "new"))
        self.assertIsInstance(server.client().get_account().restatement_threshold_percent, float)


class Files(unittest.TestCase):
    def test_a_path_is_read_again_for_each_attempt_and_a_stream_is_sent_once(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.csv"
            path.write_bytes(b"x" * 200_000)
            for body, sent in ((path, 3), (b"abc", 3), ("abc", 3), (io.BytesIO(b"abc"), 1), (iter([b"a", b"bc"]), 1)):
                server = Server(failing(503))
                with self.assertRaises(cradle_client.UnavailableError) as caught:
                    server.client().import_own_lifetimes(body=body)
                content = path.read_bytes() if body is path else b"abc"
                self.assertEqual((server.bodies, caught.exception.retryable), ([content] * sent, sent > 1))

            async def stream():
                yield b"ab"
                yield b"c"

            for body, sent in ((path, 3), (stream(), 1), (io.BytesIO(b"abc"), 1)):
                server = Server(failing(503))
                with self.assertRaises(cradle_client.UnavailableError):
                    asyncio.run(server.async_client().import_own_lifetimes(body=body))
                content = path.read_bytes() if body is path else b"abc"
                self.assertEqual(server.bodies, [content] * sent)


class Lists(unittest.TestCase):
    PAGES = [(200, {"link": f'</api/x?limit=1&cursor=c{no}>; rel="next"'}, []) for no in (1, 2)] + [(200, {}, [])]

    def test_pages_are_read_one_after_the_other_and_nothing_before(self):
        server = Server(*self.PAGES)
        listing = server.client().list_keys(limit=1)
        self.assertEqual(server.sent, [])
        self.assertEqual(list(listing.pages()), [[], [], []])
        cursors = [request.url.params.get("cursor") for request in server.sent]
        self.assertEqual(cursors, [None, "c1", "c2"])

    def test_a_limit_is_needed_and_a_whole_number(self):
        for limit in (0, -1, 1.5, float("inf"), float("nan")):
            with self.assertRaises(ValueError):
                Server(*self.PAGES).client().list_keys().to_list(limit=limit)
            with self.assertRaises(ValueError):
                asyncio.run(Server(*self.PAGES).async_client().list_keys().to_list(limit=limit))
        with self.assertRaises(TypeError):
            Server(*self.PAGES).client().list_keys().to_list()

    def test_a_page_that_names_itself_ends_in_an_error(self):
        with self.assertRaises(RuntimeError):
            Server(self.PAGES[0]).client().list_keys().to_list(limit=1)


class Webhooks(unittest.TestCase):
    NOW = 1_800_000_000
    SECRET = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"
    OTHER = "whsec_OTg3NjU0MzIxMDk4NzY1NDMyMTA5ODc2"
    BODY = '{"type":"order.restated","data":{"order_id":"Größe 1"}}'
    # Made by the npm package `standardwebhooks` 1.1.1 for this body, id, time and secret.
    SIGNATURE = "v1,98tbgJMRl6JCsd4ByXSKUaPLA0P1yVOBvimOq7zXtJ0="

    def refused(self, body, headers, secrets):
        with self.assertRaises(webhooks.WebhookVerificationError):
            webhooks.verify(body, headers, secrets, now=self.NOW)

    def test_what_another_library_signed_is_verified(self):
        headers = {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(self.NOW), "Webhook-Signature": self.SIGNATURE}
        for raw in (self.BODY, self.BODY.encode()):
            for secrets in (self.SECRET, [self.OTHER, self.SECRET]):
                self.assertEqual(webhooks.verify(raw, headers, secrets, now=self.NOW), json.loads(self.BODY))
        for secrets in (self.OTHER, []):
            self.refused(self.BODY, headers, secrets)
        for name in headers:
            self.refused(self.BODY, headers | {name: ""}, self.SECRET)
        self.refused(self.BODY + " ", headers, self.SECRET)
        for wrong in ("v1", "v1,", "v1,!!", "v1,é", self.SIGNATURE.replace("v1", "v2")):
            self.refused(self.BODY, headers | {"Webhook-Signature": wrong}, self.SECRET)
        for wrong in ("soon", "1e9", "-1", f"{self.NOW}.5", "٣", str(self.NOW - 301), str(self.NOW + 301)):
            self.refused(self.BODY, headers | {"Webhook-Timestamp": wrong}, self.SECRET)

    def test_what_sign_makes_is_verified_and_a_secret_has_its_form(self):
        headers = webhooks.sign(self.BODY, [self.OTHER, self.SECRET], id="msg_1", timestamp=self.NOW)
        self.assertEqual(headers["webhook-signature"].split(" ")[1], self.SIGNATURE)
        webhooks.verify(self.BODY, webhooks.sign(self.BODY, self.SECRET, id="2"), self.SECRET)
        for wrong in (self.SECRET[6:], "whsec_", "whsec_!!"):
            with self.assertRaises(ValueError):
                webhooks.verify(self.BODY, headers, wrong, now=self.NOW)


if __name__ == "__main__":
    unittest.main()
