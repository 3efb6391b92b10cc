"""Saves the initial values of a training whose Estimator saves no checkpoint.

    initial_values.save(session, "runs/before/first-1/named/model.ckpt-0")

`RunConfig(save_checkpoints_secs=None)` is an example. So another run can begin with these values.
"""

from __future__ import annotations

import os
from typing import Any


def save(session: Any, prefix: str) -> bool:
    """Saves the variables of a session by their names.

    Args:
      session: A session whose variables are initialized.
      prefix: Path of the checkpoint. Its folder is created.

    Returns:
      False if the variables cannot be saved, such as partitions.
    """
    import tensorflow as tf

    tf1 = tf.compat.v1
    with session.graph.as_default():
        variables = {variable.op.name: variable for variable in tf1.global_variables()}
    if not variables or any(map(_is_partition, variables.values())):
        return False
    values = session.run(variables)  # The graph is final, so that no saver can be added to it.
    names = sorted(variables)
    os.makedirs(os.path.dirname(prefix), exist_ok=True)
    with tf.Graph().as_default(), tf1.Session() as saver:
        tensors = [tf1.placeholder(variables[name].dtype.base_dtype) for name in names]
        save_op = tf.raw_ops.SaveV2(
            prefix=prefix,
            tensor_names=names,
            shape_and_slices=[""] * len(names),
            tensors=tensors,
        )
        feeds = {tensor: values[name] for tensor, name in zip(tensors, names, strict=True)}
        saver.run(save_op, feeds)
    return True


def _is_partition(variable: Any) -> bool:
    """Returns whether a variable is saved as a part of another one."""
    proto = variable.to_proto() if hasattr(variable, "to_proto") else None
    return proto is None or bool(proto.save_slice_info_def.full_name)
