"""Hooks that stop a training early, evaluate inside it, or save the place in its input.

from legacy import estimator

hook = estimator.experimental.stop_if_no_decrease_hook(classifier, "loss", 1000)
train_spec = estimator.TrainSpec(input_fn, hooks=[hook])
"""

from legacy.estimator.hooks.early_stopping import (
    make_early_stopping_hook,
    read_eval_metrics,
    stop_if_higher_hook,
    stop_if_lower_hook,
    stop_if_no_decrease_hook,
    stop_if_no_increase_hook,
)
from legacy.estimator.hooks.in_memory_evaluator import InMemoryEvaluatorHook
from legacy.estimator.hooks.input_checkpoint import CheckpointInputPipelineHook
from legacy.estimator.hooks.stop_at_checkpoint import make_stop_at_checkpoint_step_hook

__all__ = [
    "CheckpointInputPipelineHook",
    "InMemoryEvaluatorHook",
    "make_early_stopping_hook",
    "make_stop_at_checkpoint_step_hook",
    "read_eval_metrics",
    "stop_if_higher_hook",
    "stop_if_lower_hook",
    "stop_if_no_decrease_hook",
    "stop_if_no_increase_hook",
]
