"""The canned estimators of contrib.learn.

columns = [contrib.layers.real_valued_column("x", dimension=4)]
classifier = contrib.learn.DNNClassifier([10, 20], columns, n_classes=3)
classifier.fit(input_fn=input_fn, steps=1000)
classes = list(classifier.predict(input_fn=predict_input_fn))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.learn import canned_model_fns, head
from legacy.contrib.learn.canned_outputs import Classifier, Regressor


def _columns(given: Sequence[Any] | None) -> tuple[Any, ...]:
    columns = tuple(given or ())
    if not columns:
        raise AssertionError("feature_columns must not be empty.")
    return columns


class DNNClassifier(Classifier):
    """A deep network for classes.

    Args:
      hidden_units: Units of each hidden layer.
      feature_columns: Columns of contrib.layers or of tf.feature_column.
      model_dir: Where checkpoints and event files go.
      n_classes: How many classes.
      weight_column_name: Which feature holds the weights.
      optimizer: A name, an optimizer, or a function that makes one; None is Adagrad.
      activation_fn: A function or its name.
      dropout: The share of units left out in training.
      gradient_clip_norm: The largest norm of all gradients together.
      enable_centered_bias: Train a bias apart from the model.
      config: A `RunConfig` of contrib.learn.
      feature_engineering_fn: From features and labels to those of the model.
      embedding_lr_multipliers: By embedding column, how much its gradient counts.
      input_layer_min_slice_size: From how many bytes on a variable is split among ps.
      label_keys: The classes' names, where labels are strings.
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
        made_head = head.multi_class_head(
            n_classes,
            weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
            label_keys=label_keys,
        )
        params = {
            "head": made_head,
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
            canned_model_fns.dnn_model_fn,
            model_dir=model_dir,
            config=config,
            params=params,
            feature_engineering_fn=feature_engineering_fn,
        )


class DNNRegressor(Regressor):
    """A deep network for numbers.

    Args:
      hidden_units: Units of each hidden layer.
      feature_columns: Columns of contrib.layers or of tf.feature_column.
      model_dir: Where checkpoints and event files go.
      weight_column_name: Which feature holds the weights.
      optimizer: A name, an optimizer, or a function that makes one; None is Adagrad.
      activation_fn: A function or its name.
      dropout: The share of units left out in training.
      gradient_clip_norm: The largest norm of all gradients together.
      enable_centered_bias: Train a bias apart from the model.
      config: A `RunConfig` of contrib.learn.
      feature_engineering_fn: From features and labels to those of the model.
      label_dimension: How many numbers an example's label has.
      embedding_lr_multipliers: By embedding column, how much its gradient counts.
      input_layer_min_slice_size: From how many bytes on a variable is split among ps.
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
        made_head = head.regression_head(
            weight_column_name=weight_column_name,
            label_dimension=label_dimension,
            enable_centered_bias=enable_centered_bias,
        )
        params = {
            "head": made_head,
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
            canned_model_fns.dnn_model_fn,
            model_dir=model_dir,
            config=config,
            params=params,
            feature_engineering_fn=feature_engineering_fn,
        )


class LinearClassifier(Classifier):
    """A linear model for classes.

    Args:
      feature_columns: Columns of contrib.layers or of tf.feature_column.
      model_dir: Where checkpoints and event files go.
      n_classes: How many classes.
      weight_column_name: Which feature holds the weights.
      optimizer: A name, an optimizer, or a function that makes one; None is Ftrl.
      gradient_clip_norm: The largest norm of all gradients together.
      enable_centered_bias: Train a bias apart from the model.
      _joint_weight: One variable for all columns.
      config: A `RunConfig` of contrib.learn.
      feature_engineering_fn: From features and labels to those of the model.
      label_keys: The classes' names, where labels are strings.
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
        made_head = head.multi_class_head(
            n_classes,
            weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
            label_keys=label_keys,
        )
        params = {
            "head": made_head,
            "feature_columns": _columns(feature_columns),
            "optimizer": optimizer,
            "gradient_clip_norm": gradient_clip_norm,
            "joint_weights": _joint_weight,
        }
        super().__init__(
            canned_model_fns.linear_model_fn,
            model_dir=model_dir,
            config=config,
            params=params,
            feature_engineering_fn=feature_engineering_fn,
        )


class LinearRegressor(Regressor):
    """A linear model for numbers.

    Args:
      feature_columns: Columns of contrib.layers or of tf.feature_column.
      model_dir: Where checkpoints and event files go.
      weight_column_name: Which feature holds the weights.
      optimizer: A name, an optimizer, or a function that makes one; None is Ftrl.
      gradient_clip_norm: The largest norm of all gradients together.
      enable_centered_bias: Train a bias apart from the model.
      label_dimension: How many numbers an example's label has.
      _joint_weights: One variable for all columns.
      config: A `RunConfig` of contrib.learn.
      feature_engineering_fn: From features and labels to those of the model.
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
        made_head = head.regression_head(
            weight_column_name=weight_column_name,
            label_dimension=label_dimension,
            enable_centered_bias=enable_centered_bias,
        )
        params = {
            "head": made_head,
            "feature_columns": _columns(feature_columns),
            "optimizer": optimizer,
            "gradient_clip_norm": gradient_clip_norm,
            "joint_weights": _joint_weights,
        }
        super().__init__(
            canned_model_fns.linear_model_fn,
            model_dir=model_dir,
            config=config,
            params=params,
            feature_engineering_fn=feature_engineering_fn,
        )


class DNNLinearCombinedClassifier(Classifier):
    """A linear model and a deep network, added up, for classes.

    Args:
      model_dir: Where checkpoints and event files go.
      n_classes: How many classes.
      weight_column_name: Which feature holds the weights.
      linear_feature_columns: Columns of the linear part.
      linear_optimizer: Its optimizer; None is Ftrl.
      _joint_linear_weights: One variable for all linear columns.
      dnn_feature_columns: Columns of the deep part.
      dnn_optimizer: Its optimizer; None is Adagrad.
      dnn_hidden_units: Units of each of its hidden layers.
      dnn_activation_fn: A function or its name.
      dnn_dropout: The share of units left out in training.
      gradient_clip_norm: The largest norm of all gradients together.
      enable_centered_bias: Train a bias apart from the model.
      config: A `RunConfig` of contrib.learn.
      feature_engineering_fn: From features and labels to those of the model.
      embedding_lr_multipliers: By embedding column, how much its gradient counts.
      input_layer_min_slice_size: From how many bytes on a variable is split among ps.
      label_keys: The classes' names, where labels are strings.
      fix_global_step_increment_bug: Count a step once; False counts it once for each part.
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
        made_head = head.multi_class_head(
            n_classes,
            weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
            label_keys=label_keys,
        )
        params = {
            "head": made_head,
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
        }
        if input_layer_min_slice_size is not None:
            params["input_layer_partitioner"] = canned_model_fns.partitioner(
                config, input_layer_min_slice_size
            )
        super().__init__(
            canned_model_fns.combined_model_fn,
            model_dir=model_dir,
            config=config,
            params=params,
            feature_engineering_fn=feature_engineering_fn,
        )


class DNNLinearCombinedRegressor(Regressor):
    """A linear model and a deep network, added up, for numbers.

    Args:
      model_dir: Where checkpoints and event files go.
      weight_column_name: Which feature holds the weights.
      linear_feature_columns: Columns of the linear part.
      linear_optimizer: Its optimizer; None is Ftrl.
      _joint_linear_weights: One variable for all linear columns.
      dnn_feature_columns: Columns of the deep part.
      dnn_optimizer: Its optimizer; None is Adagrad.
      dnn_hidden_units: Units of each of its hidden layers.
      dnn_activation_fn: A function or its name.
      dnn_dropout: The share of units left out in training.
      gradient_clip_norm: The largest norm of all gradients together.
      enable_centered_bias: Train a bias apart from the model.
      label_dimension: How many numbers an example's label has.
      config: A `RunConfig` of contrib.learn.
      feature_engineering_fn: From features and labels to those of the model.
      embedding_lr_multipliers: By embedding column, how much its gradient counts.
      input_layer_min_slice_size: From how many bytes on a variable is split among ps.
      fix_global_step_increment_bug: Count a step once; False counts it once for each part.
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
        made_head = head.regression_head(
            weight_column_name=weight_column_name,
            label_dimension=label_dimension,
            enable_centered_bias=enable_centered_bias,
        )
        params = {
            "head": made_head,
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
        }
        if input_layer_min_slice_size is not None:
            params["input_layer_partitioner"] = canned_model_fns.partitioner(
                config, input_layer_min_slice_size
            )
        super().__init__(
            canned_model_fns.combined_model_fn,
            model_dir=model_dir,
            config=config,
            params=params,
            feature_engineering_fn=feature_engineering_fn,
        )
