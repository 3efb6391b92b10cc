"""TPUEstimatorSpec, the return value of a TPUEstimator's model_fn.

>>> import tensorflow as tf
>>> def metric_fn(labels, predictions):
...     return {"accuracy": tf.compat.v1.metrics.accuracy(labels, predictions)}
>>> with tf.Graph().as_default():
...     ones = tf.ones([3])
...     spec = TPUEstimatorSpec("eval", loss=ones[0], eval_metrics=(metric_fn, [ones, ones]))
...     sorted(spec.as_estimator_spec().eval_metric_ops)
['accuracy']
"""

from __future__ import annotations

import collections
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import tensorflow as tf

from legacy.estimator.spec import EstimatorSpec
from legacy.estimator.tpu.hooks import HostCallHook

tf1 = tf.compat.v1

_FIELDS = (
    "mode",
    "predictions",
    "loss",
    "train_op",
    "eval_metrics",
    "export_outputs",
    "scaffold_fn",
    "host_call",
    "training_hooks",
    "evaluation_hooks",
    "prediction_hooks",
)


class TPUEstimatorSpec(collections.namedtuple("_TPUEstimatorSpec", _FIELDS)):
    """An EstimatorSpec with functions that run on the host instead of operations.

    Args:
      mode: One of `ModeKeys`.
      predictions: A tensor, or a dict of tensors by name. Required in mode PREDICT.
      loss: A tensor with one element. Required in modes TRAIN and EVAL.
      train_op: Operation of a training step. Required in mode TRAIN.
      eval_metrics: A pair of a function and its arguments, which are a list of tensors or a dict of
        tensors by parameter. The function returns `EstimatorSpec.eval_metric_ops`.
      export_outputs: Dict of `ExportOutput`s by signature name.
      scaffold_fn: Function that returns the `tf.compat.v1.train.Scaffold`.
      host_call: A pair in the form of `eval_metrics`. The returned tensors run with each step.
        Programs for TPUs write summaries this way.
      training_hooks: `SessionRunHook`s that run in training.
      evaluation_hooks: `SessionRunHook`s that run in evaluation.
      prediction_hooks: `SessionRunHook`s that run in prediction.

    Raises:
      ValueError: If a value that the mode requires is missing, if a value is from another graph, or
        if `eval_metrics` or `host_call` is not a pair.
      TypeError: If a value has the wrong type.
      RuntimeError: If the numbers of tensors and of parameters of a function differ.
    """

    def __new__(
        cls,
        mode: str,
        predictions: Any = None,
        loss: tf.Tensor | None = None,
        train_op: tf.Tensor | tf.Operation | None = None,
        eval_metrics: Any = None,
        export_outputs: Mapping[str, Any] | None = None,
        scaffold_fn: Callable[[], Any] | None = None,
        host_call: Any = None,
        training_hooks: Iterable[Any] | None = None,
        evaluation_hooks: Iterable[Any] | None = None,
        prediction_hooks: Iterable[Any] | None = None,
    ) -> TPUEstimatorSpec:
        """Checks the values against the mode. See the class."""
        _check_host_call("eval_metrics", eval_metrics)
        _check_host_call("host_call", host_call)
        checked_spec = EstimatorSpec(
            mode,
            predictions,
            loss,
            train_op,
            export_outputs=export_outputs,
            training_hooks=training_hooks,
            evaluation_hooks=evaluation_hooks,
            prediction_hooks=prediction_hooks,
        )
        return super().__new__(
            cls,
            mode,
            checked_spec.predictions,
            checked_spec.loss,
            checked_spec.train_op,
            eval_metrics,
            checked_spec.export_outputs,
            scaffold_fn,
            host_call,
            tuple(checked_spec.training_hooks),
            tuple(checked_spec.evaluation_hooks),
            tuple(checked_spec.prediction_hooks),
        )

    def as_estimator_spec(self) -> EstimatorSpec:
        """Calls the functions and returns the spec for a CPU or GPU.

        Returns:
          An `EstimatorSpec`. A hook runs the results of the host call in all modes.

        Raises:
          TypeError: If a function does not accept its arguments by name.
        """
        metrics = _call("eval_metrics", self.eval_metrics)
        on_host = _call("host_call", self.host_call)
        hooks = () if self.host_call is None else (HostCallHook(on_host),)
        return EstimatorSpec(
            self.mode,
            predictions=self.predictions,
            loss=self.loss,
            train_op=self.train_op,
            eval_metric_ops=metrics,
            export_outputs=self.export_outputs,
            scaffold=self.scaffold_fn() if self.scaffold_fn else None,
            training_hooks=self.training_hooks + hooks,
            evaluation_hooks=self.evaluation_hooks + hooks,
            prediction_hooks=self.prediction_hooks + hooks,
        )


def _check_host_call(name: str, host_call: Any) -> None:
    if host_call is None:
        return
    if not isinstance(host_call, (tuple, list)):
        raise ValueError(f"{name} should be tuple or list, and is {host_call!r}.")
    if len(host_call) != 2:
        raise ValueError(f"{name} should have two elements. It has {len(host_call)}.")
    function, tensors = host_call
    if not callable(function):
        raise TypeError(f"{name}[0] should be callable. It is {function!r}.")
    if not isinstance(tensors, (tuple, list, dict)):
        raise ValueError(f"{name}[1] should be tuple or list, or dict. It is {tensors!r}.")
    if isinstance(tensors, dict):
        return
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(tensors) != len(positional):
        raise RuntimeError(
            f"In TPUEstimatorSpec.{name}, length of tensors {len(tensors)} does not match method "
            f"args of the function, which takes {len(positional)}."
        )


def _call(name: str, host_call: Any) -> Any:
    if host_call is None:
        return None
    function, tensors = host_call
    if not isinstance(tensors, dict):
        return function(*tensors)
    try:
        return function(**tensors)
    except TypeError as error:
        tf1.logging.warning(
            "Exception while calling %s: %s. It is likely the tensors (%s[1]) do not match the "
            "function's arguments",
            name,
            error,
            name,
        )
        raise
