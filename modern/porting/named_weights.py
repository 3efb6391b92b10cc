"""The weights of models and of checkpoints, by the names of an Estimator's variables.

>>> import tf_keras as keras
>>> model = keras.Sequential([keras.Input([2]), keras.layers.Dense(1, name="dense")])
>>> sorted(variables(model))
['dense/bias', 'dense/kernel']

A checkpoint may be one of an Estimator, of Keras, or of a SavedModel. Names of Keras' variables
differ from those of an Estimator in two ways: a subclass of `keras.Model` puts its own name
first, and canned DNNs had a longer scope around embeddings.
"""

from __future__ import annotations

import collections
import os
import re
from collections.abc import Iterator, Mapping

import numpy as np
import tensorflow as tf

from modern.model_files import checkpoints, model_dirs, rotation, weights
from modern.model_files.errors import CheckpointError
from modern.process import chosen_keras
from modern.process.chosen_keras import keras

GLOBAL_STEP = "global_step"
_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
_VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"
_STEPS = ("iter", "_iterations", "iterations")
# Objects that hold no weights, and names of the variables of metrics.
_OTHERS = frozenset(("optimizer", "eval_metrics", "metrics", "keras_api"))
_OF_METRICS = frozenset(
    (
        *("count", "false_negatives", "false_positives", "total", "total_cm", "true_negatives"),
        *("true_positives",),
    )
)
_EMBEDDING = re.compile(r"^dnn/(?=[^/]*_embedding/)")
_INPUTS = "dnn/input_from_feature_columns/input_layer/"
_OF_ESTIMATOR = re.compile(r"model\.ckpt-(\d+)$")


def weights_of(model: keras.Model) -> list[tf.Variable]:
    """Returns the weights of a model, without the variables of metrics."""
    of_metrics = {id(variable) for metric in model.metrics for variable in metric.variables}
    return [variable for variable in model.weights if id(variable) not in of_metrics]


def variables(model: keras.Model) -> dict[str, list[tf.Variable]]:
    """Returns the weights of a model by name, in their order. A list holds the parts of a variable.

    Metrics are no weights. A model whose first batch creates its variables has none before.

    Args:
      model: The model.
    """
    if chosen_keras.version() == 3:
        return weights.parts_of(model)
    named: dict[str, list[tf.Variable]] = {}
    layers = _own_layers(model)
    for name, parts in weights.parts_by_name(weights_of(model)).items():
        name = name.removeprefix(f"{model.name}/")
        for layer in layers:
            if any(parts[0] is weight for weight in layer.weights):
                name = name.removeprefix(f"{layer.name}/")
        named[_EMBEDDING.sub(_INPUTS, name)] = parts
    return named


def _own_layers(model: keras.Model) -> list[keras.layers.Layer]:
    """Returns the layers whose classes are next to that of the model, from outside to inside.

    They hold the layers of a function that the model_fn called, which have complete names.
    """
    module = type(model).__module__
    layers = [
        layer
        for layer in model.submodules
        if isinstance(layer, keras.layers.Layer) and type(layer).__module__ == module
    ]
    return sorted(layers, key=lambda layer: -len(layer.weights))


class NamedValues(Mapping[str, np.ndarray]):
    """The values of a checkpoint by name, which are read when they are looked up.

    Args:
      path: Path of the checkpoint, as for `path_of`.

    Attributes:
      path: Path of the checkpoint's files, without their suffix.
      is_of_objects: Whether it is a checkpoint of Keras objects.
      prefix: Beginning of all names of a checkpoint of Keras, such as "model/", or "". Each name is
        a key with and without it.

    Raises:
      CheckpointError: The checkpoint does not exist or is damaged.
    """

    def __init__(self, path: str) -> None:
        self.path = path_of(path)
        try:
            self._reader = tf.train.load_checkpoint(self.path)
            names = self._reader.get_variable_to_shape_map()
            graph = self._reader.get_tensor(_GRAPH) if _GRAPH in names else None
        # A file that is cut off gives an IndexError.
        except (tf.errors.OpError, ValueError, RuntimeError, IndexError) as error:
            raise CheckpointError(f"The checkpoint {path} cannot be read: {error}") from error
        self.is_of_objects = graph is not None
        self.prefix, self._keys = "", {name: name for name in names}
        if graph is not None:
            self.prefix, self._keys = _keys(graph, names)

    def __getitem__(self, name: str) -> np.ndarray:
        value: np.ndarray = self._reader.get_tensor(self._keys[name])
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def step(self) -> int:
        """The global step."""
        if GLOBAL_STEP in self._keys:
            return int(self[GLOBAL_STEP])
        return rotation.step_of(self.path) or 0


def _keys(graph: bytes, names: Mapping[str, object]) -> tuple[str, dict[str, str]]:
    """Returns the common prefix of names in an object-based checkpoint, and its keys by name."""
    from tensorflow.core.protobuf import trackable_object_graph_pb2

    nodes = trackable_object_graph_pb2.TrackableObjectGraph.FromString(graph).nodes
    full_names: dict[str, str] = {}
    keys: dict[str, str] = {}
    for attribute in (attribute for node in nodes for attribute in node.attributes):
        key, name = attribute.checkpoint_key, attribute.full_name.removesuffix(":0")
        path = key.removesuffix(_VALUE).split("/")
        if key not in names or not key.endswith(_VALUE) or path[0] == "save_counter":
            continue
        if path[-1] in _STEPS and "optimizer" in path:
            keys.setdefault(GLOBAL_STEP, key)
        elif name and name not in _OF_METRICS and not _OTHERS & {*path[:-1]}:
            full_names[key] = name
    counts = collections.Counter(full_names.values())
    full_names = {key: name for key, name in full_names.items() if counts[name] == 1}
    first = {name.partition("/")[0] for name in full_names.values() if "/" in name}
    # A subclass of Model puts its name first. In other models, several layers have names.
    prefix = f"{first.pop()}/" if len(first) == 1 else ""
    for key, name in full_names.items():
        keys.setdefault(_EMBEDDING.sub(_INPUTS, name), key)
    for key, name in full_names.items():
        name = _without_functions(name.removeprefix(prefix), key)
        keys.setdefault(_EMBEDDING.sub(_INPUTS, name), key)
    return prefix, keys


def _without_functions(name: str, key: str) -> str:
    """Removes the names of layers that hold those of a function: see `_own_layers`.

    Such a layer is called like its attribute: "block_1/tower/dense/kernel" has the key
    "model/block/dense/kernel".
    """
    _, *attributes, _, _ = key.removesuffix(_VALUE).split("/")
    for attribute in attributes:
        first, _, rest = name.partition("/")
        if not rest or _without_number(f"{first}/") != _without_number(f"{attribute}/"):
            break
        name = rest
    return name


def path_of(path: str) -> str:
    """Returns the path of a checkpoint's files, without their suffix.

    Args:
      path: Path of a checkpoint, or of a folder with checkpoints or a SavedModel. The path of a
        checkpoint that an Estimator would have written stands for the one that its model wrote.

    Raises:
      CheckpointError: There is no checkpoint.
    """
    path = os.fspath(path)
    number = _OF_ESTIMATOR.search(path)
    candidates = [path, os.path.join(path, "variables", "variables")]
    if number:
        folder = checkpoints.folder(os.path.dirname(path))
        candidates.append(os.path.join(folder, f"ckpt-{number[1]}"))
    for candidate in candidates:
        if tf.io.gfile.exists(f"{candidate}.index"):
            return candidate
    latest = checkpoints.latest(path) or tf.train.latest_checkpoint(path)
    if not latest:
        raise CheckpointError(f"There is no checkpoint in {path}.")
    return latest


def variable_names(model: keras.Model) -> list[str]:
    """Returns the names of a model's weights and "global_step", as Estimator.get_variable_names.

    Slots of the optimizer are left out.

    Args:
      model: The model. If it has no variables yet, those of its latest checkpoint count.

    Raises:
      CheckpointError: The model has no variables and no checkpoint.
    """
    if model.built:
        return sorted({*variables(model), GLOBAL_STEP})
    values = _of_folder(model)
    # The name of the model that wrote it, such as "model_1/", comes first in Keras.
    is_own = _without_number(values.prefix) == _without_number(f"{model.name}/")
    return sorted(name for name in values if not (is_own and name.startswith(values.prefix)))


def _without_number(name: str) -> str:
    return re.sub(r"_\d+/$", "/", name)


def variable_value(model: keras.Model, name: str) -> np.ndarray:
    """Returns the value of a weight, or of "global_step", as Estimator.get_variable_value.

    Args:
      model: The model. If it has no variables yet, those of its latest checkpoint count.
      name: Name of the variable in an Estimator.

    Raises:
      CheckpointError: The model has no variables and no checkpoint.
      ValueError: There is no such variable.
    """
    values: Mapping[str, np.ndarray]
    if model.built:
        step = np.int64(model.optimizer.iterations.numpy())
        parts_by_name = variables(model)
        values = {key: weights.value_of(parts) for key, parts in parts_by_name.items()}
        values = {**values, GLOBAL_STEP: np.asarray(step)}
    else:
        values = _of_folder(model)
    if name not in values:
        names = ", ".join(variable_names(model))
        raise ValueError(f"There is no variable {name!r}, but {names}.")
    return values[name]


def list_variables(checkpoint: str) -> list[tuple[str, list[int]]]:
    """Returns the names and shapes of a checkpoint's variables, as `tf.train.list_variables`.

    The slots of the optimizer of a Keras model are left out.

    Args:
      checkpoint: The folder of a model, or the path of any checkpoint or folder.
    """
    if not _is_of_model(checkpoint):
        variables_of_file: list[tuple[str, list[int]]] = tf.train.list_variables(checkpoint)
        return variables_of_file
    values = NamedValues(checkpoint)
    names = [name for name in values if not (values.prefix and name.startswith(values.prefix))]
    return [(name, list(values[name].shape)) for name in sorted(names)]


def load_variable(checkpoint: str, name: str) -> np.ndarray:
    """Returns the value of a variable in a checkpoint, as `tf.train.load_variable`.

    Args:
      checkpoint: The folder of a model, or the path of any checkpoint or folder.
      name: Name of the variable in an Estimator.
    """
    source = NamedValues(checkpoint) if _is_of_model(checkpoint) else None
    value: np.ndarray
    value = tf.train.load_variable(checkpoint, name) if source is None else source[name]
    return value


def _is_of_model(checkpoint: str) -> bool:
    """Says whether the checkpoint of a folder, or at a path, is in the folder of a Keras model."""
    if checkpoints.latest(checkpoint) is not None:
        return True
    try:
        return os.path.basename(os.path.dirname(path_of(checkpoint))) == "checkpoints"
    except CheckpointError:
        return False


def _of_folder(model: keras.Model) -> NamedValues:
    """Returns the values of the latest checkpoint of a model that has no variables yet."""
    folder = model_dirs.of(model)
    if not folder:
        raise CheckpointError("The model has no variables yet: train it first.")
    return NamedValues(folder)
