"""Gives a run of the rewritten program the initial weights of the recorded run.

    weights.carry(before, like, "step/work")

An Estimator's checkpoint is copied for an Estimator or a bridged model, and converted for a Keras
model. The checkpoints of an earlier run of the same program show which format each folder needs.
"""

from __future__ import annotations

import dataclasses
import os

import numpy as np

from migrate import checkpoint, same_run
from migrate.port import pairing
from migrate.port.in_program import initial_weights
from migrate.same_run import recorder
from modern.process import cli, quiet_import


def carry(
    before: same_run.Recording,
    like: same_run.Recording,
    work: str,
    nudge: float = 0.0,
    seed: int = 0,
) -> None:
    """Prepares the initial weights of a recorded run for the folders of the models.

    Args:
      before: The recorded run.
      like: A run of the rewritten program from other weights.
      work: Folder in which the program will run. `initial_weights` puts the weights into the
        folders of its models.
      nudge: Relative size of random changes of the weights.
      seed: Seed of the random changes.

    Raises:
      cli.UsageError: The weights cannot be converted.
    """
    quiet_import.import_tensorflow()
    folder = os.path.join(os.path.dirname(work), initial_weights.CARRIED)
    names = {old: new for new, old in pairing.pairs(before, like).items()}
    for original_dir, prefix in before.first_checkpoints.items():
        model_dir = names.get(original_dir, original_dir)
        template = like.checkpoints.get(model_dir)
        # An Estimator that saves no checkpoint, or its bridged model, still restores one.
        is_by_name = template.by_name if template is not None else like is before
        if os.path.isabs(model_dir) or (template is None and not is_by_name):
            continue
        place = os.path.join(folder, model_dir)
        if template is None or is_by_name:
            name = os.path.basename(prefix)
            if nudge:
                _nudge(prefix, os.path.join(place, name), nudge, seed)
            else:
                recorder.copy_checkpoint(prefix, os.path.join(place, name))
            with open(os.path.join(place, "checkpoint"), "w") as file:
                file.write(
                    f'model_checkpoint_path: "{name}"\nall_model_checkpoint_paths: "{name}"\n'
                )
        else:
            os.makedirs(os.path.join(place, "checkpoints"))
            _convert(prefix, os.path.join(place, "checkpoints", "ckpt-0"), template)


def _nudge(prefix: str, to: str, size: float, seed: int) -> None:
    """Copies a name-based checkpoint with slightly different weights."""
    import tensorflow as tf

    os.makedirs(os.path.dirname(to))
    generator = np.random.default_rng(seed)
    names, tensors = [], []
    with checkpoint.open_source(prefix) as source:
        for variable in source.stored:
            value = np.asarray(source.read(variable))
            if value.dtype.kind == "f":
                noise = 1.0 + size * generator.uniform(-1.0, 1.0, value.shape)
                value = (value * noise).astype(value.dtype)
            names.append(variable.key or variable.name)
            tensors.append(tf.constant(value))
    tf.raw_ops.SaveV2(
        prefix=to, tensor_names=names, shape_and_slices=[""] * len(names), tensors=tensors
    )


def _convert(prefix: str, to: str, template: same_run.recording.Checkpoint) -> None:
    """Converts an initial checkpoint with the options that `migrate checkpoint` suggests."""
    keep = tuple(f"model/{attribute}/*" for attribute in template.keep)
    # STOP belongs to a hook. Keras computes the beta powers from the step, which is 0 here. All
    # momentum is 0 before the first step, so that any learning rate is right.
    options = checkpoint.Options(
        keep=keep,
        leave_out=("signal_early_stopping/STOP", "beta?_power"),
        learning_rate=1.0,
    )
    try:
        checkpoint.convert(prefix, to, like=template.path, options=options)
    except cli.UsageError as error:
        # One side has momentum slots even if its momentum is 0.
        if "Momentum is of no effect if the hyperparameter is 0" not in str(error):
            raise
        options = dataclasses.replace(
            options, keep=(*keep, "SGD/m/*"), leave_out=(*options.leave_out, "*/RMSProp_1")
        )
        checkpoint.convert(prefix, to, like=template.path, options=options)
