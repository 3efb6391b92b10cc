"""Compares two SavedModels: their signatures, and the outputs of each on the same requests.

found = exports.compare("before/export/1700000000", "after/export/1700000040", examples)
found.differences or found.not_compared

Requests contain the recorded examples of features that a signature takes under the same names, also
inside of serialized `tf.train.Example`s. Other inputs are generated.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from migrate.same_run import nests
from migrate.same_run.examples import as_bytes
from migrate.same_run.nests import Tolerance

_EXTRA = "assets.extra"
_ROWS = 4  # Examples in a request.
_LENGTH = 3  # Size of another dimension that a signature leaves open.


@dataclasses.dataclass
class ExportComparison:
    """Result of a comparison of two exports.

    Attributes:
      differences: A line for each difference.
      not_compared: Sentences on parts that could not be compared.
      signatures: Number of signatures whose outputs were compared.
    """

    differences: list[str] = dataclasses.field(default_factory=list)
    not_compared: list[str] = dataclasses.field(default_factory=list)
    signatures: int = 0


def compare(
    before: str, after: str, examples: Mapping[str, Any], place: str, tolerance: Tolerance
) -> ExportComparison:
    """Compares two exports.

    Args:
      before: Folder of the SavedModel of one run.
      after: Folder of the SavedModel of another run.
      examples: Recorded features, as `examples.first` returns them.
      place: Place of the export, which starts each line.
      tolerance: Tolerance of outputs.
    """
    comparison = ExportComparison()
    sides = []
    for when, path in (("before", before), ("after", after)):
        try:
            sides.append(_load(path))
        except Exception as error:
            comparison.not_compared.append(
                f"{place}: it could not be loaded {when}: {_line(error)}"
            )
    if len(sides) < 2:
        return comparison
    old, new = (side.signatures for side in sides)
    comparison.differences += [
        f"{place}, signature {name}: missing after" for name in old if name not in new
    ]
    for name in old:
        if name in new:
            _compare_signature(
                comparison, f"{place}, signature {name}", old[name], new[name], examples, tolerance
            )
    comparison.differences += nests.differences(_extra(before), _extra(after), place)
    return comparison


def largest_difference(before: str, after: str, examples: Mapping[str, Any]) -> float:
    """Returns the largest difference of the outputs of two exports. 0 if one of them fails.

    Args:
      before: Folder of a SavedModel.
      after: Folder of a SavedModel with the same signatures.
      examples: Recorded features, as `examples.first` returns them.
    """
    sizes = [0.0]
    try:
        old_signatures, new_signatures = (_load(path).signatures for path in (before, after))
        for name in old_signatures:
            request = next(_requests(old_signatures[name], examples))
            sides = [_results(side[name], request) for side in (old_signatures, new_signatures)]
            sizes += [
                float(np.max(np.abs(sides[1][key] - value), initial=0.0))
                for key, value in sides[0].items()
                if value.dtype.kind == "f"
            ]
    except Exception:  # `compare` reports the error. No difference is allowed then.
        return 0.0
    return float(np.nan_to_num(max(sizes)))


def _compare_signature(
    comparison: ExportComparison,
    place: str,
    old: Any,
    new: Any,
    examples: Mapping[str, Any],
    tolerance: Tolerance,
) -> None:
    """Compares inputs, outputs and results of a signature."""
    lines = [
        *_specs(f"{place}, input", _inputs(old), _inputs(new)),
        *_specs(f"{place}, output", old.structured_outputs, new.structured_outputs),
    ]
    comparison.differences += lines
    if lines:
        return
    problem = "it takes no input"
    for request in _requests(old, examples):
        try:
            expected = _results(old, request)
        except Exception as error:
            problem = f"it failed before: {_line(error)}"
            continue
        try:
            results = _results(new, request)
        except Exception as error:
            comparison.differences.append(f"{place}: it fails after: {_line(error)}")
            return
        comparison.differences += nests.differences(expected, results, place, tolerance)
        comparison.signatures += 1
        return
    comparison.not_compared.append(f"{place}: {problem}")


def _load(path: str) -> Any:
    import tensorflow as tf

    logger = tf.get_logger()
    level = logger.level
    logger.setLevel("ERROR")  # It warns of each reference variable, which an Estimator exports.
    try:
        return tf.saved_model.load(path, tags=["serve"])
    finally:
        logger.setLevel(level)


def _inputs(signature: Any) -> dict[str, Any]:
    return dict(signature.structured_input_signature[1])


def _specs(place: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yields differences of names, types and shapes."""
    for name in [*old, *(name for name in new if name not in old)]:
        if name not in new:
            yield f"{place} {name!r}: missing after"
        elif name not in old:
            yield f"{place} {name!r}: missing before"
        elif old[name].dtype != new[name].dtype:
            old_type, new_type = old[name].dtype.name, new[name].dtype.name
            yield f"{place} {name!r}: {old_type} before, {new_type} after"
        elif not old[name].shape.is_compatible_with(new[name].shape):
            yield f"{place} {name!r}: shape {old[name].shape} before, {new[name].shape} after"


def _results(signature: Any, request: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    import tensorflow as tf

    specs = _inputs(signature)
    tensors = {name: tf.constant(value, specs[name].dtype) for name, value in request.items()}
    return {name: value.numpy() for name, value in signature(**tensors).items()}


def _requests(signature: Any, examples: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields requests, the best first."""
    specs = _inputs(signature)
    if not specs:
        return
    parsed_features = _parsed_features(signature)
    for features in (examples, {}):
        request: dict[str, Any] = {}
        for name, spec in specs.items():
            example = features.get(name, features.get("") if len(specs) == 1 else None)
            if parsed_features and spec.dtype.name == "string" and spec.shape.rank in (0, 1):
                serialized = _serialized(parsed_features, features)
                request[name] = serialized[0] if spec.shape.rank == 0 else serialized
                continue
            value = _fit(example, spec)
            request[name] = _generate(spec) if value is None else value
        yield request


def _fit(example: Any, spec: Any) -> np.ndarray | None:
    """Returns recorded values in the shape and type of an input, or None."""
    if example is None or isinstance(example, Mapping):
        return None
    values = as_bytes(np.asarray(example))
    if (values.dtype.kind in "OSU") != (spec.dtype.name == "string"):
        return None
    rows = values[:_ROWS] if values.ndim else values
    # A signature may take a single example, or batches of a fixed size.
    for candidate in (rows, *([rows[0], rows[:1]] if rows.ndim and len(rows) else [])):
        if spec.shape.is_compatible_with(candidate.shape):
            return (
                candidate
                if candidate.dtype.kind == "O"
                else candidate.astype(spec.dtype.as_numpy_dtype)
            )
    return None


def _generate(spec: Any) -> np.ndarray:
    """Returns generated values for an input."""
    rank = spec.shape.rank if spec.shape.rank is not None else 1
    sizes = spec.shape.as_list() if spec.shape.rank is not None else [None]
    shape = [
        size if size is not None else _ROWS if not axis else _LENGTH
        for axis, size in enumerate(sizes[:rank])
    ]
    return _values(shape, spec.dtype)


def _values(shape: Sequence[int], dtype: Any) -> np.ndarray:
    count = int(np.prod(shape))
    if dtype.name == "string":
        return np.array([b"a", b"b"] * count, object)[:count].reshape(shape)
    values: Any = np.arange(count) % 2
    if dtype.is_floating:
        values = np.random.RandomState(0).uniform(-1.0, 1.0, count)
    return values.reshape(shape).astype(dtype.as_numpy_dtype)


def _serialized(
    parsed_features: Mapping[str, tuple[Any, Any]], features: Mapping[str, Any]
) -> np.ndarray:
    """Returns serialized Examples.

    Args:
      parsed_features: Type and shape of each feature that the signature parses. The shape is None
        if the number of values is open.
      features: Recorded features.
    """
    import tensorflow as tf

    rows = []
    for row in range(_ROWS):
        example = tf.train.Example()
        for name, (dtype, shape) in parsed_features.items():
            size = None if shape is None else int(np.prod(shape))
            values = _row_values(features.get(name), row, dtype, size)
            if values is None:
                generated = _values([_ROWS, _LENGTH if size is None else size], dtype)
                values = generated[row]
            target = example.features.feature[name]
            if dtype.name == "string":
                target.bytes_list.value.extend(values.tolist())
            elif dtype.is_floating:
                target.float_list.value.extend(values.tolist())
            else:
                target.int64_list.value.extend(values.tolist())
        rows.append(example.SerializeToString())
    return np.array(rows, object)


def _row_values(feature: Any, row: int, dtype: Any, size: int | None) -> np.ndarray | None:
    """Returns the recorded values of a row, or None if they do not fit."""
    if feature is None:
        return None
    if isinstance(feature, Mapping):
        values = as_bytes(feature["values"])[np.asarray(feature["indices"])[:, 0] == row]
    else:
        array = as_bytes(np.asarray(feature))
        if array.ndim == 0 or row >= len(array):
            return None
        values = array[row].reshape(-1) if array.ndim > 1 else array[row : row + 1]
    is_text = values.dtype.kind in "OSU"
    if is_text != (dtype.name == "string") or (size is not None and values.size != size):
        return None
    return values if is_text else values.astype(dtype.as_numpy_dtype)


def _parsed_features(signature: Any) -> dict[str, tuple[Any, Any]]:
    """Returns the type and shape of each feature that a signature parses, by name."""
    definition = signature.graph.as_graph_def()
    features: dict[str, tuple[Any, Any]] = {}
    for nodes in (
        definition.node,
        *(function.node_def for function in definition.library.function),
    ):
        by_name = {node.name: node for node in nodes}
        for node in nodes:
            if node.op in ("ParseExample", "ParseExampleV2"):
                features.update(_features(node, by_name))
    return features


def _features(node: Any, by_name: Mapping[str, Any]) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yields the features of an operation that parses Examples."""
    import tensorflow as tf

    def keys(name: str) -> list[str]:
        value = tf.make_ndarray(by_name[name.partition(":")[0]].attr["value"].tensor)
        return [key.decode() for key in np.ravel(value)]

    sparse_types = [tf.dtypes.as_dtype(number) for number in node.attr["sparse_types"].list.type]
    dense_types = [tf.dtypes.as_dtype(number) for number in node.attr["Tdense"].list.type]
    shapes = [tf.TensorShape(proto) for proto in node.attr["dense_shapes"].list.shape]
    if node.op == "ParseExampleV2":
        sparse, dense = keys(node.input[2]), keys(node.input[3])
    else:
        ends = 2 + len(sparse_types), 2 + len(sparse_types) + len(dense_types)
        sparse = [key for name in node.input[2 : ends[0]] for key in keys(name)]
        dense = [key for name in node.input[ends[0] : ends[1]] for key in keys(name)]
    for key, dtype in zip(sparse, sparse_types, strict=True):
        yield key, (dtype, None)
    for key, dtype, shape in zip(dense, dense_types, shapes, strict=True):
        yield key, (dtype, shape.as_list() if shape.is_fully_defined() else None)


def _extra(path: str) -> dict[str, bytes]:
    """Returns the contents of the files that an exporter adds for a server."""
    folder = os.path.join(path, _EXTRA)
    contents = {}
    for place, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                contents[os.path.relpath(os.path.join(place, name), path)] = file.read()
    return contents


def _line(error: Exception) -> str:
    """Returns the first line of an error."""
    text = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    return f"{type(error).__name__}: {text}"[:300]
