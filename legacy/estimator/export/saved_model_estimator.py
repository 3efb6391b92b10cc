"""SavedModelEstimator, an Estimator whose model_fn is the graph of a SavedModel.

    path = estimator.experimental_export_all_saved_models("/tmp/export", receiver_fns_by_mode)
    again = SavedModelEstimator(path, model_dir="/tmp/more")
    again.train(input_fn, steps=20)

It trains, evaluates or predicts if the SavedModel has a graph for that mode. Variables start with
the SavedModel's values if `model_dir` has no checkpoint. The class comes from tf.contrib.estimator
and behaves as in TensorFlow 1.15.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from legacy.estimator.estimator import EstimatorV2
from legacy.estimator.export import receivers, saved_model_graph
from legacy.estimator.export.modes import EXPORT_TAG_MAP, SIGNATURE_KEY_MAP
from legacy.estimator.export.saved_model import TRAIN_OP_KEY
from legacy.estimator.export.supervised_outputs import EvalOutput, TrainOutput
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_METHODS = {ModeKeys.TRAIN: TrainOutput.METHOD_NAME, ModeKeys.EVAL: EvalOutput.METHOD_NAME}
_VARIABLES = os.path.join(tf.saved_model.VARIABLES_DIRECTORY, tf.saved_model.VARIABLES_FILENAME)


class SavedModelEstimator(EstimatorV2):
    """An Estimator whose model_fn is the graph of a SavedModel.

    Args:
      saved_model_dir: Folder of a SavedModel that an Estimator exported.
      model_dir: Folder of the checkpoints and event files. None means a temporary folder.

    Raises:
      ValueError: `saved_model_dir` has no variables.
      OSError: `saved_model_dir` has variables, but no `saved_model.pb` or `saved_model.pbtxt`.
    """

    def __init__(self, saved_model_dir: str | bytes, model_dir: str | None = None) -> None:
        self.saved_model_dir = saved_model_dir
        self._own_checkpoint()
        super().__init__(model_fn=self._model_fn_from_saved_model, model_dir=model_dir)
        self._meta_graphs = saved_model_graph.read(saved_model_dir)
        self._available_modes = [mode for mode in EXPORT_TAG_MAP if self._signature(mode)]
        tf1.logging.info("Available modes for Estimator: %s", self._available_modes)

    def latest_checkpoint(self) -> str:
        """Returns the path of the latest checkpoint, or else of the SavedModel's variables.

        Raises:
          ValueError: The SavedModel has no variables.
        """
        return super().latest_checkpoint() or self._own_checkpoint()

    def _create_and_assert_global_step(self, graph: tf.Graph) -> None:
        """Does nothing, because the SavedModel's graph contains the global step."""

    def _own_checkpoint(self) -> str:
        path = os.path.join(tf.compat.as_str(self.saved_model_dir), _VARIABLES)
        if not tf.io.gfile.exists(path + ".index"):
            raise ValueError(
                "Directory provided has an invalid SavedModel format: it has no variables: "
                f"{tf.compat.as_str(self.saved_model_dir)}"
            )
        return path

    def _signature(self, mode: str) -> Any:
        """Returns a mode's signature, or None."""
        meta_graph = self._meta_graphs.get(frozenset(EXPORT_TAG_MAP[mode]))
        if meta_graph is None or SIGNATURE_KEY_MAP[mode] not in meta_graph.signature_def:
            tf1.logging.warning("%s mode not found in SavedModel.", mode)
            return None
        return meta_graph.signature_def[SIGNATURE_KEY_MAP[mode]]

    def _model_fn_from_saved_model(self, features: Any, labels: Any, mode: str) -> EstimatorSpec:
        """Loads a mode's graph into the default graph, with features and labels as its inputs."""
        if mode not in self._available_modes:
            raise RuntimeError(
                f"{mode} mode is not available in the SavedModel, which has "
                f"{self._available_modes}. Export it for this mode too, by "
                "experimental_export_all_saved_models."
            )
        if tf1.train.get_global_step() is not None:
            raise RuntimeError(
                "Graph must not contain a global step tensor before the SavedModel is loaded. "
                "Please make sure that the input function does not create a global step."
            )
        signature = self._signature(mode)
        meta_graph = self._meta_graphs[frozenset(EXPORT_TAG_MAP[mode])]
        outputs = saved_model_graph.load(
            meta_graph,
            self.saved_model_dir,
            _input_map(signature, features, labels),
            signature.outputs,
        )
        saver = tf1.train.Saver(saver_def=meta_graph.saver_def)
        scaffold = tf1.train.Scaffold(
            local_init_op=saved_model_graph.main_op(),
            saver=saver,
            init_fn=None if super().latest_checkpoint() else self._restore,
        )
        tf1.train.assert_global_step(tf1.train.get_global_step())
        train_op = _only_train_op()
        saved_model_graph.clear_collections()
        tf1.get_collection_ref(TRAIN_OP_KEY).clear()
        return EstimatorSpec(
            mode=mode,
            scaffold=scaffold,
            train_op=train_op,
            **_parts(mode, outputs, signature.method_name),
        )

    def _restore(self, scaffold: Any, session: Any) -> None:
        scaffold.saver.restore(session, self._own_checkpoint())


def _input_map(signature: Any, features: Any, labels: Any) -> dict[str, tf.Tensor]:
    """Returns the tensors that replace the inputs of the graph, by input name."""
    tensors = dict(receivers.wrap_and_check_input_tensors(features, "feature"))
    if labels is not None:
        tensors = {**receivers.wrap_and_check_input_tensors(labels, "label"), **tensors}
    input_map = {}
    for key, info in signature.inputs.items():
        if key not in tensors:
            raise ValueError(
                f'Key "{key}" not found in features or labels passed in to the model function. '
                f"All required keys: {list(signature.inputs)}"
            )
        _check_like(tensors[key], info, key)
        name = info.name.partition(":")[0]
        # An operation may also have the input as a control dependency, written "^name".
        input_map[name] = input_map[f"^{name}"] = tensors[key]
    return input_map


def _check_like(tensor: Any, info: Any, name: str) -> None:
    """Raises ValueError if a tensor does not have the dtype and shape of a signature's input."""
    dtype, shape = tf.dtypes.as_dtype(info.dtype), tf.TensorShape(info.tensor_shape)
    wrong = []
    if tensor.dtype != dtype:
        wrong.append(f"Expected dtype: {dtype}, Got: {tensor.dtype}")
    if not tensor.shape.is_compatible_with(shape):
        wrong.append(f"Expected shape: {shape}, Got: {tensor.shape}")
    if wrong:
        raise ValueError(
            "\n\t".join([f"Tensor shape and/or dtype validation failed for input {name}:", *wrong])
        )


def _only_train_op() -> Any:
    train_ops = tf1.get_collection(TRAIN_OP_KEY)
    if len(train_ops) > 1:
        raise RuntimeError(f"Multiple ops found in the train_op collection: {train_ops}.")
    return train_ops[0] if train_ops else None


def _parts(mode: str, outputs: Mapping[str, tf.Tensor], method: str) -> dict[str, Any]:
    """Returns the predictions, loss and metrics of EstimatorSpec, by the outputs' names."""
    if mode == ModeKeys.PREDICT:
        return {"predictions": dict(outputs)}
    if method != _METHODS[mode]:
        raise RuntimeError(
            f"Invalid SignatureDef method name for mode {mode}.\n\tExpected: {_METHODS[mode]}\n\t"
            f"Got: {method}\nPlease ensure that the SavedModel was exported with "
            "`experimental_export_all_saved_models()`."
        )
    predictions = {
        name: tensor
        for name, tensor in outputs.items()
        if name.split("/")[0] == EvalOutput.PREDICTIONS_NAME
    }
    metrics = {}
    for name, tensor in outputs.items():
        metric, _, part = name.rpartition("/")
        update = outputs.get(f"{metric}/{EvalOutput.METRIC_UPDATE_SUFFIX}")
        is_value = part == EvalOutput.METRIC_VALUE_SUFFIX and update is not None
        if is_value and name.split("/")[0] == EvalOutput.METRICS_NAME:
            metrics[metric] = (tensor, update)
    return {
        "predictions": predictions,
        "loss": outputs[EvalOutput.LOSS_NAME],
        "eval_metric_ops": metrics,
    }
