"""A TensorFlow server that needs TensorFlow's C++ library alone, not its Python package.

    native_server.start(config)  # serves until the process ends

A worker or ps task of ParameterServerStrategy executes what the coordinator sends. So it needs no
Python, whose import of TensorFlow takes seconds of processor time and some 250 MB. The functions
are those of TensorFlow's C API (tensorflow/c/c_api.h), which `tf.distribute.Server` calls, too.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence

from modern.cluster.tf_config import TFConfig
from modern.process import library_pages, quiet_import


def start(config: TFConfig) -> None:
    """Starts the server of this task. TensorFlow cannot stop it again.

    Args:
      config: The cluster and this task.

    Raises:
      RuntimeError: The server cannot start. The message is TensorFlow's.
    """
    definition = server_def(config)
    path = library(library_pages.tensorflow_folders())
    if path is None:
        import tensorflow as tf

        _kept.append(tf.distribute.Server(tf.train.ServerDef.FromString(definition)))
        return
    with quiet_import.quiet():
        _start(ctypes.CDLL(path), definition)
    library_pages.release()


# Python's server stops when it is deleted.
_kept: list[object] = []


def server_def(config: TFConfig) -> bytes:
    """Returns a serialized `tf.train.ServerDef` of this task.

    See https://protobuf.dev/programming-guides/encoding and TensorFlow's tensorflow_server.proto
    and cluster.proto for the numbers of the fields.
    """
    jobs = []
    for name, addresses in config.training_cluster.items():
        tasks = [
            _bytes(2, _number(1, index) + _bytes(2, address.encode()))
            for index, address in enumerate(addresses)
        ]
        jobs.append(_bytes(1, _bytes(1, name.encode()) + b"".join(tasks)))
    return b"".join(
        [
            _bytes(1, b"".join(jobs)),
            _bytes(2, config.task_type.encode()),
            _number(3, config.task_index),
            _bytes(5, b"grpc"),
        ]
    )


def library(folders: Sequence[str]) -> str | None:
    """Returns the path of TensorFlow's C++ library, if it has all kernels and devices.

    Args:
      folders: The folders of the package `tensorflow`.

    Returns:
      None if the library is elsewhere, or if TensorFlow's Python package would load more: plugins,
      such as those for other GPUs, lie beside the package.
    """
    more = [os.path.join(folder, "core", "kernels") for folder in folders]
    more += [os.path.join(os.path.dirname(folder), "tensorflow-plugins") for folder in folders]
    if os.environ.get("TF_PLUGGABLE_DEVICE_LIBRARY_PATH") or any(map(os.path.exists, more)):
        return None
    return library_pages.path(folders)


def _start(library: ctypes.CDLL, definition: bytes) -> None:
    library.TF_NewStatus.restype = ctypes.c_void_p
    library.TF_Message.restype = ctypes.c_char_p
    library.TF_NewServer.restype = ctypes.c_void_p
    status = ctypes.c_void_p(library.TF_NewStatus())

    def check() -> None:
        if library.TF_GetCode(status):
            raise RuntimeError(library.TF_Message(status).decode(errors="replace"))

    server = library.TF_NewServer(definition, ctypes.c_size_t(len(definition)), status)
    check()
    library.TF_ServerStart(ctypes.c_void_p(server), status)
    check()


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    """Encodes a number in groups of seven bits, the lowest first."""
    groups = []
    while value > 0x7F:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*groups, value])
