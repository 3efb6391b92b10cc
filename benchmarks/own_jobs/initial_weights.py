"""Writes the checkpoints that all ways of a user's own job start from, one for each seed.

An Estimator writes them. The port starts from the same weights, under its own names.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from migrate import checkpoint
from migrate.checkpoint.formats.contents import Role
from modern.process import cli

_WEIGHTS = (Role.VARIABLE, Role.AVERAGE)


def of_model_fn(
    model_fn: Callable[..., Any],
    params: Any,
    input_fn: Callable[..., Any],
    prefix: str,
    seeds: Iterable[int],
) -> None:
    """Writes the checkpoint that an Estimator saves before its first step.

    Args:
      model_fn: The user's model_fn, unmodified.
      params: Its params. None if it takes none.
      input_fn: A function without arguments. One or two of its batches are used.
      prefix: Prefix of the checkpoints, which contains {seed} and must end with "model.ckpt-0".
      seeds: The seeds.
    """
    from legacy import estimator as tf_estimator

    for seed in seeds:
        config = tf_estimator.RunConfig(
            model_dir=os.path.dirname(prefix.replace("{seed}", str(seed))),
            tf_random_seed=seed,
            # Intervals that a single step does not reach.
            save_summary_steps=10**9,
            save_checkpoints_steps=10**9,
        )
        tf_estimator.Estimator(model_fn, config=config, params=params).train(input_fn, steps=1)


def of_port(prefix: str, names: Mapping[str, str], port_prefix: str, seeds: Iterable[int]) -> None:
    """Writes the weights of a model_fn under the names of its port.

    Args:
      prefix: Prefix of the checkpoints of `of_model_fn`, which contains {seed}.
      names: Weight of the port for each variable of the model_fn.
      port_prefix: Prefix of the checkpoints to write, which contains {seed}.
      seeds: The seeds.
    """
    from modern.model_files import weights

    for seed in seeds:
        values = read(prefix.replace("{seed}", str(seed)))
        port_values = {new: values[old] for old, new in names.items()}
        weights.save(port_prefix.replace("{seed}", str(seed)), port_values)


def read(path: str) -> dict[str, np.ndarray]:
    """Returns the weights by name in a checkpoint of any way, without slots and counters."""
    with checkpoint.open_source(path) as source:
        return {
            tensor.name: source.read(tensor) for tensor in source.stored if tensor.role in _WEIGHTS
        }


def pair(values: Mapping[str, np.ndarray], port: Any, flag: str) -> dict[str, str]:
    """Matches the variables of a model_fn with the weights of its port.

    Args:
      values: Variables of the model_fn.
      port: The Keras model.
      flag: The flag that names it, with its value.

    Returns:
      Weight for each variable. Variables that the port lacks are left out.

    Raises:
      cli.UsageError: A weight of the port matches several variables, or none, or has another shape.
    """
    from modern.model_files import weights

    right = [
        checkpoint.Tensor(name, tuple(weight.shape), weight.dtype.name)
        for name, [weight] in weights.parts_of(port).items()
    ]
    left = [checkpoint.Tensor(name, v.shape, str(v.dtype)) for name, v in values.items()]
    proposal = checkpoint.propose(left, right)
    advice = "give the layers of the port the names that they have in the model_fn"
    for name, others in proposal.ambiguous.items():
        raise cli.UsageError(
            f"{flag}: {name} of the model_fn could be each of {', '.join(others)}: {advice}."
        )
    if proposal.only_right:
        raise cli.UsageError(
            f"{flag}: the model_fn has no variable like {', '.join(proposal.only_right)}: "
            f"{advice}, or remove these weights from the port."
        )
    shapes = {tensor.name: tensor.shape for tensor in right}
    for name, other in proposal.pairs.items():
        if shapes[other] != values[name].shape:
            raise cli.UsageError(
                f"{flag}: {other} has the shape {shapes[other]}, and {name} of the model_fn "
                f"{values[name].shape}."
            )
    return proposal.pairs
