"""The DNNLinearCombined* estimators of contrib.learn: a linear model plus a deep network.

classifier = contrib.learn.DNNLinearCombinedClassifier(
    linear_feature_columns=crosses, dnn_feature_columns=embeddings, dnn_hidden_units=[64, 32],
    fix_global_step_increment_bug=True,
)
classifier.fit(input_fn=input_fn, steps=1000)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.learn import head
from legacy.contrib.learn.canned import model_fns
from legacy.contrib.learn.canned.outputs import Classifier, Regressor
from legacy.contrib.learn.estimators.estimator import Estimator


class DNNLinearCombinedEstimator(Estimator):
    """A linear model plus a deep network, with a custom head.

    Args:
      head: A head of contrib.learn.
      model_dir: Folder of the checkpoints and event files.
      linear_feature_columns: Columns of the linear part.
      linear_optimizer: Optimizer of the linear part. None is Ftrl.
      _joint_linear_weights: If true, all linear columns share one variable.
      dnn_feature_columns: Columns of the deep part.
      dnn_optimizer: Optimizer of the deep part. None is Adagrad.
      dnn_hidden_units: Number of units of each hidden layer.
      dnn_activation_fn: Activation function, or its name. None is relu.
      dnn_dropout: Fraction of the units that are dropped in training.
      gradient_clip_norm: Maximum global norm of the gradients.
      config: A `RunConfig` of contrib.learn.
      feature_engineering_fn: Function from features and labels to those of the model.
      embedding_lr_multipliers: Gradient multipliers by embedding column.
      fix_global_step_increment_bug: If true, counts each step once. If false, counts it once for
        each part.
      input_layer_partitioner: Partitioner of the variables of the deep part's columns. None splits
        variables above 64 MiB among the ps.

    Raises:
      ValueError: No columns are defined.
    """

    def __init__(
        self,
        head: Any,
        model_dir: str | None = None,
        linear_feature_columns: Sequence[Any] | None = None,
        linear_optimizer: Any = None,
        _joint_linear_weights: bool = False,
        dnn_feature_columns: Sequence[Any] | None = None,
        dnn_optimizer: Any = None,
        dnn_hidden_units: Sequence[int] | None = None,
        dnn_activation_fn: Any = None,
        dnn_dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        config: Any = None,
        feature_engineering_fn: Any = None,
        embedding_lr_multipliers: dict[Any, float] | None = None,
        fix_global_step_increment_bug: bool = False,
        input_layer_partitioner: Any = None,
    ) -> None:
        if not linear_feature_columns and not dnn_feature_columns:
            raise ValueError(
                "Either linear_feature_columns or dnn_feature_columns must be defined."
            )
        params = {
            "head": head,
            "linear_feature_columns": tuple(linear_feature_columns or ()),
            "linear_optimizer": linear_optimizer,
            "joint_linear_weights": _joint_linear_weights,
            "dnn_feature_columns": tuple(dnn_feature_columns or ()),
            "dnn_optimizer": dnn_optimizer,
            "dnn_hidden_units": dnn_hidden_units,
            "dnn_activation_fn": dnn_activation_fn,
            "dnn_dropout": dnn_dropout,
            "gradient_clip_norm": gradient_clip_norm,
            "embedding_lr_multipliers": embedding_lr_multipliers,
            "fix_global_step_increment_bug": fix_global_step_increment_bug,
            "input_layer_partitioner": input_layer_partitioner,
        }
        super().__init__(
            model_fns.combined_model_fn,
            model_dir=model_dir,
            config=config,
            params=params,
            feature_engineering_fn=feature_engineering_fn,
        )


class DNNLinearCombinedClassifier(Classifier, DNNLinearCombinedEstimator):
    """A linear model plus a deep network, for classification.

    Args:
      model_dir: As in `DNNLinearCombinedEstimator`.
      n_classes: Number of classes.
      weight_column_name: Name of the feature with the example weights.
      linear_feature_columns: As in `DNNLinearCombinedEstimator`.
      linear_optimizer: As in `DNNLinearCombinedEstimator`.
      _joint_linear_weights: As in `DNNLinearCombinedEstimator`.
      dnn_feature_columns: As in `DNNLinearCombinedEstimator`.
      dnn_optimizer: As in `DNNLinearCombinedEstimator`.
      dnn_hidden_units: As in `DNNLinearCombinedEstimator`.
      dnn_activation_fn: As in `DNNLinearCombinedEstimator`.
      dnn_dropout: As in `DNNLinearCombinedEstimator`.
      gradient_clip_norm: As in `DNNLinearCombinedEstimator`.
      enable_centered_bias: If true, trains a bias separately from the model.
      config: As in `DNNLinearCombinedEstimator`.
      feature_engineering_fn: As in `DNNLinearCombinedEstimator`.
      embedding_lr_multipliers: As in `DNNLinearCombinedEstimator`.
      input_layer_min_slice_size: Minimum size of a partition of a deep column's variable, in bytes.
      label_keys: Names of the classes, if labels are strings.
      fix_global_step_increment_bug: As in `DNNLinearCombinedEstimator`.

    Raises:
      ValueError: No columns are defined.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column_name: str | None = None,
        linear_feature_columns: Sequence[Any] | None = None,
        linear_optimizer: Any = None,
        _joint_linear_weights: bool = False,
        dnn_feature_columns: Sequence[Any] | None = None,
        dnn_optimizer: Any = None,
        dnn_hidden_units: Sequence[int] | None = None,
        dnn_activation_fn: Any = tf.nn.relu,
        dnn_dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
        embedding_lr_multipliers: dict[Any, float] | None = None,
        input_layer_min_slice_size: int | None = None,
        label_keys: Sequence[str] | None = None,
        fix_global_step_increment_bug: bool = False,
    ) -> None:
        class_head = head.multi_class_head(
            n_classes,
            weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
            label_keys=label_keys,
        )
        super().__init__(
            class_head,
            model_dir,
            linear_feature_columns,
            linear_optimizer,
            _joint_linear_weights,
            dnn_feature_columns,
            dnn_optimizer,
            dnn_hidden_units,
            dnn_activation_fn,
            dnn_dropout,
            gradient_clip_norm,
            config,
            feature_engineering_fn,
            embedding_lr_multipliers,
            fix_global_step_increment_bug,
            _partitioner(config, input_layer_min_slice_size),
        )


class DNNLinearCombinedRegressor(Regressor, DNNLinearCombinedEstimator):
    """A linear model plus a deep network, for regression.

    Args:
      model_dir: As in `DNNLinearCombinedEstimator`.
      weight_column_name: Name of the feature with the example weights.
      linear_feature_columns: As in `DNNLinearCombinedEstimator`.
      linear_optimizer: As in `DNNLinearCombinedEstimator`.
      _joint_linear_weights: As in `DNNLinearCombinedEstimator`.
      dnn_feature_columns: As in `DNNLinearCombinedEstimator`.
      dnn_optimizer: As in `DNNLinearCombinedEstimator`.
      dnn_hidden_units: As in `DNNLinearCombinedEstimator`.
      dnn_activation_fn: As in `DNNLinearCombinedEstimator`.
      dnn_dropout: As in `DNNLinearCombinedEstimator`.
      gradient_clip_norm: As in `DNNLinearCombinedEstimator`.
      enable_centered_bias: If true, trains a bias separately from the model.
      label_dimension: Number of values in an example's label.
      config: As in `DNNLinearCombinedEstimator`.
      feature_engineering_fn: As in `DNNLinearCombinedEstimator`.
      embedding_lr_multipliers: As in `DNNLinearCombinedEstimator`.
      input_layer_min_slice_size: Minimum size of a partition of a deep column's variable, in bytes.
      fix_global_step_increment_bug: As in `DNNLinearCombinedEstimator`.

    Raises:
      ValueError: No columns are defined.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        weight_column_name: str | None = None,
        linear_feature_columns: Sequence[Any] | None = None,
        linear_optimizer: Any = None,
        _joint_linear_weights: bool = False,
        dnn_feature_columns: Sequence[Any] | None = None,
        dnn_optimizer: Any = None,
        dnn_hidden_units: Sequence[int] | None = None,
        dnn_activation_fn: Any = tf.nn.relu,
        dnn_dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        label_dimension: int = 1,
        config: Any = None,
        feature_engineering_fn: Any = None,
        embedding_lr_multipliers: dict[Any, float] | None = None,
        input_layer_min_slice_size: int | None = None,
        fix_global_step_increment_bug: bool = False,
    ) -> None:
        regressor_head = head.regression_head(
            weight_column_name=weight_column_name,
            label_dimension=label_dimension,
            enable_centered_bias=enable_centered_bias,
        )
        super().__init__(
            regressor_head,
            model_dir,
            linear_feature_columns,
            linear_optimizer,
            _joint_linear_weights,
            dnn_feature_columns,
            dnn_optimizer,
            dnn_hidden_units,
            dnn_activation_fn,
            dnn_dropout,
            gradient_clip_norm,
            config,
            feature_engineering_fn,
            embedding_lr_multipliers,
            fix_global_step_increment_bug,
            _partitioner(config, input_layer_min_slice_size),
        )


def _partitioner(config: Any, min_slice_size: int | None) -> Any:
    return None if min_slice_size is None else model_fns.partitioner(config, min_slice_size)
