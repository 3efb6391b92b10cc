"""Saves the initial values of a training.

    initial_values.save(session, "runs/before/first-1/named/model.ckpt-0")
    path = initial_values.save_model(model, spec, "runs/after/first-1")

An Estimator saves none with `RunConfig(save_checkpoints_secs=None)`, and a Keras model none if its
first batch creates its variables. So another run can begin with these values, and the values of two
programs can be compared.
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


def save_model(model: Any, spec: Any, folder: str) -> str:
    """Saves a Keras model or a bridged model before its first step, with its optimizer.

    Args:
      model: The compiled model. Variables that do not exist yet are created.
      spec: TensorSpecs of a batch.
      folder: Folder of the checkpoint. It is created.

    Returns:
      The path of the checkpoint in the folder.
    """
    import tensorflow as tf

    from modern.model_files import checkpoints, restoring

    if hasattr(model, "save_estimator_checkpoint"):  # `fit` of a bridged model creates variables.
        path = model.save_estimator_checkpoint(os.path.join(folder, "named", "model.ckpt"))
        return os.path.relpath(path, folder)
    restoring.prepare(model, model.train_step, spec)
    path = os.path.join(folder, "keras", "ckpt-0")
    tf.train.Checkpoint(**checkpoints.objects(model)).write(path)
    return os.path.relpath(path, folder)


def _is_partition(variable: Any) -> bool:
    """Returns whether a variable is saved as a part of another one."""
    proto = variable.to_proto() if hasattr(variable, "to_proto") else None
    return proto is None or bool(proto.save_slice_info_def.full_name)
