"""Runs clients/cases.json against a service, in a new account; writes what failed to stdout, as JSON.

    python cases.py sync|async URL KEY
"""

import asyncio
import json
import re
import sys
import time
from pathlib import Path

import cradle_client
import httpx
from pydantic import BaseModel

WAIT_SECONDS_MAX = 60
WAIT_SECONDS = 0.1
CASES = json.loads((Path(__file__).parents[2] / "cases.json").read_text("utf-8"))["cases"]
REQUEST_ID = re.compile(r"[\w-]{36}")

kept = {}


def filled(value):
    """Puts in what earlier cases kept: a text that is one reference becomes the value itself."""
    if isinstance(value, str):
        whole = re.fullmatch(r"\$\{(\w+)\}", value)
        return kept[whole[1]] if whole else value
    if isinstance(value, list):
        return [filled(one) for one in value]
    return {name: filled(one) for name, one in value.items()} if isinstance(value, dict) else value


def plain(data):
    """As the service sent it: models have other names where Python needs them."""
    if isinstance(data, BaseModel):
        return data.model_dump(by_alias=True, exclude_unset=True)
    return [plain(one) for one in data] if isinstance(data, list) else data


def at(document, pointer):
    for name in pointer.split("/")[1:]:
        if isinstance(document, list):
            document = document[int(name)] if int(name) < len(document) else None
        else:
            document = document.get(name) if isinstance(document, dict) else None
    return document


def snake_case(name):
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


class Run:
    """The two clients differ in `await` alone: a sync one is asked in a coroutine, too."""

    def __init__(self, mode, url, key):
        self.is_async, self.key, self.clients = mode == "async", key, {}
        kind = cradle_client.AsyncClient if self.is_async else cradle_client.Client
        # On the same connections, whatever the key.
        http = (httpx.AsyncClient if self.is_async else httpx.Client)()
        self.client = lambda own: self.clients.setdefault(own, kind(url, own or None, http=http))

    async def outcome(self, case):
        key = filled(case["key"]) if "key" in case else self.key
        try:
            return await self.ask(getattr(self.client(key), snake_case(case["operation"])), case)
        except cradle_client.CradleError as error:
            return error

    async def ask(self, method, case):
        # A name of the API that is a word of Python has an underscore behind it.
        names = {"from": "from_", "register": "register_"}
        given = {names.get(name, name): filled(value) for name, value in case.get("input", {}).items()}
        if "list" in case:
            items = method(**given).to_list(**case["list"])
            return 200, plain(await items if self.is_async else items), {}
        received = method.with_response(**given)
        received = await received if self.is_async else received
        data = received.data
        if hasattr(data, "iter_bytes"):
            data = (await data.aread() if self.is_async else data.read()).decode("utf-8-sig", "replace")
        return received.response.status_code, plain(data), received.response.headers

    async def passes(self, case):
        last = time.monotonic() + WAIT_SECONDS_MAX
        while True:
            outcome = await self.outcome(case)
            try:
                check(outcome, case["expect"])
            except AssertionError:
                if not case.get("until") or time.monotonic() > last:
                    raise
                await asyncio.sleep(WAIT_SECONDS)
            else:
                return outcome


def equal(found, expected, about=""):
    assert found == expected, f"{about} {str(found)[:1000]} is not {str(expected)[:1000]}"


def check(outcome, expected):
    if isinstance(outcome, cradle_client.CradleError):
        return check_error(outcome, expected)
    status, data, headers = outcome
    assert "error" not in expected, f"answered {str(data)[:500]}"
    equal(status, expected["status"])
    for pointer, value in expected.get("members", {}).items():
        equal(at(data, pointer), filled(value), pointer)
    for pointer, count in expected.get("count", {}).items():
        equal(len(at(data, pointer)), count, pointer)
    for name, value in expected.get("headers", {}).items():
        equal(headers.get(name), value, name)
    assert data is None or "file" not in expected or data.startswith(expected["file"]), str(data)[:200]


def check_error(error, expected):
    found = {
        "error": error.code,
        "status": error.status,
        "family": type(error).__name__,
        "retryable": error.retryable,
        "details": sorted(detail.path for detail in error.details),
        "suggestions": error.suggestions,
    }
    wanted = {name: sorted(value) if name == "details" else value for name, value in expected.items()}
    equal({name: found[name] for name in wanted if name in found}, wanted, f"{error} {error.__cause__ or ''}")
    assert REQUEST_ID.fullmatch(error.request_id or ""), f"request id {error.request_id}"


async def main(run):
    failed = []
    for case in CASES:
        try:
            outcome = await run.passes(case)
            for name, place in case.get("keep", {}).items():
                _, data, headers = outcome
                kept[name] = headers.get(place[7:]) if place.startswith("header:") else at(data, place)
        except Exception as error:
            failed.append(f"{case['name']}: {type(error).__name__}: {error}")
    print(json.dumps({"cases": len(CASES), "failed": failed}))


asyncio.run(main(Run(*sys.argv[1:])))
