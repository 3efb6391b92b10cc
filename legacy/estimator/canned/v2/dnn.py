"""Deep networks for feature columns, in the v2 API.

    import tensorflow as tf
    from legacy import estimator

    age = tf.feature_column.numeric_column("age")
    classifier = estimator.DNNClassifier([64, 32], [age], optimizer="Adam", n_classes=3)
    classifier.train(input_fn, steps=1000)

Variables are dnn/hiddenlayer_N/{kernel,bias}, dnn/logits/{kernel,bias} and the columns' variables
under dnn/input_from_feature_columns/input_layer.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator import heads
from legacy.estimator.canned import argument_texts, optimizers
from legacy.estimator.canned import feature_columns as columns_lib
from legacy.estimator.canned.v2.dnn_model import DNNModel, check_units
from legacy.estimator.docstrings import documented
from legacy.estimator.estimator import EstimatorV2
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.run_config import RunConfig
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_TEXTS = argument_texts.DNN | argument_texts.V2 | {"learning_rate": "Keras's default learning rate"}

_MEAN = tf_keras.losses.Reduction.SUM_OVER_BATCH_SIZE


@documented(_TEXTS)
def dnn_logit_fn_builder_v2(
    units: int,
    hidden_units: Iterable[int],
    feature_columns: Iterable[Any],
    activation_fn: Callable[[tf.Tensor], tf.Tensor] | None,
    dropout: float | None,
    batch_norm: bool,
) -> Callable[[dict[str, Any], str], tf.Tensor]:
    """Returns a function that computes the logits of a deep network, for a custom model_fn.

    {args}

    Returns:
      A function of `features` and `mode` that returns logits of shape [batch_size, units].

    Raises:
      ValueError: If `units` is not an int.
    """
    check_units(units)

    def dnn_logit_fn(features: dict[str, Any], mode: str) -> tf.Tensor:
        model = DNNModel(units, hidden_units, feature_columns, activation_fn, dropout, batch_norm)
        return model(features, mode)

    return dnn_logit_fn


@documented(_TEXTS, config="Not used.")
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
    """Builds the EstimatorSpec for the estimators in this module.

    {args}

    Returns:
      The EstimatorSpec of the head.

    Raises:
      ValueError: If an argument is invalid.
    """
    del config
    columns_lib.check_features(features)
    model = DNNModel(
        head.logits_dimension, hidden_units, feature_columns, activation_fn, dropout, batch_norm
    )
    logits = model(features, mode)
    if mode == ModeKeys.TRAIN:
        optimizer = optimizers.training_optimizer(optimizer)
    return head.create_estimator_spec(
        features=features,
        mode=mode,
        labels=labels,
        optimizer=optimizer,
        logits=logits,
        trainable_variables=model.trainable_variables,
        update_ops=model.updates,
    )


@documented(_TEXTS)
class DNNEstimatorV2(EstimatorV2):
    """A deep network with a custom head.

    {args}

    Raises:
      ValueError: If an argument is invalid. Arguments of the model are checked in training.
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


@documented(_TEXTS)
class DNNClassifierV2(EstimatorV2):
    """A deep network for classification.

    {args}

    Raises:
      ValueError: If an argument is invalid. Arguments of the model are checked in training.
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


@documented(_TEXTS)
class DNNRegressorV2(EstimatorV2):
    """A deep network for regression.

    {args}

    Raises:
      ValueError: If an argument is invalid. Arguments of the model are checked in training.
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
