"""Checkpoints in TensorFlow's own formats: name-based, object-based, and within a SavedModel.

    source = bundles.open_prefix("/models/1/model.ckpt-100")
    source.kind, [stored.name for stored in source.stored]

A partitioned variable is read as a whole. Names in an object-based checkpoint are those of the
variables in their program (`full_name` of the object graph,
tensorflow/core/protobuf/trackable_object_graph.proto). If two variables have the same name, the
path of attributes replaces it.
"""

from __future__ import annotations

import collections
import dataclasses
import math
import re
from collections.abc import Iterator, Sequence

import numpy as np
import tensorflow as tf

from migrate.checkpoint.formats import bundle_index, contents, object_graph
from migrate.checkpoint.formats.contents import Stored
from migrate.checkpoint.formats.source import File, Source
from modern.process import cli, files

# Largest number of elements in a byte of the V1 format, whose zeros are packed.
_MOST_PACKED = 1000
# Types for which a tensor can be a view of a buffer.
_RAW = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8")
_PART = re.compile(rf"{contents.PART}/(?P<slot>[^/]+)")


def as_array(tensor: tf.Tensor) -> np.ndarray:
    """Returns a tensor's values, without a copy if numpy knows the dtype."""
    if tensor.dtype in (tf.string, tf.bfloat16):
        value = tensor.numpy()
        return np.asarray(value, object if tensor.dtype == tf.string else None)
    return np.asarray(memoryview(tensor))


class Bundle(Source):
    """A checkpoint in TensorFlow's V2 format."""

    def __init__(self, prefix: str, path: str, kind: str | None = None) -> None:
        self.path = path
        self.prefix = prefix
        self._index = bundle_index.read(prefix)
        try:  # TensorFlow verifies the index's own checksums.
            tf.train.load_checkpoint(prefix).get_variable_to_dtype_map()
        except (tf.errors.OpError, ValueError, TypeError, RuntimeError) as error:
            raise cli.UsageError(f"{prefix}.index is damaged: {_first_line(error)}.") from error
        self._index.check_shards()
        self.files = [File(p, files.size(p)) for p in (prefix + ".index", *self._index.shards)]
        tensors = _entries(self._index)
        graph = self._graph(tensors)
        self.convention = "keras" if graph else "v1"
        self.kind = kind or ("object-based" if graph else "name-based")
        if graph:
            self.stored = self._classify(graph, tensors)
        else:
            self.stored = contents.of_names(_sort_by_creation(_join_parts(tensors), prefix))

    def read(self, tensor: Stored) -> np.ndarray:
        """Implements `Source.read`."""
        if not tensor.parts:
            return as_array(self._restore(tensor, tensor.key, ""))
        try:
            array = np.empty(tensor.shape, tf.as_dtype(tensor.dtype).as_numpy_dtype)
        except (MemoryError, ValueError) as error:
            raise cli.UsageError(f"{self.path} is damaged: {tensor.name} is too large.") from error
        for key, spec in tensor.parts:
            array[region(spec)] = as_array(self._restore(tensor, key, spec))
        return array

    def read_tensor(self, tensor: Stored, buffer: np.ndarray | None = None) -> tf.Tensor:
        """Implements `Source.read_tensor`."""
        if tensor.parts:
            return super().read_tensor(tensor)
        entry = self._index.entries[tensor.key]
        is_raw = tensor.dtype in _RAW and not entry.slices and not files.is_remote(self.prefix)
        if buffer is not None and entry.size <= len(buffer) and is_raw:
            return self._read_into(buffer[: entry.size], tensor, entry)
        return self._restore(tensor, tensor.key, "")

    def crc(self, tensor: Stored) -> int | None:
        """Implements `Source.crc`."""
        return None if tensor.partitions > 1 else self._index.crcs[tensor.key.encode()]

    def file_of(self, tensor: Stored) -> str:
        """Implements `Source.file_of`."""
        return self._index.shards[self._index.entries[tensor.key].shard]

    def _read_into(
        self, buffer: np.ndarray, tensor: Stored, entry: bundle_index.Entry
    ) -> tf.Tensor:
        """Reads a tensor's bytes into a buffer, of which the tensor is a view.

        Reused memory causes no page faults, which are most of the cost of reading.
        """
        view = buffer.data
        with open(self.file_of(tensor), "rb", buffering=0) as file:
            file.seek(entry.offset)
            while view and (count := file.readinto(view)):
                view = view[count:]
        if view:
            raise cli.UsageError(f"{self.file_of(tensor)} is cut off: {tensor.name} is not whole.")
        array = buffer.view(np.dtype(tensor.dtype)).reshape(tensor.shape)
        return tf.experimental.dlpack.from_dlpack(array.__dlpack__())

    def _restore(self, tensor: Stored, key: str, spec: str) -> tf.Tensor:
        try:
            return tf.raw_ops.RestoreV2(
                prefix=self.prefix,
                tensor_names=[key],
                shape_and_slices=[spec],
                dtypes=[tf.as_dtype(tensor.dtype)],
            )[0]
        except (tf.errors.OpError, ValueError) as error:
            raise cli.UsageError(
                f"{self.file_of(tensor)} is damaged: {tensor.name} cannot be read "
                f"({_first_line(error)})."
            ) from error

    def _classify(self, graph: bytes, tensors: Sequence[Stored]) -> list[Stored]:
        from google.protobuf import message

        try:
            return object_graph.classify(graph, tensors)
        except (message.DecodeError, LookupError, ValueError) as error:
            raise cli.UsageError(
                f"{self.path} is damaged: its object graph cannot be read ({_first_line(error)})."
            ) from error

    def _graph(self, tensors: Sequence[Stored]) -> bytes | None:
        for tensor in tensors:
            if tensor.key == object_graph.KEY:
                graph = self._restore(tensor, tensor.key, "").numpy()
                if not isinstance(graph, bytes):
                    raise cli.UsageError(f"{self.path} is damaged: its object graph is no text.")
                return graph
        return None


class OldFormat(Source):
    """A name-based checkpoint in the single-file V1 format of TensorFlow before 1.0."""

    kind = "name-based V1"
    convention = "v1"

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            self._reader = tf.train.load_checkpoint(path)
        except (tf.errors.OpError, ValueError, RuntimeError) as error:
            raise cli.UsageError(
                f"{path} is not a checkpoint, or is damaged: {_first_line(error)}."
            ) from error
        shapes = self._reader.get_variable_to_shape_map()
        dtypes = self._reader.get_variable_to_dtype_map()
        tensors = [Stored(n, tuple(shapes[n]), dtypes[n].name, key=n) for n in sorted(shapes)]
        self.stored = contents.of_names(_sort_by_creation(tensors, path))
        self.files = [File(path, files.size(path))]
        # TensorFlow would end the process if it has no memory for a tensor.
        max_elements = _MOST_PACKED * self.files[0].size
        shapes_of = [tensor.shape for tensor in tensors]
        if any(min(shape, default=0) < 0 or math.prod(shape) > max_elements for shape in shapes_of):
            raise cli.UsageError(f"{path} is damaged: a tensor is larger than the file.")

    def read(self, tensor: Stored) -> np.ndarray:
        """Implements `Source.read`."""
        try:
            return tf.raw_ops.Restore(
                file_pattern=self.path, tensor_name=tensor.key, dt=tf.as_dtype(tensor.dtype)
            ).numpy()
        except (tf.errors.OpError, ValueError) as error:
            raise cli.UsageError(
                f"{self.path}: {tensor.name} cannot be read whole ({_first_line(error)}). Leave it "
                "out if it is a part of another tensor, such as .../t_0/Adam. Otherwise the file "
                "is damaged."
            ) from error


def open_prefix(prefix: str, path: str | None = None, kind: str | None = None) -> Source:
    """Opens a checkpoint by its prefix.

    Args:
      prefix: PREFIX of PREFIX.index, or the only file of the V1 format.
      path: Path for messages, if different.
      kind: Kind of the source, if it is not to be detected, such as "SavedModel".

    Raises:
      cli.UsageError: A file is missing or damaged. The message names it.
    """
    prefix = prefix.removesuffix(".index")
    if not files.is_file(prefix + ".index") and files.is_file(prefix):
        return OldFormat(prefix)
    return Bundle(prefix, path or prefix, kind)


def _entries(index: bundle_index.Index) -> list[Stored]:
    """Returns all entries, not yet classified.

    An entry whose slices do not fill its shape has `parts`.
    """
    tensors = []
    for key, entry in index.entries.items():
        specs = tuple((key, _spec(entry.shape, extents)) for extents in entry.slices)
        element_count = sum(_size(entry.shape, extents) for extents in entry.slices)
        tensor = Stored(
            key,
            entry.shape,
            tf.as_dtype(entry.dtype).name,
            key=key,
            partitions=max(1, len(entry.slices)),
            parts=specs if entry.slices and element_count < np.prod(entry.shape) else (),
        )
        tensors.append(tensor)
    return tensors


def _join_parts(tensors: list[Stored]) -> Iterator[Stored]:
    """Joins the slots of a partitioned variable's parts under the variable's name."""
    parts_by_name: dict[str, list[Stored]] = collections.defaultdict(list)
    for tensor in tensors:
        match = _PART.fullmatch(tensor.name) if tensor.parts else None
        name = f"{match['scoped'] or match['plain']}/{match['slot']}" if match else tensor.name
        parts_by_name[name].append(tensor)
    for name, parts in parts_by_name.items():
        if len(parts) == 1:
            yield parts[0]
            continue
        pieces = tuple(piece for part in parts for piece in part.parts)
        yield dataclasses.replace(parts[0], name=name, parts=pieces, partitions=len(pieces))


def _sort_by_creation(tensors: Sequence[Stored] | Iterator[Stored], prefix: str) -> list[Stored]:
    """Sorts by the order of creation and sets `trainable`, if a Saver wrote its graph too."""
    tensors = list(tensors)
    variables = _collections(prefix)
    place = {name: index for index, name in enumerate(variables)}
    ordered_tensors = sorted(tensors, key=lambda tensor: place.get(tensor.name, len(place)))
    return [
        dataclasses.replace(tensor, trainable=variables.get(tensor.name))
        for tensor in ordered_tensors
    ]


def _collections(prefix: str) -> dict[str, bool]:
    """Returns the variables of PREFIX.meta in the order of creation -> trainable.

    Empty without that file.
    """
    from google.protobuf import message
    from tensorflow.core.framework import variable_pb2
    from tensorflow.core.protobuf import meta_graph_pb2

    try:
        graph = meta_graph_pb2.MetaGraphDef.FromString(files.read_bytes(prefix + ".meta"))
        trainable: dict[str, bool] = {}
        for collection in ("variables", "trainable_variables"):
            for text in graph.collection_def[collection].bytes_list.value:
                variable = variable_pb2.VariableDef.FromString(text)
                part = variable.save_slice_info_def.full_name
                name = part or variable.variable_name.removesuffix(":0")
                trainable[name] = trainable.get(name, False) or collection == "trainable_variables"
    except (OSError, message.DecodeError):
        return {}  # The graph is optional: without it, the order of creation is unknown.
    return trainable


def _spec(shape: tuple[int, ...], extents: tuple[tuple[int, int], ...]) -> str:
    """Returns a slice in the format of RestoreV2: "6 2 0,2:0,2"."""
    dimensions = " ".join(map(str, shape))
    pairs = [(s, n if n >= 0 else size) for (s, n), size in zip(extents, shape, strict=True)]
    return f"{dimensions} " + ":".join(f"{start},{length}" for start, length in pairs)


def _size(shape: tuple[int, ...], extents: tuple[tuple[int, int], ...]) -> int:
    return int(np.prod([n if n >= 0 else s for (_, n), s in zip(extents, shape, strict=True)]))


def region(spec: str) -> tuple[slice, ...]:
    """Returns the region of an array that a slice specification such as "6 2 0,2:0,2" describes."""
    pairs = [tuple(map(int, part.split(","))) for part in spec.rpartition(" ")[2].split(":")]
    return tuple(slice(start, start + length) for start, length in pairs)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(".")
