# Made from _async/pages.py by tools/generate.py.
"""Lists that are fetched page by page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Generic, TypedDict, TypeVar

from .._request import Request
from .transport import Transport

T = TypeVar("T")


class _Page(TypedDict, Generic[T]):
    content: list[T]


class Page(_Page[T], total=False):
    """One page of a list.

    `nextCursor` is None on the last page. More than 10,000 rows (1,000 of a search) are not counted: then
    `totalIsExact` is False, and `totalElements` and `totalPages` are exceeded.
    """

    page: int
    size: int
    totalElements: int
    totalIsExact: bool
    totalPages: int
    first: bool
    last: bool
    nextCursor: str | None


class Pages(Generic[T]):
    """A list that is fetched as it is read.

    Iterating over it gives every item, over `pages()` every page; `first()` returns the first page alone. Pages follow
    `nextCursor`, which stays right while rows arrive.
    """

    def __init__(self, client: Transport, request: Request[Page[T]]) -> None:
        self._client = client
        self._request = request

    def first(self) -> Page[T]:
        """Returns the first page."""
        return self._client.request(self._request)

    def pages(self) -> Iterator[Page[T]]:
        """Returns every page, by one request each."""
        query = dict(self._request.query)
        while True:
            page = self._client.request(replace(self._request, query=query))
            yield page
            if page.get("nextCursor"):
                query["cursor"] = page["nextCursor"]
            elif "nextCursor" not in page and page.get("last") is False:
                # Lists without a cursor are read by number.
                query["page"] = page["page"] + 1
            else:
                return

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            for item in page["content"]:
                yield item
