"""Keras' own files: `.weights.h5`, `.keras` and the older `.h5`, of tf_keras and of Keras 3.

    with hdf5.Hdf5("model.keras") as source:
        [stored.name for stored in source.stored]

`.weights.h5` numbers the variables of each layer ("layers/dense_1/vars/0") and names layers by
their class. A `.keras` file also contains the model's configuration. It provides the names and the
order of the layers, and the names of the optimizer's numbered variables. Without it, only the
variables of known layer classes have names.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import h5py
import numpy as np

from migrate.checkpoint.formats import contents, keras_config, object_graph
from migrate.checkpoint.formats.contents import Role, Stored
from migrate.checkpoint.formats.source import File, Source
from modern.process import cli, files, foreign_files

WEIGHTS = "model.weights.h5"  # Member of a .keras file.
_CONFIG = "config.json"
_MOST_CONFIG = 64 << 20
_MOST_UNPACKED = 1 << 30
# Largest ratio of gzip, and the size of a dataset without any stored byte.
_MOST_PACKED = 1100
_MOST_EMPTY = 1 << 20


def check_local(path: str) -> None:
    """Checks that a Keras file is on a local disk.

    Raises:
      cli.UsageError: It is in a remote folder.
    """
    if files.is_remote(path):
        raise cli.UsageError(
            f"{path} is in a remote folder, and HDF5 reads and writes only local files: copy it to "
            "a local disk, or use a checkpoint of TensorFlow (a path without an extension)."
        )


class Hdf5(Source):
    """A Keras file in HDF5, or the HDF5 file within a `.keras` file.

    Args:
      path: Path of the file.
      names: Names of the optimizer's variables by path ("optimizer/vars/1"), if the model is
        available.
      config: Config of the model ("class_name", "config"), if the model is available.
    """

    convention = "keras"

    def __init__(
        self,
        path: str,
        names: Mapping[str, str] | None = None,
        config: Mapping[str, Any] | None = None,
    ) -> None:
        self.path = path
        self._closing = contextlib.ExitStack()
        self.files = [File(path, os.path.getsize(path))]
        try:
            self.file, archived_config = self._open(path)
            if "layer_names" in self.file.attrs or "model_weights" in self.file:
                self.kind = "h5"
                self.stored = _h5_tensors(self.file)
            else:
                self.kind = "keras" if archived_config else "weights.h5"
                self.stored = _weights_h5_tensors(
                    self.file, archived_config or config or {}, names or {}
                )
        except Exception as error:
            # A damaged file can raise nearly any exception in h5py and zipfile, and a config of
            # another form in `keras_config`. All of them mean the same here.
            self.close()
            raise cli.UsageError(
                f"{path} is damaged or cut off, or is not a file of Keras "
                f"({foreign_files.reason(error)})."
            ) from error

    def _open(self, path: str) -> tuple[h5py.File, dict[str, Any]]:
        if not zipfile.is_zipfile(path):
            return self._closing.enter_context(h5py.File(path, "r")), {}
        archive = self._closing.enter_context(zipfile.ZipFile(path))
        if archive.getinfo(_CONFIG).file_size > _MOST_CONFIG:
            raise ValueError(f"{_CONFIG} is too large")
        config = json.loads(archive.read(_CONFIG))
        if not isinstance(config, dict):
            raise ValueError(f"{_CONFIG} is not an object")
        file = self._closing.enter_context(_member(archive, path))
        return self._closing.enter_context(h5py.File(file, "r")), config

    def read(self, tensor: Stored) -> np.ndarray:
        """Implements `Source.read`."""
        try:
            return self.file[tensor.key][()]
        # h5py raises nearly any exception for a damaged file.
        except Exception as error:
            raise cli.UsageError(
                f"{self.path} is damaged: {tensor.name} cannot be read "
                f"({foreign_files.reason(error)})."
            ) from error

    def close(self) -> None:
        """Implements `Source.close`."""
        self._closing.close()


class _Window(io.RawIOBase):
    """An uncompressed member of an archive, as a file."""

    def __init__(self, file: io.BufferedReader, start: int, size: int) -> None:
        self._file, self._start, self._size, self._place = file, start, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence]
        self._place = base + offset
        return self._place

    def tell(self) -> int:
        return self._place

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")[: max(0, self._size - self._place)]
        self._file.seek(self._start + self._place)
        count = self._file.readinto(view)
        self._place += count
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


def _member(archive: zipfile.ZipFile, path: str) -> Any:
    """Returns the weights in a `.keras` file, read in place, or unpacked if they are compressed."""
    info = archive.getinfo(WEIGHTS)
    if info.file_size > max(_MOST_UNPACKED, 20 * info.compress_size):
        raise ValueError(f"{WEIGHTS} would have {info.file_size:,} bytes")
    with archive.open(WEIGHTS) as packed:
        while packed.read(1 << 24):  # Raises if the checksum is wrong.
            pass
    if info.compress_type == zipfile.ZIP_STORED:
        file = open(path, "rb")  # noqa: SIM115 - the window closes it
        # A local ZIP header has 30 bytes. It ends with the lengths of its name and extra fields,
        # which precede the data.
        file.seek(info.header_offset + 26)
        lengths = [int.from_bytes(file.read(2), "little") for _ in range(2)]
        return _Window(file, info.header_offset + 30 + sum(lengths), info.file_size)
    unpacked = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    with archive.open(WEIGHTS) as packed:
        shutil.copyfileobj(packed, unpacked, 1 << 24)
    return unpacked


def _datasets(group: h5py.Group, addresses: set[Any] | None = None) -> Iterator[h5py.Dataset]:
    """Yields all datasets. Numbered ones are in the order of their numbers.

    Raises:
      ValueError: A group is linked twice, or contains itself.
    """
    addresses = set() if addresses is None else addresses
    place = h5py.h5o.get_info(group.id).addr
    if place in addresses:
        raise ValueError(f"the group {group.name} has two names")
    addresses.add(place)
    for name in sorted(group, key=_natural_key):
        # Another link could lead to another file.
        if not isinstance(group.get(name, getlink=True), h5py.HardLink):
            raise ValueError(f"{group.name}/{name} is a link")
        child = group[name]
        if isinstance(child, h5py.Dataset):
            yield child
        elif isinstance(child, h5py.Group):
            yield from _datasets(child, addresses)


def _natural_key(name: str) -> list[Any]:
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)]


def _describe(dataset: Any, name: str) -> Stored:
    if not isinstance(dataset, h5py.Dataset):
        raise ValueError(f"{name} is no dataset")
    if dataset.external or dataset.is_virtual:
        raise ValueError(f"{name} is in another file")
    # A dataset that was never written, or is packed, can be far larger than its file.
    if dataset.nbytes > _MOST_PACKED * dataset.id.get_storage_size() + _MOST_EMPTY:
        raise ValueError(f"{name} would have {dataset.nbytes:,} bytes")
    name.encode()  # Raises for half of a character.
    dtype = "string" if dataset.dtype.kind in "OS" else dataset.dtype.name
    return Stored(name, tuple(dataset.shape), dtype, key=dataset.name)


def _h5_tensors(file: h5py.File) -> list[Stored]:
    """Returns the tensors of an older `.h5`: layers by name, with the names of their variables."""
    top = file.get("model_weights", file)
    tensors = []
    for layer in [*_texts(top.attrs["layer_names"]), "top_level_model_weights"]:
        if layer not in top:
            continue
        for name in _texts(top[layer].attrs["weight_names"]):
            plain = re.sub(r":\d+$", "", name)
            scoped = plain if "/" in plain else f"{layer}/{plain}"
            tensors.append(_describe(top[layer][name], scoped))
    unique_names = {tensor.name for tensor in tensors}
    if len(unique_names) < len(tensors):  # Keras 3 and nested models repeat names.
        tensors = [
            dataclasses.replace(tensor, name=tensor.key.split("/", 2)[-1]) for tensor in tensors
        ]
    if "optimizer_weights" in file:
        group = file["optimizer_weights"]
        names = _texts(group.attrs["weight_names"])
        state = [_describe(group[name], re.sub(r":\d+$", "", name)) for name in names]
        tensors += _classify_state(state, tensors)
    return contents.with_kinds(tensors)


def _classify_state(state: Sequence[Stored], variables: Sequence[Stored]) -> list[Stored]:
    """Identifies an optimizer's variables by their names."""
    by_name = {tensor.name: tensor for tensor in variables}
    joined_names = object_graph.joined(by_name)
    tensors = []
    for tensor in state:
        optimizer, _, rest = tensor.name.partition("/")
        owner, _, slot = rest.rpartition("/")
        last = tensor.name.rpartition("/")[2]
        if not tensor.shape and last in ("iter", "iteration", "iterations"):
            tensors.append(dataclasses.replace(tensor, role=Role.STEP))
        elif not tensor.shape and last == "learning_rate":
            tensors.append(dataclasses.replace(tensor, role=Role.SETTING, slot=last))
        elif owner in by_name:  # tf_keras.optimizers.legacy
            tensors.append(
                dataclasses.replace(
                    tensor, role=Role.SLOT, owner=owner, optimizer=optimizer, slot=slot
                )
            )
        else:
            slot_tensor = dataclasses.replace(tensor, role=Role.SLOT)
            match = object_graph.named_slot(slot_tensor, by_name, joined_names)
            tensors.append(match if match.owner else slot_tensor)
    return tensors


def _weights_h5_tensors(
    file: h5py.File, config: Mapping[str, Any], names: Mapping[str, str]
) -> list[Stored]:
    """Returns the tensors of a `.weights.h5`: layers by class, variables by number."""
    layers = keras_config.layers(config)
    order = {group: index for index, group in enumerate(layers)}
    variables, state, rest = [], [], []
    for dataset in _datasets(file):
        path = dataset.name.strip("/")
        if path.startswith("optimizer/"):
            state.append(_describe(dataset, path))
        elif path.startswith(("metrics/", "compile_metrics/")) or "seed_generator" in path:
            role = Role.METRIC if "metrics" in path else Role.SETTING
            rest.append(dataclasses.replace(_describe(dataset, path), role=role))
        else:
            name = keras_config.variable_name(path, layers, len(dataset.parent))
            place = order.get(keras_config.group(path, layers), len(order))
            trainable = keras_config.trainable(name, layers.get(keras_config.group(path, layers)))
            variable = dataclasses.replace(_describe(dataset, name), trainable=trainable)
            variables.append((place, variable))
    tensors = [tensor for _, tensor in sorted(variables, key=lambda pair: pair[0])]
    if not names:
        names = keras_config.optimizer_names(config, tensors, state)
    state = [
        dataclasses.replace(tensor, name=names.get(tensor.name, tensor.name)) for tensor in state
    ]
    return contents.with_kinds(tensors + _classify_state(state, tensors) + rest)


def _texts(values: Sequence[Any]) -> list[str]:
    return [v.decode() if isinstance(v, bytes) else str(v) for v in values]
