"""Estimator of contrib.learn: fit, evaluate and predict, with a model function or with arrays.

    def model_fn(features, labels, mode):
        ...
        return contrib.learn.ModelFnOps(mode, predictions, loss, train_op)

    estimator = contrib.learn.Estimator(model_fn, model_dir="/tmp/model")
    estimator.fit(input_fn=input_fn, steps=1000)

It is the predecessor of tf.estimator.Estimator. It has `fit` instead of `train` and `ModelFnOps`
instead of `EstimatorSpec`. `evaluate` takes metrics as an argument, and a missing checkpoint raises
NotFittedError.
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
      model_fn: Function called as `model_fn(features, labels, mode, params, config, model_dir)`.
        The arguments after `labels` are passed only if the function names them. It returns
        `ModelFnOps`, or a tuple (predictions, loss, train_op).
      model_dir: Folder of the checkpoints and event files. None is the folder of the config, or a
        temporary folder if the config has none.
      config: A `RunConfig` of contrib.learn. None is the default configuration.
      params: Hyperparameters, passed to `model_fn`.
      feature_engineering_fn: Function from features and labels to those of `model_fn`.

    Raises:
      ValueError: `params` is set but the model function does not take it, or the config has another
        folder.
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
        """The model function, which is called as `model_fn(features, labels, mode, config)`."""

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
          export_dir_base: Folder in which a folder with a timestamp as its name is created.
          serving_input_fn: Function that returns `InputFnOps`.
          default_output_alternative_key: Name of the default head, if the model has several heads.
          assets_extra: Files to copy, by path inside `assets.extra`.
          as_text: If true, writes `saved_model.pbtxt`.
          checkpoint_path: The checkpoint. None is the latest one.
          graph_rewrite_specs: Must be the default, which rewrites nothing.
          strip_default_attrs: If true, strips attributes with default values from the graph.

        Returns:
          The folder of the SavedModel, as bytes.

        Raises:
          ValueError: The input function is missing, or the head does not exist.
          NotFittedError: No checkpoint exists.
          NotImplementedError: `graph_rewrite_specs` rewrites the graph.
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
        argument_values = {
            "mode": mode,
            "params": self.params,
            "config": config or self.config,
            "model_dir": self.model_dir,
        }
        names = arguments.names(self._model_fn)
        results = self._model_fn(
            features,
            labels,
            **{name: argument_values[name] for name in names if name in argument_values},
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
        # A model function without a mode argument also computes its loss in this mode. Its labels
        # are placeholders that are never fed.
        labels = tensor_signature.placeholders(self._labels_info)
        return self._call_model_fn(features, labels, ModeKeys.INFER)


__all__ = ["BaseEstimator", "Estimator", "SKCompat"]
