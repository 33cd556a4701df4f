"""Lists that are read page by page. Nothing is sent before something is read."""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator, Sequence
from itertools import islice
from typing import Any, Generic
from urllib.parse import parse_qs, urlsplit

from ._core import Received
from ._model import Item, Page


class _Pages:
    """Which page is next, and what is in a page."""

    def __init__(self, read: Callable[[str | None], Any], members: Sequence[str]) -> None:
        self._read, self._members = read, members

    def _items_of(self, page: Any) -> list[Any]:
        if not self._members:
            return list(page)
        return [item for member in self._members for item in getattr(page, member) or []]

    @staticmethod
    def _next(received: Received[Any], cursor: str | None) -> str | None:
        """Of a link, the cursor alone is followed: where the service is, the client knows."""
        link = re.search(r'<([^>]*)>\s*;[^,]*\brel="?next\b', received.response.headers.get("link", ""))
        found = parse_qs(urlsplit(link[1]).query).get("cursor", [None])[0] if link else None
        if found is not None and found == cursor:
            raise RuntimeError("A page names itself as the next one")
        return found


class Listing(_Pages, Generic[Item, Page]):
    """`for` reads its items and keeps one page at a time; `first` is the first page, `pages` are all."""

    def first(self) -> Page:
        return next(self.pages())

    def pages(self) -> Generator[Page, None, None]:
        cursor: str | None = None
        while True:
            received = self._read(cursor)
            yield received.data
            if (cursor := self._next(received, cursor)) is None:
                return

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from self._items_of(page)

    def to_list(self, *, limit: int) -> list[Item]:
        """The first items, at most as many as `limit` says: a list may be longer than memory."""
        if limit < 1 or limit % 1:
            raise ValueError("limit has to be a whole number above 0")
        return list(islice(self, limit))


class AsyncListing(_Pages, Generic[Item, Page]):
    """The same with `async for` and `await`."""

    async def first(self) -> Page:
        return await anext(self.pages())

    async def pages(self) -> AsyncGenerator[Page, None]:
        cursor: str | None = None
        while True:
            received = await self._read(cursor)
            yield received.data
            if (cursor := self._next(received, cursor)) is None:
                return

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in self._items_of(page):
                yield item

    async def to_list(self, *, limit: int) -> list[Item]:
        if limit < 1 or limit % 1:
            raise ValueError("limit has to be a whole number above 0")
        items: list[Item] = []
        async for item in self:
            items.append(item)
            if len(items) == limit:
                break
        return items
