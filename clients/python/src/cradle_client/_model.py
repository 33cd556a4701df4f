"""What the generated models and signatures are written with."""

import os
from collections.abc import AsyncIterable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Union

from pydantic import BaseModel, ConfigDict, Field

T = TypeVar("T")
Item = TypeVar("Item")
Page = TypeVar("Page")


class Model(BaseModel):
    """Members that a newer service adds are kept."""

    model_config = ConfigDict(extra="allow", populate_by_name=True, protected_namespaces=(), defer_build=True)


class Pages(Generic[Item, Page]):
    """In a signature: the answer is a list of such items, in such pages."""


if TYPE_CHECKING:
    # With `decimals=True` it is a Decimal; arithmetic on a union would have to be told apart everywhere.
    Number = float
else:
    Number = Union[int, float, Decimal]

Id = Union[str, int]
Many = Union[T, Sequence[T]]
Body = Union[T, Mapping[str, Any], Sequence[Mapping[str, Any]]]
# A path is a file on disk. What can be read only once, as an open file or a generator, is never sent a second time.
Upload = Union[bytes, str, os.PathLike[str], Iterable[bytes], AsyncIterable[bytes]]


def named(name: str, default: Any = ...) -> Any:
    """A member whose name in the API is no name in Python."""
    return Field(default, alias=name)
