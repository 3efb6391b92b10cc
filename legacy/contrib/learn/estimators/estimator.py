"""Estimator of contrib.learn: fit, evaluate and predict, with a model function or with arrays.

    def model_fn(features, labels, mode):
        ...
        return contrib.learn.ModelFnOps(mode, predictions, loss, train_op)

    estimator = contrib.learn.Estimator(model_fn, model_dir="/tmp/model")
    estimator.fit(input_fn=input_fn, steps=1000)

It is the predecessor of tf.estimator.Estimator: `fit` for `train`, `ModelFnOps` for
`EstimatorSpec`, metrics as an argument of `evaluate`, NotFittedError without a checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.contrib.learn.constants import MetricKey, ModeKeys
from legacy.contrib.learn.estimators import evaluation_metrics, saved_models
from legacy.contrib.learn.estimators.base_estimator import BaseEstimator
from legacy.contrib.learn.estimators.model_fn_ops import ModelFnOps
from legacy.contrib.learn.estimators.run_config import RunConfig
from legacy.contrib.learn.estimators.sk_compat import SKCompat
from legacy.contrib.learn.inputs import tensor_signature
from legacy.estimator import arguments

tf1 = tf.compat.v1


class Estimator(BaseEstimator):
    """A model function with its folder, its configuration and its hyperparameters.

    Args:
      model_fn: Called as `model_fn(features, labels, mode, params, config, model_dir)` with those
        of the arguments after `labels` that it names. Returns `ModelFnOps`, or a tuple
        (predictions, loss, train_op).
      model_dir: Where checkpoints and event files go; None is the config's, else a temporary one.
      config: A `RunConfig` of contrib.learn; None is the default one.
      params: Hyperparameters, passed to `model_fn`.
      feature_engineering_fn: From features and labels to those that `model_fn` gets.

    Raises:
      ValueError: `params` are given and the model function does not take them, or the config names
        another folder.
    """

    def __init__(
        self,
        model_fn: Callable[..., Any] | None = None,
        model_dir: str | None = None,
        config: RunConfig | None = None,
        params: Any = None,
        feature_engineering_fn: Callable[..., tuple[Any, Any]] | None = None,
    ) -> None:
        super().__init__(model_dir, config)
        if model_fn is not None:
            takes_params = "params" in arguments.names(model_fn)
            if params is not None and not takes_params:
                raise ValueError(
                    f"Estimator's model_fn ({model_fn}) does not have a params argument, but "
                    f"params ({params}) were passed to the Estimator's constructor."
                )
            if params is None and takes_params:
                tf1.logging.warning("model_fn (%s) has params, and none are given.", model_fn)
        self._model_fn = model_fn
        self.params = params
        self._feature_engineering_fn = feature_engineering_fn

    @property
    def model_fn(self) -> Callable[..., ModelFnOps]:
        """The model function, to be called as `model_fn(features, labels, mode, config)`."""

        def public_model_fn(features: Any, labels: Any, mode: str, config: Any) -> ModelFnOps:
            return self._call_model_fn(features, labels, mode, config=config)

        return public_model_fn

    def export_savedmodel(
        self,
        export_dir_base: str | bytes,
        serving_input_fn: Callable[[], Any],
        default_output_alternative_key: str | None = None,
        assets_extra: dict[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        graph_rewrite_specs: Any = saved_models.DEFAULT_REWRITE_SPECS,
        strip_default_attrs: bool = False,
    ) -> bytes:
        """Writes a SavedModel for serving.

        Args:
          export_dir_base: The folder in which a folder named by the time is made.
          serving_input_fn: Returns `InputFnOps`.
          default_output_alternative_key: Which head is the default, where there are several.
          assets_extra: By path inside `assets.extra`, files to copy.
          as_text: Write `saved_model.pbtxt`.
          checkpoint_path: None is the latest.
          graph_rewrite_specs: Refused unless it is the default, which rewrites nothing.
          strip_default_attrs: Leave attributes with default values out of the graph.

        Returns:
          The SavedModel's folder, as bytes.

        Raises:
          ValueError: There is no input function, or no such head.
          NotFittedError: There is no checkpoint.
          NotImplementedError: The graph is to be rewritten.
        """
        return saved_models.export_savedmodel(
            self,
            export_dir_base,
            serving_input_fn,
            default_output_alternative_key=default_output_alternative_key,
            assets_extra=assets_extra,
            as_text=as_text,
            checkpoint_path=checkpoint_path or self._checkpoint() if serving_input_fn else None,
            graph_rewrite_specs=graph_rewrite_specs,
            strip_default_attrs=strip_default_attrs,
        )

    def _call_model_fn(
        self, features: Any, labels: Any, mode: str, metrics: Any = None, config: Any = None
    ) -> ModelFnOps:
        """Calls the model function with the arguments that it names, and adds metrics."""
        if self._feature_engineering_fn is not None:
            features, labels = self._feature_engineering_fn(features, labels)
        offered = {
            "mode": mode,
            "params": self.params,
            "config": config or self.config,
            "model_dir": self.model_dir,
        }
        asked = arguments.names(self._model_fn)
        results = self._model_fn(
            features, labels, **{name: offered[name] for name in asked if name in offered}
        )
        if not isinstance(results, ModelFnOps):
            if len(results) != 3:
                raise ValueError(
                    "Unrecognized value returned by model_fn, please return ModelFnOps."
                )
            results = ModelFnOps(mode, *results)
        if metrics:
            results.eval_metric_ops.update(
                evaluation_metrics.make(metrics, features, labels, results.predictions)
            )
        return results

    def _get_train_ops(self, features: Any, labels: Any) -> ModelFnOps:
        return self._call_model_fn(features, labels, ModeKeys.TRAIN)

    def _get_eval_ops(self, features: Any, labels: Any, metrics: Any) -> ModelFnOps:
        results = self._call_model_fn(features, labels, ModeKeys.EVAL, metrics)
        if MetricKey.LOSS not in results.eval_metric_ops:
            results.eval_metric_ops[MetricKey.LOSS] = tf1.metrics.mean(results.loss)
        return results

    def _get_predict_ops(self, features: Any) -> ModelFnOps:
        # A model function without a mode computes its loss here too, from labels that nobody feeds.
        labels = tensor_signature.placeholders(self._labels_info)
        return self._call_model_fn(features, labels, ModeKeys.INFER)


__all__ = ["BaseEstimator", "Estimator", "SKCompat"]
