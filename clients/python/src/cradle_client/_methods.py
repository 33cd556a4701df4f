"""Makes a method of a client out of a generated signature: sync or async, as the client is that has it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Union, get_args, get_type_hints, overload

import httpx
from pydantic import TypeAdapter

from ._core import Received
from ._lists import AsyncListing, Listing
from ._model import Item, Page, Pages, T

if TYPE_CHECKING:
    from ._client import AsyncClient, Client

P = ParamSpec("P")


class Operation:
    """A row has method, path and marks, a mark a name and perhaps a value."""

    def __init__(self, row: str, function: Callable[..., Any]) -> None:
        self.method, self.path, *marks = row.split(" ")
        self.marks = {name: value for name, _, value in (mark.partition(":") for mark in marks)}
        #: Members of a page that hold its items; none if the page is the list itself.
        self.members = [name for name in self.marks.get("list", "").split(",") if name]
        self.function = function
        self.__doc__ = function.__doc__
        named = inspect.signature(function).parameters.values()
        self.needed = {one.name for one in named if one.kind is one.KEYWORD_ONLY and one.default is one.empty}

    @cached_property
    def adapter(self) -> TypeAdapter[Any]:
        """Reads answers in JSON; that of another type is left as it is."""
        answer: Any = get_type_hints(self.function)["return"]
        answer = get_args(answer)[1] if "list" in self.marks else answer
        if httpx.Response in (answer, *get_args(answer)):
            answer = Union[tuple(set(get_args(answer)) - {httpx.Response}) or (Any,)]
        return TypeAdapter(answer)


class _Bound:
    def __init__(self, client: Any, operation: Operation) -> None:
        self._client, self._operation = client, operation
        self.__doc__ = operation.__doc__

    def _ask(self, args: tuple[Any, ...], given: dict[str, Any], cursor: str | None = None) -> Any:
        """What has an unknown name is sent, too: the service refuses it, and says which names there are."""
        if args or not self._operation.needed <= given.keys():
            raise TypeError(f"Arguments are given by name, and needed are {sorted(self._operation.needed)}")
        return self._client._ask(self._operation, given if cursor is None else {**given, "cursor": cursor})


class Method(_Bound, Generic[P, T]):
    def __call__(self, *args: P.args, **given: P.kwargs) -> T:
        return self.with_response(*args, **given).data

    def with_response(self, *args: P.args, **given: P.kwargs) -> Received[T]:
        """The answer with status and headers."""
        return self._ask(args, given)


class AsyncMethod(_Bound, Generic[P, T]):
    async def __call__(self, *args: P.args, **given: P.kwargs) -> T:
        return (await self.with_response(*args, **given)).data

    async def with_response(self, *args: P.args, **given: P.kwargs) -> Received[T]:
        """The answer with status and headers."""
        return await self._ask(args, given)


class ListMethod(_Bound, Generic[P, Item, Page]):
    def __call__(self, *args: P.args, **given: P.kwargs) -> Listing[Item, Page]:
        return Listing(lambda cursor: self._ask(args, given, cursor), self._operation.members)

    def with_response(self, *args: P.args, **given: P.kwargs) -> Received[Page]:
        """The first page with status and headers."""
        return self._ask(args, given)


class AsyncListMethod(_Bound, Generic[P, Item, Page]):
    def __call__(self, *args: P.args, **given: P.kwargs) -> AsyncListing[Item, Page]:
        return AsyncListing(lambda cursor: self._ask(args, given, cursor), self._operation.members)

    async def with_response(self, *args: P.args, **given: P.kwargs) -> Received[Page]:
        """The first page with status and headers."""
        return await self._ask(args, given)


class Answering(Operation, Generic[P, T]):
    @overload
    def __get__(self, client: Client, owner: type) -> Method[P, T]: ...
    @overload
    def __get__(self, client: AsyncClient, owner: type) -> AsyncMethod[P, T]: ...
    def __get__(self, client: Any, owner: type) -> Any:
        return self if client is None else (AsyncMethod if client.is_async else Method)(client, self)


class ListAnswering(Operation, Generic[P, Item, Page]):
    @overload
    def __get__(self, client: Client, owner: type) -> ListMethod[P, Item, Page]: ...
    @overload
    def __get__(self, client: AsyncClient, owner: type) -> AsyncListMethod[P, Item, Page]: ...
    def __get__(self, client: Any, owner: type) -> Any:
        return self if client is None else (AsyncListMethod if client.is_async else ListMethod)(client, self)


def answer(row: str) -> Callable[[Callable[Concatenate[Any, P], T]], Answering[P, T]]:
    return lambda function: Answering(row, function)


def listing(row: str) -> Callable[[Callable[Concatenate[Any, P], Pages[Item, Page]]], ListAnswering[P, Item, Page]]:
    return lambda function: ListAnswering(row, function)
