"""What is open until it is closed, and closes itself at the end of a ``with`` block."""

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Closing(ABC):
    """Something with a ``close`` that may be called twice; as a context manager it calls it."""

    @abstractmethod
    def close(self) -> None:
        """Close it; the second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
