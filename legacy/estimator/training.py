"""train_and_evaluate, which runs the same program in every task of a cluster or in one process.

    train_and_evaluate(
        estimator,
        TrainSpec(input_fn, max_steps=1000),
        EvalSpec(eval_input_fn, throttle_secs=30),
    )

Without TF_CONFIG, this process trains and evaluates. In a cluster, each task takes its role and
returns when the training is over. A second call runs the next training in the same processes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments, evaluator, training_specs
from legacy.estimator.cluster import (
    parameter_server,
    servers,
    signals,
    stalls,
    standalone_client,
)
from legacy.estimator.estimator import Estimator, _load_global_step_from_checkpoint_dir
from legacy.estimator.hooks.stop_at_secs import StopAtSecsHook
from legacy.estimator.loops import distribute
from legacy.estimator.run_config import RunConfig
from legacy.estimator.training_specs import EvalSpec, TrainSpec
from modern.cluster import tf_config
from modern.records import run_lock

tf1 = tf.compat.v1

_DELAY_SECS_PER_WORKER = 5
_SERVED_ROLES = ("chief", "master", "ps", "worker")

# Private names of TensorFlow 2.15 that programs import.
_ContinuousEvalListener = evaluator.ContinuousEvalListener
_EvalResult = evaluator.EvalResult
_EvalStatus = evaluator.EvalStatus
_StopAtSecsHook = StopAtSecsHook


def train_and_evaluate(
    estimator: Estimator, train_spec: TrainSpec, eval_spec: EvalSpec
) -> tuple[Any, Any] | None:
    """Trains and evaluates in the role that TF_CONFIG assigns to this process.

    The chief and the workers train. The old task type `master` is a chief that also evaluates. A ps
    serves variables until the training is over. An evaluator evaluates each new checkpoint.

    Args:
      estimator: The Estimator.
      train_spec: The TrainSpec.
      eval_spec: The EvalSpec.

    Returns:
      In a local run: the last evaluation's metrics and the list of the exporters' return values, or
      two Nones if no steps were left to train. In a cluster: None.

    Raises:
      TypeError: An argument has the wrong type.
      ValueError: The cluster is wrong, or it does not fit the RunConfig.
    """
    _check_eval_spec(eval_spec)
    executor = _TrainingExecutor(estimator=estimator, train_spec=train_spec, eval_spec=eval_spec)
    config = estimator.config
    if config.task_type == "evaluator" and config.task_id > 0:
        raise ValueError(
            "For distributed training, there can only be one `evaluator` task (with task id 0). "
            f"Given task id {config.task_id}"
        )
    return executor.run()


class _TrainingExecutor:
    """Executor with a method for each role, such as `run_chief`, `run_worker` and `run_local`.

    A subclass or an instance may add roles. For example, a task of type "foo" runs `run_foo`.

    Args:
      estimator: The Estimator.
      train_spec: The TrainSpec.
      eval_spec: The EvalSpec. May be None in a role that does not evaluate.
      train_hooks: Further `SessionRunHook`s of the training.
      continuous_eval_listener: A listener that runs around evaluations and may end them.

    Raises:
      TypeError: An argument has the wrong type.
    """

    _Evaluator = evaluator.Evaluator

    def __init__(
        self,
        estimator: Estimator,
        train_spec: TrainSpec,
        eval_spec: EvalSpec | None,
        train_hooks: Iterable[Any] | None = None,
        continuous_eval_listener: evaluator.ContinuousEvalListener | None = None,
    ) -> None:
        _check_type("estimator", estimator, Estimator)
        _check_type("train_spec", train_spec, TrainSpec)
        if eval_spec and not isinstance(eval_spec, EvalSpec):
            raise TypeError(
                "`eval_spec` must be either `None` or have type `tf.estimator.EvalSpec`. "
                f"Got: {type(eval_spec)}"
            )
        listener = continuous_eval_listener or evaluator.ContinuousEvalListener()
        if not isinstance(listener, evaluator.ContinuousEvalListener):
            raise TypeError(
                "`continuous_eval_listener` must have type `_ContinuousEvalListener`. "
                f"Got: {type(listener)}"
            )
        self._estimator = estimator
        self._train_spec = train_spec
        self._eval_spec = eval_spec
        self._train_hooks = arguments.check_hooks(
            train_hooks, tf1.train.SessionRunHook, training_specs.HOOKS
        )
        self._listener = listener

    @property
    def estimator(self) -> Estimator:
        """The Estimator."""
        return self._estimator

    def run(self) -> tuple[Any, Any] | None:
        """Runs the role that the RunConfig names. Returns the result of `train_and_evaluate`."""
        config = self._estimator.config
        if standalone_client.is_wanted(config):
            return self._run_standalone_client()
        if not config.cluster_spec and config.task_type != "evaluator":
            tf1.logging.info("Running training and evaluation locally (non-distributed).")
            return self.run_local()
        if not config.task_type:
            raise ValueError(
                "`estimator.config` must have task_type set. This usually means TF_CONFIG "
                "environment is not set correctly."
            )
        if config.task_type == "local":
            raise ValueError(
                "`task.type` in TF_CONFIG cannot be `local`. Leave `cluster` and `task` out of "
                "TF_CONFIG to train and evaluate locally (non-distributed)."
            )
        roles = self._roles()
        if config.task_type not in roles:
            raise ValueError(
                f"Task type {config.task_type} is not supported. Supported task types are {roles}"
            )
        run_role = getattr(self, f"run_{config.task_type}")
        if config.task_type in _SERVED_ROLES:
            _check_cluster(config)
            with signals.ending_program(), stalls.watched(config):
                run_role()
        else:
            run_role()
        return None

    def _roles(self) -> list[str]:
        """Returns the task types that this executor runs."""
        names = [name for name in dir(self) if name.startswith("run_") and name != "run_local"]
        return [name.removeprefix("run_") for name in names if callable(getattr(self, name))]

    def _run_standalone_client(self) -> None:
        """Trains on the servers of a remote cluster. Only the chief runs the hooks."""

        def train(local: Estimator, is_chief: bool) -> None:
            hooks = [*self._train_spec.hooks, *self._train_hooks] if is_chief else []
            listeners = self._train_spec.saving_listeners if is_chief else ()
            local.train(
                self._train_spec.input_fn,
                max_steps=self._train_spec.max_steps,
                hooks=hooks,
                saving_listeners=listeners,
            )

        def evaluate(local: Estimator, has_failed: Callable[[], bool]) -> None:
            _TrainingExecutor(
                local,
                self._train_spec,
                self._eval_spec,
                continuous_eval_listener=_UntilFailure(has_failed),
            ).run_evaluator()

        standalone_client.run(self._estimator, "train", train, evaluate)

    def run_local(self) -> tuple[Any, Any]:
        """Trains and evaluates each checkpoint. Returns the last metrics and exports."""
        _check_eval_spec(self._eval_spec)
        config = self._estimator.config
        tf1.logging.info(
            "Start train and evaluate loop. The evaluate will happen after every checkpoint. "
            "Checkpoint frequency is determined based on RunConfig arguments: "
            "save_checkpoints_steps %s or save_checkpoints_secs %s.",
            config.save_checkpoints_steps,
            config.save_checkpoints_secs,
        )
        trainer_evaluator = self._evaluator()
        self._train_with_evaluations(trainer_evaluator, self._listener)
        return (
            trainer_evaluator.result and trainer_evaluator.result.metrics,
            trainer_evaluator.exports,
        )

    def run_master(self) -> None:
        """Trains as a chief that also evaluates."""
        _check_eval_spec(self._eval_spec)
        servers.start_for_training(self._estimator.config)
        self._train_with_evaluations(self._evaluator(), evaluator.ContinuousEvalListener())

    def run_chief(self) -> None:
        """Trains and saves. Tells the evaluator if the training ends before `max_steps`."""
        servers.start_for_training(self._estimator.config)
        model_dir = tf.compat.as_str_any(self._estimator.model_dir)
        with run_lock.held_or_exit(model_dir):
            # The mark of an earlier run would tell the evaluator that this training is over.
            evaluator.remove_mark(model_dir)
            self._train(self._train_spec.saving_listeners)
        if signals.is_interrupted():
            return  # A restarted chief resumes the training.
        if not tf.io.gfile.isdir(model_dir):
            return  # No checkpoint was written, so the evaluator needs no mark.
        max_steps = self._train_spec.max_steps
        if max_steps is None or _load_global_step_from_checkpoint_dir(model_dir) < max_steps:
            evaluator.mark_over(model_dir)

    def run_worker(self) -> None:
        """Trains, after the delay of `experimental_max_worker_delay_secs`."""
        config = self._estimator.config
        servers.start_for_training(config)
        longest = config.experimental_max_worker_delay_secs
        delay = min(int(longest or 0), _DELAY_SECS_PER_WORKER * (config.task_id + 1))
        if delay > 0:
            tf1.logging.info("Waiting %d secs before starting training.", delay)
            time.sleep(delay)
        self._train(None)

    def run_ps(self) -> None:
        """Serves variables until the training is over."""
        servers.check(self._estimator.config)
        parameter_server.serve(self._estimator.config, self._has_ended)

    def _has_ended(self) -> bool:
        """Returns whether the latest checkpoint has reached `max_steps`."""
        max_steps = self._train_spec.max_steps
        if max_steps is None:
            return False
        return _load_global_step_from_checkpoint_dir(self._estimator.model_dir) >= max_steps

    def run_evaluator(self) -> None:
        """Evaluates each new checkpoint until the training is over."""
        _check_eval_spec(self._eval_spec)
        distribute.check_evaluator(self._estimator.config)
        evaluator.watch(self._evaluator(), self._listener)

    def _evaluator(self) -> evaluator.Evaluator:
        return self._Evaluator(self._estimator, self._eval_spec, self._train_spec.max_steps)

    def _train_with_evaluations(
        self, trainer_evaluator: evaluator.Evaluator, listener: evaluator.ContinuousEvalListener
    ) -> None:
        eval_listener = evaluator.EvaluationListener(trainer_evaluator, listener)
        self._train((*self._train_spec.saving_listeners, eval_listener))

    def _train(self, saving_listeners: tuple[Any, ...] | None) -> None:
        self._estimator.train(
            input_fn=self._train_spec.input_fn,
            max_steps=self._train_spec.max_steps,
            hooks=[
                *self._train_spec.hooks,
                *self._train_hooks,
                *signals.hooks(self._estimator.config),
                *stalls.hooks(),
            ],
            saving_listeners=saving_listeners,
        )


class _UntilFailure(evaluator.ContinuousEvalListener):
    """Listener that ends the evaluation when the concurrent training has failed."""

    def __init__(self, has_failed: Callable[[], bool]) -> None:
        self._has_failed = has_failed

    def before_eval(self) -> bool:
        """Returns False if the training has failed."""
        return not self._has_failed()


def _check_type(name: str, value: Any, expected_type: type) -> None:
    if not isinstance(value, expected_type):
        raise TypeError(
            f"`{name}` must have type `tf.estimator.{expected_type.__name__}`. Got: {type(value)}"
        )


def _check_eval_spec(eval_spec: Any) -> None:
    _check_type("eval_spec", eval_spec, EvalSpec)


def _check_cluster(config: RunConfig) -> None:
    """Checks the cluster before this process's server starts. Raises ValueError for mistakes."""
    if servers.is_started(config):
        return
    tf_config_value = tf_config.load()
    if tf_config_value is not None:
        is_distributed = config.train_distribute is not None
        # A strategy may have started the server on this task's port when it was made.
        tf_config.validate(
            tf_config_value,
            "legacy",
            train_distribute=_kind(config) if is_distributed else "none",
            check_port=not is_distributed,
        )


def _kind(config: RunConfig) -> str:
    if config.num_ps_replicas:
        return "parameter_server"
    return "collective_all_reduce" if config.num_worker_replicas > 1 else "mirrored"
