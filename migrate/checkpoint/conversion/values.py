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
      template: Checkpoint with the kept values, or None.
    """
    target = move.target
    if move.source is None:
        if move.value is None:
            assert template is not None  # A value can be kept only from a template.
            return template.read(target)
        return np.asarray(move.value, _numpy_type(target.dtype))
    array = source.read(move.source)
    if move.scale is not None:
        array = array * np.asarray(move.scale, array.dtype)
    if target.dtype != "string":
        array = array.astype(_numpy_type(target.dtype), copy=False)
    return array.reshape(target.shape)


def origin(move: Move, source: Source, template: Source | None) -> tuple[Source, Stored] | None:
    """Returns the source of the exact bytes of a value, or None if the value is computed."""
    target, source_tensor = move.target, move.source
    if source_tensor is None:
        if move.value is not None or template is None:
            return None
        return template, target
    is_same_form = (source_tensor.shape, source_tensor.dtype) == (target.shape, target.dtype)
    return (source, source_tensor) if is_same_form and move.scale is None else None


def tensor(
    move: Move, source: Source, template: Source | None, buffer: np.ndarray | None
) -> tf.Tensor:
    """Returns the same as `value`, but as a tensor, read into `buffer` if possible."""
    import tensorflow as tf

    of = origin(move, source, template)
    if of:
        return of[0].read_tensor(of[1], buffer)
    return tf.constant(value(move, source, template), tf.as_dtype(move.target.dtype))


def groups(
    moves: Sequence[Move], read: Callable[[Move, np.ndarray | None], _Value], max_bytes: int = GROUP
) -> Iterator[list[tuple[Move, _Value]]]:
    """Reads the values of a plan in groups of bounded size.

    The next group is read while the caller writes the current one.

    Args:
      moves: All moves of the plan.
      read: Function that reads the value of a move. For a large tensor, which forms its own group,
        it gets a buffer. The buffer is used again two groups later.
      max_bytes: Largest number of bytes of a group. One tensor may be larger.
    """
    batches = list(_batches(moves, max_bytes))
    largest = max((size_of(b[0].target) for b in batches if _is_large(b, max_bytes)), default=0)
    # Two buffers, so that one group can be read while the other is written.
    buffers = [_aligned(largest), _aligned(largest)]

    def group(index: int) -> list[tuple[Move, _Value]]:
        buffer = buffers[index % 2] if _is_large(batches[index], max_bytes) else None
        return [(move, read(move, buffer)) for move in batches[index]]

    with concurrent.futures.ThreadPoolExecutor(1) as reader:
        if not batches:
            return
        future = reader.submit(group, 0)
        for index in range(len(batches)):
            pairs = future.result()
            if index + 1 < len(batches):
                future = reader.submit(group, index + 1)
            yield pairs
            del pairs  # Frees the group before waiting for the next one.


def _is_large(batch: Sequence[Move], max_bytes: int) -> bool:
    return len(batch) == 1 and size_of(batch[0].target) > max_bytes // 2


def _aligned(size: int) -> np.ndarray:
    """Returns a buffer that TensorFlow can use for a tensor without a copy."""
    raw = np.empty(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size]


def _batches(moves: Sequence[Move], max_bytes: int) -> Iterator[list[Move]]:
    batch: list[Move] = []
    size = 0
    for move in moves:
        bytes_ = size_of(move.target)
        if batch and size + bytes_ > max_bytes:
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


def check_bytes(path: str, offset: int, array: np.ndarray, name: str) -> None:
    """Reads a tensor back from a file and compares it bit for bit.

    Args:
      path: Path of the file.
      offset: Offset of the tensor's first byte.
      array: Expected values.
      name: Name for the message.

    Raises:
      cli.UsageError: The values differ.
    """
    expected_bytes = _bytes(array)
    with open(path, "rb", buffering=0) as file:
        file.seek(offset)
        for start in range(0, len(expected_bytes), _CHUNK):
            expected_chunk = expected_bytes[start : start + _CHUNK]
            chunk = np.fromfile(file, np.uint8, len(expected_chunk))
            if not _equal_bytes(chunk, expected_chunk):
                raise cli.UsageError(
                    f"{os.path.basename(path)}: {name} differs when it is read back: the disk may "
                    "be full or faulty. No file was replaced."
                )


def same_bits(left: np.ndarray, right: np.ndarray) -> bool:
    """Returns true if two arrays of equal dtype and size are equal to the last bit."""
    if left.dtype == object:
        return np.array_equal(left, right)
    left, right = _bytes(left), _bytes(right)
    starts = range(0, len(left), _CHUNK)
    return all(_equal_bytes(left[s : s + _CHUNK], right[s : s + _CHUNK]) for s in starts)


def _bytes(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _equal_bytes(left: np.ndarray, right: np.ndarray) -> bool:
    """Returns true if bytes are equal. Compares eight at a time."""
    if len(left) != len(right):
        return False
    length = len(left) // 8 * 8
    return np.array_equal(left[:length].view(np.uint64), right[:length].view(np.uint64)) and (
        np.array_equal(left[length:], right[length:])
    )


def _numpy_type(dtype: str) -> np.dtype:
    if dtype == "string":
        return np.dtype(object)
    if dtype == "bfloat16":
        import tensorflow as tf

        return np.dtype(tf.bfloat16.as_numpy_dtype)
    return np.dtype(dtype)
