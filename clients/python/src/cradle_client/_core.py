"""What both twins share: how a request is built, when it is sent again, and what becomes of its answer.

`exchange` sends nothing itself: it yields requests and pauses to the client that drives it, sync or async.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import AsyncIterator, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Generic
from urllib.parse import quote, urlencode

import httpx
from pydantic import BaseModel, ValidationError

from ._errors import ConnectionError, CradleError, TimeoutError, error_of
from ._model import T

if TYPE_CHECKING:
    from ._methods import Operation

BACKOFF_SECONDS_FIRST = 0.5
BACKOFF_SECONDS_MAX = 8.0
PAUSE_SECONDS_MAX = 60
PART_BYTES = 65_536


@dataclass(frozen=True)
class Settings:
    url: str
    key: str | None
    retries: int
    timeout: float | None
    decimals: bool
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Received(Generic[T]):
    data: T
    #: With status and headers; of JSON, the body is read already.
    response: httpx.Response
    request_id: str | None
    attempts: int


#: What `httpx` builds a request of; the content is still as it was given.
Request = dict[str, Any]
#: Of a request, the response or why there is none; of a pause, nothing.
Outcome = httpx.Response | httpx.HTTPError | None
Steps = Generator[Request | float, Outcome, Received[Any]]


def exchange(settings: Settings, operation: Operation, given: Mapping[str, Any]) -> Steps:
    """Ends with what was received.

    :raises CradleError: if there is no answer of success
    """
    content, is_json = given.get("body"), "json" in operation.marks
    # A stream can be read only once.
    is_replayable = is_json or content is None or isinstance(content, (bytes, str, os.PathLike))
    is_repeatable = "again" in operation.marks and is_replayable
    sent: Request = {"method": operation.method, "url": _url_of(settings.url, operation, given)}
    sent |= {"headers": _headers_of(settings, operation, given), "timeout": settings.timeout}
    sent["content"] = json.dumps(content, default=_plain, allow_nan=False) if is_json else content
    attempts = 0
    while True:
        attempts += 1
        facts: dict[str, Any] = {"retryable": is_repeatable, "attempts": attempts}
        outcome = yield sent
        try:
            if not isinstance(outcome, httpx.Response):
                raise outcome or RuntimeError("A request has an outcome")
            if not (outcome.is_success or outcome.status_code == 304):
                raise error_of(outcome, is_repeatable, is_replayable, attempts)
            request_id = outcome.headers.get("x-request-id")
            return Received(_data_of(outcome, operation, settings), outcome, request_id, attempts)
        except CradleError as told:
            error = told
        except ValidationError as cause:
            raise CradleError("The answer is not as documented", code="invalid_answer", attempts=attempts) from cause
        except (httpx.UnsupportedProtocol, httpx.LocalProtocolError):
            raise
        except (httpx.RequestError, json.JSONDecodeError, UnicodeDecodeError) as cause:
            error = ConnectionError("The connection failed, or the answer was cut", code="connection_failed", **facts)
            if isinstance(cause, httpx.TimeoutException):
                error = TimeoutError(f"No answer within {settings.timeout} s", code="timeout", **facts)
            error.__cause__ = cause
        if not error.retryable or attempts > settings.retries or (error.retry_after_seconds or 0) > PAUSE_SECONDS_MAX:
            raise error
        yield _pause_seconds(error.retry_after_seconds, attempts)


def _pause_seconds(retry_after: float | None, attempts: int) -> float:
    """As long as the service says, and a little more; else longer each time. At random: clients should not meet."""
    if retry_after is not None:
        return retry_after * (1 + random.random() / 10)
    return min(BACKOFF_SECONDS_MAX, BACKOFF_SECONDS_FIRST * 2 ** (attempts - 1)) * (0.5 + random.random() / 2)


def _url_of(base: str, operation: Operation, given: Mapping[str, Any]) -> str:
    used = {"body", "if_match"}

    def fill(found: re.Match[str]) -> str:
        used.add(found[1])
        value = str(given[found[1]])
        # A URL has no way to write an id that is a dot or two: it would be another path.
        if value in ("", ".", ".."):
            raise TypeError(f"{found[1]} is no id")
        return quote(value, safe="")

    path = re.sub(r"\{(\w+)\}", fill, operation.path)
    query: list[tuple[str, str]] = []
    for name, value in given.items():
        values = () if name in used else value if isinstance(value, (list, tuple, set, frozenset)) else (value,)
        query += [(name.rstrip("_"), _text(one)) for one in values if one is not None]
    return base.rstrip("/") + path + (f"?{urlencode(query)}" if query else "")


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else getattr(value, "isoformat", value.__str__)()


def _headers_of(settings: Settings, operation: Operation, given: Mapping[str, Any]) -> dict[str, str]:
    media_type = "application/json" if "json" in operation.marks else operation.marks.get("file")
    own = {"x-api-key": settings.key, "if-match": given.get("if_match"), "content-type": media_type}
    headers = {name.lower(): value for name, value in settings.headers.items()}
    return headers | {name: value for name, value in own.items() if value is not None}


def _plain(value: Any) -> Any:
    """What JSON has no type for: models, decimals, dates."""
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True, exclude_unset=True)
    if isinstance(value, Decimal):
        number = float(value)
        if Decimal(repr(number)) != value:
            raise ValueError(f"{value} has more digits than a number in JSON keeps")
        return int(value) if value == value.to_integral_value() else number
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def is_whole(response: httpx.Response) -> bool:
    """True if the answer is read at once: JSON and errors. A file is left to the caller."""
    media_type: str = response.headers.get("content-type", "")
    return not response.is_success or response.status_code == 204 or media_type.startswith("application/json")


def _data_of(response: httpx.Response, operation: Operation, settings: Settings) -> Any:
    if response.status_code in (204, 304):
        return None
    if not is_whole(response):
        return response
    data = json.loads(response.content, parse_float=Decimal if settings.decimals else float)
    return operation.adapter.validate_python(data)


def parts_of(request: Request) -> Request:
    """For the sync client: the body as bytes, or in parts as they are read."""
    content = request["content"]
    if content is None or isinstance(content, (bytes, str)) or hasattr(content, "__aiter__"):
        return request
    return {**request, "content": _parts(content)}


def async_parts_of(request: Request) -> Request:
    content = parts_of(request)["content"]
    return {**request, "content": _async_parts(content) if isinstance(content, Iterator) else content}


def _parts(content: os.PathLike[str] | Iterable[bytes]) -> Iterator[bytes]:
    if isinstance(content, os.PathLike):
        with open(content, "rb") as file:
            yield from _parts(file)
    elif hasattr(content, "read"):
        while part := content.read(PART_BYTES):
            yield part
    else:
        yield from content


async def _async_parts(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part
