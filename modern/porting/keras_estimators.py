"""Replacement for `model_to_estimator`: train, evaluate and export the Keras model directly.

>>> import tensorflow as tf
>>> import tf_keras as keras
>>> layer = keras.layers.Dense(1, kernel_initializer="ones", name="y")
>>> model = keras.Sequential([keras.Input([2], name="x"), layer])
>>> model.compile("sgd", "mse")
>>> data = tf.data.Dataset.from_tensors({"x": [[1.0, 2.0]]})
>>> from_keras(model).predict(data, verbose=0)
{'y': array([[3.]], dtype=float32)}

The Estimator trained copies of the model in the scope of its RunConfig's strategy.
https://www.tensorflow.org/api_docs/python/tf/keras/estimator/model_to_estimator
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from modern.process.chosen_keras import keras

_LOSS = "batch_loss"


def from_keras(model: keras.Model) -> keras.Model:
    """Returns a copy of a compiled model, with its weights, in the scope of the current strategy.

    As with the Estimator, predictions are a dict by the names of the model's outputs, and in an
    evaluation by one replica the loss is the mean over batches.

    Args:
      model: A compiled functional or sequential model with known inputs.

    Raises:
      ValueError: The model is of another kind, not compiled, or has an optimizer that is not of
        Keras.
    """
    if not (model._is_graph_network and model.inputs):
        raise ValueError(
            f"from_keras copies functional and sequential models, and {model.name!r} is a "
            f"{type(model).__name__} without known inputs: create and compile it within `with "
            "porting.strategy(model_dir).scope():` instead."
        )
    if model.optimizer is None:
        raise ValueError(f"compile {model.name!r} first, as for model_to_estimator.")
    clone = keras.models.clone_model(model)
    clone.set_weights(model.get_weights())
    result: keras.Model = _FromKeras(clone.input, clone.output, name=model.name)
    result.compile(**_compile_arguments(model))
    # Not by setattr: Keras would save it.
    vars(result)[_LOSS] = keras.metrics.Mean("loss")
    return result


def _compile_arguments(model: keras.Model) -> dict[str, Any]:
    """Returns the arguments with which a model was compiled, for another model."""
    arguments = (
        model._get_compile_args()
    )  # The user's objects. The public config needs registrations.
    return {
        name: tf.nest.map_structure(_without_variables, value) for name, value in arguments.items()
    }


def _without_variables(value: Any) -> Any:
    """Returns a metric or optimizer as a copy without variables, which belong to a strategy.

    Other values are returned unchanged.
    """
    if isinstance(value, keras.metrics.Metric | _OPTIMIZERS):
        return type(value).from_config(value.get_config())
    if hasattr(value, "apply_gradients"):
        raise ValueError(
            f"the model is compiled with {type(value).__name__}, which is not an optimizer of "
            "Keras: compile it with one of keras.optimizers."
        )
    return value


_OPTIMIZERS = keras.optimizers.Optimizer | keras.optimizers.legacy.Optimizer


class _FromKeras(keras.Model):
    """A functional model that reports the metrics and predictions of `model_to_estimator`."""

    @property
    def metrics(self) -> list[keras.metrics.Metric]:
        """The metrics that `evaluate` reports. The last metric of a name takes precedence."""
        loss = vars(self).get(_LOSS)
        return [*super().metrics, *([loss] if loss is not None else [])]

    def compute_loss(
        self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None
    ) -> tf.Tensor:
        """Returns the loss as Keras does, and records it if the model has only one replica.

        With several replicas Keras divides the loss by their number.
        """
        loss = super().compute_loss(x, y, y_pred, sample_weight)
        if self.distribute_strategy.num_replicas_in_sync == 1:
            vars(self)[_LOSS].update_state(loss)
        return loss

    def get_metrics_result(self) -> dict[str, Any]:
        """Returns the metrics by name."""
        results = super().get_metrics_result()
        if self.distribute_strategy.num_replicas_in_sync > 1:
            results["loss"] = next(
                metric.result() for metric in self.metrics if metric.name == "loss"
            )
        return results

    def predict_step(self, data: Any) -> dict[str, tf.Tensor]:
        """Returns the outputs by name."""
        outputs = tf.nest.flatten(super().predict_step(data))
        return dict(zip(self.output_names, outputs, strict=True))
