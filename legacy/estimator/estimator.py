"""Estimator: trains, evaluates, predicts with and exports the model that a model function defines.

>>> import tensorflow as tf
>>> def model_fn(features, labels, mode):
...     weight = tf.compat.v1.get_variable("weight", [])
...     loss = tf.reduce_mean(tf.square(features * weight - labels))
...     optimizer = tf.compat.v1.train.GradientDescentOptimizer(0.1)
...     train_op = optimizer.minimize(loss, tf.compat.v1.train.get_global_step())
...     return EstimatorSpec(mode, loss=loss, train_op=train_op)
>>> def input_fn():
...     return tf.data.Dataset.from_tensors(([1.0], [2.0])).repeat()
>>> estimator = Estimator(model_fn)
>>> estimator.train(input_fn, max_steps=20).get_variable_names()
['global_step', 'weight']
"""

from __future__ import annotations

import contextlib
import copy
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import tensorflow as tf

from legacy.estimator import (
    arguments,
    construction,
    coordination,
    distribute,
    evaluate_loop,
    input_pipeline,
    predict_loop,
    saved_model,
    servers,
    train_loop,
    warm_start,
)
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.run_config import RunConfig, default_session_config
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_HOOKS = "Hooks must be a SessionRunHook"
# What a subclass may define anew, as seen in TensorFlow 2.15.
_OVERRIDABLE = (
    "_assert_members_are_not_overridden",
    "_create_and_assert_global_step",
    "_export_all_saved_models",
    "_tf_api_names",
    "_tf_api_names_v1",
    "export_savedmodel",
    "latest_checkpoint",
    "model_fn",
)


class Estimator:
    """A model function with its folder, its configuration and its hyperparameters.

    Args:
      model_fn: Called as `model_fn(features, labels, mode, params, config)`, with those of the
        arguments after `features` that it names; returns an `EstimatorSpec`.
      model_dir: Where checkpoints and event files go; None is the config's, else a temporary one.
      config: A `RunConfig`; None is the default one.
      params: Hyperparameters, passed to `model_fn` as they are.
      warm_start_from: A checkpoint's path or `WarmStartSettings`, for a training that begins.

    Raises:
      ValueError: An argument is wrong, or a subclass overrides what it may not.
    """

    def __init__(
        self,
        model_fn: Callable[..., EstimatorSpec],
        model_dir: str | os.PathLike[str] | None = None,
        config: RunConfig | None = None,
        params: Any = None,
        warm_start_from: Any = None,
    ) -> None:
        self._assert_members_are_not_overridden(self)
        self._config = construction.configured(config, model_dir)
        # Tasks with a temporary folder each cannot tell their training by its name.
        self._shared_dir = self._config.model_dir
        if self._config.model_dir is None:
            self._config = self._config.replace(model_dir=tempfile.mkdtemp())
            tf1.logging.warning(
                "Using temporary folder as model directory: %s", self._config.model_dir
            )
        self._session_config = self._config.session_config or default_session_config(
            self._config.task_type, self._config.task_id
        )
        self._config._session_config = self._session_config
        tf1.logging.info("Using config: %s", vars(self._config))
        self._device_fn = self._config.device_fn or construction.device_setter(self._config)
        self._train_strategy = distribute.in_graph_mode(self._config.train_distribute)
        self._eval_strategy = distribute.in_graph_mode(self._config.eval_distribute)
        construction.check_model_fn(model_fn, params)
        self._model_fn = model_fn
        self._params = copy.deepcopy(params or {})
        self._warm_start_settings = warm_start.settings_of(warm_start_from)

    @property
    def model_dir(self) -> str:
        """The folder of checkpoints and event files."""
        return self._config.model_dir

    @property
    def config(self) -> RunConfig:
        """A copy of the configuration."""
        return copy.copy(self._config)

    @property
    def params(self) -> Any:
        """A copy of the hyperparameters."""
        return copy.deepcopy(self._params)

    @property
    def model_fn(self) -> Callable[..., EstimatorSpec]:
        """The model function, to be called as `model_fn(features, labels, mode, config)`."""

        def public_model_fn(features: Any, labels: Any, mode: str, config: RunConfig) -> Any:
            return self._call_model_fn(features, labels, mode, config)

        return public_model_fn

    def get_variable_names(self) -> list[str]:
        """Returns the names of all variables in the latest checkpoint, in order.

        Raises:
          ValueError: There is no checkpoint.
        """
        return [name for name, _ in tf1.train.list_variables(self._required_checkpoint())]

    def get_variable_value(self, name: str) -> Any:
        """Returns a variable's value in the latest checkpoint, as a NumPy array.

        Args:
          name: Its name in the checkpoint.

        Raises:
          ValueError: There is no checkpoint.
          tf.errors.NotFoundError: It has no such variable.
        """
        return tf1.train.load_variable(self._required_checkpoint(), name)

    def latest_checkpoint(self) -> str | None:
        """Returns the path of the latest checkpoint, or None."""
        return tf1.train.latest_checkpoint(self.model_dir)

    def eval_dir(self, name: str | None = None) -> str:
        """Returns the folder of an evaluation's event file.

        Args:
          name: The evaluation's name, if it has one.
        """
        return os.path.join(self.model_dir, f"eval_{name}" if name else "eval")

    def train(
        self,
        input_fn: Callable[..., Any],
        hooks: Iterable[Any] | None = None,
        steps: int | None = None,
        max_steps: int | None = None,
        saving_listeners: Iterable[Any] | None = None,
    ) -> Estimator:
        """Trains until so many steps are done or the input ends.

        Args:
          input_fn: Returns a Dataset of (features, labels), or those as tensors; called with those
            of `mode`, `params`, `config` that it names.
          hooks: `SessionRunHook`s for this training.
          steps: How many steps to go on.
          max_steps: The global step at which to stop; where a checkpoint has reached it, nothing
            is done. Not together with `steps`.
          saving_listeners: `CheckpointSaverListener`s.

        Returns:
          This Estimator.

        Raises:
          ValueError: `steps` or `max_steps` is not positive, or both are given.
          TypeError: A hook or listener is of the wrong type.
        """
        if self.config.task_type in ("ps", "evaluator"):
            raise ValueError(
                f"Train has been called with the task type {self.config.task_type!r}, which does "
                "not train. Use train_and_evaluate, which takes each role."
            )
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        for name, value in (("steps", steps), ("max_steps", max_steps)):
            if value is not None and value <= 0:
                raise ValueError(f"Must specify {name} > 0, given: {value}")
        hooks = [*_session_run_hooks(hooks)]
        listeners = arguments.check_hooks(
            saving_listeners,
            tf1.train.CheckpointSaverListener,
            "saving_listeners must be a list of CheckpointSaverListener",
        )
        if max_steps is not None and self._saved_step() >= max_steps:
            tf1.logging.info("Skipping training since max_steps has already saved.")
            if self._config.num_ps_replicas and self._config.is_chief:
                servers.serve(self._config)
                coordination.skip(self._config, self._shared_dir)
            return self
        if steps is not None or max_steps is not None:
            hooks.append(tf1.train.StopAtStepHook(steps, max_steps))
        last_step = max_steps if steps is None else self._saved_step() + steps
        loss = self._train_model(input_fn, hooks, listeners, last_step)
        tf1.logging.info("Loss for final step: %s.", loss)
        return self

    def evaluate(
        self,
        input_fn: Callable[..., Any],
        steps: int | None = None,
        hooks: Iterable[Any] | None = None,
        checkpoint_path: str | None = None,
        name: str | None = None,
    ) -> dict[str, Any]:
        """Evaluates a checkpoint and writes the result to an event file.

        Args:
          input_fn: As in `train`.
          steps: How many batches; None until the input ends.
          hooks: `SessionRunHook`s for this evaluation.
          checkpoint_path: None is the latest; where there is none, variables are initialized.
          name: Names the folder of the event file, "eval_NAME".

        Returns:
          The metrics by name, with "loss" (the mean over batches) and "global_step".

        Raises:
          ValueError: `steps` is not positive, or a metric has a reserved name.
          TypeError: A hook is of the wrong type.
        """
        hooks = [*_session_run_hooks(hooks), *evaluate_loop.stop_hooks(steps)]
        checkpoint_path = checkpoint_path or self._checkpoint_or_init("evaluate")
        strategy = self._eval_strategy
        with tf.Graph().as_default(), distribute.scope(strategy):
            spec, input_hooks = self._build(input_fn, ModeKeys.EVAL, strategy)
            results = evaluate_loop.run(
                spec.eval_metric_ops,
                spec.scaffold,
                [*input_hooks, *hooks, *spec.evaluation_hooks],
                checkpoint_path=checkpoint_path,
                master=self._config.evaluation_master,
                session_config=self._session_config_for(strategy),
            )
            evaluate_loop.write_results(results, self.eval_dir(name), checkpoint_path)
        return results

    def predict(
        self,
        input_fn: Callable[..., Any],
        predict_keys: Any = None,
        hooks: Iterable[Any] | None = None,
        checkpoint_path: str | None = None,
        yield_single_examples: bool = True,
    ) -> Iterator[Any]:
        """Yields the predictions for the input.

        Args:
          input_fn: As in `train`; labels are ignored.
          predict_keys: Which predictions to yield, where they are a dict: a name or a list.
          hooks: `SessionRunHook`s for this prediction.
          checkpoint_path: None is the latest; where there is none, variables are initialized.
          yield_single_examples: Yield example by example, else batch by batch.

        Yields:
          NumPy arrays, or dicts of them.

        Raises:
          ValueError: `predict_keys` does not fit the predictions, or batch sizes differ.
          TypeError: A hook is of the wrong type.
        """
        hooks = [*_session_run_hooks(hooks)]
        checkpoint_path = checkpoint_path or self._checkpoint_or_init("predict")
        with tf.Graph().as_default():
            spec, input_hooks = self._build(input_fn, ModeKeys.PREDICT, None)
            predict_loop.warn_if_endless(bool(input_hooks))
            predictions = predict_loop.select(spec.predictions, predict_keys)
            creator = tf1.train.ChiefSessionCreator(
                scaffold=spec.scaffold,
                checkpoint_filename_with_path=checkpoint_path,
                master=self._config.master,
                config=self._session_config,
            )
            all_hooks = [*input_hooks, *hooks, *spec.prediction_hooks]
            with tf1.train.MonitoredSession(creator, all_hooks) as session:
                while not session.should_stop():
                    batch = session.run(predictions)
                    if yield_single_examples:
                        yield from predict_loop.examples(batch)
                    else:
                        yield batch

    def export_saved_model(
        self,
        export_dir_base: str,
        serving_input_receiver_fn: Callable[[], Any],
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        experimental_mode: str = ModeKeys.PREDICT,
    ) -> bytes:
        """Writes a SavedModel for serving.

        Args:
          export_dir_base: The folder in which a folder named by the time is made.
          serving_input_receiver_fn: Returns a `ServingInputReceiver`; called inside the graph.
          assets_extra: By path inside `assets.extra`, files to copy.
          as_text: Write `saved_model.pbtxt`.
          checkpoint_path: None is the latest.
          experimental_mode: The mode of the exported model; PREDICT is supported.

        Returns:
          The SavedModel's folder, as bytes.

        Raises:
          ValueError: There is no receiver or checkpoint, or the mode is another one.
        """
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        if experimental_mode != ModeKeys.PREDICT:
            raise ValueError(
                f"experimental_mode={experimental_mode!r} cannot be exported: use ModeKeys.PREDICT."
            )
        checkpoint_path = checkpoint_path or self.latest_checkpoint()
        if not checkpoint_path:
            raise ValueError(f"Couldn't find trained model at {self.model_dir}.")
        with tf.Graph().as_default():
            tf1.train.create_global_step()
            tf1.set_random_seed(self._config.tf_random_seed)
            receiver = serving_input_receiver_fn()
            spec = self._call_model_fn(receiver.features, None, experimental_mode, self.config)
            return saved_model.write(
                spec,
                saved_model.signatures(receiver, spec.export_outputs),
                export_dir_base,
                checkpoint_path=checkpoint_path,
                session_config=self._session_config,
                assets_extra=assets_extra,
                as_text=as_text,
            )

    def export_savedmodel(
        self,
        export_dir_base: str,
        serving_input_receiver_fn: Callable[[], Any],
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        strip_default_attrs: bool = False,
    ) -> bytes:
        """The older name of `export_saved_model`, which see; v1 API only.

        Args:
          export_dir_base: The folder in which a folder named by the time is made.
          serving_input_receiver_fn: Returns a `ServingInputReceiver`.
          assets_extra: By path inside `assets.extra`, files to copy.
          as_text: Write `saved_model.pbtxt`.
          checkpoint_path: None is the latest.
          strip_default_attrs: Leave attributes with default values out of the graph.
        """
        del strip_default_attrs  # export_saved_model leaves them out in every case.
        return self.export_saved_model(
            export_dir_base, serving_input_receiver_fn, assets_extra, as_text, checkpoint_path
        )

    @staticmethod
    def _assert_members_are_not_overridden(self: Any) -> None:
        """Raises ValueError where a subclass overrides members of Estimator."""
        own = {name for name in vars(Estimator) if not name.startswith("__")}
        overridden = {
            name
            for name in own - set(_OVERRIDABLE)
            if getattr(type(self), name) is not getattr(Estimator, name)
        }
        if overridden:
            raise ValueError(
                "Subclasses of Estimator cannot override members of Estimator. "
                f"{type(self)} does override {sorted(overridden)}"
            )

    def _train_model(
        self,
        input_fn: Callable[..., Any],
        hooks: list[Any],
        saving_listeners: tuple[Any, ...],
        last_step: int | None,
    ) -> Any:
        """Trains and returns the last loss; see `train`."""
        if not self._config.num_ps_replicas:
            if distribute.is_multi_worker(self._config):
                servers.serve(self._config)
            return self._train_in_graph(input_fn, hooks, saving_listeners, last_step, None)
        servers.serve(self._config)
        if self._config.is_chief:
            training = coordination.Training.of_chief(self._config, self._shared_dir)
        else:
            training = coordination.Training.of_worker(self._config, self._shared_dir)
            if training is None:
                tf1.logging.info("The chief has ended this training already.")
                return None
        with training.taken_part():
            return self._train_in_graph(input_fn, hooks, saving_listeners, last_step, training)

    def _train_in_graph(
        self,
        input_fn: Callable[..., Any],
        hooks: list[Any],
        saving_listeners: tuple[Any, ...],
        last_step: int | None,
        training: coordination.Training | None,
    ) -> Any:
        with contextlib.ExitStack() as stack:
            graph = stack.enter_context(tf.Graph().as_default())
            stack.enter_context(graph.device(self._device_fn))
            if training is not None:
                stack.enter_context(graph.container(training.container))
            stack.enter_context(distribute.scope(self._train_strategy))
            spec, input_hooks = self._build(input_fn, ModeKeys.TRAIN, self._train_strategy)
            if self._warm_start_settings and not self.latest_checkpoint():
                warm_start.apply(self._warm_start_settings)
            return train_loop.run(
                spec,
                [*hooks, *input_hooks],
                saving_listeners,
                config=self._config,
                session_config=self._session_config_for(self._train_strategy),
                model_dir=self.model_dir,
                training=training,
                last_step=last_step,
            )

    def _build(
        self, input_fn: Callable[..., Any], mode: str, strategy: Any
    ) -> tuple[EstimatorSpec, list[Any]]:
        """Builds input and model in the default graph; returns the spec and the input's hooks."""
        tf1.set_random_seed(self._config.tf_random_seed)
        tf1.train.create_global_step()
        # Creates TensorFlow's reading of the global step where the original did: an operation's
        # random seed depends on how many there are before it.
        tf1.train.StepCounterHook().begin()

        def call_input_fn(context: Any = None) -> Any:
            return input_pipeline.call(
                input_fn, mode, params=self.params, config=self.config, input_context=context
            )

        def call_model_fn(features: Any, labels: Any) -> EstimatorSpec:
            spec = self._call_model_fn(features, labels, mode, self.config)
            return evaluate_loop.with_loss(spec) if mode == ModeKeys.EVAL else spec

        if strategy is not None:
            element, hooks = distribute.make_input(strategy, call_input_fn)
            features, labels = input_pipeline.split(element)
            return distribute.replicate(strategy, call_model_fn, features, labels), hooks
        features, labels, hooks = input_pipeline.features_and_labels(call_input_fn())
        if mode == ModeKeys.PREDICT:
            labels = None
        return call_model_fn(features, labels), hooks

    def _session_config_for(self, strategy: Any) -> Any:
        return distribute.session_config(strategy, self._session_config)

    def _call_model_fn(
        self, features: Any, labels: Any, mode: str, config: RunConfig
    ) -> EstimatorSpec:
        """Calls the model function with the arguments that it names."""
        asked = arguments.names(self._model_fn)
        if labels is not None and "labels" not in asked:
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        offered = {"labels": labels, "mode": mode, "params": self.params, "config": config}
        tf1.logging.info("Calling model_fn.")
        spec = self._model_fn(
            features=features, **{name: offered[name] for name in asked if name in offered}
        )
        tf1.logging.info("Done calling model_fn.")
        if not isinstance(spec, EstimatorSpec):
            raise ValueError("model_fn should return an EstimatorSpec.")
        return spec

    def _required_checkpoint(self) -> str:
        path = self.latest_checkpoint()
        if not path:
            raise ValueError(f"Could not find trained model in model_dir: {self.model_dir}.")
        return path

    def _checkpoint_or_init(self, purpose: str) -> str | None:
        path = self.latest_checkpoint()
        if not path:
            tf1.logging.info(
                "Could not find trained model in model_dir: %s, running initialization to %s.",
                self.model_dir,
                purpose,
            )
        return path

    def _saved_step(self) -> int:
        """Returns the global step of the latest checkpoint; 0 where there is none."""
        path = tf1.train.latest_checkpoint(self.model_dir)
        return int(tf1.train.load_variable(path, tf1.GraphKeys.GLOBAL_STEP)) if path else 0


class EstimatorV2(Estimator):
    """Estimator as tf.estimator of TensorFlow 2 had it: without the v1 name of the export."""

    @property
    def export_savedmodel(self) -> Any:
        """Raises AttributeError, and names `export_saved_model`."""
        raise AttributeError(
            "`Estimator.export_savedmodel` has been deprecated. "
            "Please use `export_saved_model` instead."
        )


def _session_run_hooks(hooks: Iterable[Any] | None) -> tuple[Any, ...]:
    return arguments.check_hooks(hooks, tf1.train.SessionRunHook, _HOOKS)
