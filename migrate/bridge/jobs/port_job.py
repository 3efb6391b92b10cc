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

from legacy.estimator import arguments
from migrate import keras_models
from migrate.bridge.errors import BridgeError
from migrate.bridge.graphs import calling
from migrate.bridge.jobs.input_functions import InputFunctions
from migrate.bridge.jobs.loss_recorder import LossRecorder
from modern.model_files import weights
from modern.process import chosen_keras
from modern.process.chosen_keras import keras
from modern.tasks import counted_model, precision


class PortJob(InputFunctions):
    """Implements `modern.tasks.job.Job` for a function that returns a compiled Keras model.

    The model is one of the chosen Keras (`modern.process.chosen_keras`).

    Args:
      keras_model: Reference "package.module:function". The function takes no argument, or `params`.
      input_fn: Reference as in `InputFunctions`. The model gets the features and labels unchanged.
      eval_input_fn: Reference as in `InputFunctions`.
      params: Params as in `InputFunctions`.
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
        with precision.of_layers(self.mixed_precision, keras_scales=True):
            port = self.port()
        model = CountingPort(port, self._flag)
        model.counters = counters
        model.loss_scale = None
        model.compile(**options)
        return model

    def evaluation_model(self) -> PortModel:
        """Returns a model to evaluate and to export, with its variables."""
        return PortModel(self.port(), self._flag)

    def load_initial(self, model: PortModel, prefix: str) -> None:
        """Loads a name-based checkpoint that has the port's own names into a model."""
        weights.load_into(model, prefix)

    def port(self) -> keras.Model:
        """Returns the user's model, compiled and with its variables.

        Raises:
          BridgeError: The function fails or returns another object, or the model is not compiled,
            or two of its weights have the same name.
        """
        _forget_names()
        providers = {"params": lambda: copy.deepcopy(self.params)}
        try:
            model = self._function(**arguments.asked_for(self._function, providers))
        except Exception as error:
            raise BridgeError(f"{self._flag} failed: {type(error).__name__}: {error}") from error
        if not isinstance(model, keras.Model):
            raise BridgeError(
                f"{self._flag} returned {type(model).__module__}.{type(model).__name__}: it must "
                f"return {keras_models.EXPECTED[chosen_keras.version()]}"
            )
        if getattr(model, "optimizer", None) is None:
            raise BridgeError(f"{self._flag}: the model is not compiled. Call model.compile(...).")
        if not model.built:
            for features, _ in self.data_of(calling.TRAIN).take(1):
                model(features, training=False)
        names = collections.Counter(weights.name_of(weight) for weight in model.weights)
        duplicates = [name for name, count in names.items() if count > 1]
        if duplicates:
            raise BridgeError(
                f"{self._flag}: {names[duplicates[0]]} weights are called {duplicates[0]}: give "
                "their layers names."
            )
        return model


def _forget_names() -> None:
    """Makes Keras name layers from the beginning.

    A second model in this process must have the same names: `dense`, not `dense_1`.
    """
    if chosen_keras.version() == 2:
        keras.backend.reset_uids()
        return
    policy = keras.config.dtype_policy()
    # Keras also resets the graph of its thread. The graph of this one knows the strategy.
    thread = threading.Thread(target=keras.utils.clear_session)
    thread.start()
    thread.join()
    keras.config.set_dtype_policy(policy)  # It was forgotten, too.


class PortModel(counted_model.Model):
    """Wraps a user's model so that evaluation reports the mean of the batch losses.

    An Estimator reports this mean. Keras reports the mean over examples, which differs if a batch
    is smaller than the others.

    Args:
      port: The user's model, compiled and with its variables.
      flag: The flag that named the model, for messages.
    """

    def __init__(self, port: keras.Model, flag: str) -> None:
        # The names of weights in a checkpoint do not begin with the name of their model.
        super().__init__(name=port.name)
        self.port = port
        self._flag = flag
        self._loss_recorder = LossRecorder(flag)
        self._loss_recorder.follow(port)
        self._results_of_port = port.get_metrics_result
        self.built = True
        self.compile()

    def compile(self, **options: Any) -> None:
        """Sets how steps run. The loss and the metrics are those of the port."""
        allowed_names = ("steps_per_execution", "jit_compile")
        options = {name: value for name, value in options.items() if name in allowed_names}
        if chosen_keras.version() == 3:
            options["auto_scale_loss"] = False
        super().compile(optimizer=self.port.optimizer, **options)

    def call(self, features: Any, training: bool | None = None) -> Any:
        """Returns the outputs of the port."""
        return self.port(features, training=training)

    @property
    def metrics(self) -> list[keras.metrics.Metric]:
        """The metrics of the port, and the mean of the batch losses."""
        return [*self.port.metrics, self._loss_recorder.mean]

    def get_metrics_result(self) -> dict[str, Any]:
        """Returns the metrics of the port, and the mean of the batch losses."""
        return {**self._port_results(), "loss": self._loss_recorder.mean.result()}

    def _port_results(self) -> dict[str, Any]:
        """Returns the results of the port's metrics. Its own steps may not update all of them."""
        if chosen_keras.version() == 2:
            return self._results_of_port()
        results: dict[str, Any] = {}
        for metric in self.port.metrics:
            # Keras 3 builds the metrics of `compile` when they are updated for the first time.
            if getattr(metric, "built", True):
                result = metric.result()
                results.update(result if isinstance(result, dict) else {metric.name: result})
        return results

    def test_step(self, data: Any) -> dict[str, Any]:
        """Evaluates one batch."""
        loss, _ = self._loss_recorder.loss_of(lambda: self.port.test_step(data))
        self._loss_recorder.mean.update_state(loss)
        return self.get_metrics_result()

    def export(self, path: str) -> None:
        """Exports the port.

        Args:
          path: Folder to create.

        Raises:
          BridgeError: Keras cannot export this model.
          OSError: The files cannot be written.
        """
        try:
            self.port.export(path)
        except OSError:
            raise
        except Exception as error:
            raise BridgeError(
                f"{self._flag}: Keras cannot export the model: {type(error).__name__}: {error}"
            ) from error


def _runs_own_step(port: keras.Model) -> bool:
    """Returns whether `CountingPort` trains by the train_step of the port."""
    return chosen_keras.version() == 2 or type(port).train_step is not keras.Model.train_step


def _steps_by_keras(port: keras.Model) -> bool:
    """Returns whether a port trains by the train_step of tf_keras, unchanged."""
    kind, model = type(port), keras.Model
    return chosen_keras.version() == 2 and (
        (kind.train_step, kind.compute_metrics) == (model.train_step, model.compute_metrics)
    )


class CountingPort(counted_model.GradientSteps, PortModel):
    """Port that counts its examples for the training engine.

    With Keras 3, a port that has no train_step of its own trains by the step of the documented
    jobs: that of Keras would write its metrics to a parameter server in each step.
    """

    def __init__(self, port: keras.Model, flag: str) -> None:
        super().__init__(port, flag)
        self.scales_loss = not _runs_own_step(port)  # If not, the port's own optimizer does it.
        if _steps_by_keras(port):
            # Synchronous workers would sum up the metrics over the network in each step, but only
            # those at the end of an execution are read. Not by setattr: Keras would track this.
            vars(port)["get_metrics_result"] = dict

    def compile(self, **options: Any) -> None:
        """See `PortModel`."""
        super().compile(**options)
        if chosen_keras.version() == 3:
            from modern.optimizers import keras3  # It imports Keras 3.

            keras3.count_every_step(self.optimizer)
            if not _runs_own_step(self.port):
                # For float16, Keras has wrapped the optimizer. Here, the engine scales the loss.
                self.optimizer = getattr(self.optimizer, "inner_optimizer", self.optimizer)

    def make_train_function(self, force: bool = False) -> Callable[[Any], Any]:
        """Returns the function that `fit` calls for each execution, see `CountingSteps`."""
        if chosen_keras.version() == 2:
            return counted_model.CountingSteps.make_train_function(self, force)
        return super().make_train_function(force)

    def get_metrics_result(self) -> dict[str, Any]:
        """Returns the metrics that the steps have updated."""
        results = self._port_results()
        return results if _runs_own_step(self.port) else {"loss": results["loss"]}

    def compute_loss(self, x: Any, y: Any, y_pred: Any) -> tf.Tensor:
        """Returns the loss of the port for features, labels and predictions."""
        return self.port.compute_loss(x, y, y_pred, None)

    def digest(self, features: Any, labels: Any) -> float:
        """Returns 0, because the share of a replica is unknown."""
        return 0.0

    def train_step(self, data: Any) -> tf.Tensor:
        """Runs a step on a tagged batch, with the result that `Counters.add` takes."""
        if not _runs_own_step(self.port):
            return super().train_step(data)
        features, labels, replica = data
        loss, _ = self._loss_recorder.loss_of(lambda: self.port.train_step((features, labels)))
        # Keras divides the loss by the number of replicas, because it sums their gradients.
        loss *= self.distribute_strategy.num_replicas_in_sync
        return self.counters.of_step(replica[0], tf.shape(replica)[0], loss)
