"""What every kind of checkpoint looks like from here: a list of tensors, read one at a time."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from migrate.checkpoint.formats.contents import Role, Stored

if TYPE_CHECKING:
    import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class File:
    """A file of a checkpoint, and its size in bytes."""

    path: str
    size: int


class Source(abc.ABC):
    """A checkpoint that can be read.

    Attributes:
      path: the prefix, file or folder, as messages call it.
      kind: "name-based", "name-based V1", "object-based", "SavedModel", "weights.h5", "h5" or
        "keras".
      convention: "v1" or "keras": whose optimizers' state it holds.
      stored: all tensors, in the order of creation where that is known.
      files: what it consists of.
    """

    path: str
    kind: str
    convention: str
    stored: list[Stored]
    files: list[File]

    @abc.abstractmethod
    def read(self, one: Stored) -> np.ndarray:
        """Reads one tensor whole.

        Raises:
          cli.UsageError: the file is damaged; the message names it.
        """

    def read_tensor(self, one: Stored, buffer: np.ndarray | None = None) -> tf.Tensor:
        """As `read`, as a tensor; where it can be had without another copy, without.

        Args:
          one: the tensor.
          buffer: uint8, aligned to 64 bytes; a tensor that fits may be read into it, and is
            good until the next one is. Damage then shows in its checksum alone: see `crc`.
        """
        import tensorflow as tf

        del buffer
        return tf.constant(self.read(one))

    def crc(self, one: Stored) -> int | None:
        """The checksum that the file has of a tensor's bytes, as BundleEntryProto has it."""
        del one
        return None

    def file_of(self, one: Stored) -> str:
        """The file that a tensor is in."""
        del one
        return self.path

    def of(self, role: Role) -> Iterator[Stored]:
        """The tensors of one role."""
        return (one for one in self.stored if one.role == role)

    def close(self) -> None:  # noqa: B027 - most have nothing to close
        """Closes files that are held open."""

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def step(self) -> int | None:
        """The global step or iterations; None where there is none."""
        steps = [int(self.read(one)) for one in self.of(Role.STEP)]
        return max(steps, default=None)
