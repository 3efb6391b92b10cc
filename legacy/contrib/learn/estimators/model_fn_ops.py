"""ModelFnOps: the return value of a model function of contrib.learn.

def model_fn(features, labels, mode):
    ...
    return ModelFnOps(mode, predictions, loss, train_op)
"""

from __future__ import annotations

import collections
from collections.abc import Mapping, Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.learn.constants import MetricKey, ModeKeys, PredictionKey, ProblemType
from legacy.estimator import mode_keys, spec
from legacy.estimator.export import outputs as export_outputs

tf1 = tf.compat.v1

_FIELDS = (
    "predictions",
    "loss",
    "train_op",
    "eval_metric_ops",
    "output_alternatives",
    "training_chief_hooks",
    "training_hooks",
    "scaffold",
    "mode",
)
_DEFAULT = tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY
_CORE_MODES = {
    ModeKeys.TRAIN: mode_keys.ModeKeys.TRAIN,
    ModeKeys.EVAL: mode_keys.ModeKeys.EVAL,
    ModeKeys.INFER: mode_keys.ModeKeys.PREDICT,
}


class ModelFnOps(collections.namedtuple("ModelFnOps", _FIELDS)):
    """The operations by which an Estimator trains, evaluates and predicts.

    Args:
      mode: A member of `ModeKeys`.
      predictions: A tensor or a dict of tensors. Required in modes EVAL and INFER.
      loss: A tensor with one element. Required in modes TRAIN and EVAL.
      train_op: Operation of a training step. Required in mode TRAIN.
      eval_metric_ops: Return values of metric functions, by name.
      output_alternatives: Pairs (`ProblemType`, predictions by name), by name of the head.
      training_chief_hooks: `SessionRunHook`s for the chief.
      training_hooks: `SessionRunHook`s for every trainer.
      scaffold: A `tf.compat.v1.train.Scaffold`, or None.

    Raises:
      ValueError: A value that the mode requires is missing, or the loss is not a scalar.
      TypeError: A hook is not a `SessionRunHook`.
    """

    def __new__(
        cls,
        mode: str,
        predictions: Any = None,
        loss: Any = None,
        train_op: Any = None,
        eval_metric_ops: dict[str, Any] | None = None,
        output_alternatives: Mapping[Any, Any] | None = None,
        training_chief_hooks: Sequence[Any] | None = None,
        training_hooks: Sequence[Any] | None = None,
        scaffold: Any = None,
    ) -> ModelFnOps:
        """Checks the values against the mode. See the class for the arguments."""
        ModeKeys.validate(mode)
        _check_one_graph(predictions, loss, train_op)
        if eval_metric_ops is not None and not isinstance(eval_metric_ops, dict):
            raise ValueError(f"eval_metric_ops must be a dict, and is {eval_metric_ops!r}.")
        chief_hooks, hooks = list(training_chief_hooks or []), list(training_hooks or [])
        for hook in (*hooks, *chief_hooks):
            if not isinstance(hook, tf1.train.SessionRunHook):
                raise TypeError(
                    "All hooks returned from model_fn must be SessionRunHook instances, got "
                    f"instance of {type(hook)}: {hook}"
                )
        return super().__new__(
            cls,
            predictions=_checked_predictions(predictions, mode),
            loss=_checked_loss(loss, mode),
            train_op=_checked_train_op(train_op, mode),
            eval_metric_ops={} if eval_metric_ops is None else eval_metric_ops,
            output_alternatives=output_alternatives,
            training_chief_hooks=chief_hooks,
            training_hooks=hooks,
            scaffold=scaffold,
            mode=mode,
        )

    def estimator_spec(
        self, default_serving_output_alternative_key: str | None = None
    ) -> spec.EstimatorSpec:
        """Converts the operations to an `EstimatorSpec` of tf.estimator.

        Args:
          default_serving_output_alternative_key: Name of the output alternative that becomes the
            default signature, if there are several.

        Raises:
          ValueError: A problem type is unknown.
          KeyError: None of several output alternatives is the default.
        """
        outputs = None
        if self.output_alternatives:
            alternatives = dict(self.output_alternatives)
            if len(alternatives) > 1 and _DEFAULT not in alternatives:
                alternatives[_DEFAULT] = alternatives[default_serving_output_alternative_key]
            outputs = {key: _export_output(*value) for key, value in alternatives.items()}
        metrics = {
            name: value for name, value in self.eval_metric_ops.items() if name != MetricKey.LOSS
        }
        return spec.EstimatorSpec(
            mode=_CORE_MODES[self.mode],
            predictions=self.predictions,
            loss=self.loss,
            train_op=self.train_op,
            eval_metric_ops=metrics,
            export_outputs=outputs,
            training_chief_hooks=self.training_chief_hooks,
            training_hooks=self.training_hooks,
            scaffold=self.scaffold,
        )


def _check_one_graph(*values: Any) -> None:
    tensors = [v for v in tf.nest.flatten(values) if isinstance(v, (tf.Tensor, tf.Operation))]
    if any(tensor.graph is not tensors[0].graph for tensor in tensors):
        raise ValueError("predictions, loss and train_op must be from the same graph.")


def _checked_train_op(train_op: Any, mode: str) -> Any:
    if train_op is None:
        if mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        return None
    return train_op if isinstance(train_op, tf.Operation) else tf.convert_to_tensor(train_op).op


def _checked_loss(loss: Any, mode: str) -> Any:
    if loss is None:
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        return None
    loss = tf.convert_to_tensor(loss)
    if loss.shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar: {loss}.")
    return loss if loss.shape.is_compatible_with([]) else tf.reshape(loss, [])


def _checked_predictions(predictions: Any, mode: str) -> Any:
    if predictions is None:
        if mode in (ModeKeys.INFER, ModeKeys.EVAL):
            raise ValueError("Missing predictions.")
        return None
    if isinstance(predictions, dict):
        return {name: _to_tensor(value) for name, value in predictions.items()}
    return _to_tensor(predictions)


def _to_tensor(value: Any) -> Any:
    return value if isinstance(value, tf.SparseTensor) else tf.convert_to_tensor(value)


def _export_output(problem_type: int, predictions: Mapping[str, Any]) -> Any:
    scores = predictions.get(PredictionKey.SCORES, predictions.get(PredictionKey.PROBABILITIES))
    if problem_type == ProblemType.LINEAR_REGRESSION:
        return export_outputs.RegressionOutput(scores)
    if problem_type in (ProblemType.CLASSIFICATION, ProblemType.LOGISTIC_REGRESSION):
        classes = predictions.get(PredictionKey.CLASSES)
        if classes is None or classes.dtype != tf.string:
            tf1.logging.warning("classes are no strings, so the signature will not have them.")
            classes = None
        return export_outputs.ClassificationOutput(scores=scores, classes=classes)
    if problem_type == ProblemType.UNSPECIFIED:
        return export_outputs.PredictOutput(predictions)
    raise ValueError(f"Unknown problem_type={problem_type}")
