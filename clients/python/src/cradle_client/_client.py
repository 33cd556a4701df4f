"""The clients: `Client` and `AsyncClient`, which differ in how they send and wait."""

import asyncio
import copy
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Generic, Self, TypeVar

import httpx

from ._core import Outcome, Received, Request, Settings, async_parts_of, exchange, is_whole, parts_of
from ._methods import Operation
from ._operations import VERSION, Operations

Http = TypeVar("Http", httpx.Client, httpx.AsyncClient)

USER_AGENT = {"user-agent": f"cradle-client-python/{VERSION}"}


class _Twin(Operations, Generic[Http]):
    """A client of the service at `url`, with the rights of `key`.

    :param url: as `https://cradle.example.com`; a path before `/api` is kept
    :param retries: how often a request is sent again, if that is safe
    :param timeout: seconds for connecting, and for each wait for the next part of request or answer
    :param decimals: gives numbers with a decimal point as `Decimal`
    :param http: sends the requests, in place of a client of its own
    """

    is_async: ClassVar[bool]
    _new_http: ClassVar[Any]

    def __init__(
        self, url: str, key: str | None = None, *, retries: int = 2, timeout: float | None = 30.0,
        decimals: bool = False, headers: Mapping[str, str] | None = None, http: Http | None = None,
    ) -> None:
        self._settings = Settings(url, key, retries, timeout, decimals, {**USER_AGENT, **(headers or {})})
        self._http: Http = http or self._new_http()

    def with_options(self, **changed: Any) -> Self:
        """The same client with other `retries`, `timeout`, `decimals` or `headers`, on the same connections."""
        changed |= {"headers": {**self._settings.headers, **changed.get("headers", {})}}
        other = copy.copy(self)
        other._settings = replace(self._settings, **changed)
        return other


class Client(_Twin[httpx.Client]):
    is_async = False
    _new_http = httpx.Client

    def _ask(self, operation: Operation, given: dict[str, Any]) -> Received[Any]:
        steps = exchange(self._settings, operation, given)
        try:
            step = next(steps)
            while True:
                step = steps.send(self._send(step) if isinstance(step, dict) else time.sleep(step))
        except StopIteration as end:
            received: Received[Any] = end.value
            return received

    def _send(self, request: Request) -> Outcome:
        try:
            sent = self._http.build_request(**parts_of(request))
            response = self._http.send(sent, stream=True, follow_redirects=False)
            if is_whole(response):
                response.read()
            return response
        except httpx.HTTPError as error:
            return error

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(_Twin[httpx.AsyncClient]):
    is_async = True
    _new_http = httpx.AsyncClient

    async def _ask(self, operation: Operation, given: dict[str, Any]) -> Received[Any]:
        steps = exchange(self._settings, operation, given)
        try:
            step = next(steps)
            while True:
                step = steps.send(await (self._send(step) if isinstance(step, dict) else asyncio.sleep(step)))
        except StopIteration as end:
            received: Received[Any] = end.value
            return received

    async def _send(self, request: Request) -> Outcome:
        try:
            sent = self._http.build_request(**async_parts_of(request))
            response = await self._http.send(sent, stream=True, follow_redirects=False)
            if is_whole(response):
                await response.aread()
            return response
        except httpx.HTTPError as error:
            return error

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
