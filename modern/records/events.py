"""Reads event files record by record. They may be damaged, or come from other programs.

    for event in events.read("model_dir/eval/events.out.tfevents.1700000000.host"):
        print(event.step)

A record begins with its length. TensorFlow's reader allocates this number of bytes before it reads
them. A length of a terabyte crashes the process, and one of 8 GiB may take all of its memory. So
the lengths are compared with the size of the file first.
"""

from __future__ import annotations

import itertools
import os
import struct
from collections.abc import Iterator
from typing import Any, Protocol

import tensorflow as tf

from modern.process import files, foreign_files, log_filters

# A record has its length, a checksum of the length, the data and a checksum of the data.
_LENGTH = struct.Struct("<Q")
_BEFORE, _AFTER = 12, 4
# Protocol buffers have no larger messages.
_LARGEST = 2 << 30
_UNREADABLE = (tf.errors.OpError, OSError, ValueError)


class _File(Protocol):
    def read(self, size: int) -> bytes: ...

    def seek(self, offset: int) -> object: ...


def read(path: str) -> Iterator[Any]:
    """Yields the events in a file. If it is damaged, logs a warning and leaves out the rest.

    Args:
      path: The file, which may be remote.
    """
    try:
        count, problem = _whole_records(path)
        with log_filters.hidden("tf_record_iterator"):
            records = tf.compat.v1.train.summary_iterator(path)
        yield from itertools.islice(records, count)
    except _UNREADABLE as error:
        problem = foreign_files.reason(error)
    if problem:
        tf.compat.v1.logging.warning(
            "Leaving out the rest of %s, which is damaged: %s", path, problem
        )


def _whole_records(path: str) -> tuple[int, str | None]:
    """Returns the number of records whose lengths fit the file, and the problem of the next one."""
    size, offset, count = files.size(path), 0, 0
    remote = files.is_remote(path)
    with tf.io.gfile.GFile(path, "rb") if remote else foreign_files.opened(path) as file:
        while offset < size:
            length = _length_at(file, offset)
            if length is None or length > min(_LARGEST, size - offset - _BEFORE - _AFTER):
                size_text = "" if length is None else f" of {length:,} bytes"
                return count, f"the record{size_text} at byte {offset:,} is longer than the file"
            offset, count = offset + _BEFORE + length + _AFTER, count + 1
    return count, None


def _length_at(file: _File, offset: int) -> int | None:
    """Returns the length of the record at an offset. None if the file ends before."""
    file.seek(offset)
    start = file.read(_LENGTH.size)
    return _LENGTH.unpack(start)[0] if len(start) == _LENGTH.size else None


def in_folder(folder: str) -> Iterator[Any]:
    """Yields the events in the event files of a folder, as `read` does.

    Args:
      folder: The folder, which need not exist.
    """
    for path in sorted(tf.io.gfile.glob(os.path.join(folder, "events.out.tfevents.*"))):
        yield from read(path)
