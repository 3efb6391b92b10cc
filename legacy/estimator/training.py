"""train_and_evaluate: the same program in every task of a cluster, or alone.

    train_and_evaluate(
        estimator,
        TrainSpec(input_fn, max_steps=1000),
        EvalSpec(eval_input_fn, throttle_secs=30),
    )

Without TF_CONFIG this trains and evaluates here. In a cluster each task takes its role and returns
when the training is over; called again, it does the next training in the same processes.
"""

from __future__ import annotations

import time
from typing import Any

import tensorflow as tf

from legacy.estimator import coordination, evaluator, servers
from legacy.estimator.estimator import Estimator
from legacy.estimator.run_config import RunConfig
from legacy.estimator.training_specs import EvalSpec, TrainSpec
from modern.cluster import tf_config

tf1 = tf.compat.v1

_DELAY_SECS_PER_WORKER = 5


def train_and_evaluate(
    estimator: Estimator, train_spec: TrainSpec, eval_spec: EvalSpec
) -> tuple[Any, Any] | None:
    """Trains and evaluates, in the role that TF_CONFIG gives this process.

    A chief (`chief`, or `master`, which evaluates too) and workers train, a ps serves variables
    until the training is over, an evaluator evaluates each new checkpoint.

    Args:
      estimator: The Estimator.
      train_spec: How to train.
      eval_spec: How to evaluate.

    Returns:
      Alone: the last evaluation's metrics and the list of what the exporters returned, both None
      where nothing was left to train. In a cluster: None.

    Raises:
      TypeError: An argument has the wrong type.
      ValueError: The cluster, or its combination with the RunConfig, is wrong.
    """
    for name, value, wanted in (
        ("estimator", estimator, Estimator),
        ("train_spec", train_spec, TrainSpec),
        ("eval_spec", eval_spec, EvalSpec),
    ):
        if not isinstance(value, wanted):
            raise TypeError(
                f"`{name}` must have type `tf.estimator.{wanted.__name__}`. Got: {type(value)}"
            )
    config = estimator.config
    if config.task_type == "evaluator":
        watcher = evaluator.Evaluator(estimator, eval_spec, train_spec.max_steps)
        evaluator.watch(watcher)
        return None
    if not config.cluster_spec.jobs:
        tf1.logging.info("Running training and evaluation locally (non-distributed).")
        tf1.logging.info(
            "Start train and evaluate loop. The evaluate will happen after every checkpoint. "
            "Checkpoint frequency is determined based on RunConfig arguments: "
            "save_checkpoints_steps %s or save_checkpoints_secs %s.",
            config.save_checkpoints_steps,
            config.save_checkpoints_secs,
        )
        return _train_with_evaluations(estimator, train_spec, eval_spec)
    _check_cluster(config)
    if config.task_type == "ps":
        coordination.serve(config)
    elif config.task_type == "master":
        _train_with_evaluations(estimator, train_spec, eval_spec)
    elif config.is_chief:
        _run_chief(estimator, train_spec)
    else:
        _run_worker(estimator, train_spec)
    return None


def _train(estimator: Estimator, spec: TrainSpec, *listeners: Any) -> None:
    estimator.train(
        input_fn=spec.input_fn,
        max_steps=spec.max_steps,
        hooks=spec.hooks,
        saving_listeners=[*spec.saving_listeners, *listeners],
    )


def _train_with_evaluations(
    estimator: Estimator, train_spec: TrainSpec, eval_spec: EvalSpec
) -> tuple[Any, Any]:
    beside = evaluator.Evaluator(estimator, eval_spec, train_spec.max_steps)
    _train(estimator, train_spec, evaluator.EvaluationListener(beside))
    return beside.metrics, beside.exports


def _run_chief(estimator: Estimator, spec: TrainSpec) -> None:
    evaluator.remove_mark(estimator.model_dir)
    _train(estimator, spec)
    if spec.max_steps is None or estimator._saved_step() < spec.max_steps:
        evaluator.mark_over(estimator.model_dir)


def _run_worker(estimator: Estimator, spec: TrainSpec) -> None:
    longest = estimator.config.experimental_max_worker_delay_secs
    if longest is not None:
        delay = min(longest, _DELAY_SECS_PER_WORKER * (estimator.config.task_id + 1))
        tf1.logging.info("Waiting %d secs before starting training.", delay)
        time.sleep(delay)
    _train(estimator, spec)


def _check_cluster(config: RunConfig) -> None:
    """Checks the cluster before this process's server starts, and says what is wrong with it."""
    if servers.is_started(config):
        return
    given = tf_config.load()
    if given is not None:
        distributed = config.train_distribute is not None
        # A strategy may have started the server on this task's port when it was made.
        tf_config.validate(
            given,
            "legacy",
            train_distribute=_kind(config) if distributed else "none",
            check_port=not distributed,
        )


def _kind(config: RunConfig) -> str:
    if config.num_ps_replicas:
        return "parameter_server"
    return "collective_all_reduce" if config.num_worker_replicas > 1 else "mirrored"
