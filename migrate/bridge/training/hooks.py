"""Session hooks of an EstimatorSpec as Keras callbacks.

    callbacks = hooks.callbacks(spec, model)

| hook | callback |
| --- | --- |
| LoggingTensorHook | adds the tensors to `logs`, and logs them as often |
| StopAtStepHook | stops training at the step |
| NanTensorHook | stops training, or raises, when the loss is not a number |
| CheckpointSaverHook | saves an Estimator checkpoint as often |
| StepCounterHook | logs steps per second as often |
| SummarySaverHook | none: Keras' TensorBoard callback writes its own summaries |
| others | runs the hook: session_hooks.py |
"""

from __future__ import annotations

import dataclasses
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import tensorflow as tf
import tf_keras

from migrate.bridge.errors import BridgeError, line_in
from migrate.bridge.training import session_hooks
from migrate.bridge.training.adapter import BridgedAdapter, EstimatorFiles
from modern import porting
from modern.porting.training import program_log, step_callbacks
from modern.training import trainer
from modern.training.adapter import ModelAdapter

if TYPE_CHECKING:
    from migrate.bridge.model import KerasModelFn

tf1 = tf.compat.v1
_TRAINING_ONLY = "hooks run in trainings alone"
_HOOKS = {
    "train": ("training_hooks", "training_chief_hooks"),
    "eval": ("evaluation_hooks",),
    "infer": ("prediction_hooks",),
}


def _of(spec: Any, mode: str) -> list[Any]:
    return [hook for name in _HOOKS[mode] for hook in getattr(spec, name, None) or ()]


def check(spec: Any, mode: str, unknown: str, model: KerasModelFn) -> None:
    """Raises BridgeError, or warns, about hooks that do not run.

    Args:
      spec: EstimatorSpec with the hooks.
      mode: Mode of the spec.
      unknown: "run" or "warn".
      model: Model that the spec belongs to.
    """
    reason = _TRAINING_ONLY if mode != "train" else model.why_no_hooks()
    hooks = _unknown(spec, mode)
    if not hooks or (unknown == "run" and not reason):
        return
    if mode != "train" and all(type(hook) in _ONLY_LOG for hook in hooks):
        unknown = "warn"  # Without them, only lines of the log are missing.
    names = [type(hook).__name__ for hook in hooks]
    message = (
        f"{line_in(model.model_fn)}: these hooks of mode {mode!r} have no counterpart among Keras' "
        f"callbacks: {', '.join(names)}."
    )
    if unknown == "run":
        raise BridgeError(
            f"{message} They do not run here, as {reason}. Write them as callbacks and give these "
            'to fit; unknown_hooks="warn" trains without them.'
        )
    warnings.warn(message + " They do not run.", stacklevel=2)


def _unknown(spec: Any, mode: str) -> list[Any]:
    """Returns the hooks without an equivalent callback."""
    # By exact type, because a subclass of a known hook may do more than that hook.
    known_types = {*_CALLBACKS, *_OF_SUMMARIES} if mode == "train" else {*_OF_SUMMARIES}
    return [hook for hook in _of(spec, mode) if type(hook) not in known_types]


def run_hooks(hooks: Sequence[Any] | None) -> list[tf_keras.callbacks.Callback]:
    """Returns callbacks for hooks that were passed to an Estimator's `train`.

    They work as the hooks of an EstimatorSpec do. See the table above, and session_hooks.py for the
    limits of a program's own hooks.

    Args:
      hooks: SessionRunHooks of any kind. None for no hooks.
    """
    hooks = [*(hooks or ())]
    convertible = [
        hook for hook in hooks if type(hook) in _CALLBACKS and type(hook) not in _OF_LOGS
    ]
    other_hooks = [
        hook for hook in hooks if type(hook) not in {*_OF_SUMMARIES, *map(type, convertible)}
    ]
    hook_callbacks = [_CALLBACKS[type(hook)](hook) for hook in convertible]
    return [*hook_callbacks, session_hooks.RunHooks(other_hooks)] if other_hooks else hook_callbacks


def logged_tensors(spec: Any, variables: Mapping[str, tf.Variable]) -> dict[str, tf.Tensor]:
    """Returns, in a trace, the tensors that LoggingTensorHooks log, by tag.

    Args:
      spec: EstimatorSpec of the trace.
      variables: The model's variables by name. A hook may log a variable by its name, such as
        "global_step".
    """
    tensors = {}
    for hook in _of(spec, "train"):
        if type(hook) is tf1.train.LoggingTensorHook:
            for tag, tensor in hook._tensors.items():
                tensors[str(tag)] = _tensor(tensor, variables)
    return tensors


def _tensor(tensor: Any, variables: Mapping[str, tf.Variable]) -> tf.Tensor:
    if not isinstance(tensor, str):
        return tensor
    name = tensor.removesuffix(":0")
    if name in variables:  # A tf.function's graph has no operation with the variable's name.
        return tf.identity(variables[name])
    return tf1.get_default_graph().get_tensor_by_name(tensor if ":" in tensor else f"{tensor}:0")


def callbacks(spec: Any, model: KerasModelFn, unknown: str) -> list[tf_keras.callbacks.Callback]:
    """Returns callbacks that are equivalent to the spec's training hooks, or that run them.

    Under ParameterServerStrategy, hooks that only log are left out.

    Args:
      spec: EstimatorSpec that the model was built from.
      model: The bridged model.
      unknown: "run" or "warn".

    Raises:
      BridgeError: The spec has hooks that do more than log, under ParameterServerStrategy. Keras
        calls no callbacks at single steps there.
    """
    hooks = [hook for hook in _of(spec, "train") if type(hook) in _CALLBACKS]
    if not isinstance(model.distribute_strategy, tf.distribute.ParameterServerStrategy):
        hook_callbacks = [_CALLBACKS[type(hook)](hook) for hook in hooks]
        if unknown == "run" and _unknown(spec, "train"):
            hook_callbacks.append(session_hooks.RunSpecHooks(lambda spec: _unknown(spec, "train")))
        return hook_callbacks
    if any(type(hook) in _ONLY_LOG for hook in hooks):
        program_log.info("Hooks do not log here: ParameterServerStrategy has no single steps.")
    hooks = [hook for hook in hooks if type(hook) not in _ONLY_LOG]
    if hooks:
        names = ", ".join(type(hook).__name__ for hook in hooks)
        raise BridgeError(
            f"under ParameterServerStrategy Keras has no callbacks at single steps, for {names}: "
            "leave them out of the EstimatorSpec there."
        )
    return []


def with_unknown_size(data: Any, callbacks: Sequence[Any]) -> Any:
    """Hides from Keras that a dataset is endless, if a hook can end the training.

    Keras refuses to train on a dataset with infinite cardinality unless `steps_per_epoch` is set.

    Args:
      data: Data as `fit` takes it.
      callbacks: Callbacks of the training.
    """
    ends = (StopAtStep, session_hooks.RunHooks)
    if not isinstance(data, tf.data.Dataset) or not any(isinstance(c, ends) for c in callbacks):
        return data
    # After a filter, tf.data reports an unknown cardinality.
    is_endless = int(data.cardinality()) == tf.data.INFINITE_CARDINALITY
    return data.filter(lambda *_: True) if is_endless else data


class _Interval:
    """Decides when an action is due, by the number of steps or seconds of a hook."""

    def __init__(self, steps: int | None, secs: float | None) -> None:
        self._steps, self._secs = steps, secs
        self._last_step, self._last_time = -1, time.monotonic()

    def due(self, step: int) -> bool:
        """Returns true if the action is due. The first call always returns true."""
        now = time.monotonic()
        by_steps = bool(self._steps and step - self._last_step >= self._steps)
        by_secs = bool(self._secs and now - self._last_time >= self._secs)
        if self._last_step >= 0 and not by_steps and not by_secs:
            return False
        self._last_step, self._last_time = step, now
        return True


class LogTensors(tf_keras.callbacks.Callback):
    """Logs the tensors of a LoggingTensorHook, as often as the hook did."""

    def __init__(self, hook: Any) -> None:
        super().__init__()
        self._tags = [str(tag) for tag in hook._tensors]
        self._interval = _Interval(hook._timer._every_steps, hook._timer._every_secs)
        self._has_warned = False

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Logs if it is due. `migrate train` runs many steps at once, and has no values of one."""
        values = logs or {}
        if not set(self._tags) <= set(values):
            if not self._has_warned:
                program_log.info("A LoggingTensorHook does not log here: steps run many at once.")
            self._has_warned = True
        elif self._interval.due(int(self.model.global_step.numpy())):
            program_log.info(", ".join(f"{tag} = {values[tag]}" for tag in self._tags))


class StopAtStep(tf_keras.callbacks.Callback):
    """Stops training at the step of a StopAtStepHook."""

    def __init__(self, hook: Any) -> None:
        super().__init__()
        self._steps, self._last = hook._num_steps, hook._last_step

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Counts the hook's steps from the start of the training."""
        if self._steps is not None:
            self._last = int(self.model.global_step.numpy()) + self._steps

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Stops if the last step has been reached."""
        if int(self.model.global_step.numpy()) >= self._last:
            self.model.stop_training = True


class SaveCheckpoints(step_callbacks.SaveCheckpoints):
    """Saves Estimator checkpoints as often as a CheckpointSaverHook did, and at the end."""

    adapter = BridgedAdapter

    def __init__(self, hook: Any) -> None:
        timer = hook._timer
        super().__init__("", timer._every_steps, timer._every_secs, keep=None)
        self._prefix = hook._save_path

    def saving(
        self,
        adapter: ModelAdapter,
        task: str,
        after_save: Callable[[int], None] | None = None,
    ) -> trainer.Saving:
        """Returns the same settings for a `Trainer`."""
        saving = super().saving(adapter, task, after_save)
        files = EstimatorFiles(adapter.model, self._prefix, None)
        return dataclasses.replace(saving, files=files)


class CountSteps(tf_keras.callbacks.Callback):
    """Logs steps per second as often as a StepCounterHook did."""

    def __init__(self, hook: Any) -> None:
        super().__init__()
        self._interval = _Interval(hook._timer._every_steps, hook._timer._every_secs)
        self._last: tuple[int, float] | None = None

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Logs if it is due."""
        step, now = int(self.model.global_step.numpy()), time.monotonic()
        if not self._interval.due(step):
            return
        if self._last is not None and now > self._last[1]:
            speed = (step - self._last[0]) / (now - self._last[1])
            program_log.info("global_step/sec: %g", speed)
        self._last = step, now


# session_parts removes summaries from a trace.
_OF_SUMMARIES = (tf1.train.SummarySaverHook,)
# The step's logs contain only tensors of the spec's own LoggingTensorHooks.
_OF_LOGS = (tf1.train.LoggingTensorHook,)
_ONLY_LOG = (tf1.train.LoggingTensorHook, tf1.train.StepCounterHook)
_CALLBACKS: dict[type, Callable[[Any], tf_keras.callbacks.Callback]] = {
    tf1.train.LoggingTensorHook: LogTensors,
    tf1.train.StopAtStepHook: StopAtStep,
    tf1.train.NanTensorHook: lambda hook: porting.StopAtNan(hook._fail_on_nan_loss),
    tf1.train.CheckpointSaverHook: SaveCheckpoints,
    tf1.train.StepCounterHook: CountSteps,
}
