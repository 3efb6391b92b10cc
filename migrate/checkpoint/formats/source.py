"""Interface of all kinds of checkpoints: a list of tensors, which are read one at a time."""

from __future__ import annotations

import abc
import dataclasses
import types
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from migrate.checkpoint.formats.contents import Role, Stored
from modern.process import cli

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
      path: Prefix, file or folder, for messages.
      kind: "name-based", "name-based V1", "object-based", "SavedModel", "weights.h5", "h5" or
        "keras".
      convention: "v1" or "keras", for the optimizers whose state it holds.
      stored: All tensors, in the order of creation if it is known.
      files: Files of the checkpoint.
      unlike_cells: Scopes of recurrent cells of its model that no cell of tf.nn.rnn_cell equals,
        with the reasons.
    """

    path: str
    kind: str
    convention: str
    stored: list[Stored]
    files: list[File]
    unlike_cells: Mapping[str, str] = types.MappingProxyType({})

    @abc.abstractmethod
    def read(self, tensor: Stored) -> np.ndarray:
        """Reads one whole tensor.

        Raises:
          cli.UsageError: The file is damaged. The message names it.
        """

    def read_tensor(self, tensor: Stored, buffer: np.ndarray | None = None) -> tf.Tensor:
        """Reads one whole tensor as a tf.Tensor, without another copy if possible.

        Args:
          tensor: The tensor.
          buffer: uint8 buffer, aligned to 64 bytes. A tensor that fits may be read into it, and is
            valid until the next read. Only its checksum then reveals damage: see `crc`.
        """
        import tensorflow as tf

        del buffer
        return tf.constant(self.read(tensor))

    def crc(self, tensor: Stored) -> int | None:
        """Returns the file's checksum of a tensor's bytes, as in BundleEntryProto."""
        del tensor
        return None

    def file_of(self, tensor: Stored) -> str:
        """Returns the path of the file that contains a tensor."""
        del tensor
        return self.path

    def of(self, role: Role) -> Iterator[Stored]:
        """Returns the tensors of one role."""
        return (tensor for tensor in self.stored if tensor.role == role)

    def close(self) -> None:  # noqa: B027 - most have nothing to close
        """Closes open files."""

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def step(self) -> int | None:
        """Returns the global step or iterations, or None."""
        try:
            steps = [int(self.read(tensor)) for tensor in self.of(Role.STEP)]
        except (TypeError, ValueError, OverflowError) as error:
            raise cli.UsageError(f"{self.path} is damaged: its step is not a number.") from error
        return max(steps, default=None)
