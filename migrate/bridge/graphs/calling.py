"""Calls a user's model_fn, in any graph, with the arguments that it takes.

>>> function = ModelFn(lambda features, mode: (features, mode))
>>> function(1, None, "infer")
(1, 'infer')
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments
from migrate import v1_behavior
from migrate.bridge.errors import BridgeError
from migrate.bridge.run_config import RunConfig
from migrate.bridge.tpu_params import TPUParams
from modern.training import unconverted

TRAIN, EVAL, PREDICT = "train", "eval", "infer"


class ModelFn:
    """A model_fn with its params and its config.

    Args:
      function: `model_fn(features, labels, mode, params, config)`, with any of these arguments.
      params: Value of the argument `params`, copied for each call, as by Estimator. TPUParams have
        separate params for each mode.
      config: Value of the argument `config`. By default, a RunConfig of this process, as in an
        Estimator.

    Raises:
      BridgeError: The function takes no features, or `params` are set and it does not take them.
    """

    def __init__(
        self, function: Callable[..., Any], params: Any = None, config: Any = None
    ) -> None:
        self.function, self.params, self.config = function, params, config
        self._metric_fns: list[Callable[..., Any]] = []
        parameters = arguments.names(function)
        if "features" not in parameters:
            raise BridgeError(
                f"model_fn {function!r} has no argument `features`, but {', '.join(parameters)}."
            )
        is_given = params is not None and params != {}  # {} is the default of --model_params.
        if is_given and "params" not in parameters and not arguments.takes_any(function):
            raise BridgeError(f"params are given, and model_fn {function!r} does not take them.")

    def __call__(self, features: Any, labels: Any, mode: str) -> Any:
        """Calls the model_fn and returns its EstimatorSpec.

        AutoGraph does not convert the function, as under Estimator. A TPUEstimatorSpec is converted
        to the EstimatorSpec for CPUs and GPUs.
        """
        providers = {
            "labels": lambda: labels,
            "mode": lambda: mode,
            "params": lambda: self._params(mode),
            "config": lambda: self.config or RunConfig(),
        }
        args = arguments.asked_for(self.function, providers)
        function = unconverted.unconverted(self.function)
        with v1_behavior.on():
            spec = function(features=features, **args)
            spec = spec.as_estimator_spec() if hasattr(spec, "as_estimator_spec") else spec
            return self._with_metrics(spec, features, labels) if mode == EVAL else spec

    def add_metrics(self, metric_fn: Callable[..., Any]) -> None:
        """Adds the metrics of a function to those of evaluations.

        Args:
          metric_fn: A function with any of the arguments features, labels, predictions and config.
        """
        self._metric_fns.append(metric_fn)

    def _with_metrics(self, spec: Any, features: Any, labels: Any) -> Any:
        predictions = spec.predictions
        providers = {
            "features": lambda: features,
            "labels": lambda: labels,
            "predictions": lambda: predictions,
            "config": lambda: self.config or RunConfig(),
        }
        for metric_fn in self._metric_fns:
            function = unconverted.unconverted(metric_fn)
            metrics = function(**arguments.asked_for(metric_fn, providers))
            spec = spec._replace(eval_metric_ops={**(spec.eval_metric_ops or {}), **metrics})
        return spec

    def _params(self, mode: str) -> Any:
        if isinstance(self.params, TPUParams):
            return self.params.of_model_fn(mode)
        return copy.deepcopy(self.params) if self.params is not None else {}


def check_eager(function: Callable[..., Any]) -> None:
    """Raises BridgeError if eager execution is disabled, because Keras needs it."""
    if not tf.executing_eagerly():
        raise BridgeError(
            f"eager execution is disabled, and Keras needs it to train {function!r}: leave out "
            "tf.disable_v2_behavior() and tf.disable_eager_execution(), or import the module of "
            "the model_fn by migrate.bridge.load."
        )
