"""Deep networks of contrib.learn: DNNClassifier, DNNRegressor, DNNEstimator.

columns = [contrib.layers.real_valued_column("x", dimension=4)]
classifier = contrib.learn.DNNClassifier([10, 20], columns, n_classes=3)
classifier.fit(input_fn=input_fn, steps=1000)
classes = list(classifier.predict(input_fn=predict_input_fn))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.learn import head
from legacy.contrib.learn.canned import model_fns
from legacy.contrib.learn.canned.outputs import Classifier, Regressor
from legacy.contrib.learn.estimators.estimator import Estimator


class DNNEstimator(Estimator):
    """A deep network with a custom head.

    Args:
      head: A head of contrib.learn.
      hidden_units: Number of units of each hidden layer.
      feature_columns: Columns of contrib.layers or of tf.feature_column.
      model_dir: Folder of the checkpoints and event files.
      optimizer: Name of an optimizer, an optimizer, or a function that returns one. None is
        Adagrad.
      activation_fn: Activation function, or its name.
      dropout: Fraction of the units that are dropped in training.
      gradient_clip_norm: Maximum global norm of the gradients.
      config: A `RunConfig` of contrib.learn.
      feature_engineering_fn: Function from features and labels to those of the model.
      embedding_lr_multipliers: Gradient multipliers by embedding column.
      input_layer_min_slice_size: Minimum size of a partition of a column's variable, in bytes.
    """

    def __init__(
        self,
        head: Any,
        hidden_units: Sequence[int],
        feature_columns: Sequence[Any],
        model_dir: str | None = None,
        optimizer: Any = None,
        activation_fn: Any = tf.nn.relu,
        dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        config: Any = None,
        feature_engineering_fn: Any = None,
        embedding_lr_multipliers: dict[Any, float] | None = None,
        input_layer_min_slice_size: int | None = None,
    ) -> None:
        params = {
            "head": head,
            "hidden_units": hidden_units,
            "feature_columns": tuple(feature_columns or ()),
            "optimizer": optimizer,
            "activation_fn": activation_fn,
            "dropout": dropout,
            "gradient_clip_norm": gradient_clip_norm,
            "embedding_lr_multipliers": embedding_lr_multipliers,
            "input_layer_min_slice_size": input_layer_min_slice_size,
        }
        super().__init__(
            model_fns.dnn_model_fn,
            model_dir=model_dir,
            config=config,
            params=params,
            feature_engineering_fn=feature_engineering_fn,
        )


class DNNClassifier(Classifier, DNNEstimator):
    """A deep network for classification.

    Args:
      hidden_units: As in `DNNEstimator`.
      feature_columns: As in `DNNEstimator`.
      model_dir: As in `DNNEstimator`.
      n_classes: Number of classes.
      weight_column_name: Name of the feature with the example weights.
      optimizer: As in `DNNEstimator`.
      activation_fn: As in `DNNEstimator`.
      dropout: As in `DNNEstimator`.
      gradient_clip_norm: As in `DNNEstimator`.
      enable_centered_bias: If true, trains a bias separately from the model.
      config: As in `DNNEstimator`.
      feature_engineering_fn: As in `DNNEstimator`.
      embedding_lr_multipliers: As in `DNNEstimator`.
      input_layer_min_slice_size: As in `DNNEstimator`.
      label_keys: Names of the classes, if labels are strings.
    """

    def __init__(
        self,
        hidden_units: Sequence[int],
        feature_columns: Sequence[Any],
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column_name: str | None = None,
        optimizer: Any = None,
        activation_fn: Any = tf.nn.relu,
        dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
        embedding_lr_multipliers: dict[Any, float] | None = None,
        input_layer_min_slice_size: int | None = None,
        label_keys: Sequence[str] | None = None,
    ) -> None:
        class_head = head.multi_class_head(
            n_classes,
            weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
            label_keys=label_keys,
        )
        super().__init__(
            class_head,
            hidden_units,
            feature_columns,
            model_dir,
            optimizer,
            activation_fn,
            dropout,
            gradient_clip_norm,
            config,
            feature_engineering_fn,
            embedding_lr_multipliers,
            input_layer_min_slice_size,
        )


class DNNRegressor(Regressor, DNNEstimator):
    """A deep network for regression.

    Args:
      hidden_units: As in `DNNEstimator`.
      feature_columns: As in `DNNEstimator`.
      model_dir: As in `DNNEstimator`.
      weight_column_name: Name of the feature with the example weights.
      optimizer: As in `DNNEstimator`.
      activation_fn: As in `DNNEstimator`.
      dropout: As in `DNNEstimator`.
      gradient_clip_norm: As in `DNNEstimator`.
      enable_centered_bias: If true, trains a bias separately from the model.
      config: As in `DNNEstimator`.
      feature_engineering_fn: As in `DNNEstimator`.
      label_dimension: Number of values in an example's label.
      embedding_lr_multipliers: As in `DNNEstimator`.
      input_layer_min_slice_size: As in `DNNEstimator`.
    """

    def __init__(
        self,
        hidden_units: Sequence[int],
        feature_columns: Sequence[Any],
        model_dir: str | None = None,
        weight_column_name: str | None = None,
        optimizer: Any = None,
        activation_fn: Any = tf.nn.relu,
        dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
        label_dimension: int = 1,
        embedding_lr_multipliers: dict[Any, float] | None = None,
        input_layer_min_slice_size: int | None = None,
    ) -> None:
        regressor_head = head.regression_head(
            weight_column_name=weight_column_name,
            label_dimension=label_dimension,
            enable_centered_bias=enable_centered_bias,
        )
        super().__init__(
            regressor_head,
            hidden_units,
            feature_columns,
            model_dir,
            optimizer,
            activation_fn,
            dropout,
            gradient_clip_norm,
            config,
            feature_engineering_fn,
            embedding_lr_multipliers,
            input_layer_min_slice_size,
        )
