"""A linear model and a deep network, added up: the DNNLinearCombined* of contrib.learn.

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
    """A linear model and a deep network, added up, with a head of one's own.

    Args:
      head: A head of contrib.learn.
      model_dir: Where checkpoints and event files go.
      linear_feature_columns: Columns of the linear part.
      linear_optimizer: Its optimizer; None is Ftrl.
      _joint_linear_weights: One variable for all linear columns.
      dnn_feature_columns: Columns of the deep part.
      dnn_optimizer: Its optimizer; None is Adagrad.
      dnn_hidden_units: Units of each of its hidden layers.
      dnn_activation_fn: A function or its name; None is relu.
      dnn_dropout: The share of units left out in training.
      gradient_clip_norm: The largest norm of all gradients together.
      config: A `RunConfig` of contrib.learn.
      feature_engineering_fn: From features and labels to those of the model.
      embedding_lr_multipliers: By embedding column, how much its gradient counts.
      fix_global_step_increment_bug: Count a step once; False counts it once for each part.
      input_layer_partitioner: Splits the variables of the deep part's columns among ps; None splits
        those over 64 MiB.

    Raises:
      ValueError: There are no columns.
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
    """A linear model and a deep network, added up, for classes.

    Args:
      model_dir: As in `DNNLinearCombinedEstimator`.
      n_classes: How many classes.
      weight_column_name: Which feature holds the weights.
      linear_feature_columns: As in `DNNLinearCombinedEstimator`.
      linear_optimizer: As in `DNNLinearCombinedEstimator`.
      _joint_linear_weights: As in `DNNLinearCombinedEstimator`.
      dnn_feature_columns: As in `DNNLinearCombinedEstimator`.
      dnn_optimizer: As in `DNNLinearCombinedEstimator`.
      dnn_hidden_units: As in `DNNLinearCombinedEstimator`.
      dnn_activation_fn: As in `DNNLinearCombinedEstimator`.
      dnn_dropout: As in `DNNLinearCombinedEstimator`.
      gradient_clip_norm: As in `DNNLinearCombinedEstimator`.
      enable_centered_bias: Train a bias apart from the model.
      config: As in `DNNLinearCombinedEstimator`.
      feature_engineering_fn: As in `DNNLinearCombinedEstimator`.
      embedding_lr_multipliers: As in `DNNLinearCombinedEstimator`.
      input_layer_min_slice_size: From how many bytes on a variable is split among ps.
      label_keys: The classes' names, where labels are strings.
      fix_global_step_increment_bug: As in `DNNLinearCombinedEstimator`.

    Raises:
      ValueError: There are no columns.
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
        made = head.multi_class_head(
            n_classes,
            weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
            label_keys=label_keys,
        )
        super().__init__(
            made,
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
    """A linear model and a deep network, added up, for numbers.

    Args:
      model_dir: As in `DNNLinearCombinedEstimator`.
      weight_column_name: Which feature holds the weights.
      linear_feature_columns: As in `DNNLinearCombinedEstimator`.
      linear_optimizer: As in `DNNLinearCombinedEstimator`.
      _joint_linear_weights: As in `DNNLinearCombinedEstimator`.
      dnn_feature_columns: As in `DNNLinearCombinedEstimator`.
      dnn_optimizer: As in `DNNLinearCombinedEstimator`.
      dnn_hidden_units: As in `DNNLinearCombinedEstimator`.
      dnn_activation_fn: As in `DNNLinearCombinedEstimator`.
      dnn_dropout: As in `DNNLinearCombinedEstimator`.
      gradient_clip_norm: As in `DNNLinearCombinedEstimator`.
      enable_centered_bias: Train a bias apart from the model.
      label_dimension: How many numbers an example's label has.
      config: As in `DNNLinearCombinedEstimator`.
      feature_engineering_fn: As in `DNNLinearCombinedEstimator`.
      embedding_lr_multipliers: As in `DNNLinearCombinedEstimator`.
      input_layer_min_slice_size: From how many bytes on a variable is split among ps.
      fix_global_step_increment_bug: As in `DNNLinearCombinedEstimator`.

    Raises:
      ValueError: There are no columns.
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
        made = head.regression_head(
            weight_column_name=weight_column_name,
            label_dimension=label_dimension,
            enable_centered_bias=enable_centered_bias,
        )
        super().__init__(
            made,
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
