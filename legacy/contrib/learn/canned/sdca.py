"""SVM, and the model function of contrib.learn's linear models trained by SDCA.

    svm = contrib.learn.SVM("example_id", columns, l2_regularization=10.0)
    svm.fit(input_fn=input_fn, steps=30)
    classes = list(svm.predict_classes(input_fn=predict_input_fn))

Columns are those of contrib.layers. The features must contain a string that identifies each
example.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from legacy import contrib
from legacy.contrib import linear_optimizer
from legacy.contrib.learn.canned.outputs import Classifier
from legacy.contrib.learn.estimators.estimator import Estimator
from legacy.contrib.learn.estimators.model_fn_ops import ModelFnOps
from legacy.contrib.learn.heads import kinds, single
from legacy.estimator.canned.linear_sdca import UpdateWeightsHook

tf1 = tf.compat.v1

_BIAS = "tf_virtual_bias_column"


def sdca_model_fn(
    features: dict[str, Any], labels: Any, mode: str, params: dict[str, Any]
) -> ModelFnOps:
    """Builds a linear model.

    Args:
      features: Features by name.
      labels: A tensor, or None.
      mode: A member of `ModeKeys`.
      params: "head", a head for two classes or a regression, "feature_columns", "optimizer", an
        `SDCAOptimizer`, and "weight_column_name".

    Raises:
      ValueError: The optimizer or the head is of another type.
    """
    head, optimizer, columns = params["head"], params["optimizer"], params["feature_columns"]
    if not isinstance(optimizer, linear_optimizer.SDCAOptimizer):
        raise ValueError(f"Optimizer must be of type SDCAOptimizer, and is {optimizer!r}.")
    loss_type = _loss_type(head)
    layers = contrib.layers
    with tf1.variable_scope(
        "linear", values=list(features.values()), partitioner=optimizer.partitioner
    ) as scope:
        features = {**features, **layers.transform_features(features, columns)}
        logits, variables, bias = layers.weighted_sum_from_feature_columns(
            columns_to_tensors=features, feature_columns=columns, num_outputs=1, scope=scope
        )
    # The solver treats the bias as the weight of a feature that is always 1.
    bias_column = layers.real_valued_column(_BIAS)
    features[bias_column] = tf.ones_like(logits)
    variables = {**variables, bias_column: [bias]}
    hooks = []

    def train_op_fn(loss: tf.Tensor) -> tf.Operation:
        del loss
        model, train_op = optimizer.get_train_step(
            variables,
            params["weight_column_name"],
            loss_type,
            features,
            labels,
            tf1.train.get_global_step(),
        )
        hooks.append(UpdateWeightsHook(model, train_op))
        return train_op

    ops = head.create_model_fn_ops(
        features=features, labels=labels, mode=mode, train_op_fn=train_op_fn, logits=logits
    )
    return ops._replace(training_chief_hooks=ops.training_chief_hooks + hooks)


def _loss_type(head: Any) -> str:
    if isinstance(head, kinds.BinarySvmHead):
        return "hinge_loss"
    if isinstance(head, kinds.BinaryLogisticHead):
        return "logistic_loss"
    if isinstance(head, kinds.RegressionHead):
        if head.logits_dimension != 1:
            raise AssertionError("SDCA only applies for logits_dimension=1.")
        return "squared_loss"
    raise ValueError(f"Unsupported head type: {head}")


class SVM(Classifier):
    """A linear support vector machine for two classes.

    Args:
      example_id_column: Name of the feature that identifies examples: strings of shape [batch].
      feature_columns: Columns of contrib.layers.
      weight_column_name: Name of the feature with the example weights.
      model_dir: Folder of the checkpoints and event files.
      l1_regularization: Strength of the L1 regularization.
      l2_regularization: Strength of the L2 regularization.
      num_loss_partitions: Number of workers that train at the same time. With a smaller number,
        training may not converge.
      kernels: Must be None. Kernels are not supported.
      config: A `RunConfig` of contrib.learn.
      feature_engineering_fn: Function from features and labels to those of the model.

    Raises:
      ValueError: `kernels` is not None.
    """

    def __init__(
        self,
        example_id_column: str,
        feature_columns: Sequence[Any],
        weight_column_name: str | None = None,
        model_dir: str | None = None,
        l1_regularization: float = 0.0,
        l2_regularization: float = 0.0,
        num_loss_partitions: int = 1,
        kernels: Any = None,
        config: Any = None,
        feature_engineering_fn: Any = None,
    ) -> None:
        if kernels is not None:
            raise ValueError("Kernel SVMs are not currently supported.")
        optimizer = linear_optimizer.SDCAOptimizer(
            example_id_column,
            num_loss_partitions,
            symmetric_l1_regularization=l1_regularization,
            symmetric_l2_regularization=l2_regularization,
        )
        params = {
            "head": single.binary_svm_head(weight_column_name=weight_column_name),
            "feature_columns": feature_columns,
            "optimizer": optimizer,
            "weight_column_name": weight_column_name,
        }
        super().__init__(
            sdca_model_fn,
            model_dir=model_dir,
            config=config,
            params=params,
            feature_engineering_fn=feature_engineering_fn,
        )

    predict = Estimator.predict  # Predicts all outputs, unlike the other classifiers.
