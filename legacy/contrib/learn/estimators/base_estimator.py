"""BaseEstimator of contrib.learn: the training, evaluation and prediction of an Estimator.

    class Mean(BaseEstimator):
        def _get_train_ops(self, features, labels):
            return ModelFnOps(ModeKeys.TRAIN, predictions, loss, train_op)

A subclass creates the operations of each mode. For example, `estimator.Estimator` calls a model
function for them.
"""

from __future__ import annotations

import abc
import contextlib
import copy
import os
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from legacy.contrib.learn import monitors as monitor_lib
from legacy.contrib.learn.constants import NotFittedError
from legacy.contrib.learn.estimators import evaluation_metrics
from legacy.contrib.learn.estimators import fitting as parts
from legacy.contrib.learn.estimators.interfaces import Evaluable, Trainable, Tunable
from legacy.contrib.learn.estimators.model_fn_ops import ModelFnOps
from legacy.contrib.learn.estimators.run_config import RunConfig
from legacy.contrib.learn.estimators.sk_compat import SKCompat
from legacy.contrib.learn.inputs import data_feeder, tensor_signature
from legacy.contrib.training import evaluation
from legacy.estimator import construction
from legacy.estimator.loops import evaluation_events, foreign_datasets
from modern.model_files import intact
from modern.records import run_lock

tf1 = tf.compat.v1

GLOBAL_STEP = tf1.GraphKeys.GLOBAL_STEP


class BaseEstimator(Tunable, Evaluable, Trainable, metaclass=abc.ABCMeta):
    """An Estimator whose subclasses create the operations of each mode.

    Args:
      model_dir: Folder of the checkpoints and event files. None is the folder of the config, or a
        temporary folder if the config has none.
      config: A `RunConfig` of contrib.learn. None is the default configuration.

    Raises:
      ValueError: The config has another folder.
    """

    def __init__(self, model_dir: str | None = None, config: RunConfig | None = None) -> None:
        self._config = parts.configured(config, model_dir)
        self._model_dir = self._config.model_dir
        self._session_config = self._config.session_config or parts.default_session_config(
            self._config
        )
        tf1.logging.info("Using config: %s", vars(self._config))
        self._device_fn = construction.device_setter(self._config)
        self._features_info: Any = None
        self._labels_info: Any = None

    @property
    def config(self) -> RunConfig:
        """A copy of the configuration."""
        return copy.deepcopy(self._config)

    @property
    def model_dir(self) -> str:
        """The folder of the checkpoints and event files."""
        return self._model_dir

    def get_variable_value(self, name: str) -> Any:
        """Returns the value of a variable in the latest checkpoint, as a NumPy array.

        Args:
          name: Name of the variable in the checkpoint.
        """
        return tf1.train.load_variable(self._model_dir, name)

    def get_variable_names(self) -> list[str]:
        """Returns the names of all variables in the latest checkpoint."""
        return [name for name, _ in tf1.train.list_variables(self._model_dir)]

    def fit(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Callable[[], tuple[Any, Any]] | None = None,
        steps: int | None = None,
        batch_size: int | None = None,
        monitors: Iterable[Any] | None = None,
        max_steps: int | None = None,
    ) -> BaseEstimator:
        """Trains for a number of steps, or until the input ends.

        Args:
          x: Features as arrays, instead of `input_fn`.
          y: Labels as arrays.
          input_fn: Function that returns (features, labels) as tensors.
          steps: Number of additional steps.
          batch_size: Number of examples in a batch, for arrays.
          monitors: Monitors or `SessionRunHook`s.
          max_steps: Global step at which to stop.

        Returns:
          This Estimator.

        Raises:
          ValueError: The arguments are mutually exclusive, or the input is missing.
        """
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        parts.check_input(x, y, input_fn, None, batch_size)
        if x is not None:
            SKCompat(self).fit(x, y, batch_size, steps, max_steps, monitors)
            return self
        if self._is_trained(max_steps):
            return self
        hooks = monitor_lib.replace_monitors_with_hooks(monitors, self)
        if steps is not None or max_steps is not None:
            hooks.append(tf1.train.StopAtStepHook(steps, max_steps))
        is_chief = self._config.is_chief
        with run_lock.held_or_exit(self._model_dir) if is_chief else contextlib.nullcontext():
            if is_chief:
                with intact.or_exit():
                    intact.settle(self._model_dir)
            # Another run may have trained in the folder before this one got the lock.
            if self._is_trained(max_steps):
                return self
            loss = self._train_model(input_fn=input_fn, hooks=hooks)
        tf1.logging.info("Loss for final step: %s.", loss)
        return self

    def _is_trained(self, max_steps: int | None) -> bool:
        """Returns whether a training has nothing left to do."""
        if max_steps is None or self._saved_step() < max_steps:
            return False
        tf1.logging.info("Skipping training since max_steps has already saved.")
        return True

    def partial_fit(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Callable[[], tuple[Any, Any]] | None = None,
        steps: int | None = 1,
        batch_size: int | None = None,
        monitors: Iterable[Any] | None = None,
    ) -> BaseEstimator:
        """Trains for a single step, or for `steps`. See `fit`.

        Args:
          x: As in `fit`.
          y: As in `fit`.
          input_fn: As in `fit`.
          steps: As in `fit`.
          batch_size: As in `fit`.
          monitors: As in `fit`.
        """
        return self.fit(
            x=x, y=y, input_fn=input_fn, steps=steps, batch_size=batch_size, monitors=monitors
        )

    def evaluate(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Callable[[], tuple[Any, Any]] | None = None,
        feed_fn: Callable[[], dict[Any, Any]] | None = None,
        batch_size: int | None = None,
        steps: int | None = None,
        metrics: dict[Any, Any] | None = None,
        name: str | None = None,
        checkpoint_path: str | None = None,
        hooks: Iterable[Any] | None = None,
        log_progress: bool = True,
    ) -> dict[str, Any]:
        """Evaluates a checkpoint and writes the result to an event file.

        Args:
          x: As in `fit`.
          y: As in `fit`.
          input_fn: As in `fit`.
          feed_fn: Function that returns the values to feed in each step.
          batch_size: As in `fit`.
          steps: Number of batches. None evaluates until the input ends.
          metrics: `MetricSpec`s by name, added to the metrics of the model function.
          name: Suffix of the event file's folder, "eval_NAME".
          checkpoint_path: The checkpoint. None is the latest one.
          hooks: `SessionRunHook`s.
          log_progress: If true, logs the progress.

        Returns:
          The metrics by name, with "loss" and "global_step".

        Raises:
          ValueError: The arguments are mutually exclusive, or `metrics` is not a dict.
          NotFittedError: No checkpoint exists.
        """
        parts.check_input(x, y, input_fn, feed_fn, batch_size)
        if x is not None:
            return SKCompat(self).score(x, y, batch_size, steps, metrics, name)
        if metrics is not None and not isinstance(metrics, dict):
            raise ValueError(f"Metrics argument should be None or dict. Got {metrics}.")
        results, step = self._evaluate_model(
            input_fn=input_fn,
            steps=steps,
            feed_fn=feed_fn,
            metrics=metrics,
            name=name,
            checkpoint_path=checkpoint_path,
            hooks=hooks,
            log_progress=log_progress,
        )
        return {**results, GLOBAL_STEP: step}

    def predict(
        self,
        x: Any = None,
        input_fn: Callable[[], Any] | None = None,
        batch_size: int | None = None,
        outputs: Iterable[str] | None = None,
        as_iterable: bool = True,
        iterate_batches: bool = False,
    ) -> Any:
        """Computes the predictions for the input.

        Args:
          x: As in `fit`.
          input_fn: As in `fit`. Labels are ignored.
          batch_size: As in `fit`.
          outputs: Names of the predictions, if predictions are a dict. None is all of them.
          as_iterable: If true, returns an iterator over examples. If false, returns the predictions
            of the first batch, or of all arrays.
          iterate_batches: If true, iterates over batches.

        Returns:
          Arrays or dicts of arrays, or an iterator over these.

        Raises:
          ValueError: The arguments are mutually exclusive, or `outputs` does not match the
            predictions.
          NotFittedError: No checkpoint exists.
        """
        parts.check_input(x, None, input_fn, None, batch_size)
        if x is not None and not as_iterable:
            return SKCompat(self).predict(x, batch_size, outputs)
        feed_fn = None
        if x is not None:
            feeder = data_feeder.make_feeder(x, None, batch_size, shuffle=False, epochs=1)
            input_fn, feed_fn = feeder.input_builder, feeder.get_feed_dict_fn()
        return self._infer_model(
            input_fn=input_fn,
            feed_fn=feed_fn,
            outputs=outputs,
            as_iterable=as_iterable,
            iterate_batches=iterate_batches,
        )

    @abc.abstractmethod
    def _get_train_ops(self, features: Any, labels: Any) -> ModelFnOps:
        """Returns the operations that train."""

    @abc.abstractmethod
    def _get_predict_ops(self, features: Any) -> ModelFnOps:
        """Returns the operations that predict."""

    def _get_eval_ops(self, features: Any, labels: Any, metrics: Any) -> ModelFnOps:
        """Returns the operations that evaluate, with `metrics` added."""
        raise NotImplementedError("_get_eval_ops not implemented in BaseEstimator")

    def _saved_step(self) -> int:
        with intact.or_exit():
            path = intact.newest(self._model_dir)
        return int(tf1.train.load_variable(path, GLOBAL_STEP)) if path else -1

    def _checkpoint(self) -> str:
        path = tf1.train.latest_checkpoint(self._model_dir)
        if not path:
            raise NotFittedError(f"Couldn't find trained model at {self._model_dir}.")
        return path

    def _check_inputs(self, features: Any, labels: Any) -> None:
        """Raises ValueError if the input differs in type or shape from that of an earlier call."""
        for name, tensors in (("features", features), ("labels", labels)):
            signature = getattr(self, f"_{name}_info")
            if signature is None:
                setattr(self, f"_{name}_info", tensor_signature.signatures(tensors))
            elif tensors is not None and not tensor_signature.compatible(tensors, signature):
                raise ValueError(
                    f"{name.capitalize()} are incompatible with given information. "
                    f"Given {name}: {tensors}, required signatures: {signature}."
                )

    def _train_model(self, input_fn: Callable[[], Any], hooks: list[Any]) -> Any:
        """Trains and returns the last loss. See `fit`."""
        config = self._config
        self._graph = tf.Graph()
        with self._graph.as_default() as graph, graph.device(self._device_fn):
            tf1.set_random_seed(config.tf_random_seed)
            global_step = tf1.train.create_global_step()
            with foreign_datasets.copying():
                features, labels = input_fn()
            self._check_inputs(features, labels)
            # Creates the op that reads the global step at the same place in the graph as the
            # original.
            tf1.train.StepCounterHook().begin()
            ops = self._get_train_ops(features, labels)
            tf1.add_to_collection(tf1.GraphKeys.LOSSES, ops.loss)
            tensors = {"loss": ops.loss, "step": global_step}
            hooks = [
                *hooks,
                tf1.train.NanTensorHook(ops.loss),
                tf1.train.LoggingTensorHook(tensors, every_n_iter=100),
                *ops.training_hooks,
            ]
            scaffold = ops.scaffold or tf1.train.Scaffold()
            saver_hooks = parts.savers(config, scaffold, [*hooks, *ops.training_chief_hooks])
            with tf1.train.MonitoredTrainingSession(
                master=config.master,
                is_chief=config.is_chief,
                checkpoint_dir=self._model_dir,
                scaffold=scaffold,
                hooks=hooks,
                chief_only_hooks=[*saver_hooks, *ops.training_chief_hooks],
                save_checkpoint_secs=0,  # `saver_hooks` save the checkpoints.
                save_summaries_steps=config.save_summary_steps,
                max_wait_secs=config.session_creation_timeout_secs,
                config=self._session_config,
            ) as session:
                loss = None
                while not session.should_stop():
                    _, loss = session.run([ops.train_op, ops.loss])
        return loss

    def _evaluate_model(
        self,
        input_fn: Callable[[], Any],
        steps: int | None,
        feed_fn: Callable[[], Any] | None = None,
        metrics: Any = None,
        name: str | None = "",
        checkpoint_path: str | None = None,
        hooks: Iterable[Any] | None = None,
        log_progress: bool = True,
    ) -> tuple[dict[str, Any], Any]:
        """Returns the metrics and the global step. See `evaluate`."""
        path = checkpoint_path or self._checkpoint()
        hooks = list(hooks or [])
        with tf.Graph().as_default():
            tf1.set_random_seed(self._config.tf_random_seed)
            global_step = tf1.train.create_global_step()
            with foreign_datasets.copying():
                features, labels = input_fn()
            self._check_inputs(features, labels)
            ops = self._get_eval_ops(features, labels, metrics)
            updates, values = evaluation_metrics.split(ops.eval_metric_ops)
            if feed_fn:
                hooks.append(tf1.train.FeedFnHook(feed_fn))
            if steps:
                hooks.append(evaluation.StopAfterNEvalsHook(steps, log_progress=log_progress))
            step_key = GLOBAL_STEP
            # The step gets a key that no metric has.
            while step_key in values:
                step_key = f"_{step_key}"
            values[step_key] = global_step
            results = evaluation.evaluate_once(
                checkpoint_path=path,
                master=self._config.evaluation_master,
                scaffold=ops.scaffold,
                eval_ops=updates,
                final_ops=values,
                hooks=hooks,
                config=self._session_config,
            )
            step = results[step_key]
            folder = os.path.join(self._model_dir, f"eval_{name}" if name else "eval")
            evaluation_events.write({**results, GLOBAL_STEP: step}, folder, None)
        return results, step

    def _infer_model(
        self,
        input_fn: Callable[[], Any],
        feed_fn: Callable[[], Any] | None = None,
        outputs: Iterable[str] | None = None,
        as_iterable: bool = True,
        iterate_batches: bool = False,
    ) -> Any:
        """Returns predictions. See `predict`."""
        path = self._checkpoint()
        with tf.Graph().as_default():
            tf1.set_random_seed(self._config.tf_random_seed)
            tf1.train.create_global_step()
            with foreign_datasets.copying():
                inputs = input_fn()
            features = inputs[0] if isinstance(inputs, (list, tuple)) else inputs
            ops = self._get_predict_ops(features)
            predictions = parts.select_outputs(ops.predictions, outputs)
            creator = tf1.train.ChiefSessionCreator(
                checkpoint_filename_with_path=path,
                scaffold=ops.scaffold,
                config=self._session_config,
            )
            session = tf1.train.MonitoredSession(session_creator=creator)
        if as_iterable:
            return parts.predictions_of(session, predictions, feed_fn, iterate_batches)
        with session:
            return session.run(predictions, feed_fn() if feed_fn else None)
