"""What goes wrong, as classes: one for each family of the API's error codes, and two for requests without an answer."""

from __future__ import annotations

import json
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

import httpx
from pydantic import ValidationError

if TYPE_CHECKING:
    from ._operations import Problem


class CradleError(Exception):
    """An error of the API, or no answer of it.

    :ivar code: of docs/errors.md, or `connection_failed`, `timeout`, `invalid_answer`, or `http_` and the status
    :ivar status: of the HTTP response; None without one
    :ivar details: each location of the request, what is wrong there, and often what would be right
    :ivar suggestions: all that `details` suggests
    :ivar request_id: names the request in the log of the service
    :ivar retryable: true if the same request may be sent again as it is: nothing is then stored twice
    :ivar attempts: how many times the request was sent
    """

    def __init__(
        self, message: str, *, code: str, attempts: int, retryable: bool = False, status: int | None = None,
        details: list[Problem] | None = None, request_id: str | None = None, retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code, self.status, self.request_id, self.attempts = code, status, request_id, attempts
        self.retryable, self.retry_after_seconds = retryable, retry_after_seconds
        self.details = details or []
        self.suggestions = [one for detail in self.details for one in detail.suggestions or []]


class InvalidRequestError(CradleError):
    """400, 405, 406, 413, 415, 417, 431: the request has to be another one."""


class AuthenticationError(CradleError):
    """401: the key is not valid."""


class PermissionError(CradleError):
    """403: the key lacks a scope."""


class NotFoundError(CradleError):
    """404"""


class ConflictError(CradleError):
    """409: what is stored or recorded contradicts the request."""


class PreconditionFailedError(CradleError):
    """412: changed since the state that `if_match` names."""


class RateLimitError(CradleError):
    """429: too many requests, imports or wrong keys."""


class UnavailableError(CradleError):
    """408, 502, 503, 504: not now."""


class ServiceError(CradleError):
    """500, and what no other class is for."""


class ConnectionError(CradleError):
    """There was no complete answer: what became of the request is not known."""


class TimeoutError(ConnectionError):
    """There was no answer in time."""


_FAMILIES: dict[int, type[CradleError]] = {
    401: AuthenticationError, 403: PermissionError, 404: NotFoundError, 409: ConflictError,
    412: PreconditionFailedError, 429: RateLimitError,
    408: UnavailableError, 502: UnavailableError, 503: UnavailableError, 504: UnavailableError,
}


def error_of(response: httpx.Response, is_repeatable: bool, is_replayable: bool, attempts: int) -> CradleError:
    """The error that the service, or a proxy before it, answers with."""
    status = response.status_code
    body = _body_of(response)
    code = str(body.get("code") or f"http_{status}")
    family = _FAMILIES.get(status) or (InvalidRequestError if 400 <= status < 500 else ServiceError)
    # Of 429, the contract says that nothing was stored; a wrong key stays wrong.
    may_repeat = code != "too_many_wrong_keys" if status == 429 else family is UnavailableError and is_repeatable
    message = str(body.get("error") or body.get("detail") or f"The answer has the status {status}")
    return family(
        message, code=code, status=status, details=_details_of(body), retryable=may_repeat and is_replayable,
        request_id=body.get("request_id") or response.headers.get("x-request-id"),
        retry_after_seconds=_seconds_of(response.headers.get("retry-after")), attempts=attempts,
    )


def _body_of(response: httpx.Response) -> dict[str, Any]:
    try:
        body = json.loads(response.content)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _details_of(body: dict[str, Any]) -> list[Problem]:
    from ._operations import Problem

    try:
        return [Problem.model_validate(one) for one in body.get("details", [])]
    except (TypeError, ValidationError):
        return []


def _seconds_of(header: str | None) -> float | None:
    """`Retry-After` has seconds or a date."""
    if header is None:
        return None
    try:
        seconds = float(header) if header.isdecimal() else parsedate_to_datetime(header).timestamp() - time.time()
    except ValueError:
        return None
    return max(0.0, seconds)
