"""tf.contrib.layers.optimize_loss, which builds a train op from a loss in one call.

train_op = optimize_loss(loss, None, 0.01, "Adam", clip_gradients=5.0)
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1
_GradsAndVars = list[tuple[Any, tf.Variable]]

OPTIMIZER_CLS_NAMES: dict[str, Callable[..., Any]] = {
    "Adagrad": tf1.train.AdagradOptimizer,
    "Adam": tf1.train.AdamOptimizer,
    "Ftrl": tf1.train.FtrlOptimizer,
    "Momentum": lambda learning_rate: tf1.train.MomentumOptimizer(learning_rate, momentum=0.9),
    "RMSProp": tf1.train.RMSPropOptimizer,
    "SGD": tf1.train.GradientDescentOptimizer,
}

OPTIMIZER_SUMMARIES = [
    "learning_rate",
    "loss",
    "gradients",
    "gradient_norm",
    "global_gradient_norm",
]
_DEFAULT_SUMMARIES = ("loss", "learning_rate", "global_gradient_norm")


def optimize_loss(
    loss: tf.Tensor,
    global_step: Any,
    learning_rate: float | tf.Tensor | None,
    optimizer: Any,
    gradient_noise_scale: float | None = None,
    gradient_multipliers: Mapping[Any, Any] | None = None,
    clip_gradients: float | Callable[[_GradsAndVars], _GradsAndVars] | None = None,
    learning_rate_decay_fn: Callable[[Any, Any], Any] | None = None,
    update_ops: Iterable[tf.Operation] | None = None,
    variables: Sequence[tf.Variable] | None = None,
    name: str | None = None,
    summaries: Sequence[str] | None = None,
    colocate_gradients_with_ops: bool = False,
    increment_global_step: bool = True,
) -> tf.Tensor:
    """Returns a tensor that runs one training step when it is evaluated. Its value is the loss.

    Args:
      loss: Scalar loss.
      global_step: Global step variable. The default is the graph's global step.
      learning_rate: A float, which becomes a variable, or a scalar tensor, or None if the optimizer
        has its own learning rate.
      optimizer: A name in OPTIMIZER_CLS_NAMES, an optimizer, an optimizer class, or a function that
        returns an optimizer. The function takes the learning rate, unless the rate is None.
      gradient_noise_scale: Standard deviation of the noise to add to the gradients.
      gradient_multipliers: Factors of the gradients, by variable or by variable name.
      clip_gradients: Largest global norm of the gradients, a float. Or a function that maps a list
        of (gradient, variable) pairs to a new list.
      learning_rate_decay_fn: Function of the learning rate and the global step that returns the
        decayed learning rate.
      update_ops: Operations to run in each step. The default is the collection UPDATE_OPS.
      variables: Variables to train. The default is all trainable variables.
      name: Variable scope. The default is "OptimizeLoss".
      summaries: Names from OPTIMIZER_SUMMARIES. The default is the loss, the learning rate and the
        global norm.
      colocate_gradients_with_ops: If true, places gradients on the devices of their operations.
      increment_global_step: If true, the update increments the global step.

    Returns:
      The loss. Evaluating it runs the update.

    Raises:
      ValueError: An argument has an unsupported type or value.
    """
    loss = tf1.debugging.assert_scalar(tf.convert_to_tensor(loss))
    if global_step is None:
        global_step = tf1.train.get_global_step()
    else:
        tf1.train.assert_global_step(global_step)
    with tf1.variable_scope(name, "OptimizeLoss", [loss, global_step]):
        loss = _identity_after(_update_ops(update_ops), loss)
        rate = _rate(learning_rate)
        summaries = _checked_summaries(summaries)
        if learning_rate is not None and learning_rate_decay_fn is not None:
            if global_step is None:
                raise ValueError("global_step is required for learning_rate_decay_fn.")
            rate = learning_rate_decay_fn(rate, global_step)
            if "learning_rate" in summaries:
                tf1.summary.scalar("learning_rate", rate)
        instance = _optimizer(optimizer, rate)
        pairs = instance.compute_gradients(
            loss,
            tf1.trainable_variables() if variables is None else variables,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
        )
        if gradient_noise_scale is not None:
            pairs = _with_noise(pairs, gradient_noise_scale)
        if gradient_multipliers is not None:
            pairs = _multiply_gradients(pairs, gradient_multipliers)
        pairs = _clip_gradients(pairs, clip_gradients, summaries)
        _summarize(loss, pairs, summaries, clip_gradients is not None)
        update = instance.apply_gradients(
            pairs, global_step=global_step if increment_global_step else None, name="train"
        )
        return _identity_after([update], loss)


def _identity_after(operations: Sequence[Any], tensor: tf.Tensor) -> tf.Tensor:
    """Returns a copy of a tensor that is computed after the operations."""
    if not operations:
        return tensor
    with (
        tf1.name_scope(None, "control_dependency") as name,
        tf.control_dependencies(operations),
        tf1.colocate_with(tensor),
    ):
        return tf.identity(tensor, name=name)


def _update_ops(update_ops: Iterable[Any] | None) -> list[Any]:
    if update_ops is None:
        update_ops = tf1.get_collection(tf1.GraphKeys.UPDATE_OPS)
    # Distinct by id, because tensors are not hashable.
    return list({id(op): op for op in update_ops}.values())


def _rate(learning_rate: Any) -> Any:
    """Returns the learning rate as a variable, a scalar tensor or None."""
    if learning_rate is None:
        return None
    if tf.is_tensor(learning_rate) and learning_rate.shape.rank == 0:
        return learning_rate
    if not isinstance(learning_rate, float):
        raise ValueError(
            "Learning rate should be 0d Tensor or float. Got "
            f"{learning_rate} of type {type(learning_rate)}"
        )
    if learning_rate < 0:
        raise ValueError(f"Invalid learning_rate {learning_rate}.")
    initializer = tf1.constant_initializer(learning_rate)
    return tf1.get_variable("learning_rate", [], trainable=False, initializer=initializer)


def _checked_summaries(summaries: Sequence[str] | None) -> Sequence[str]:
    if summaries is None:
        return _DEFAULT_SUMMARIES
    for summary in summaries:
        if summary not in OPTIMIZER_SUMMARIES:
            raise ValueError(
                f"Summaries should be one of [{', '.join(OPTIMIZER_SUMMARIES)}], you provided "
                f"{summary}."
            )
    return summaries


def _optimizer(optimizer: Any, rate: Any) -> Any:
    """Returns an optimizer from its name, its class, a function that creates it, or itself."""
    if isinstance(optimizer, tf1.train.Optimizer):
        return optimizer
    is_class = isinstance(optimizer, type) and issubclass(optimizer, tf1.train.Optimizer)
    if isinstance(optimizer, str) or is_class:
        if rate is None:
            kind = "class" if is_class else "string"
            raise ValueError(
                f"Learning rate is None, but should be specified if optimizer is {kind} "
                f"({optimizer})."
            )
        if not is_class and optimizer not in OPTIMIZER_CLS_NAMES:
            raise ValueError(
                f"Optimizer name should be one of [{', '.join(OPTIMIZER_CLS_NAMES)}], you "
                f"provided {optimizer}."
            )
        return (optimizer if is_class else OPTIMIZER_CLS_NAMES[optimizer])(learning_rate=rate)
    if not callable(optimizer):
        raise ValueError(
            "Unrecognized optimizer: should be string, subclass of Optimizer, instance of subclass "
            f"of Optimizer or function with one argument. Got {optimizer}."
        )
    instance = optimizer() if rate is None else optimizer(rate)
    if not isinstance(instance, tf1.train.Optimizer):
        raise ValueError(
            f"Unrecognized optimizer: function should return subclass of Optimizer. Got {instance}."
        )
    return instance


def _change(gradient: Any, change: Callable[[Any], Any]) -> Any:
    """Applies a function to the values of a gradient, which may be dense, sparse or None."""
    if isinstance(gradient, tf.IndexedSlices):
        return tf.IndexedSlices(change(gradient.values), gradient.indices, gradient.dense_shape)
    return None if gradient is None else change(gradient)


def _with_noise(pairs: _GradsAndVars, scale: float) -> _GradsAndVars:
    def noisy(gradient: Any) -> Any:
        if gradient is None:
            return None
        # A sparse gradient becomes dense, because every row receives noise.
        shape = tf.shape(gradient) if tf.is_tensor(gradient) else gradient.dense_shape
        return tf.convert_to_tensor(gradient) + tf.random.truncated_normal(shape) * scale

    return [(noisy(gradient), variable) for gradient, variable in pairs]


def _multiply_gradients(pairs: _GradsAndVars, multipliers: Mapping[Any, Any]) -> _GradsAndVars:
    by_name = {
        key if isinstance(key, str) else key.name: multiplier
        for key, multiplier in multipliers.items()
    }
    new_pairs = []
    for gradient, variable in pairs:
        if variable.name in by_name:
            # `by=factor` below binds the factor of this iteration.
            factor = by_name[variable.name]
            gradient = _change(
                gradient, lambda values, by=factor: values * tf.cast(by, values.dtype)
            )
        new_pairs.append((gradient, variable))
    if not new_pairs:
        raise ValueError(
            "Empty list of (gradient, var) pairs encountered. This is most likely to be caused by "
            "an improper value of gradient_multipliers."
        )
    return new_pairs


def _clip_gradients(pairs: _GradsAndVars, clip: Any, summaries: Sequence[str]) -> _GradsAndVars:
    if "global_gradient_norm" in summaries or "gradient_norm" in summaries:
        tf1.summary.scalar("global_norm/gradient_norm", _norm(pairs))
    if isinstance(clip, float):
        gradients, _ = tf.clip_by_global_norm([gradient for gradient, _ in pairs], clip)
        return [(gradient, pair[1]) for gradient, pair in zip(gradients, pairs, strict=True)]
    if callable(clip):
        return clip(pairs)
    if clip is not None:
        raise ValueError(f"Unknown type {type(clip)} for clip_gradients")
    return pairs


def _norm(pairs: _GradsAndVars) -> tf.Tensor:
    return tf.linalg.global_norm([gradient for gradient, _ in pairs])


def _summarize(
    loss: tf.Tensor, pairs: _GradsAndVars, summaries: Sequence[str], clipped: bool
) -> None:
    if "loss" in summaries:
        tf1.summary.scalar("loss", loss)
    for gradient, variable in pairs:
        values = gradient.values if isinstance(gradient, tf.IndexedSlices) else gradient
        if values is None:
            continue
        tag = variable.name.replace(":", "_")
        if "gradients" in summaries:
            tf1.summary.histogram(f"gradients/{tag}", values)
        if "gradient_norm" in summaries:
            tf1.summary.scalar(f"gradient_norm/{tag}", tf.linalg.global_norm([values]))
    if clipped and ("global_gradient_norm" in summaries or "gradient_norm" in summaries):
        tf1.summary.scalar("global_norm/clipped_gradient_norm", _norm(pairs))


def adaptive_clipping_fn(
    std_factor: float = 2.0,
    decay: float = 0.95,
    static_max_norm: float | None = None,
    global_step: Any = None,
    report_summary: bool = False,
    epsilon: float = 1e-8,
    name: str | None = None,
) -> Callable[[_GradsAndVars], _GradsAndVars]:
    """Returns a `clip_gradients` function that clips norms far above their moving average.

    Args:
      std_factor: Number of standard deviations above the mean log norm at which clipping begins.
      decay: Decay of the moving mean and variance.
      static_max_norm: Fixed upper limit of the norm.
      global_step: Global step, if the moving averages are to adapt faster in the first steps.
      report_summary: If true, adds a summary of the largest allowed norm.
      epsilon: Small constant added to the norm.
      name: Variable scope. The default is "AdaptiveMaxNorm".
    """

    def clip(grads_and_vars: _GradsAndVars) -> _GradsAndVars:
        norm = _norm(grads_and_vars)
        largest, log_mean = _largest_norm(norm, std_factor, decay, global_step, epsilon, name)
        if report_summary:
            tf1.summary.scalar("global_norm/adaptive_max_gradient_norm", largest)
        factor = tf.where(norm < largest, tf.ones_like(norm), tf.exp(log_mean) / norm)
        if static_max_norm is not None:
            factor = tf.minimum(static_max_norm / norm, factor)
        scale = functools.partial(tf.multiply, factor)
        return [(_change(gradient, scale), variable) for gradient, variable in grads_and_vars]

    return clip


def _largest_norm(
    norm: tf.Tensor, std_factor: float, decay: Any, global_step: Any, epsilon: float, name: Any
) -> tuple[tf.Tensor, tf.Tensor]:
    """Returns the largest norm that is not clipped, and the moving mean of log norms."""
    with tf1.variable_scope(name, "AdaptiveMaxNorm", [norm]):
        log_norm = tf.math.log(norm + epsilon)
        if global_step is not None:
            # The decay grows from 0, so that the averages adapt faster in the first steps.
            step = tf.cast(global_step, tf.float32)
            decay = tf.minimum(decay, step / (step + 1.0))

        def average(name: str, value: tf.Tensor) -> tf.Tensor:
            zeros = tf1.zeros_initializer()
            average_variable = tf1.get_variable(
                name, value.shape, value.dtype, initializer=zeros, trainable=False
            )
            return tf1.assign_sub(average_variable, (average_variable - value) * (1.0 - decay))

        mean = average("mean", log_norm)
        variance = average("sq_mean", tf.square(log_norm)) - tf.square(mean)
        deviation = tf.sqrt(tf.maximum(epsilon, variance))
        return tf.exp(mean + std_factor * deviation), mean
