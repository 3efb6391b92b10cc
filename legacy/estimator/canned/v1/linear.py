"""Linear models for feature columns, in the v1 API.

    import tensorflow as tf
    from legacy.compat.v1 import estimator

    word = tf.feature_column.categorical_column_with_hash_bucket("word", 10_000)
    classifier = estimator.LinearClassifier([word], optimizer=tf.compat.v1.train.FtrlOptimizer(0.1))
    classifier.train(input_fn, steps=1000)

Variables are linear/linear_model/COLUMN/weights and linear/linear_model/bias_weights, partitioned
over the parameter servers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

from legacy.estimator.canned import argument_texts, layer_summaries, linear_sdca, optimizers
from legacy.estimator.canned import feature_columns as columns_lib
from legacy.estimator.canned.v1 import partitioners
from legacy.estimator.canned.v2.linear import LEARNING_RATE, default_learning_rate
from legacy.estimator.canned.v2.linear_model import LinearModel
from legacy.estimator.docstrings import documented
from legacy.estimator.estimator import Estimator
from legacy.estimator.heads import v1 as heads
from legacy.estimator.run_config import RunConfig
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_TEXTS = argument_texts.LINEAR | argument_texts.V1


@documented(_TEXTS)
def linear_logit_fn_builder(
    units: int, feature_columns: Sequence[Any], sparse_combiner: str = "sum"
) -> Callable[[dict[str, Any]], tf.Tensor]:
    """Returns a function that computes the logits of a linear model, for a custom model_fn.

    {args}

    Returns:
      A function of `features` that returns logits of shape [batch_size, units]. Its variables
      are linear_model/... in the variable scope in which it is called.
    """

    def linear_logit_fn(features: dict[str, Any]) -> tf.Tensor:
        if columns_lib.all_v2(feature_columns):
            model = LinearModel(feature_columns, units, sparse_combiner, name="linear_model")
            logits = model(features)
            bias, weights = model.bias, model.layer.partitioned_weights
        else:
            variables: dict[Any, list[Any]] = {}
            logits = tf1.feature_column.linear_model(
                features, feature_columns, units, sparse_combiner, cols_to_vars=variables
            )
            bias = tf.concat(variables.pop("bias"), axis=0)
            weights = list(variables.values())
        layer_summaries.add_linear(bias, weights, units)
        return logits

    return linear_logit_fn


@documented(_TEXTS)
def linear_model_fn(
    features: dict[str, Any],
    labels: Any,
    mode: str,
    head: Any,
    feature_columns: Sequence[Any],
    optimizer: Any,
    partitioner: Any = None,
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
    columns_lib.check_features(features)
    partitioner = partitioner or partitioners.of_input_layer(config)
    # Call the head in this scope too, because checkpoints name the optimizer's slots after it.
    with tf1.variable_scope("linear", values=tuple(features.values()), partitioner=partitioner):
        if isinstance(optimizer, linear_sdca.LinearSDCA):
            return linear_sdca.linear_sdca_model_fn(
                features, labels, mode, head, feature_columns, optimizer
            )
        logit_fn = linear_logit_fn_builder(head.logits_dimension, feature_columns, sparse_combiner)
        logits = logit_fn(features)
        rate = LEARNING_RATE if optimizer else default_learning_rate(len(feature_columns))
        return head.create_estimator_spec(
            features=features,
            mode=mode,
            labels=labels,
            optimizer=optimizers.get_optimizer_instance(optimizer or "Ftrl", rate),
            logits=logits,
        )


@documented(_TEXTS)
class LinearEstimator(Estimator):
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
        partitioner: Any = None,
        sparse_combiner: str = "sum",
        warm_start_from: Any = None,
    ) -> None:
        model_fn = functools.partial(
            linear_model_fn,
            head=head,
            feature_columns=tuple(feature_columns or ()),
            optimizer=optimizer,
            partitioner=partitioner,
            sparse_combiner=sparse_combiner,
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


@documented(_TEXTS)
class LinearClassifier(Estimator):
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
        partitioner: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = tf1.losses.Reduction.SUM,
        sparse_combiner: str = "sum",
    ) -> None:
        feature_columns = tuple(feature_columns or ())
        linear_sdca.check_classifier(feature_columns, n_classes, optimizer, sparse_combiner)
        model_fn = functools.partial(
            linear_model_fn,
            head=heads.binary_logistic_or_multi_class_head(
                n_classes, weight_column, label_vocabulary, loss_reduction
            ),
            feature_columns=feature_columns,
            optimizer=optimizer,
            partitioner=partitioner,
            sparse_combiner=sparse_combiner,
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


@documented(_TEXTS)
class LinearRegressor(Estimator):
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
        partitioner: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = tf1.losses.Reduction.SUM,
        sparse_combiner: str = "sum",
    ) -> None:
        feature_columns = tuple(feature_columns or ())
        linear_sdca.check_regressor(feature_columns, label_dimension, optimizer, sparse_combiner)
        model_fn = functools.partial(
            linear_model_fn,
            head=heads.regression_head(
                label_dimension=label_dimension,
                weight_column=weight_column,
                loss_reduction=loss_reduction,
            ),
            feature_columns=feature_columns,
            optimizer=optimizer,
            partitioner=partitioner,
            sparse_combiner=sparse_combiner,
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)
