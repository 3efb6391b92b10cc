"""Reads the values of a conversion in groups, and compares them with the written bytes."""

from __future__ import annotations

import concurrent.futures
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from migrate.checkpoint.conversion.plans import Move
from migrate.checkpoint.formats.contents import Stored
from migrate.checkpoint.formats.source import Source
from modern.process import cli

if TYPE_CHECKING:
    import tensorflow as tf

# Small tensors are written together up to this size. A larger tensor is written alone.
GROUP = 64 << 20
_CHUNK = 16 << 20

_Value = TypeVar("_Value", np.ndarray, "tf.Tensor")


def value(move: Move, source: Source, template: Source | None) -> np.ndarray:
    """Returns the value of a tensor of the target.

    Args:
      move: Move of the plan.
      source: Checkpoint to convert.
      template: Checkpoint with the kept values. None without one.
    """
    target = move.target
    if move.source is None:
        if move.value is None:
            assert template is not None  # A value can be kept only from a template.
            return template.read(target)
        return np.asarray(move.value, _numpy_type(target.dtype))
    read = source.read(move.source)
    if move.scale is not None:
        read = read * np.asarray(move.scale, read.dtype)
    if target.dtype != "string":
        read = read.astype(_numpy_type(target.dtype), copy=False)
    return read.reshape(target.shape)


def origin(move: Move, source: Source, template: Source | None) -> tuple[Source, Stored] | None:
    """Returns the source of the exact bytes of a value, or None if the value is computed."""
    target, stored = move.target, move.source
    if stored is None:
        if move.value is not None or template is None:
            return None
        return template, target
    same = (stored.shape, stored.dtype) == (target.shape, target.dtype)
    return (source, stored) if same and move.scale is None else None


def tensor(
    move: Move, source: Source, template: Source | None, buffer: np.ndarray | None
) -> tf.Tensor:
    """Returns `value` as a tensor, read into `buffer` if possible."""
    import tensorflow as tf

    of = origin(move, source, template)
    if of:
        return of[0].read_tensor(of[1], buffer)
    return tf.constant(value(move, source, template), tf.as_dtype(move.target.dtype))


def groups(
    moves: Sequence[Move], read: Callable[[Move, np.ndarray | None], _Value], most: int = GROUP
) -> Iterator[list[tuple[Move, _Value]]]:
    """Reads the values of a plan in groups of bounded size.

    The next group is read while the caller writes the current one.

    Args:
      moves: All moves of the plan.
      read: Function that reads the value of a move. For a large tensor, which forms its own group,
        it gets a buffer. The buffer is used again two groups later.
      most: Largest number of bytes of a group. One tensor may be larger.
    """
    batches = list(_batches(moves, most))
    alone = max((size_of(b[0].target) for b in batches if _is_large(b, most)), default=0)
    # Two buffers, so that one group can be read while the other is written.
    buffers = [_aligned(alone), _aligned(alone)]

    def group(index: int) -> list[tuple[Move, _Value]]:
        buffer = buffers[index % 2] if _is_large(batches[index], most) else None
        return [(move, read(move, buffer)) for move in batches[index]]

    with concurrent.futures.ThreadPoolExecutor(1) as reader:
        if not batches:
            return
        coming = reader.submit(group, 0)
        for index in range(len(batches)):
            found = coming.result()
            if index + 1 < len(batches):
                coming = reader.submit(group, index + 1)
            yield found
            del found  # Frees the group before waiting for the next one.


def _is_large(batch: Sequence[Move], most: int) -> bool:
    return len(batch) == 1 and size_of(batch[0].target) > most // 2


def _aligned(size: int) -> np.ndarray:
    """Returns a buffer that TensorFlow can use for a tensor without a copy."""
    raw = np.empty(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size]


def _batches(moves: Sequence[Move], most: int) -> Iterator[list[Move]]:
    batch: list[Move] = []
    size = 0
    for move in moves:
        bytes_ = size_of(move.target)
        if batch and size + bytes_ > most:
            yield batch
            batch, size = [], 0
        batch.append(move)
        size += bytes_
    if batch:
        yield batch


def size_of(variable: Stored) -> int:
    """Returns the bytes of a tensor in memory. The size of strings is a guess."""
    item = 64 if variable.dtype == "string" else np.dtype(_numpy_type(variable.dtype)).itemsize
    return int(np.prod(variable.shape, dtype=np.int64)) * item


def check_bytes(path: str, offset: int, written: np.ndarray, name: str) -> None:
    """Reads a tensor back from a file and compares it bit for bit.

    Args:
      path: Path of the file.
      offset: Offset of the tensor's first byte.
      written: Expected values.
      name: Name for the message.

    Raises:
      cli.UsageError: The values differ.
    """
    expected = _bytes(written)
    with open(path, "rb", buffering=0) as file:
        file.seek(offset)
        for start in range(0, len(expected), _CHUNK):
            wanted = expected[start : start + _CHUNK]
            found = np.fromfile(file, np.uint8, len(wanted))
            if not _same(found, wanted):
                raise cli.UsageError(
                    f"{os.path.basename(path)}: {name} differs when it is read back: the disk may "
                    "be full or faulty. No file was replaced."
                )


def same_bits(one: np.ndarray, other: np.ndarray) -> bool:
    """Returns true if two arrays of equal dtype and size are equal to the last bit."""
    if one.dtype == object:
        return np.array_equal(one, other)
    one, other = _bytes(one), _bytes(other)
    starts = range(0, len(one), _CHUNK)
    return all(_same(one[s : s + _CHUNK], other[s : s + _CHUNK]) for s in starts)


def _bytes(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    """Returns true if bytes are equal. Compares eight at a time."""
    if len(one) != len(other):
        return False
    whole = len(one) // 8 * 8
    return np.array_equal(one[:whole].view(np.uint64), other[:whole].view(np.uint64)) and (
        np.array_equal(one[whole:], other[whole:])
    )


def _numpy_type(dtype: str) -> np.dtype:
    if dtype == "string":
        return np.dtype(object)
    if dtype == "bfloat16":
        import tensorflow as tf

        return np.dtype(tf.bfloat16.as_numpy_dtype)
    return np.dtype(dtype)
