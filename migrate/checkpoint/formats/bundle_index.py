"""What the .index file of a checkpoint says: every tensor, and in which shard its bytes are.

    index = bundle_index.read("/models/1/model.ckpt-100")
    index.entries["conv2d/kernel"].shape, index.shards

The file is a LevelDB table (https://github.com/google/leveldb, doc/table_format.md), uncompressed,
of BundleEntryProto messages (tensorflow/core/protobuf/tensor_bundle.proto). TensorFlow has no
public call that tells which file a tensor is in; with it, a missing or shortened shard is found
and named before anything is read.
"""

from __future__ import annotations

import dataclasses
import os
import struct
from collections.abc import Iterator

from modern.process import cli

_FOOTER = 48
_MAGIC = 0xDB4775248B80FB57


@dataclasses.dataclass(frozen=True)
class Entry:
    """One tensor of the index.

    Attributes:
      shape: of the whole tensor.
      dtype: a value of TensorFlow's DataType.
      shard: number of the file that holds it; that of the first slice if it is in slices.
      offset: of its first byte in that file.
      size: in bytes.
      slices: for each slice (start, length) along each axis; length -1 is all of it; empty for a
        tensor that is stored whole.
    """

    shape: tuple[int, ...]
    dtype: int
    shard: int
    offset: int
    size: int
    slices: tuple[tuple[tuple[int, int], ...], ...]


@dataclasses.dataclass(frozen=True)
class Index:
    """An index and the files that it speaks of.

    Attributes:
      entries: by the tensor's key, in the order of the file, which is that of the keys.
      shards: paths, by number.
      sizes: least size of each shard in bytes.
      crcs: by key, the checksums of what is stored under it; slices have their own keys.
    """

    entries: dict[str, Entry]
    shards: tuple[str, ...]
    sizes: tuple[int, ...]
    crcs: dict[bytes, int]

    def check_shards(self) -> None:
        """Raises cli.UsageError with the file's name for a shard that is missing or too short."""
        for path, size in zip(self.shards, self.sizes, strict=True):
            try:
                found = os.path.getsize(path)
            except OSError as error:
                raise cli.UsageError(
                    f"{path} cannot be read ({error.strerror}): the checkpoint has "
                    f"{len(self.shards)} data file(s) and is incomplete without it."
                ) from error
            if found < size:
                raise cli.UsageError(
                    f"{path} is cut off: it has {found} bytes where the index speaks of {size}."
                )


def read(prefix: str) -> Index:
    """Reads PREFIX.index.

    Args:
      prefix: of a checkpoint in TensorFlow's V2 format.

    Raises:
      cli.UsageError: the file is missing or damaged.
    """
    from google.protobuf import message
    from tensorflow.core.protobuf import tensor_bundle_pb2

    path = prefix + ".index"
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise cli.UsageError(f"{path} cannot be read: {error.strerror}.") from error
    header = tensor_bundle_pb2.BundleHeaderProto()
    parsed: dict[bytes, object] = {}
    try:
        for key, value in _table(data):
            if key:
                parsed[key] = tensor_bundle_pb2.BundleEntryProto.FromString(value)
            else:
                header.ParseFromString(value)
        return _index(prefix, header.num_shards, parsed)
    except (ValueError, IndexError, struct.error, message.DecodeError) as error:
        raise cli.UsageError(f"{path} is damaged, or no index of a checkpoint: {error}.") from error


def _index(prefix: str, count: int, parsed: dict) -> Index:
    if count < 1:
        raise ValueError("it names no data file")
    sizes = [0] * count
    for entry in parsed.values():
        if not entry.slices:
            sizes[entry.shard_id] = max(sizes[entry.shard_id], entry.offset + entry.size)
    entries = {}
    for key, entry in parsed.items():
        if not key.startswith(b"\0"):  # keys of slices are not text
            slices = tuple(
                tuple((e.start, e.length if e.HasField("length") else -1) for e in s.extent)
                for s in entry.slices
            )
            shape = tuple(dim.size for dim in entry.shape.dim)
            entries[key.decode()] = Entry(
                shape, entry.dtype, entry.shard_id, entry.offset, entry.size, slices
            )
    shards = tuple(f"{prefix}.data-{number:05d}-of-{count:05d}" for number in range(count))
    crcs = {key: entry.crc32c for key, entry in parsed.items()}
    return Index(entries, shards, tuple(sizes), crcs)


def _table(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """All pairs of key and value of a table, in order."""
    if len(data) < _FOOTER or struct.unpack("<Q", data[-8:])[0] != _MAGIC:
        raise ValueError("its end is missing")
    _, _, place = _handle(data, len(data) - _FOOTER)
    start, size, _ = _handle(data, place)
    for _, handle in _block(data, start, size):
        block_start, block_size, _ = _handle(handle, 0)
        yield from _block(data, block_start, block_size)


def _block(data: bytes, start: int, size: int) -> Iterator[tuple[bytes, bytes]]:
    """The pairs of one block; a key gives only what differs from the one before."""
    if start + size >= len(data):
        raise ValueError("a block is outside of the file")
    if data[start + size] != 0:
        raise ValueError("it is compressed")
    block = data[start : start + size]
    restarts = struct.unpack("<I", block[-4:])[0]
    end, place, key = size - 4 - 4 * restarts, 0, b""
    while place < end:
        shared, place = _varint(block, place)
        fresh, place = _varint(block, place)
        length, place = _varint(block, place)
        key = key[:shared] + block[place : place + fresh]
        yield key, block[place + fresh : place + fresh + length]
        place += fresh + length


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
