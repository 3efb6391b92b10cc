"""Train ops for training without an Estimator, and the loop that runs them.

train_op = create_train_op(loss, optimizer, transform_grads_fn=clip_gradient_norms_fn(1.0))
train(train_op, "/tmp/model", hooks=[tf.compat.v1.train.StopAtStepHook(last_step=1000)])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import tensorflow as tf

from modern.model_files import intact

tf1 = tf.compat.v1

_GradsAndVars = list[tuple[Any, tf.Variable]]
# Default of `global_step` in create_train_op: the graph's global step, created if it is missing.
# None has another meaning: no step is counted.
_USE_GLOBAL_STEP = 0


def _map_gradient(gradient: Any, change: Callable[[tf.Tensor], tf.Tensor]) -> Any:
    """Applies a function to the values of a dense or sparse gradient."""
    if isinstance(gradient, tf.IndexedSlices):
        values = change(gradient.values)
        return tf.IndexedSlices(values, gradient.indices, gradient.dense_shape)
    return change(gradient)


def add_gradients_summaries(grads_and_vars: _GradsAndVars) -> list[tf.Tensor]:
    """Adds a histogram and the norm of each gradient to the summaries.

    Args:
      grads_and_vars: Pairs (gradient or None, variable).

    Returns:
      The summaries.
    """
    return summaries_of_gradients(grads_and_vars, "_")


def summaries_of_gradients(grads_and_vars: _GradsAndVars, separator: str) -> list[tf.Tensor]:
    """Adds a histogram and the norm of each gradient to the summaries.

    Args:
      grads_and_vars: Pairs (gradient or None, variable).
      separator: Text between the variable's name and "gradient" in a summary's name.

    Returns:
      The summaries.
    """
    summaries = []
    for gradient, variable in grads_and_vars:
        name = variable.op.name
        if gradient is None:
            tf1.logging.info("Var %s has no gradient", name)
            continue
        values = gradient.values if isinstance(gradient, tf.IndexedSlices) else gradient
        name = f"{name}{separator}gradient"
        summaries.append(tf1.summary.histogram(name, values))
        summaries.append(tf1.summary.scalar(f"{name}_norm", tf.linalg.global_norm([values])))
    return summaries


def clip_gradient_norms(gradients_to_variables: _GradsAndVars, max_norm: float) -> _GradsAndVars:
    """Clips each gradient to a norm.

    Args:
      gradients_to_variables: Pairs (gradient or None, variable).
      max_norm: Maximum L2 norm of each gradient.

    Returns:
      The pairs with clipped gradients.
    """

    def clip(values: tf.Tensor) -> tf.Tensor:
        return tf.clip_by_norm(values, max_norm)

    return [
        (gradient if gradient is None else _map_gradient(gradient, clip), variable)
        for gradient, variable in gradients_to_variables
    ]


def clip_gradient_norms_fn(max_norm: float) -> Callable[[_GradsAndVars], _GradsAndVars]:
    """Returns `clip_gradient_norms` as a `transform_grads_fn`.

    Args:
      max_norm: Maximum L2 norm of each gradient.
    """
    return lambda gradients_to_variables: clip_gradient_norms(gradients_to_variables, max_norm)


def multiply_gradients(
    grads_and_vars: _GradsAndVars, gradient_multipliers: Mapping[Any, Any]
) -> _GradsAndVars:
    """Scales the gradients of some variables.

    Args:
      grads_and_vars: A list of pairs (gradient or None, variable).
      gradient_multipliers: Factors by variable, or by the name of the variable's operation.

    Returns:
      The pairs with scaled gradients.

    Raises:
      ValueError: An argument has a wrong type or is empty, or a variable to scale has no gradient.
    """
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("`gradient_multipliers` must be a dict.")
    factors = {
        key if isinstance(key, str) else key.op.name: factor
        for key, factor in gradient_multipliers.items()
    }
    scaled_pairs = []
    for gradient, variable in grads_and_vars:
        factor = factors.get(variable.op.name)
        if factor is not None:
            if gradient is None:
                raise ValueError(f"Requested multiple of `None` gradient: {variable.op.name}.")
            gradient = _scale(gradient, factor)
        scaled_pairs.append((gradient, variable))
    return scaled_pairs


def _scale(gradient: Any, factor: Any) -> Any:
    return _map_gradient(gradient, lambda values: values * tf.cast(factor, values.dtype))


def create_train_op(
    total_loss: tf.Tensor,
    optimizer: Any,
    global_step: Any = _USE_GLOBAL_STEP,
    update_ops: Iterable[tf.Operation] | None = None,
    variables_to_train: Iterable[tf.Variable] | None = None,
    transform_grads_fn: Callable[[_GradsAndVars], _GradsAndVars] | None = None,
    summarize_gradients: bool = False,
    gate_gradients: int = tf1.train.Optimizer.GATE_OP,
    aggregation_method: int | None = None,
    colocate_gradients_with_ops: bool = False,
    check_numerics: bool = True,
) -> tf.Tensor:
    """Creates a tensor that performs a training step when it is computed.

    Args:
      total_loss: The loss, a scalar.
      optimizer: A `tf.compat.v1.train.Optimizer`.
      global_step: Variable to increment. None counts no step. The default is the graph's global
        step.
      update_ops: Operations to run before the loss. None is the collection UPDATE_OPS.
      variables_to_train: Variables to train. None is all trainable variables.
      transform_grads_fn: Function from pairs (gradient, variable) to pairs.
      summarize_gradients: If true, adds summaries of the gradients.
      gate_gradients: As in `Optimizer.compute_gradients`.
      aggregation_method: As in `Optimizer.compute_gradients`.
      colocate_gradients_with_ops: As in `Optimizer.compute_gradients`.
      check_numerics: If true, a loss that is infinite or NaN is an error.

    Returns:
      The loss, returned after the update. It is added to the collection TRAIN_OP.

    Raises:
      AssertionError: No variable can be trained, or `variables_to_train` has one that is not
        trainable.
    """
    if global_step is _USE_GLOBAL_STEP:
        global_step = tf1.train.get_or_create_global_step()
    # The loss waits for the update ops, such as those of batch normalization.
    with tf.control_dependencies(_checked_update_ops(update_ops)):
        total_loss = tf.identity(total_loss)
    gradients = optimizer.compute_gradients(
        total_loss,
        _checked_variables(variables_to_train),
        gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
    )
    if transform_grads_fn:
        gradients = transform_grads_fn(gradients)
    if summarize_gradients:
        with tf.name_scope("summarize_grads"):
            add_gradients_summaries(gradients)
    update = optimizer.apply_gradients(gradients, global_step=global_step)
    with tf.name_scope("train_op"):
        if check_numerics:
            total_loss = tf.debugging.check_numerics(total_loss, "LossTensor is inf or nan")
        with tf.control_dependencies([update]):
            train_op = tf.identity(total_loss)
    tf1.get_collection_ref(tf1.GraphKeys.TRAIN_OP).append(train_op)
    return train_op


def _checked_update_ops(update_ops: Iterable[Any] | None) -> list[Any]:
    collection = tf1.get_collection(tf1.GraphKeys.UPDATE_OPS)
    if update_ops is None:
        return collection
    update_ops = list(update_ops)
    missing = [op for op in collection if not any(op is update_op for update_op in update_ops)]
    if missing:
        tf1.logging.warning(
            "update_ops in create_train_op does not contain all the update_ops in "
            "GraphKeys.UPDATE_OPS"
        )
    return update_ops


def _checked_variables(variables: Iterable[tf.Variable] | None) -> list[tf.Variable]:
    trainable = tf1.trainable_variables()
    variables = trainable if variables is None else list(variables)
    if not variables:
        raise AssertionError("There is no variable to train: the graph has none, or none is given.")
    for variable in variables:
        if not variable.trainable and not any(
            variable is trainable_variable for trainable_variable in trainable
        ):
            raise AssertionError(f"variables_to_train has one that is not trainable: {variable}")
    return variables


def train(
    train_op: tf.Tensor,
    logdir: str | None,
    master: str = "",
    is_chief: bool = True,
    scaffold: Any = None,
    hooks: Iterable[Any] | None = None,
    chief_only_hooks: Iterable[Any] | None = None,
    save_checkpoint_secs: int | None = 600,
    save_summaries_steps: int | None = 100,
    config: Any = None,
    max_wait_secs: int = 7200,
    run_metadata: Any = None,
) -> Any:
    """Trains until a hook stops it or the input ends.

    Args:
      train_op: Operation to run. Its value is the loss.
      logdir: Folder of the checkpoints and summaries.
      master: The session target.
      is_chief: If true, this process initializes and saves.
      scaffold: A `tf.compat.v1.train.Scaffold`, or None.
      hooks: `SessionRunHook`s for every process.
      chief_only_hooks: `SessionRunHook`s for the chief.
      save_checkpoint_secs: Seconds between checkpoints. None or 0 saves none.
      save_summaries_steps: Steps between summaries. None or 0 saves none.
      config: ConfigProto of the session.
      max_wait_secs: Maximum time that a worker waits for the chief, in seconds.
      run_metadata: A RunMetadata to fill.

    Returns:
      The last value of `train_op`, or None if no step ran.

    Raises:
      ValueError: `logdir` is None, but checkpoints or summaries are to be saved.
      SystemExit: The folder has checkpoints, and all of them are damaged (code 2).
    """
    if logdir is None and is_chief:
        for name, value in (
            ("save_summaries_steps", save_summaries_steps),
            ("save_checkpoint_secs", save_checkpoint_secs),
        ):
            if value:
                raise ValueError(f"logdir cannot be None when {name} is not None")
    if logdir is not None and is_chief:
        with intact.or_exit():
            intact.settle(logdir)
    loss = None
    with tf1.train.MonitoredTrainingSession(
        master=master,
        is_chief=is_chief,
        checkpoint_dir=logdir,
        scaffold=scaffold,
        hooks=hooks,
        chief_only_hooks=chief_only_hooks,
        save_checkpoint_secs=save_checkpoint_secs,
        save_summaries_steps=save_summaries_steps,
        config=config,
        max_wait_secs=max_wait_secs,
    ) as session:
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
    return loss
