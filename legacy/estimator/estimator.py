"""Estimator, which trains, evaluates and exports the model of a model_fn and predicts with it.

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

import copy
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments, construction
from legacy.estimator.cluster import coordination, standalone_client
from legacy.estimator.export.model_exports import EstimatorExports
from legacy.estimator.internals import (
    EstimatorInternals,
    checkpoint_or_none,
    session_run_hooks,
)
from legacy.estimator.loops import distribute, open_predictions, warm_start
from legacy.estimator.loops import training as train_loop
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.run_config import RunConfig, copy_config
from legacy.estimator.spec import EstimatorSpec
from modern.model_files import intact
from modern.porting import predicted_batches
from modern.records import run_lock

tf1 = tf.compat.v1


class Estimator(EstimatorExports, EstimatorInternals):
    """A model_fn with its model folder, its configuration and its hyperparameters.

    Args:
      model_fn: A function that returns an `EstimatorSpec`. It is called as `model_fn(features,
        labels, mode, params, config)`. Arguments after `features` that it does not name are left
        out.
      model_dir: Folder of the checkpoints and event files. None means the config's folder, or else
        a temporary folder.
      config: A `RunConfig`. None means `RunConfig()`.
      params: Hyperparameters, passed to `model_fn` unchanged.
      warm_start_from: A checkpoint's path or `WarmStartSettings`. Used only if no checkpoint of
        this model is restored.

    Raises:
      ValueError: An argument is wrong, or a subclass overrides a member that it may not.
    """

    def __init__(
        self,
        model_fn: Callable[..., EstimatorSpec],
        model_dir: str | os.PathLike[str] | None = None,
        config: RunConfig | None = None,
        params: Any = None,
        warm_start_from: Any = None,
    ) -> None:
        type(self)._assert_members_are_not_overridden(self)
        self._config = construction.configured(config, model_dir)
        # The tasks of a cluster identify their training by its folder. None marks a temporary
        # folder, because each task then has a different one.
        self._shared_dir = self._config.model_dir
        self._config = construction.with_folder(self._config)
        self._model_dir = self._config.model_dir
        self._session_config = self._config.session_config
        self._train_distribution = distribute.in_graph_mode(self._config.train_distribute)
        self._eval_distribution = distribute.in_graph_mode(self._config.eval_distribute)
        self._training: coordination.Training | None = None
        tf1.logging.info("Using config: %s", vars(self._config))
        self._device_fn = self._config.device_fn or construction.device_setter(self._config)
        construction.check_model_fn(model_fn, params)
        self._model_fn = model_fn
        self._params = copy.deepcopy(params or {})
        self._warm_start_settings = warm_start.settings_of(warm_start_from)

    @property
    def model_dir(self) -> str:
        """The folder of checkpoints and event files."""
        return self._model_dir

    @property
    def config(self) -> RunConfig:
        """A copy of the configuration."""
        return copy_config(self._config)

    @property
    def params(self) -> Any:
        """A copy of the hyperparameters."""
        return copy.deepcopy(self._params)

    @property
    def model_fn(self) -> Callable[..., EstimatorSpec]:
        """The model_fn, wrapped so that callers pass `(features, labels, mode, config)`."""

        def public_model_fn(features: Any, labels: Any, mode: str, config: RunConfig) -> Any:
            return self._call_model_fn(features, labels, mode, config)

        return public_model_fn

    def get_variable_names(self) -> list[str]:
        """Returns the sorted names of all variables in the latest checkpoint.

        Raises:
          ValueError: The folder has no checkpoint.
        """
        return [name for name, _ in tf1.train.list_variables(trained_checkpoint(self._model_dir))]

    def get_variable_value(self, name: str) -> Any:
        """Returns a variable's value in the latest checkpoint, as a NumPy array.

        Args:
          name: The variable's name in the checkpoint.

        Raises:
          ValueError: The folder has no checkpoint.
          tf.errors.NotFoundError: The checkpoint has no such variable.
        """
        return tf1.train.load_variable(trained_checkpoint(self._model_dir), name)

    def latest_checkpoint(self) -> str | None:
        """Returns the path of the latest checkpoint, or None."""
        return tf1.train.latest_checkpoint(self._model_dir)

    def eval_dir(self, name: str | None = None) -> str:
        """Returns the folder of an evaluation's event file.

        Args:
          name: The evaluation's name, or None.
        """
        return os.path.join(self._model_dir, f"eval_{name}" if name else "eval")

    def train(
        self,
        input_fn: Callable[..., Any],
        hooks: Iterable[Any] | None = None,
        steps: int | None = None,
        max_steps: int | None = None,
        saving_listeners: Iterable[Any] | None = None,
    ) -> Estimator:
        """Trains until a number of steps is reached or the input ends.

        Args:
          input_fn: A function that returns a Dataset of (features, labels), or the two as tensors.
            It is called with the arguments that it names of `mode`, `params` and `config`.
          hooks: `SessionRunHook`s for this training.
          steps: Number of further steps to train.
          max_steps: The global step at which to stop. If a checkpoint has already reached it, no
            step is run. Cannot be combined with `steps`.
          saving_listeners: `CheckpointSaverListener`s that run when a checkpoint is saved.

        Returns:
          This Estimator.

        Raises:
          ValueError: `steps` or `max_steps` is not positive, or both are set.
          TypeError: A hook or listener has the wrong type.
          SystemExit: Another run trains in the folder, or it cannot be written, or all its
            checkpoints are damaged (code 2).
        """
        if self.config.task_type in ("ps", "evaluator"):
            raise ValueError(
                f"Train has been called with the task type {self.config.task_type!r}, which does "
                "not train. Use train_and_evaluate, which takes each role."
            )
        if standalone_client.is_wanted(self._config):
            standalone_client.check_one_graph(self._config, "train", "train")

            def train_there(local: Estimator, is_chief: bool) -> None:
                del is_chief  # `check_one_graph` has made sure that the chief is the only task.
                local.train(input_fn, hooks, steps, max_steps, saving_listeners)

            standalone_client.run(self, "train", train_there)
            return self
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        for name, value in (("steps", steps), ("max_steps", max_steps)):
            if value is not None and value <= 0:
                raise ValueError(f"Must specify {name} > 0, given: {value}")
        if _start(self, max_steps) is None:
            return self
        hooks = [*session_run_hooks(hooks), *self._convert_train_steps_to_hooks(steps, max_steps)]
        listeners = arguments.check_listeners(saving_listeners)

        def train_model(training: coordination.Training | None) -> Any:
            self._training = training
            return self._train_model(input_fn, hooks, listeners)

        with run_lock.held_or_exit(self._model_dir) if self._config.is_chief else nullcontext():
            if self._config.is_chief:
                intact.settle(self._model_dir)
            # Another run may have trained in the folder before this one got the lock.
            start = _start(self, max_steps)
            if start is None:
                return self
            if train_loop.has_own_session():
                loss = train_model(None)
            else:
                last_step = max_steps if steps is None else start + steps
                loss = coordination.train(self._config, self._shared_dir, last_step, train_model)
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
          steps: Number of batches to evaluate. None means to evaluate until the input ends.
          hooks: `SessionRunHook`s for this evaluation.
          checkpoint_path: The checkpoint to evaluate. None means the latest. Without a checkpoint,
            the variables are initialized.
          name: Suffix of the event file's folder, "eval_NAME". None means "eval".

        Returns:
          The metrics by name, with "loss" (the mean over batches) and "global_step".

        Raises:
          ValueError: `steps` is not positive, or a metric has a reserved name.
          TypeError: A hook has the wrong type.
        """
        if standalone_client.is_wanted(self._config) and self._eval_distribution is not None:
            standalone_client.check_one_graph(self._config, "eval", "evaluate")

            def evaluate_there(local: Estimator, is_chief: bool) -> dict[str, Any]:
                del is_chief  # `check_one_graph` has made sure that the chief is the only task.
                return local.evaluate(input_fn, steps, hooks, checkpoint_path, name)

            return standalone_client.run(self, "eval", evaluate_there)
        return self._actual_eval(
            input_fn,
            strategy=self._eval_distribution,
            steps=steps,
            hooks=hooks,
            checkpoint_path=checkpoint_path,
            name=name,
        )

    @open_predictions.closed_at_exit
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
          input_fn: As in `train`. Labels are ignored.
          predict_keys: Name or list of names of the predictions to yield, if the predictions are a
            dict. None yields all of them.
          hooks: `SessionRunHook`s for this prediction.
          checkpoint_path: The checkpoint to restore. None means the latest. Without a checkpoint,
            the variables are initialized.
          yield_single_examples: If true, yields one example at a time instead of whole batches.

        Yields:
          NumPy arrays, or dicts of them.

        Raises:
          ValueError: `predict_keys` does not fit the predictions, or batch sizes differ.
          TypeError: A hook has the wrong type.
        """
        hooks = session_run_hooks(hooks)
        checkpoint_path = checkpoint_path or checkpoint_or_none(self._model_dir, "predict")
        with tf.Graph().as_default() as graph:
            tf1.set_random_seed(self._config.tf_random_seed)
            self._create_and_assert_global_step(graph)
            features, input_hooks = self._get_features_from_input_fn(input_fn, ModeKeys.PREDICT)
            spec = self._call_model_fn(features, None, ModeKeys.PREDICT, self.config)
            self._maybe_warm_start(checkpoint_path)
            predictions = self._extract_keys(spec.predictions, predict_keys)
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
                        yield from predicted_batches.examples(batch)
                    else:
                        yield batch

    def _assert_members_are_not_overridden(self) -> None:
        """Raises ValueError if a subclass overrides members of Estimator."""
        construction.check_not_overridden(Estimator, self)


class EstimatorV2(Estimator):
    """The Estimator of TensorFlow 2, which has no `export_savedmodel`."""

    @property
    def export_savedmodel(self) -> Any:
        """Raises an AttributeError that names `export_saved_model`."""
        raise AttributeError(
            "`Estimator.export_savedmodel` has been deprecated. "
            "Please use `export_saved_model` instead."
        )

    def _assert_members_are_not_overridden(self) -> None:
        """Raises ValueError if a subclass overrides members of Estimator."""
        construction.check_not_overridden(EstimatorV2, self)


def trained_checkpoint(model_dir: str) -> str:
    """Returns the path of a folder's latest checkpoint.

    Args:
      model_dir: The folder.

    Raises:
      ValueError: The folder has no checkpoint.
    """
    path = tf1.train.latest_checkpoint(model_dir)
    if not path:
        raise ValueError(f"Could not find trained model in model_dir: {model_dir}.")
    return path


def _load_global_step_from_checkpoint_dir(checkpoint_dir: str) -> int:
    """Returns the global step of a folder's latest checkpoint, or 0 without a checkpoint.

    The function has kept its private name of TensorFlow 1.x, because programs call it.

    Args:
      checkpoint_dir: The folder.

    Raises:
      CheckpointError: The folder has checkpoints, and all of them are damaged.
    """
    path = intact.newest(checkpoint_dir)
    try:
        return int(tf1.train.load_variable(path, tf1.GraphKeys.GLOBAL_STEP)) if path else 0
    except tf.errors.OpError:
        return 0


def _start(estimator: Estimator, max_steps: int | None) -> int | None:
    """Returns the step at which a training starts. None if it has nothing left to train."""
    with intact.or_exit():
        start = _load_global_step_from_checkpoint_dir(estimator._model_dir)
    if max_steps is None or start < max_steps:
        return start
    tf1.logging.info("Skipping training since max_steps has already saved.")
    # Without this, the ps would wait for a training that never starts.
    coordination.skip(estimator._config, estimator._shared_dir)
    return None
