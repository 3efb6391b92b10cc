"""The weights of models and of checkpoints, by the names of an Estimator's variables.

>>> import tf_keras
>>> model = tf_keras.Sequential([tf_keras.Input([2]), tf_keras.layers.Dense(1, name="dense")])
>>> sorted(variables(model))
['dense/bias', 'dense/kernel']

A checkpoint may be one of an Estimator, of Keras, or of a SavedModel. Names of Keras' variables
differ from those of an Estimator in two ways: a subclass of `tf_keras.Model` puts its own name
first, and canned DNNs had a longer scope around embeddings.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

import numpy as np
import tensorflow as tf
import tf_keras

from modern.model_files import checkpoints, rotation, weights
from modern.model_files.weights import CheckpointError

GLOBAL_STEP = "global_step"
_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
_VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"
_STEPS = ("iter", "_iterations", "iterations")
_EMBEDDING = re.compile(r"^dnn/(?=[^/]*_embedding/)")
_INPUTS = "dnn/input_from_feature_columns/input_layer/"
_OF_ESTIMATOR = re.compile(r"model\.ckpt-(\d+)$")


def variables(model: tf_keras.Model) -> dict[str, list[tf.Variable]]:
    """Returns the weights of a model by name, in their order. A list holds the parts of a variable.

    Metrics are no weights. A model whose first batch creates its variables has none before.

    Args:
      model: The model.
    """
    of_metrics = {id(variable) for metric in model.metrics for variable in metric.variables}
    named: dict[str, list[tf.Variable]] = {}
    for name, parts in weights.parts_by_name(
        variable for variable in model.weights if id(variable) not in of_metrics
    ).items():
        named[_EMBEDDING.sub(_INPUTS, name.removeprefix(f"{model.name}/"))] = parts
    return named


class NamedValues(Mapping[str, np.ndarray]):
    """The values of a checkpoint by name, which are read when they are looked up.

    Args:
      path: Path of the checkpoint, as for `path_of`.

    Attributes:
      path: Path of the checkpoint's files, without their suffix.

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
        self._keys = {name: name for name in names} if graph is None else _keys(graph, names)

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


def _keys(graph: bytes, names: Mapping[str, object]) -> dict[str, str]:
    """Returns the keys of an object-based checkpoint, by the names of an Estimator's variables."""
    from tensorflow.core.protobuf import trackable_object_graph_pb2

    nodes = trackable_object_graph_pb2.TrackableObjectGraph.FromString(graph).nodes
    full_names: dict[str, str] = {}
    keys: dict[str, str] = {}
    for attribute in (attribute for node in nodes for attribute in node.attributes):
        key, name = attribute.checkpoint_key, attribute.full_name.removesuffix(":0")
        path = key.removesuffix(_VALUE).split("/")
        if key not in names or not key.endswith(_VALUE):
            continue
        if path[-1] in _STEPS and "optimizer" in path:
            keys.setdefault(GLOBAL_STEP, key)
        elif not {"optimizer", "eval_metrics", "metrics", "keras_api"} & {*path[:-1]} and name:
            full_names[key] = name
    first = {name.partition("/")[0] for name in full_names.values()}
    # A subclass of Model puts its name first. In other models, several layers have names.
    prefix = f"{first.pop()}/" if len(first) == 1 else ""
    for key, name in full_names.items():
        keys.setdefault(_EMBEDDING.sub(_INPUTS, name), key)
    for key, name in full_names.items():
        keys.setdefault(_EMBEDDING.sub(_INPUTS, name.removeprefix(prefix)), key)
    return keys


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
