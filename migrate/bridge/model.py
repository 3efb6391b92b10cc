"""An unmodified model_fn as a Keras model.

>>> import numpy as np, tensorflow as tf, tf_keras
>>> from legacy import estimator as tf_estimator
>>> from migrate import bridge
>>> def model_fn(features, labels, mode):
...     loss = tf.reduce_mean((tf.compat.v1.layers.dense(features, 1) - labels) ** 2)
...     optimizer = tf.compat.v1.train.AdamOptimizer(0.1)
...     train_op = optimizer.minimize(loss, tf.compat.v1.train.get_global_step())
...     return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)
>>> model = bridge.KerasModelFn(model_fn)
>>> x, y = np.ones([32, 4], "f"), np.ones([32, 1], "f")
>>> _ = model.fit(x, y, epochs=2, verbose=0)
>>> int(model.global_step)
2
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import tensorflow as tf
import tf_keras

from migrate.bridge import inputs, metrics
from migrate.bridge.errors import BridgeError
from migrate.bridge.graphs import (
    blueprint,
    calling,
    contexts,
    frozen_variables,
    lookup_tables,
    session_parts,
    variable_ops,
)
from migrate.bridge.graphs.calling import EVAL, PREDICT, TRAIN
from migrate.bridge.graphs.variables import Variables
from migrate.bridge.model_files import estimator_checkpoint, exports
from migrate.bridge.model_files.keras_files import InKerasFiles
from migrate.bridge.model_optimizers import Optimizers
from migrate.bridge.optimizers import watching
from migrate.bridge.training import hooks, session_hooks
from modern.optimizers import loss_scaling
from modern.training import seeds
from modern.training.steps import fast_steps, whole_steps

_UNCHANGED = (
    "The train_op leaves out the operations that write {}, so that these variables do not change, "
    "as under Estimator. If they are moving averages of batch normalization, let train_op depend "
    "on tf.GraphKeys.UPDATE_OPS."
)


@tf_keras.utils.register_keras_serializable(package="migrate.bridge")
class KerasModelFn(InKerasFiles):
    """Keras model that trains, evaluates and exports an unmodified model_fn.

    Create it inside `strategy.scope()`, like any Keras model. The EstimatorSpec decides the
    behavior: its optimizers minimize its `loss`, `evaluate` returns its `eval_metric_ops`, and
    `predict` returns its `predictions`. The variables are created once, at the first call with
    data, under the names that they have in an Estimator's checkpoint. Each replica takes its share
    of the batch, and the gradients are averaged over the replicas, as in an Estimator.

    Args:
      model_fn: `model_fn(features, labels, mode, params, config)`, with any of these arguments.
      params: Passed to model_fn. An `as_estimator.TPUParams` has separate params for each mode.
      config: Passed to model_fn. The bridge itself reads only `tf_random_seed` of a RunConfig.
      unknown_hooks: Treatment of the EstimatorSpec's hooks that have no equivalent Keras callback.
        "run" calls them at each step (migrate/bridge/training/session_hooks.py). "warn" trains
        without them.
      name: Name of the model.

    Raises:
      BridgeError: The model_fn cannot be bridged. Raised here, or at the first call with data.

    Attributes:
      loss_scale: Scales the loss for float16. None for none. Create it in the strategy's scope.
    """

    # Set in each object. Keras does not save an attribute that its class has.
    loss_scale: loss_scaling.LossScale | None

    def __init__(
        self,
        model_fn: Callable[..., Any],
        params: Any = None,
        config: Any = None,
        *,
        unknown_hooks: str = "run",
        name: str | None = None,
    ) -> None:
        super().__init__(name=name or getattr(model_fn, "__name__", None))
        calling.check_eager(model_fn)
        if unknown_hooks not in ("run", "warn"):
            raise BridgeError(f'unknown_hooks={unknown_hooks!r}: give "run" or "warn".')
        # All replicas return the same logs. Keras would sum them by default.
        self.distribute_reduction_method = "first"
        self._function = calling.ModelFn(model_fn, params, config)
        self._unknown_hooks = unknown_hooks
        self.loss_scale = None
        self._steps = session_hooks.Steps()
        self._variables = Variables(self.distribute_strategy)
        self._tables = lookup_tables.LookupTables(self.distribute_strategy)
        self._blueprints: dict[str, blueprint.Blueprint] = {}
        self._optimizers = Optimizers(self._function)
        self._loss = tf_keras.metrics.Mean(name="loss")
        self._resources: list[Any] = []  # Keras tracks lists among attributes, and saves them.
        self._eval_metrics: metrics.EvalMetrics | None = None
        self._estimator_checkpoint: estimator_checkpoint.EstimatorCheckpoint | None = None
        self._specs: tuple[Any, Any] | None = None
        self.compile()

    def add_metrics(self, metric_fn: Callable[..., Any]) -> None:
        """Adds metrics to evaluations, as `tf.estimator.add_metrics` did.

        Args:
          metric_fn: A function with any of the arguments features, labels, predictions and config.
            It returns metrics by name: Keras metrics, or pairs of a value and an update.
        """
        self._function.add_metrics(metric_fn)

    def compile(self, **options: Any) -> None:
        """Sets how steps run: `steps_per_execution`, `jit_compile`, `run_eagerly`.

        Raises:
          BridgeError: An option sets an optimizer, a loss or metrics, which the model_fn decides,
            or `run_eagerly` is true.
        """
        allowed_names = {"steps_per_execution", "jit_compile", "run_eagerly"}
        wrong_names = sorted(name for name in set(options) - allowed_names if options[name])
        if wrong_names:
            raise BridgeError(
                f"compile() gets {', '.join(wrong_names)}, which the model_fn decides: leave it "
                "out."
            )
        if options.get("run_eagerly"):
            raise BridgeError("run_eagerly: a model_fn needs a graph, so leave it out.")
        options = {name: value for name, value in options.items() if name in allowed_names}
        self._has_no_steps = session_hooks.why_no_steps(options)
        super().compile(optimizer=self._optimizers.keras or "sgd", **options)

    @property
    def model_fn(self) -> Callable[..., Any]:
        """The model_fn that the model was created with."""
        return self._function.function

    def why_no_hooks(self) -> str:
        """Returns the reason why a program's own hooks do not run in trainings, or ""."""
        return session_hooks.why_not(self.distribute_strategy) or self._has_no_steps

    @property
    def params(self) -> Any:
        """The `params` that the model was created with."""
        return self._function.params

    @property
    def global_step(self) -> tf.Variable:
        """The global step, int64. Created with the other variables."""
        return self._variables.step

    @property
    def variables_by_name(self) -> Mapping[str, tf.Variable]:
        """The model's variables by their names in an Estimator's checkpoint."""
        local = self._variables.local
        return {name: v for name, v in self._variables.by_name.items() if name not in local}

    @property
    def metrics(self) -> list[tf_keras.metrics.Metric]:
        """The loss, and the metrics of `eval_metric_ops` after a first evaluation."""
        return [self._loss, *(self._eval_metrics.metrics if self._eval_metrics else [])]

    def get_metrics_result(self) -> dict[str, Any]:
        """Returns the mean loss. `evaluate` computes `eval_metric_ops` once, at the end."""
        return {"loss": self._loss.result()}

    def own_metrics(self) -> dict[str, Any]:
        """Returns the loss and `eval_metric_ops` of the batches that this process evaluated."""
        assert self._eval_metrics is not None  # The evaluation created them.
        return {"loss": self._loss.result(), **self._eval_metrics.values(one_replica=True)}

    def reset_metrics(self) -> None:
        """Resets the metrics. Keras calls this before each epoch and each evaluation."""
        super().reset_metrics()
        if self._eval_metrics is not None:
            self._eval_metrics.reset()

    def build_on(self, x: Any, y: Any = None, mode: str | None = None) -> None:
        """Creates the variables for this type of data, without training on it.

        Args:
          x: Data as `fit` takes it: a dataset (of features and labels), or features.
          y: Labels, if x is features.
          mode: "train", "eval" or "infer". The default is "train" with labels and "infer" without.

        Raises:
          BridgeError: The model_fn cannot be bridged, or a loaded checkpoint does not fit.
        """
        specs = inputs.specs(x, y, self.distribute_strategy)
        mode = mode or (PREDICT if specs[1] is None else TRAIN)
        self._build(mode, *specs)

    def _build(self, mode: str, features: Any, labels: Any) -> None:
        if mode in self._blueprints:
            return
        new_blueprint = blueprint.of(
            self._function, mode, features, labels, self.distribute_strategy
        )
        hooks.check(new_blueprint.spec, mode, self._unknown_hooks, self)
        if new_blueprint.unordered:
            warnings.warn(new_blueprint.unordered, stacklevel=2)
        if new_blueprint.frozen and mode == TRAIN:
            warnings.warn(_UNCHANGED.format(", ".join(sorted(new_blueprint.frozen))), stacklevel=2)
        new_names = self._variables.make(new_blueprint)
        self._blueprints[mode] = new_blueprint
        if mode == TRAIN:
            with self.distribute_strategy.scope():
                self._optimizers.make(new_blueprint, self._variables.by_name)
                self.optimizer = self._optimizers.keras
        if mode == EVAL:
            self._eval_metrics = metrics.EvalMetrics(new_blueprint, self._variables)
        # Keras tracks an attribute's variables, trainable or not, and saves them in each format.
        self._bridged = {name.replace(".", "_"): v for name, v in self.variables_by_name.items()}
        if self._specs is None or (self._specs[1] is None and labels is not None):
            self._specs = (features, labels)
        self.built = True
        if self._estimator_checkpoint is not None:
            self._load(self._estimator_checkpoint, new_names, optimizers=mode == TRAIN)

    @contextlib.contextmanager
    def _trace(self, mode: str) -> Iterator[None]:
        """Makes a traced model_fn use the existing variables and the Keras optimizers."""
        keys = self._blueprints[mode].keys
        replacements = {
            name: key
            for name, (key, part) in keys.items()
            if key != name and not part and key in self._variables.by_name
        }
        finder = self._variables.finder(mode, replacements if mode != TRAIN else {})
        training = mode == TRAIN
        self._optimizers.loss_scale = self.loss_scale
        watcher = self._optimizers.watcher(finder) if training else watching.AppliesNothing()
        disabled_parts = session_parts.disabled(self._function.function)
        variable_attributes = variable_ops.with_ops(self._variables.by_name.values())
        context = contexts.of_trace(mode, self.distribute_strategy)
        is_frozen = self._variables.name_test(self._blueprints[mode].frozen, replacements)
        with (
            finder.in_place(),
            frozen_variables.frozen(is_frozen),
            watching.watch(watcher),
            variable_attributes,
            disabled_parts as resources,
            self._tables.kept(on_workers=training),
            context,
        ):
            yield
        self._resources += resources

    def train_step(self, data: Any) -> dict[str, Any]:
        """Trains on one batch in one replica."""
        with whole_steps.after(data):
            spec = self.traced_step(*inputs.features_and_labels(data))
            self._steps.trace(spec)
            self._loss.update_state(spec.loss)
        return {"loss": self._loss.result(), **hooks.logged_tensors(spec, self.variables_by_name)}

    def traced_step(self, features: Any, labels: Any) -> Any:
        """Calls model_fn in mode "train" inside a tf.function, and returns its EstimatorSpec.

        The tf.function also runs the operations that apply the gradients.
        """
        with self._trace(TRAIN):
            return self._function(features, labels, TRAIN)

    def test_step(self, data: Any) -> dict[str, Any]:
        """Evaluates one batch in one replica. `evaluate` adds the metrics of all batches."""
        features, labels = inputs.features_and_labels(data)
        with self._trace(EVAL):
            spec = self._function(features, labels, EVAL)
            means = metrics.batch_means(spec)
        self._loss.update_state(spec.loss)
        return {"loss": self._loss.result(), **means}

    def predict_step(self, data: Any) -> Any:
        """Returns the predictions for one batch."""
        features, _ = inputs.features_and_labels(data)
        return self._predictions(features)

    def _predictions(self, features: Any) -> Any:
        return self.predict_spec(features).predictions

    def call(self, features: Any) -> Any:
        """Returns the spec's `predictions` for features. Mode "train" runs only in `fit`."""
        self._build(PREDICT, tf.nest.map_structure(inputs.spec_of, features), None)
        if tf.executing_eagerly():
            if not hasattr(self, "_call_function"):
                self._call_function = tf.function(self._predictions)
            return self._call_function(features)
        return self._predictions(features)

    def fit(self, x: Any = None, y: Any = None, **options: Any) -> tf_keras.callbacks.History:
        """Trains as `tf_keras.Model.fit`, with callbacks for the spec's training hooks."""
        if TRAIN not in self._blueprints:
            self._build(TRAIN, *inputs.specs(x, y, self.distribute_strategy))
        spec_callbacks = hooks.callbacks(self._blueprints[TRAIN].spec, self, self._unknown_hooks)
        options["callbacks"] = [*(options.get("callbacks") or []), *spec_callbacks]
        fast_steps.speed_up(self)
        if options.get("steps_per_epoch") is None:
            x = hooks.with_unknown_size(x, options["callbacks"])
        with (
            self._steps.serving(self, options["callbacks"]),
            seeds.of_this_trainer(self.distribute_strategy),
        ):
            return super().fit(inputs.share_first_iterator(x), y, **options)

    def evaluate(self, x: Any = None, y: Any = None, **options: Any) -> Any:
        """Evaluates as `tf_keras.Model.evaluate`.

        Returns:
          The mean of the batch losses, and the values of `eval_metric_ops`.
        """
        return_dict = options.pop("return_dict", False)
        self._build(EVAL, *inputs.specs(x, y, self.distribute_strategy))
        x = inputs.share_first_iterator(x)
        results = super().evaluate(x, y, return_dict=True, **options)
        assert self._eval_metrics is not None  # `_build` created them.
        results |= self._eval_metrics.values()
        return results if return_dict else [*results.values()]

    def predict(self, x: Any, **options: Any) -> Any:
        """Predicts as `tf_keras.Model.predict`. The arrays have the structure of `predictions`."""
        features, _ = inputs.specs(x, None, self.distribute_strategy)
        self._build(PREDICT, features, None)
        return super().predict(inputs.share_first_iterator(x), **options)

    def train_on_batch(self, x: Any, y: Any = None, **options: Any) -> Any:
        """Trains as `tf_keras.Model.train_on_batch`."""
        self._build(TRAIN, *inputs.specs(x, y, self.distribute_strategy))
        return super().train_on_batch(x, y, **options)

    def test_on_batch(self, x: Any, y: Any = None, **options: Any) -> Any:
        """Evaluates as `tf_keras.Model.test_on_batch`.

        The metrics cover all batches since the last reset.
        """
        self._build(EVAL, *inputs.specs(x, y, self.distribute_strategy))
        return super().test_on_batch(x, y, **options)

    def predict_on_batch(self, x: Any) -> Any:
        """Predicts as `tf_keras.Model.predict_on_batch`."""
        self._build(PREDICT, *inputs.specs(x, None, self.distribute_strategy))
        return super().predict_on_batch(x)

    def load_estimator_checkpoint(self, path: str) -> None:
        """Loads an Estimator's checkpoint: weights, slots, moving averages and the global step.

        Before the variables exist it only opens the checkpoint. The first call with data then loads
        the values.

        Args:
          path: Prefix of a checkpoint, or a model_dir, whose latest checkpoint is loaded.

        Raises:
          BridgeError: The checkpoint does not exist, lacks a variable, or has another shape for
            one.
        """
        checkpoint = estimator_checkpoint.EstimatorCheckpoint(path)
        self._estimator_checkpoint = checkpoint
        if self._blueprints:
            self._load(checkpoint, [*self._variables.by_name], optimizers=True)

    def _load(
        self,
        checkpoint: estimator_checkpoint.EstimatorCheckpoint,
        names: list[str],
        optimizers: bool,
    ) -> None:
        global_names = [name for name in names if name not in self._variables.local]
        checkpoint.load(self._variables.by_name, global_names, self.checkpoint_keys)
        if optimizers:
            checkpoint.load_optimizers(self.keras_optimizers, self.checkpoint_keys)

    @property
    def checkpoint_keys(self) -> dict[str, tuple[str, str]]:
        """Each variable's key and slice ("" for all) in an Estimator's checkpoint."""
        modes = [mode for mode in (PREDICT, EVAL, TRAIN) if mode in self._blueprints]
        if modes[-1] == TRAIN:
            modes = [TRAIN]
        return {k: v for mode in modes for k, v in self._blueprints[mode].keys.items()}

    @property
    def keras_optimizers(self) -> list[estimator_checkpoint.Optimizer]:
        """The Keras optimizers, each with its v1 optimizer and its variables."""
        return self._optimizers.slots(self._variables.by_name)

    def save_estimator_checkpoint(self, prefix: str) -> str:
        """Writes a checkpoint that `load_estimator_checkpoint` reads and an Estimator can restore.

        Args:
          prefix: Prefix without the step, such as "model_dir/model.ckpt". The folder's `checkpoint`
            file names the new checkpoint as the latest.

        Returns:
          The prefix with the step.
        """
        return estimator_checkpoint.save(prefix, self)

    def save(self, filepath: str, *args: Any, **options: Any) -> None:
        """Saves as `tf_keras.Model.save`: a `.keras` file or a SavedModel.

        Raises:
          BridgeError: The model has had no data yet, so it has no variables.
        """
        if self._specs is None:
            raise BridgeError("the model has no variables yet: call fit or build_on first.")
        self.build_predictions(self._specs[0])
        self._set_save_spec(self._specs[0])
        # The totals of metrics belong to one evaluation, not to the saved model.
        eval_metrics, self._eval_metrics = self._eval_metrics, None
        try:
            super().save(filepath, *args, **options)
        finally:
            self._eval_metrics = eval_metrics

    @property
    def resources(self) -> list[Any]:
        """The lookup tables that traced functions use."""
        return self._resources

    def export(self, path: str, serving_input_receiver_fn: Callable[[], Any] | None = None) -> None:
        """Writes a SavedModel whose signatures are the spec's `export_outputs`.

        Args:
          path: Folder to create.
          serving_input_receiver_fn: Function as Estimator.export_saved_model takes it. Without it,
            a request consists of the features.

        Raises:
          BridgeError: The path exists, or the features are not known yet.
        """
        exports.export(self, path, serving_input_receiver_fn)

    @property
    def features_spec(self) -> Any:
        """The TypeSpecs of the features that the model was built for. None before it is built."""
        return self._specs[0] if self._specs else None

    @property
    def prediction_spec(self) -> Any:
        """The EstimatorSpec of mode "infer". Its tensors belong to the blueprint's graph."""
        return self._blueprints[PREDICT].spec

    def build_predictions(self, features_spec: Any) -> None:
        """Prepares mode "infer" for features of these TypeSpecs."""
        self._build(PREDICT, features_spec, None)

    def predict_spec(self, features: Any) -> Any:
        """Calls model_fn in mode "infer" inside a tf.function, and returns its EstimatorSpec."""
        with self._trace(PREDICT):
            return self._function(features, None, PREDICT)
