"""Functions that extend an Estimator, for example with metrics or with forwarded features.

    from legacy import estimator

    def absolute_error(labels, predictions):
        return {"mae": tf.compat.v1.metrics.mean_absolute_error(labels, predictions["predictions"])}

    regressor = estimator.add_metrics(regressor, absolute_error)

`clip_gradients_by_norm` and `forward_features` come from tf.contrib.estimator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments
from legacy.estimator.estimator import Estimator
from legacy.estimator.export.outputs import PredictOutput
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_METRIC_FN_ARGUMENTS = ("features", "labels", "predictions", "config")


def add_metrics(estimator: Estimator, metric_fn: Callable[..., Mapping[str, Any]]) -> Estimator:
    """Returns an Estimator that also evaluates the metrics of a function.

    Args:
      estimator: An Estimator.
      metric_fn: A function that takes any of `features`, `labels`, `predictions` and `config` by
        name. It returns metrics by name: Keras metrics that have been updated, or pairs of a value
        and an update operation. They replace metrics of the same name.

    Returns:
      A new Estimator with the same model directory, configuration and warm start.

    Raises:
      ValueError: `metric_fn` takes another argument.
    """
    metric_fn_arguments = arguments.names(metric_fn)
    unexpected = [name for name in metric_fn_arguments if name not in _METRIC_FN_ARGUMENTS]
    if unexpected:
        raise ValueError(
            f"metric_fn ({metric_fn}) has following not expected args: {unexpected}. It may take "
            f"{_METRIC_FN_ARGUMENTS}."
        )

    def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        spec = estimator.model_fn(features, labels, mode, config)
        if mode != ModeKeys.EVAL:
            return spec
        argument_values = {
            "features": features,
            "labels": labels,
            "predictions": spec.predictions,
            "config": config,
        }
        new_metrics = metric_fn(**{name: argument_values[name] for name in metric_fn_arguments})
        return spec._replace(eval_metric_ops={**(spec.eval_metric_ops or {}), **new_metrics})

    return Estimator(
        model_fn,
        model_dir=estimator.model_dir,
        config=estimator.config,
        warm_start_from=estimator._warm_start_settings,
    )


def clip_gradients_by_norm(optimizer: Any, clip_norm: float | tf.Tensor) -> Any:
    """Returns an optimizer that clips gradients by their global norm before it applies them.

    Args:
      optimizer: A v1 optimizer.
      clip_norm: The maximum global norm, greater than zero.

    Returns:
      A v1 optimizer that shares the slots of `optimizer`.
    """
    return _ClippingOptimizer(optimizer, clip_norm)


class _ClippingOptimizer(tf1.train.Optimizer):
    def __init__(self, optimizer: Any, clip_norm: float | tf.Tensor) -> None:
        super().__init__(use_locking=False, name="ClipByNorm" + optimizer.get_name())
        self._optimizer = optimizer
        self._clip_norm = clip_norm

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        gradients, variables = zip(*grads_and_vars, strict=True)
        clipped, _ = tf.clip_by_global_norm(gradients, self._clip_norm)
        pairs = list(zip(clipped, variables, strict=True))
        return self._optimizer.apply_gradients(pairs, global_step, name)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        return self._optimizer.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> list[str]:
        return self._optimizer.get_slot_names(*args, **kwargs)

    def variables(self) -> list[Any]:
        return self._optimizer.variables()


def forward_features(
    estimator: Estimator,
    keys: str | Sequence[str] | None = None,
    sparse_default_values: Mapping[str, Any] | None = None,
) -> Estimator:
    """Returns an Estimator that copies features into its predictions.

    For example, a forwarded "id" feature identifies the example of each prediction.

    Args:
      estimator: An Estimator that predicts a dict.
      keys: Names of the features to forward. By default, all features.
      sparse_default_values: Default values of sparse features, by name. These features are
        converted to dense tensors.

    Returns:
      A new Estimator with the same model directory and configuration.

    Raises:
      TypeError: `keys` is not a string or a list of strings.
      ValueError: Raised later, in training, evaluation or prediction, if a feature does not exist,
        is sparse without a default value, is dense with one, or has the name of a prediction.
    """
    feature_keys = _checked_keys(keys)
    defaults = sparse_default_values or {}

    def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        spec = estimator.model_fn(features, labels, mode, config)
        predictions = spec.predictions
        if predictions is None:
            return spec
        names = list(features) if feature_keys is None else feature_keys
        _check_forwarded(names, features, predictions)
        features_to_forward = {name: _dense(name, features[name], defaults) for name in names}
        predictions.update(features_to_forward)
        for signature in ("predict", "serving_default"):
            output = (spec.export_outputs or {}).get(signature)
            if isinstance(output, PredictOutput):
                output.outputs.update(features_to_forward)
        return spec._replace(predictions=predictions)

    return Estimator(model_fn, model_dir=estimator.model_dir, config=estimator.config)


def _checked_keys(keys: Any) -> Sequence[str] | None:
    if keys is None:
        return None
    if isinstance(keys, str):
        return [keys]
    if not isinstance(keys, list | tuple):
        raise TypeError(f"keys should be either a string or a list of strings. Given: {type(keys)}")
    for key in keys:
        if not isinstance(key, str):
            raise TypeError(
                "All items in the given keys list should be a string. There exist an item with "
                f"type: {type(key)}"
            )
    return keys


def _check_forwarded(names: Sequence[str], features: Any, predictions: Any) -> None:
    if not isinstance(predictions, dict):
        raise ValueError(
            "Predictions should be a dict to be able to forward features. "
            f"Given: {type(predictions)}"
        )
    for name in names:
        if name not in features:
            raise ValueError(
                f'keys should be exist in features. Key "{name}" is not in features dict, which '
                f"has the keys {list(features)}. Check the arguments of forward_features."
            )
        if name in predictions:
            raise ValueError(
                f"Cannot forward feature key ({name}). Since it does exist in predictions, which "
                f"have the keys {list(predictions)}. Check the arguments of forward_features."
            )


def _dense(name: str, feature: Any, defaults: Mapping[str, Any]) -> tf.Tensor:
    feature = tf1.convert_to_tensor_or_sparse_tensor(feature)
    is_sparse = isinstance(feature, tf.SparseTensor)
    if name in defaults:
        if not is_sparse:
            raise ValueError(f"Feature ({name}) is expected to be a `SparseTensor`.")
        return tf.sparse.to_dense(feature, default_value=defaults[name])
    if is_sparse:
        raise ValueError(
            f"Feature ({name}) should be a Tensor. Leave it out by the `keys` argument of "
            f"forward_features, or name it in `sparse_default_values`. It is: {type(feature)}."
        )
    return feature
