"""Linear models for feature columns, in the v2 API.

    import tensorflow as tf
    from legacy import estimator

    word = tf.feature_column.categorical_column_with_hash_bucket("word", 10_000)
    classifier = estimator.LinearClassifier([word], sparse_combiner="sqrtn")
    classifier.train(input_fn, steps=1000)

Variables are linear/linear_model/COLUMN/weights and linear/linear_model/bias_weights.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator import heads
from legacy.estimator.canned import argument_texts, layer_summaries, linear_sdca, optimizers
from legacy.estimator.canned import feature_columns as columns_lib
from legacy.estimator.canned.v2.linear_model import LinearModel
from legacy.estimator.docstrings import documented
from legacy.estimator.estimator import EstimatorV2
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.run_config import RunConfig
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_TEXTS = argument_texts.LINEAR | argument_texts.V2

# Learning rate of an optimizer that is specified by name.
LEARNING_RATE = 0.2

_MEAN = tf_keras.losses.Reduction.SUM_OVER_BATCH_SIZE


def default_learning_rate(n_columns: int, limit: float = LEARNING_RATE) -> float:
    """Returns the default learning rate of linear models.

    Args:
      n_columns: Number of feature columns.
      limit: Upper limit.

    Returns:
      The smaller of 1 / sqrt(n_columns) and the limit.
    """
    return min(limit, 1.0 / math.sqrt(n_columns))


@documented(_TEXTS)
def linear_logits_v2(
    units: int,
    feature_columns: Sequence[Any],
    sparse_combiner: str,
    features: dict[str, Any],
    name: str = "linear/linear_model",
) -> tuple[tf.Tensor, list[Any]]:
    """Builds a linear model with its summaries.

    {args}

    Returns:
      The logits, [batch_size, units], and the trainable variables.

    Raises:
      ValueError: If a column is a v1 column, or if a linear model does not support it.
    """
    columns_lib.refuse_v1(feature_columns)
    model = LinearModel(feature_columns, units, sparse_combiner, name=name)
    logits = model(features)
    layer_summaries.add_linear(model.bias, model.layer.partitioned_weights, units)
    return logits, model.weights


@documented(_TEXTS)
def linear_logit_fn_builder_v2(
    units: int, feature_columns: Sequence[Any], sparse_combiner: str = "sum"
) -> Callable[[dict[str, Any]], tf.Tensor]:
    """Returns a function that computes the logits of a linear model, for a custom model_fn.

    {args}

    Returns:
      A function of `features` that returns logits of shape [batch_size, units]. Its variables
      are linear_model/COLUMN/weights and linear_model/bias_weights.
    """

    def linear_logit_fn(features: dict[str, Any]) -> tf.Tensor:
        name = "linear_model"
        return linear_logits_v2(units, feature_columns, sparse_combiner, features, name)[0]

    return linear_logit_fn


@documented(_TEXTS, config="Not used.")
def linear_model_fn_v2(
    features: dict[str, Any],
    labels: Any,
    mode: str,
    head: Any,
    feature_columns: Sequence[Any],
    optimizer: Any,
    config: RunConfig | None = None,
    sparse_combiner: str = "sum",
) -> EstimatorSpec:
    """Builds the EstimatorSpec for the estimators in this module.

    If `optimizer` is None, trains with Ftrl and `default_learning_rate`.

    {args}

    Returns:
      The EstimatorSpec of the head.

    Raises:
      ValueError: If an argument is invalid.
    """
    del config
    columns_lib.check_features(features)
    if isinstance(optimizer, linear_sdca.LinearSDCA):
        return linear_sdca.linear_sdca_model_fn(
            features, labels, mode, head, feature_columns, optimizer
        )
    logits, variables = linear_logits_v2(
        head.logits_dimension, feature_columns, sparse_combiner, features
    )
    if mode == ModeKeys.TRAIN:
        rate = LEARNING_RATE if optimizer else default_learning_rate(len(feature_columns))
        optimizer = optimizers.training_optimizer(optimizer or "Ftrl", rate)
    return head.create_estimator_spec(
        features=features,
        mode=mode,
        labels=labels,
        optimizer=optimizer,
        trainable_variables=variables,
        logits=logits,
    )


@documented(_TEXTS)
class LinearEstimatorV2(EstimatorV2):
    """A linear model with a custom head.

    {args}

    Raises:
      ValueError: If an argument is invalid. Arguments of the model are checked in training.
    """

    def __init__(
        self,
        head: Any,
        feature_columns: Iterable[Any],
        model_dir: str | None = None,
        optimizer: Any = "Ftrl",
        config: RunConfig | None = None,
        sparse_combiner: str = "sum",
        warm_start_from: Any = None,
    ) -> None:
        model_fn = functools.partial(
            linear_model_fn_v2,
            head=head,
            feature_columns=tuple(feature_columns or ()),
            optimizer=optimizers.prepared(optimizer),
            sparse_combiner=sparse_combiner,
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


@documented(_TEXTS)
class LinearClassifierV2(EstimatorV2):
    """A linear model for classification.

    {args}

    Raises:
      ValueError: If an argument is invalid. Arguments of the model are checked in training.
    """

    def __init__(
        self,
        feature_columns: Iterable[Any],
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None,
        optimizer: Any = "Ftrl",
        config: RunConfig | None = None,
        warm_start_from: Any = None,
        loss_reduction: str = _MEAN,
        sparse_combiner: str = "sum",
    ) -> None:
        feature_columns = tuple(feature_columns or ())
        linear_sdca.check_classifier(feature_columns, n_classes, optimizer, sparse_combiner)
        model_fn = functools.partial(
            linear_model_fn_v2,
            head=heads.binary_or_multi_class_head(
                n_classes, weight_column, label_vocabulary, loss_reduction
            ),
            feature_columns=feature_columns,
            optimizer=optimizers.prepared(optimizer),
            sparse_combiner=sparse_combiner,
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


@documented(_TEXTS)
class LinearRegressorV2(EstimatorV2):
    """A linear model for regression.

    {args}

    Raises:
      ValueError: If an argument is invalid. Arguments of the model are checked in training.
    """

    def __init__(
        self,
        feature_columns: Iterable[Any],
        model_dir: str | None = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        optimizer: Any = "Ftrl",
        config: RunConfig | None = None,
        warm_start_from: Any = None,
        loss_reduction: str = _MEAN,
        sparse_combiner: str = "sum",
    ) -> None:
        feature_columns = tuple(feature_columns or ())
        linear_sdca.check_regressor(feature_columns, label_dimension, optimizer, sparse_combiner)
        model_fn = functools.partial(
            linear_model_fn_v2,
            head=heads.RegressionHead(
                label_dimension=label_dimension,
                weight_column=weight_column,
                loss_reduction=loss_reduction,
            ),
            feature_columns=feature_columns,
            optimizer=optimizers.prepared(optimizer),
            sparse_combiner=sparse_combiner,
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)
