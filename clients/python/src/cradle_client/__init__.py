"""Client of Cradle's API: `Client` and `AsyncClient` have a method for each operation of its OpenAPI document."""

from . import _operations as models, webhooks
from ._client import AsyncClient, Client
from ._core import Received
from ._errors import AuthenticationError, ConflictError, ConnectionError, CradleError, InvalidRequestError
from ._errors import NotFoundError, PermissionError, PreconditionFailedError, RateLimitError, ServiceError
from ._errors import TimeoutError, UnavailableError
from ._lists import AsyncListing, Listing
from ._operations import VERSION as __version__
from .webhooks import WebhookVerificationError

__all__ = ["AsyncClient", "AsyncListing", "Client", "Listing", "Received", "__version__", "models", "webhooks"]
__all__ += ["AuthenticationError", "ConflictError", "ConnectionError", "CradleError", "InvalidRequestError"]
__all__ += ["NotFoundError", "PermissionError", "PreconditionFailedError", "RateLimitError", "ServiceError"]
__all__ += ["TimeoutError", "UnavailableError", "WebhookVerificationError"]
