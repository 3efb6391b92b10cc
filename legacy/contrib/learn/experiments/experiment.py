"""Experiment: an Estimator with its input functions, and the methods that run them.

    experiment = Experiment(estimator, train_input_fn, eval_input_fn, train_steps=1000)
    experiment.train_and_evaluate()

The Estimator is one of contrib.learn or of tf.estimator. `learn_runner.run` chooses the method by
TF_CONFIG.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.learn import monitors
from legacy.contrib.learn.experiments import checks as parts
from legacy.contrib.learn.experiments.export_strategy import ExportStrategy

tf1 = tf.compat.v1

_GLOBAL_STEP = tf1.GraphKeys.GLOBAL_STEP
_DELAY_SECS_PER_WORKER = 5
_LONGEST_DELAY_SECS = 60
_WARN_EVERY_SECS = 600


class Experiment:
    """An Estimator with its input functions, which trains, evaluates and exports.

    Args:
      estimator: An Estimator of contrib.learn or of tf.estimator.
      train_input_fn: Input function of the training.
      eval_input_fn: Input function of the evaluation.
      eval_metrics: `MetricSpec`s by name. Must be None for an Estimator of tf.estimator.
      train_steps: Global step at which to stop. None trains forever.
      eval_steps: Number of batches of an evaluation. None evaluates until the input ends.
      train_monitors: Monitors or `SessionRunHook`s for the training.
      eval_hooks: `SessionRunHook`s for the evaluation.
      local_eval_frequency: Steps between two checks for a checkpoint in `local_run`.
      eval_delay_secs: Seconds that an evaluation waits before it starts.
      continuous_eval_throttle_secs: Minimum number of seconds between the starts of two evaluations
        in `continuous_eval`.
      min_eval_frequency: Steps between two checks for a checkpoint in `train_and_evaluate`. 0
        evaluates only at the end. None is 1.
      delay_workers_by_global_step: If true, workers start at a global step instead of after a
        delay.
      export_strategies: An `ExportStrategy`, or an iterable of them.
      train_steps_per_iteration: Steps between evaluations in `continuous_train_and_eval`.
      checkpoint_and_export: If true, `train_and_evaluate` evaluates and exports at each checkpoint.
      saving_listeners: `CheckpointSaverListener`s, for an Estimator of tf.estimator only.
      check_interval_secs: Minimum number of seconds between two checks for a checkpoint in
        `train_and_evaluate`.

    Raises:
      ValueError: The Estimator or an argument is of the wrong kind.
    """

    def __init__(
        self,
        estimator: Any,
        train_input_fn: Callable[[], Any],
        eval_input_fn: Callable[[], Any],
        eval_metrics: dict[Any, Any] | None = None,
        train_steps: int | None = None,
        eval_steps: int | None = 100,
        train_monitors: Sequence[Any] | None = None,
        eval_hooks: Sequence[Any] | None = None,
        local_eval_frequency: int | None = None,
        eval_delay_secs: float = 120,
        continuous_eval_throttle_secs: float = 60,
        min_eval_frequency: int | None = None,
        delay_workers_by_global_step: bool = False,
        export_strategies: Any = None,
        train_steps_per_iteration: int | None = None,
        checkpoint_and_export: bool = False,
        saving_listeners: Sequence[Any] | None = None,
        check_interval_secs: float | None = 5,
    ) -> None:
        self._is_core = parts.check_estimator(estimator, eval_metrics, saving_listeners)
        if train_steps_per_iteration is not None and not isinstance(train_steps_per_iteration, int):
            raise ValueError("`train_steps_per_iteration` must be an integer.")
        self._estimator = estimator
        self._train_input_fn = train_input_fn
        self._eval_input_fn = eval_input_fn
        self._eval_metrics = eval_metrics
        self._train_steps = train_steps
        self._eval_steps = eval_steps
        self._train_monitors = list(train_monitors or [])
        self._eval_hooks = list(eval_hooks or [])
        self._local_eval_frequency = local_eval_frequency
        self._eval_delay_secs = eval_delay_secs
        self._continuous_eval_throttle_secs = continuous_eval_throttle_secs
        self._min_eval_frequency = 1 if min_eval_frequency is None else min_eval_frequency
        self._delay_workers_by_global_step = delay_workers_by_global_step
        self._export_strategies = parts.checked_strategies(export_strategies)
        self._train_steps_per_iteration = train_steps_per_iteration
        self._checkpoint_and_export = checkpoint_and_export
        self._saving_listeners = saving_listeners
        self._check_interval_secs = check_interval_secs

    @property
    def estimator(self) -> Any:
        """The Estimator."""
        return self._estimator

    @property
    def eval_metrics(self) -> dict[Any, Any] | None:
        """The metrics that are added to those of the Estimator."""
        return self._eval_metrics

    @property
    def train_steps(self) -> int | None:
        """The global step at which to stop."""
        return self._train_steps

    @property
    def eval_steps(self) -> int | None:
        """The number of batches of an evaluation."""
        return self._eval_steps

    def extend_train_hooks(self, additional_hooks: Iterable[Any]) -> None:
        """Adds hooks for the training.

        Args:
          additional_hooks: Monitors or `SessionRunHook`s.
        """
        self._train_monitors.extend(additional_hooks)

    def reset_export_strategies(
        self, new_export_strategies: Any = None
    ) -> tuple[ExportStrategy, ...]:
        """Replaces the export strategies.

        Args:
          new_export_strategies: An `ExportStrategy`, an iterable of them, or None.

        Returns:
          The previous strategies.
        """
        old = self._export_strategies
        self._export_strategies = parts.checked_strategies(new_export_strategies)
        return old

    def train(self, delay_secs: float | None = None) -> Any:
        """Trains the Estimator.

        In a cluster ("environment": "cloud"), it starts the server of this task first.

        Args:
          delay_secs: Seconds to wait first. None is 5 seconds times the task index, at most 60.

        Returns:
          The Estimator.

        Raises:
          ValueError: The task belongs to a cluster, but the Estimator's config is not one of
            contrib.learn.
        """
        self._serve_in_cluster()
        task = self._estimator.config.task_id or 0
        hooks = []
        if delay_secs is None and self._delay_workers_by_global_step:
            # Worker 1 starts at step 5545, worker 2 at step 8788: each adds less to the delay.
            wait_for = int(8000.0 * math.log(task + 1))
            hooks.append(tf1.train.GlobalStepWaiterHook(wait_for))
        elif delay_secs is None:
            delay_secs = min(_LONGEST_DELAY_SECS, task * _DELAY_SECS_PER_WORKER)
        parts.wait(delay_secs, "training")
        return self._call_train(max_steps=self._train_steps, hooks=[*self._train_monitors, *hooks])

    def evaluate(self, delay_secs: float | None = None, name: str | None = None) -> dict[str, Any]:
        """Evaluates the latest checkpoint.

        Args:
          delay_secs: Seconds to wait first. None is `eval_delay_secs`.
          name: Suffix of the event file's folder. None is "one_pass".

        Returns:
          The metrics by name.
        """
        parts.wait(self._eval_delay_secs if delay_secs is None else delay_secs, "eval")
        return self._call_evaluate(name=name or "one_pass")

    def local_run(self) -> tuple[dict[str, Any], list[Any]]:
        """Trains and evaluates every `local_eval_frequency` steps. See `train_and_evaluate`."""
        original_frequency, self._min_eval_frequency = (
            self._min_eval_frequency,
            self._local_eval_frequency,
        )
        try:
            return self.train_and_evaluate()
        finally:
            self._min_eval_frequency = original_frequency

    def continuous_eval(
        self,
        delay_secs: float | None = None,
        throttle_delay_secs: float | None = None,
        evaluate_checkpoint_only_once: bool = True,
        continuous_eval_predicate_fn: Callable[..., bool] | None = None,
        name: str = "continuous",
    ) -> None:
        """Evaluates and exports each new checkpoint until an evaluation has reached `train_steps`.

        Args:
          delay_secs: Seconds to wait first. None is `eval_delay_secs`.
          throttle_delay_secs: Minimum number of seconds between the starts of two evaluations.
          evaluate_checkpoint_only_once: If true, skips a checkpoint that was already evaluated.
          continuous_eval_predicate_fn: Function that returns true to continue. It takes the last
            metrics (None at first), and `checkpoint_path` if it names that.
          name: Suffix of the event file's folder.

        Raises:
          ValueError: The predicate is not callable.
        """
        self._continuous_eval(
            self._eval_input_fn,
            name,
            delay_secs,
            throttle_delay_secs,
            evaluate_checkpoint_only_once,
            continuous_eval_predicate_fn,
            export=True,
        )

    def continuous_eval_on_train_data(
        self,
        delay_secs: float | None = None,
        throttle_delay_secs: float | None = None,
        continuous_eval_predicate_fn: Callable[..., bool] | None = None,
        name: str = "continuous_on_train_data",
    ) -> None:
        """Evaluates as `continuous_eval`, on the training's input and without exports.

        Args:
          delay_secs: As in `continuous_eval`.
          throttle_delay_secs: As in `continuous_eval`.
          continuous_eval_predicate_fn: As in `continuous_eval`.
          name: As in `continuous_eval`.
        """
        self._continuous_eval(
            self._train_input_fn,
            name,
            delay_secs,
            throttle_delay_secs,
            True,
            continuous_eval_predicate_fn,
            export=False,
        )

    def train_and_evaluate(self) -> tuple[dict[str, Any], list[Any]]:
        """Trains and evaluates new checkpoints in between, then evaluates and exports.

        Returns:
          The metrics of the last evaluation, and the results of the export strategies.
        """
        config = self._estimator.config
        saves = config.save_checkpoints_secs or config.save_checkpoints_steps
        listener = None
        hooks: list[Any] = []
        if self._checkpoint_and_export and saves:
            listener = parts.EvaluateAndExport(self)
            hooks.append(
                tf1.train.CheckpointSaverHook(
                    self._estimator.model_dir,
                    save_secs=config.save_checkpoints_secs,
                    save_steps=config.save_checkpoints_steps,
                    listeners=[listener],
                )
            )
        elif self._min_eval_frequency:
            hooks.append(self._validation_monitor())
        original_monitors = self._train_monitors
        self._train_monitors = [*original_monitors, *hooks]
        try:
            self.train(delay_secs=0)
        finally:
            self._train_monitors = original_monitors
        if listener is not None:
            return listener.eval_result, listener.export_results
        result = self._call_evaluate()
        return result, self._maybe_export(result)

    def _validation_monitor(self) -> monitors.ValidationMonitor:
        return monitors.ValidationMonitor(
            input_fn=self._eval_input_fn,
            eval_steps=self._eval_steps,
            metrics=self._eval_metrics,
            every_n_steps=self._min_eval_frequency,
            check_interval_secs=self._check_interval_secs,
            hooks=self._eval_hooks,
        )

    def continuous_train_and_eval(
        self, continuous_eval_predicate_fn: Callable[..., bool] | None = None
    ) -> tuple[dict[str, Any] | None, list[Any] | None]:
        """Alternates between training, evaluation and export until `train_steps` is reached.

        Args:
          continuous_eval_predicate_fn: As in `continuous_eval`.

        Returns:
          The last metrics, and the results of the export strategies.

        Raises:
          ValueError: The predicate is not callable.
        """
        go_on = parts.predicate_of(continuous_eval_predicate_fn)
        steps = self._train_steps_per_iteration
        if steps is None:
            steps = 1000 if self._train_steps is None else self._train_steps // 10
        result, exports, path = None, None, None
        while go_on(result, path) and not self._is_over(result):
            self._call_train(steps=steps, hooks=self._train_monitors)
            path = tf1.train.latest_checkpoint(self._estimator.model_dir)
            result = self._call_evaluate(name="one_pass", checkpoint_path=path)
            exports = self._maybe_export(result)
        return result, exports

    def run_std_server(self) -> None:
        """Runs the server of this task forever, as a ps does.

        Raises:
          ValueError: The config does not name the task.
        """
        self._start_server().join()

    def test(self) -> dict[str, Any]:
        """Trains a single step, evaluates a single batch and exports.

        Returns:
          The metrics by name.
        """
        self._call_train(steps=1, hooks=self._train_monitors)
        result = self._call_evaluate(name="one_pass", steps=1, hooks=None)
        self._maybe_export(result)
        return result

    def _continuous_eval(
        self,
        input_fn: Callable[[], Any],
        name: str,
        delay_secs: float | None,
        throttle_secs: float | None,
        only_once: bool,
        predicate: Callable[..., bool] | None,
        *,
        export: bool,
    ) -> None:
        go_on = parts.predicate_of(predicate)
        if throttle_secs is None:
            throttle_secs = self._continuous_eval_throttle_secs
        parts.wait(self._eval_delay_secs if delay_secs is None else delay_secs, "eval")
        previous, result, warned_at = None, None, -math.inf
        while go_on(result, previous) and not self._is_over(result):
            start = time.time()
            path = tf1.train.latest_checkpoint(self._estimator.model_dir)
            if path and not (only_once and path == previous):
                result = self._call_evaluate(name=name, checkpoint_path=path, input_fn=input_fn)
                if export:
                    self._maybe_export(result, checkpoint_path=path)
                previous, warned_at = path, -math.inf
            else:
                result = {}
                if start - warned_at > _WARN_EVERY_SECS:
                    tf1.logging.warning("No new checkpoint ready for evaluation.")
                    warned_at = start
            parts.wait(throttle_secs - (time.time() - start), "next eval run")

    def _is_over(self, result: dict[str, Any] | None) -> bool:
        """Returns true if an evaluation has reached the last step."""
        step = (result or {}).get(_GLOBAL_STEP)
        return bool(step and self._train_steps and step >= self._train_steps)

    def _maybe_export(
        self, eval_result: dict[str, Any], checkpoint_path: str | None = None
    ) -> list[Any]:
        base = os.path.join(tf.compat.as_bytes(self._estimator.model_dir), b"export")
        return [
            strategy.export(
                self._estimator,
                os.path.join(base, tf.compat.as_bytes(strategy.name)),
                checkpoint_path=checkpoint_path,
                eval_result=eval_result,
            )
            for strategy in self._export_strategies
        ]

    def _serve_in_cluster(self) -> None:
        if parts.wants_server(self._estimator.config):
            self._start_server()

    def _start_server(self) -> tf1.train.Server:
        return parts.start_server(self._estimator.config)

    def _call_train(self, hooks: Iterable[Any], **steps: Any) -> Any:
        hooks = monitors.replace_monitors_with_hooks(hooks, self._estimator)
        if not self._is_core:
            return self._estimator.fit(input_fn=self._train_input_fn, monitors=hooks, **steps)
        return self._estimator.train(
            input_fn=self._train_input_fn,
            hooks=hooks,
            saving_listeners=self._saving_listeners,
            **steps,
        )

    def _call_evaluate(self, **options: Any) -> dict[str, Any]:
        evaluate_arguments = {
            "input_fn": self._eval_input_fn,
            "steps": self._eval_steps,
            "hooks": self._eval_hooks,
            **options,
        }
        if not self._is_core:
            evaluate_arguments["metrics"] = self._eval_metrics
        return self._estimator.evaluate(**evaluate_arguments)
