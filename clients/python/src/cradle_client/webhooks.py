"""Verifies and signs webhooks by Standard Webhooks 1.0.0."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterable, Mapping
from typing import Any

PREFIX = "whsec_"


class WebhookVerificationError(Exception):
    """The request is not from somebody who has one of the secrets, or is too old."""


def verify(
    raw_body: bytes | str,
    headers: Mapping[str, str],
    secrets: str | Iterable[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> Any:
    """The parsed body.

    :param raw_body: as it arrived: JSON that was parsed and written again has other bytes
    :param secrets: each begins with `whsec_`; one of them has to be that of the sender
    :raises WebhookVerificationError: for another sender, or a time too far from now
    """
    given = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp, signature = (given.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not message_id or not timestamp or not signature:
        raise WebhookVerificationError("A header webhook-… is missing")
    is_number = timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12
    if not is_number or abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("webhook-timestamp is too far from now")
    entries = [entry[3:].encode() for entry in signature.split(" ") if entry.startswith("v1,")]
    expected = _signatures(raw_body, secrets, message_id, timestamp)
    # All are compared, so that the time says nothing of which one fits.
    if not any([hmac.compare_digest(one, entry) for one in expected for entry in entries]):
        raise WebhookVerificationError("No signature is by one of the secrets")
    return json.loads(raw_body)


def sign(
    raw_body: bytes | str, secrets: str | Iterable[str], *, id: str, timestamp: int | None = None
) -> dict[str, str]:
    """The headers of a webhook, for tests of a receiver."""
    stamp = str(int(time.time()) if timestamp is None else timestamp)
    entries = [f"v1,{one.decode()}" for one in _signatures(raw_body, secrets, id, stamp)]
    return {"webhook-id": id, "webhook-timestamp": stamp, "webhook-signature": " ".join(entries)}


def _signatures(raw_body: bytes | str, secrets: str | Iterable[str], id: str, timestamp: str) -> list[bytes]:
    content = f"{id}.{timestamp}.".encode() + (raw_body.encode() if isinstance(raw_body, str) else raw_body)
    keys = [_key(one) for one in ([secrets] if isinstance(secrets, str) else secrets)]
    return [base64.b64encode(hmac.digest(key, content, hashlib.sha256)) for key in keys]


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except ValueError:
        key = b""
    if not key or not secret.startswith(PREFIX):
        raise ValueError(f"A secret has to be {PREFIX} and base64")
    return key
