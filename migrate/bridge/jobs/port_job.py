"""Job that trains a user's compiled Keras model on its input_fn with the training engine.

    python -m migrate train --keras_model=package.module:build_model \
        --input_fn=package.module:input_fn

`benchmarks.compare` uses it to train the port of a model_fn next to the model_fn itself.
"""

from __future__ import annotations

import collections
import copy
import threading
from collections.abc import Callable
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator import arguments
from migrate.bridge.errors import BridgeError
from migrate.bridge.graphs import calling
from migrate.bridge.jobs.job import Job
from modern.model_files import weights
from modern.tasks import counted_model, precision


class PortJob(Job):
    """Implements `Job` for a function that returns a compiled Keras model.

    Args:
      keras_model: Reference "package.module:function". The function takes no argument, or `params`.
      input_fn: Reference as in `Job`. The model gets the features and labels unchanged.
      eval_input_fn: Reference as in `Job`.
      params: Params as in `Job`.
      mixed_precision: The precision of the layers in the training. For float16, Keras scales the
        loss when the function compiles the model.
    """

    MODEL_FLAG = "--keras_model"

    def __init__(
        self,
        keras_model: str,
        input_fn: str,
        eval_input_fn: str | None,
        params: str,
        mixed_precision: str = "none",
    ) -> None:
        super().__init__(keras_model, input_fn, eval_input_fn, params, mixed_precision)
        self._flag = f"{self.MODEL_FLAG}={keras_model}"

    def training_model(
        self, counters: counted_model.Counters, replicas: int, **options: Any
    ) -> CountingPort:
        """Returns the model to train, with its variables. Call it in the strategy's scope."""
        del replicas
        with precision.of_layers(self._mixed_precision, keras_scales=True):
            port = self.port()
        model = CountingPort(port, self._flag)
        model.counters = counters
        model.compile(**options)
        return model

    def evaluation_model(self) -> PortModel:
        """Returns a model to evaluate and to export, with its variables."""
        return PortModel(self.port(), self._flag)

    def load_initial(self, model: PortModel, prefix: str) -> None:
        """Loads a name-based checkpoint that has the port's own names into a model."""
        weights.load_into(model, prefix)

    def port(self) -> tf_keras.Model:
        """Returns the user's model, compiled and with its variables.

        Raises:
          BridgeError: The function fails or returns another object, or the model is not compiled,
            or two of its weights have the same name.
        """
        # A second model in this process must have the same names: `dense`, not `dense_1`.
        tf_keras.backend.reset_uids()
        providers = {"params": lambda: copy.deepcopy(self.params)}
        try:
            model = self._model_fn(**arguments.asked_for(self._model_fn, providers))
        except Exception as error:
            raise BridgeError(f"{self._flag} failed: {type(error).__name__}: {error}") from error
        if not isinstance(model, tf_keras.Model):
            raise BridgeError(
                f"{self._flag} returned {type(model).__module__}.{type(model).__name__}: it must "
                "return a tf_keras.Model (with TF_USE_LEGACY_KERAS=1, tf.keras is tf_keras)."
            )
        if getattr(model, "optimizer", None) is None:
            raise BridgeError(f"{self._flag}: the model is not compiled. Call model.compile(...).")
        if not model.built:
            for features, _ in self._data(calling.TRAIN).take(1):
                model(features, training=False)
        names = collections.Counter(weight.name for weight in model.weights)
        duplicates = [name for name, count in names.items() if count > 1]
        if duplicates:
            raise BridgeError(
                f"{self._flag}: {names[duplicates[0]]} weights are called {duplicates[0]}: give "
                "their layers names."
            )
        return model


class PortModel(tf_keras.Model):
    """Wraps a user's model so that evaluation reports the mean of the batch losses.

    An Estimator reports this mean. Keras reports the mean over examples, which differs if a batch
    is smaller than the others.

    Args:
      port: The user's model, compiled and with its variables.
      flag: The flag that named the model, for messages.
    """

    def __init__(self, port: tf_keras.Model, flag: str) -> None:
        super().__init__(name=f"of_{port.name}")
        self.port = port
        self._loss_recorder = _LossRecorder(flag)
        self._loss_recorder.follow(port)
        self.built = True
        self.compile()

    def compile(self, **options: Any) -> None:
        """Sets how steps run. The loss and the metrics are those of the port."""
        allowed_names = ("steps_per_execution", "jit_compile")
        options = {name: value for name, value in options.items() if name in allowed_names}
        super().compile(optimizer=self.port.optimizer, **options)

    def call(self, features: Any, training: bool | None = None) -> Any:
        """Returns the outputs of the port."""
        return self.port(features, training=training)

    @property
    def metrics(self) -> list[tf_keras.metrics.Metric]:
        """The metrics of the port, and the mean of the batch losses."""
        return [*self.port.metrics, self._loss_recorder.mean]

    def get_metrics_result(self) -> dict[str, Any]:
        """Returns the metrics of the port, and the mean of the batch losses."""
        return {**self.port.get_metrics_result(), "loss": self._loss_recorder.mean.result()}

    def test_step(self, data: Any) -> dict[str, Any]:
        """Evaluates one batch."""
        loss, _ = self._loss_recorder.loss_of(lambda: self.port.test_step(data))
        self._loss_recorder.mean.update_state(loss)
        return self.get_metrics_result()

    def export(self, path: str) -> None:
        """Exports the port."""
        self.port.export(path)


class CountingPort(counted_model.CountingSteps, PortModel):
    """Port that counts its examples for the training engine."""

    scales_loss = False  # The port's own optimizer does it.

    def get_metrics_result(self) -> dict[str, Any]:
        """Returns the metrics of the port, as the port's `fit` would."""
        return self.port.get_metrics_result()

    def train_step(self, data: Any) -> tf.Tensor:
        """Runs the port's step on a tagged batch, with the result that `Counters.add` takes."""
        features, labels, replica = data
        loss, _ = self._loss_recorder.loss_of(lambda: self.port.train_step((features, labels)))
        # Keras divides the loss by the number of replicas, because it sums their gradients.
        loss *= self.distribute_strategy.num_replicas_in_sync
        return self.counters.of_step(replica[0], tf.shape(replica)[0], loss)


class _LossRecorder:
    """State of a PortModel that Keras must not save: the losses computed in its steps."""

    def __init__(self, flag: str) -> None:
        self.mean = tf_keras.metrics.Mean(name="mean_of_batches")
        self._flag = flag
        self._local = threading.local()  # Replicas are traced in threads.

    def follow(self, port: tf_keras.Model) -> None:
        """Records each loss of the port, from `compute_loss` and from `compiled_loss`."""
        compute_loss, compiled_loss = port.compute_loss, port.compiled_loss
        # Bypasses Keras' __setattr__, which would track the wrappers as parts of the model.
        vars(port)["compute_loss"] = lambda *args, **kwargs: self._record(
            compute_loss(*args, **kwargs)
        )
        vars(port)["compiled_loss"] = _RecordingLoss(compiled_loss, self._record)

    def _record(self, loss: Any) -> Any:
        self._local.loss = loss
        return loss

    def loss_of(self, step: Callable[[], Any]) -> tuple[Any, Any]:
        """Runs a step.

        Returns:
          The last loss that the step computed, and the result of the step.

        Raises:
          BridgeError: The step computed no loss.
        """
        self._local.loss = None
        result = step()
        if self._local.loss is None:
            raise BridgeError(
                f"{self._flag}: its train_step or test_step calls neither compute_loss nor "
                "compiled_loss, so its loss cannot be followed: compute the loss by one of them."
            )
        return tf.reshape(self._local.loss, []), result


class _RecordingLoss:
    """Wraps a port's compiled_loss and records its results."""

    def __init__(self, compiled_loss: Any, record: Callable[[Any], Any]) -> None:
        self._compiled_loss, self._record = compiled_loss, record

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._record(self._compiled_loss(*args, **kwargs))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._compiled_loss, name)
