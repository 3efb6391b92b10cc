"""Hooks that stop a training early, evaluate during training, or save the position in the input.

    from legacy import estimator

    hook = estimator.experimental.stop_if_no_decrease_hook(classifier, "loss", 1000)
    train_spec = estimator.TrainSpec(input_fn, hooks=[hook])

Files in reading order:
early_stopping       creates hooks that stop a training because of its evaluations
stop_variable        shares the decision to stop among the trainers
stop_at_checkpoint   stops each worker when a checkpoint has reached the last step
stop_at_secs         stops a training after a fixed time
in_memory_evaluator  evaluates during training, without a checkpoint
input_checkpoint     saves and restores the position in the input
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
