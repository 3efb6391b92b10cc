"""Deep networks behind feature columns, in the v2 API.

    import tensorflow as tf
    from legacy import estimator

    age = tf.feature_column.numeric_column("age")
    classifier = estimator.DNNClassifier([64, 32], [age], optimizer="Adam", n_classes=3)
    classifier.train(input_fn, steps=1000)

Variables are dnn/hiddenlayer_N/{kernel,bias}, dnn/logits/{kernel,bias} and what the columns have
under dnn/input_from_feature_columns/input_layer.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator import heads
from legacy.estimator.canned import feature_columns as columns_lib
from legacy.estimator.canned import optimizers
from legacy.estimator.canned.v2.dnn_model import DNNModel, check_units
from legacy.estimator.estimator import EstimatorV2
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.run_config import RunConfig
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_MEAN = tf_keras.losses.Reduction.SUM_OVER_BATCH_SIZE


def dnn_logit_fn_builder_v2(
    units: int,
    hidden_units: Iterable[int],
    feature_columns: Iterable[Any],
    activation_fn: Callable[[tf.Tensor], tf.Tensor] | None,
    dropout: float | None,
    batch_norm: bool,
) -> Callable[[dict[str, Any], str], tf.Tensor]:
    """Returns a function that builds a deep network, for a model function of one's own.

    Args:
      units: How many logits there are.
      hidden_units: The size of each hidden layer, from the input on.
      feature_columns: v2 feature columns, all dense.
      activation_fn: The activation of the hidden layers; None is the identity.
      dropout: Which part of each hidden layer's outputs is dropped in training; None: nothing.
      batch_norm: Normalize each hidden layer's outputs by batch.

    Returns:
      A function of `features` and `mode`, which returns logits of shape [batch_size, units].

    Raises:
      ValueError: `units` is not an int.
    """
    check_units(units)

    def dnn_logit_fn(features: dict[str, Any], mode: str) -> tf.Tensor:
        model = DNNModel(units, hidden_units, feature_columns, activation_fn, dropout, batch_norm)
        return model(features, mode)

    return dnn_logit_fn


def dnn_model_fn_v2(
    features: dict[str, Any],
    labels: Any,
    mode: str,
    head: Any,
    hidden_units: Iterable[int],
    feature_columns: Sequence[Any],
    optimizer: Any = "Adagrad",
    activation_fn: Callable[[tf.Tensor], tf.Tensor] | None = tf.nn.relu,
    dropout: float | None = None,
    config: RunConfig | None = None,
    batch_norm: bool = False,
) -> EstimatorSpec:
    """The model function of the classes below.

    Args:
      features: By name, tensors or sparse tensors with the batch as their first dimension.
      labels: What the head takes; None to predict.
      mode: A `ModeKeys`.
      head: A `Head`, with as many logits as it asks for.
      hidden_units: The size of each hidden layer, from the input on.
      feature_columns: v2 feature columns, all dense.
      optimizer: See `optimizers.get_optimizer_instance_v2`; by name with Keras's learning rate.
      activation_fn: The activation of the hidden layers.
      dropout: Which part of each hidden layer's outputs is dropped in training.
      config: Not looked at.
      batch_norm: Normalize each hidden layer's outputs by batch.

    Returns:
      The head's `EstimatorSpec`.

    Raises:
      ValueError: An argument is of the wrong kind.
    """
    del config
    columns_lib.check_features(features)
    model = DNNModel(
        head.logits_dimension, hidden_units, feature_columns, activation_fn, dropout, batch_norm
    )
    logits = model(features, mode)
    if mode == ModeKeys.TRAIN:
        optimizer = optimizers.get_optimizer_instance_v2(optimizer)
        # Hooks count steps by the global step, so it is what the optimizer counts up.
        optimizer.iterations = tf1.train.get_or_create_global_step()
    return head.create_estimator_spec(
        features=features,
        mode=mode,
        labels=labels,
        optimizer=optimizer,
        logits=logits,
        trainable_variables=model.trainable_variables,
        update_ops=model.updates,
    )


class DNNEstimatorV2(EstimatorV2):
    """A deep network with a head of one's own.

    Args:
      head: A `Head`, as `MultiLabelHead`.
      hidden_units: The size of each hidden layer, from the input on.
      feature_columns: Feature columns of `tf.feature_column`, all dense.
      model_dir: Where checkpoints and event files go.
      optimizer: "Adagrad", "Adam", "Ftrl", "RMSProp" or "SGD" with Keras's default learning rate; a
        `tf.keras.optimizers.legacy` optimizer (for one training); or a callable that makes one.
      activation_fn: The activation of the hidden layers; None is the identity.
      dropout: Which part of each hidden layer's outputs is dropped in training; None: nothing.
      config: A `RunConfig`.
      warm_start_from: A checkpoint's path or `WarmStartSettings`.
      batch_norm: Normalize each hidden layer's outputs by batch.

    Raises:
      ValueError: An argument is of the wrong kind; of what concerns the model, in training.
    """

    def __init__(
        self,
        head: Any,
        hidden_units: Iterable[int],
        feature_columns: Iterable[Any],
        model_dir: str | None = None,
        optimizer: Any = "Adagrad",
        activation_fn: Callable[[tf.Tensor], tf.Tensor] | None = tf.nn.relu,
        dropout: float | None = None,
        config: RunConfig | None = None,
        warm_start_from: Any = None,
        batch_norm: bool = False,
    ) -> None:
        model_fn = functools.partial(
            dnn_model_fn_v2,
            head=head,
            hidden_units=hidden_units,
            feature_columns=tuple(feature_columns or ()),
            optimizer=optimizers.prepared(optimizer),
            activation_fn=activation_fn,
            dropout=dropout,
            batch_norm=batch_norm,
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


class DNNClassifierV2(EstimatorV2):
    """A deep network that classifies.

    Args:
      hidden_units: The size of each hidden layer, from the input on.
      feature_columns: Feature columns of `tf.feature_column`, all dense.
      model_dir: Where checkpoints and event files go.
      n_classes: How many classes there are; labels are ints below it.
      weight_column: The name of the feature, or a numeric column of it, that weighs examples.
      label_vocabulary: The classes' names in order, where labels are strings.
      optimizer: As in `DNNEstimator`.
      activation_fn: The activation of the hidden layers.
      dropout: Which part of each hidden layer's outputs is dropped in training.
      config: A `RunConfig`.
      warm_start_from: A checkpoint's path or `WarmStartSettings`.
      loss_reduction: A `tf.losses.Reduction` but NONE: how examples' losses become the training's.
      batch_norm: Normalize each hidden layer's outputs by batch.

    Raises:
      ValueError: An argument is of the wrong kind; of what concerns the model, in training.
    """

    def __init__(
        self,
        hidden_units: Iterable[int],
        feature_columns: Iterable[Any],
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None,
        optimizer: Any = "Adagrad",
        activation_fn: Callable[[tf.Tensor], tf.Tensor] | None = tf.nn.relu,
        dropout: float | None = None,
        config: RunConfig | None = None,
        warm_start_from: Any = None,
        loss_reduction: str = _MEAN,
        batch_norm: bool = False,
    ) -> None:
        model_fn = functools.partial(
            dnn_model_fn_v2,
            head=heads.binary_or_multi_class_head(
                n_classes, weight_column, label_vocabulary, loss_reduction
            ),
            hidden_units=hidden_units,
            feature_columns=tuple(feature_columns or ()),
            optimizer=optimizers.prepared(optimizer),
            activation_fn=activation_fn,
            dropout=dropout,
            batch_norm=batch_norm,
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


class DNNRegressorV2(EstimatorV2):
    """A deep network that predicts numbers.

    Args:
      hidden_units: The size of each hidden layer, from the input on.
      feature_columns: Feature columns of `tf.feature_column`, all dense.
      model_dir: Where checkpoints and event files go.
      label_dimension: How many numbers a label has: labels are of shape [batch_size, it].
      weight_column: The name of the feature, or a numeric column of it, that weighs examples.
      optimizer: As in `DNNEstimator`.
      activation_fn: The activation of the hidden layers.
      dropout: Which part of each hidden layer's outputs is dropped in training.
      config: A `RunConfig`.
      warm_start_from: A checkpoint's path or `WarmStartSettings`.
      loss_reduction: A `tf.losses.Reduction` but NONE: how examples' losses become the training's.
      batch_norm: Normalize each hidden layer's outputs by batch.

    Raises:
      ValueError: An argument is of the wrong kind; of what concerns the model, in training.
    """

    def __init__(
        self,
        hidden_units: Iterable[int],
        feature_columns: Iterable[Any],
        model_dir: str | None = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        optimizer: Any = "Adagrad",
        activation_fn: Callable[[tf.Tensor], tf.Tensor] | None = tf.nn.relu,
        dropout: float | None = None,
        config: RunConfig | None = None,
        warm_start_from: Any = None,
        loss_reduction: str = _MEAN,
        batch_norm: bool = False,
    ) -> None:
        model_fn = functools.partial(
            dnn_model_fn_v2,
            head=heads.RegressionHead(
                label_dimension=label_dimension,
                weight_column=weight_column,
                loss_reduction=loss_reduction,
            ),
            hidden_units=hidden_units,
            feature_columns=tuple(feature_columns or ()),
            optimizer=optimizers.prepared(optimizer),
            activation_fn=activation_fn,
            dropout=dropout,
            batch_norm=batch_norm,
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)
