"""Reads the .index file of a checkpoint: all tensors, and the places of their bytes.

    index = bundle_index.read("/models/1/model.ckpt-100")
    index.entries["conv2d/kernel"].shape, index.shards

The file is an uncompressed LevelDB table (https://github.com/google/leveldb, doc/table_format.md)
of BundleEntryProto messages (tensorflow/core/protobuf/tensor_bundle.proto). TensorFlow has no
public function that returns the file of a tensor. With the index, a missing or truncated shard is
detected and named before anything is read.
"""

from __future__ import annotations

import dataclasses
import math
import struct
from collections.abc import Iterator, Sequence
from typing import Any

from modern.process import cli, files, foreign_files

_FOOTER = 48
# Larger numbers are damage. A list of as many files would fill the memory.
_MOST_SHARDS = 100_000
_MOST_ELEMENTS = 1 << 62
# A key of a table repeats at most the 15 keys before it, so its pairs have a bounded size.
_MOST_REPEATED = 64
# Parts of a variable are checked against the size of all data files if they are larger than this.
_LARGE = 1 << 30
_MAGIC = 0xDB4775248B80FB57


@dataclasses.dataclass(frozen=True)
class Entry:
    """Index entry of a tensor.

    Attributes:
      shape: Shape of the whole tensor.
      dtype: Value of TensorFlow's DataType.
      shard: Number of the file with its bytes. If it is stored in slices, that of the first slice.
      offset: Offset of its first byte in that file.
      size: Number of bytes.
      slices: (start, length) along each axis for each slice. A length of -1 is the whole axis.
        Empty for a tensor that is stored whole.
    """

    shape: tuple[int, ...]
    dtype: int
    shard: int
    offset: int
    size: int
    slices: tuple[tuple[tuple[int, int], ...], ...]


@dataclasses.dataclass(frozen=True)
class Index:
    """An index and the data files that it describes.

    Attributes:
      entries: Entries by the tensor's key, in the order of the file, which is that of the keys.
      shards: Paths of the data files, by number.
      sizes: Minimum size of each data file in bytes.
      crcs: Checksums of the stored bytes by key. Slices have their own keys.
    """

    entries: dict[str, Entry]
    shards: tuple[str, ...]
    sizes: tuple[int, ...]
    crcs: dict[bytes, int]

    def check_shards(self) -> None:
        """Raises cli.UsageError with the file's name if a shard is missing or too short."""
        for path, size in zip(self.shards, self.sizes, strict=True):
            try:
                actual_size = files.size(path)
            except OSError as error:
                raise cli.UsageError(
                    f"{path} cannot be read ({error.strerror or error}): the checkpoint has "
                    f"{len(self.shards)} data file(s) and is incomplete without it."
                ) from error
            if actual_size < size:
                raise cli.UsageError(
                    f"{path} is cut off: it has {actual_size} bytes, but the index requires {size}."
                )


def read(prefix: str) -> Index:
    """Reads PREFIX.index.

    Args:
      prefix: Prefix of a checkpoint in TensorFlow's V2 format.

    Raises:
      cli.UsageError: The file is missing or damaged.
    """
    from google.protobuf import message
    from tensorflow.core.protobuf import tensor_bundle_pb2

    path = prefix + ".index"
    try:
        data = files.read_bytes(path)
    except OSError as error:
        raise cli.UsageError(f"{path} cannot be read: {error.strerror or error}.") from error
    header = tensor_bundle_pb2.BundleHeaderProto()
    protos: dict[bytes, object] = {}
    try:
        for key, value in _table(data):
            if key:
                protos[key] = tensor_bundle_pb2.BundleEntryProto.FromString(value)
            else:
                header.ParseFromString(value)
        return _index(prefix, header.num_shards, protos)
    except (ValueError, TypeError, IndexError, struct.error, message.DecodeError) as error:
        raise cli.UsageError(
            f"{path} is damaged, or is not the index of a checkpoint: "
            f"{foreign_files.reason(error)}."
        ) from error


def _index(prefix: str, count: int, protos: dict) -> Index:
    if count < 1:
        raise ValueError("it names no data file")
    if count > _MOST_SHARDS:
        raise ValueError(f"it names {count:,} data files")
    sizes = [0] * count
    for entry in protos.values():
        if not 0 <= entry.shard_id < count or entry.offset < 0 or entry.size < 0:
            raise ValueError("a tensor is outside of the data files")
        if not entry.slices:
            sizes[entry.shard_id] = max(sizes[entry.shard_id], entry.offset + entry.size)
    entries = {}
    for key, entry in protos.items():
        if not key.startswith(b"\0"):  # Keys of slices are not text.
            slices = tuple(
                tuple((e.start, e.length if e.HasField("length") else -1) for e in s.extent)
                for s in entry.slices
            )
            shape = tuple(dim.size for dim in entry.shape.dim)
            _check_form(entry, shape, slices, sum(sizes))
            entries[key.decode()] = Entry(
                shape, entry.dtype, entry.shard_id, entry.offset, entry.size, slices
            )
    shards = tuple(f"{prefix}.data-{number:05d}-of-{count:05d}" for number in range(count))
    crcs = {key: entry.crc32c for key, entry in protos.items()}
    return Index(entries, shards, tuple(sizes), crcs)


def _check_form(
    entry: Any,
    shape: tuple[int, ...],
    slices: Sequence[Sequence[tuple[int, int]]],
    total_bytes: int,
) -> None:
    """Refuses an entry that TensorFlow would read into memory of another size.

    Args:
      entry: BundleEntryProto.
      shape: Shape of the entry.
      slices: Slices of the entry, as in `Entry`.
      total_bytes: Bytes in all data files.
    """
    import tensorflow as tf

    elements = math.prod(shape)
    if entry.shape.unknown_rank or min(shape, default=0) < 0 or elements > _MOST_ELEMENTS:
        raise ValueError("a tensor has an impossible shape")
    dtype = tf.as_dtype(entry.dtype)
    if dtype in (tf.string, tf.variant, tf.resource):
        fits = bool(slices) or elements <= entry.size
    elif slices:
        fits = elements * dtype.size <= max(total_bytes, _LARGE)
    else:
        fits = elements * dtype.size == entry.size
    for extents in slices:
        fits = fits and len(extents) in (0, len(shape))
        for (start, length), size in zip(extents, shape, strict=False):
            fits = fits and (length == -1 or (start >= 0 and 0 <= length <= size - start))
    if not fits:
        raise ValueError("a tensor's size differs from its shape")


def _table(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yields all pairs of key and value of a table, in order."""
    if len(data) < _FOOTER or struct.unpack("<Q", data[-8:])[0] != _MAGIC:
        raise ValueError("its end is missing")
    _, _, place = _handle(data, len(data) - _FOOTER)
    start, size, _ = _handle(data, place)
    budget = _MOST_REPEATED * len(data)
    for _, handle in _block(data, start, size):
        block_start, block_size, _ = _handle(handle, 0)
        for key, value in _block(data, block_start, block_size):
            budget -= len(key) + len(value) + 1
            if budget < 0:
                raise ValueError("its blocks overlap")
            yield key, value


def _block(data: bytes, start: int, size: int) -> Iterator[tuple[bytes, bytes]]:
    """Yields the pairs of one block. A key stores only its difference from the previous key."""
    if start + size >= len(data):
        raise ValueError("a block is outside of the file")
    if data[start + size] != 0:
        raise ValueError("it is compressed")
    block = data[start : start + size]
    restarts = struct.unpack("<I", block[-4:])[0]
    end, place, key = size - 4 - 4 * restarts, 0, b""
    if end < 0:
        raise ValueError("a block has no end")
    while place < end:
        shared_length, place = _varint(block, place)
        fresh_length, place = _varint(block, place)
        length, place = _varint(block, place)
        if shared_length > len(key) or place + fresh_length + length > end:
            raise ValueError("a key is cut off")
        key = key[:shared_length] + block[place : place + fresh_length]
        yield key, block[place + fresh_length : place + fresh_length + length]
        place += fresh_length + length


def _handle(data: bytes, place: int) -> tuple[int, int, int]:
    offset, place = _varint(data, place)
    size, place = _varint(data, place)
    return offset, size, place


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
        shift += 7
        if shift > 63:
            raise ValueError("a number is too large")
