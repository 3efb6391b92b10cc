"""Linear models of contrib.learn: LinearClassifier, LinearRegressor, LinearEstimator.

    columns = [contrib.layers.sparse_column_with_hash_bucket("words", 1000)]
    classifier = contrib.learn.LinearClassifier(columns)
    classifier.fit(input_fn=input_fn, steps=1000)

The classifier and the regressor can also be trained by `contrib.linear_optimizer.SDCAOptimizer`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib import linear_optimizer
from legacy.contrib.learn import head
from legacy.contrib.learn.canned import model_fns, sdca
from legacy.contrib.learn.canned.outputs import Classifier, Regressor
from legacy.contrib.learn.estimators.estimator import Estimator

tf1 = tf.compat.v1


class _Linear(Estimator):
    """Base class of the linear models. See `LinearEstimator` for the arguments."""

    def __init__(
        self,
        feature_columns: Sequence[Any],
        head: Any,
        model_dir: str | None,
        weight_column_name: str | None,
        optimizer: Any,
        gradient_clip_norm: float | None,
        joint_weights: bool,
        config: Any,
        feature_engineering_fn: Any,
    ) -> None:
        columns = tuple(feature_columns or ())
        if not columns:
            raise AssertionError("feature_columns must not be empty.")
        params = {"head": head, "feature_columns": columns, "optimizer": optimizer}
        if _is_sdca(optimizer):
            if joint_weights:
                raise AssertionError("_joint_weights is incompatible with SDCAOptimizer.")
            model_fn = sdca.sdca_model_fn
            params |= {"weight_column_name": weight_column_name}
        else:
            model_fn = model_fns.linear_model_fn
            params |= {"gradient_clip_norm": gradient_clip_norm, "joint_weights": joint_weights}
        super().__init__(
            model_fn,
            model_dir=model_dir,
            config=config,
            params=params,
            feature_engineering_fn=feature_engineering_fn,
        )


class LinearEstimator(_Linear):
    """A linear model with a custom head.

    Args:
      feature_columns: Columns of contrib.layers or of tf.feature_column.
      head: A head of contrib.learn.
      model_dir: Folder of the checkpoints and event files.
      weight_column_name: Not used. The head has the name.
      optimizer: Name of an optimizer, an optimizer, or a function that returns one. None is Ftrl.
      gradient_clip_norm: Maximum global norm of the gradients.
      _joint_weights: If true, all columns share one variable.
      config: A `RunConfig` of contrib.learn.
      feature_engineering_fn: Function from features and labels to those of the model.

    Raises:
      AssertionError: `feature_columns` is empty.
      ValueError: The optimizer is an `SDCAOptimizer`.
    """

    def __init__(
        self,
        feature_columns: Sequence[Any],
        head: Any,
        model_dir: str | None = None,
        weight_column_name: str | None = None,
        optimizer: Any = None,
        gradient_clip_norm: float | None = None,
        _joint_weights: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
    ) -> None:
        if _is_sdca(optimizer):
            raise ValueError("LinearEstimator does not support SDCA optimizer.")
        super().__init__(
            feature_columns,
            head,
            model_dir,
            weight_column_name,
            optimizer,
            gradient_clip_norm,
            _joint_weights,
            config,
            feature_engineering_fn,
        )


class LinearClassifier(Classifier, _Linear):
    """A linear model for classification.

    Args:
      feature_columns: As in `LinearEstimator`.
      model_dir: As in `LinearEstimator`.
      n_classes: Number of classes.
      weight_column_name: Name of the feature with the example weights.
      optimizer: As in `LinearEstimator`. For two classes, it may also be an `SDCAOptimizer`.
      gradient_clip_norm: As in `LinearEstimator`.
      enable_centered_bias: If true, trains a bias separately from the model.
      _joint_weight: If true, all columns share one variable.
      config: As in `LinearEstimator`.
      feature_engineering_fn: As in `LinearEstimator`.
      label_keys: Names of the classes, if labels are strings.

    Raises:
      AssertionError: `feature_columns` is empty, or SDCA cannot train the model.
      ValueError: An argument does not match the number of classes, or a centered bias is combined
        with SDCA.
    """

    def __init__(
        self,
        feature_columns: Sequence[Any],
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column_name: str | None = None,
        optimizer: Any = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        _joint_weight: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
        label_keys: Sequence[str] | None = None,
    ) -> None:
        if _is_sdca(optimizer):
            if enable_centered_bias:
                raise ValueError("enable_centered_bias is not supported with SDCA.")
            if n_classes != 2:
                raise AssertionError(
                    f"SDCA only applies to binary classification: n_classes={n_classes}."
                )
        class_head = head.multi_class_head(
            n_classes,
            weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
            label_keys=label_keys,
        )
        super().__init__(
            feature_columns,
            class_head,
            model_dir,
            weight_column_name,
            optimizer,
            gradient_clip_norm,
            _joint_weight,
            config,
            feature_engineering_fn,
        )


class LinearRegressor(Regressor, _Linear):
    """A linear model for regression.

    Args:
      feature_columns: As in `LinearEstimator`.
      model_dir: As in `LinearEstimator`.
      weight_column_name: Name of the feature with the example weights.
      optimizer: As in `LinearEstimator`. For one label dimension, it may also be an
        `SDCAOptimizer`.
      gradient_clip_norm: As in `LinearEstimator`.
      enable_centered_bias: If true, trains a bias separately from the model. SDCA ignores it.
      label_dimension: Number of values in an example's label.
      _joint_weights: If true, all columns share one variable.
      config: As in `LinearEstimator`.
      feature_engineering_fn: As in `LinearEstimator`.

    Raises:
      AssertionError: `feature_columns` is empty, or SDCA cannot train the model.
    """

    def __init__(
        self,
        feature_columns: Sequence[Any],
        model_dir: str | None = None,
        weight_column_name: str | None = None,
        optimizer: Any = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        label_dimension: int = 1,
        _joint_weights: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
    ) -> None:
        if _is_sdca(optimizer):
            if enable_centered_bias:
                tf1.logging.warning("SDCA trains no centered bias: set enable_centered_bias=False.")
                enable_centered_bias = False
            if label_dimension != 1:
                raise AssertionError(
                    f"SDCA only applies for label_dimension=1: it is {label_dimension}."
                )
        regressor_head = head.regression_head(
            weight_column_name=weight_column_name,
            label_dimension=label_dimension,
            enable_centered_bias=enable_centered_bias,
        )
        super().__init__(
            feature_columns,
            regressor_head,
            model_dir,
            weight_column_name,
            optimizer,
            gradient_clip_norm,
            _joint_weights,
            config,
            feature_engineering_fn,
        )


def _is_sdca(optimizer: Any) -> bool:
    return isinstance(optimizer, linear_optimizer.SDCAOptimizer)
