"""Repeats the forward pass from much smaller and much larger weights.

From weights of one magnitude, two different programs may agree. For example, small weights never
reach the ceiling of relu6, and an epsilon under a root is lost next to a variance of one.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import tensorflow as tf

from migrate.verify.measures import activations
from migrate.verify.sides import case as case_lib
from migrate.verify.sides import legacy_model, randomness, values

# Powers of two, so that scaling does not round. Smaller weights would show that fused batch
# normalization has an epsilon of at least 1.001e-5, where another has 1e-5.
SMALL, LARGE = 2.0**-3, 2.0**4
NAMES = {SMALL: "8 times as small", LARGE: "16 times as large"}


def scaled(case: case_lib.Case, factor: float) -> case_lib.Case:
    """Returns the same case with all trained weights multiplied by a factor."""
    names = set(case.graphs[legacy_model.TRAIN].trained_names)
    if legacy_model.EVAL in case.graphs:
        names |= set(case.graphs[legacy_model.EVAL].sources.values())
    return dataclasses.replace(case, weights=values.scaled(case.weights, names, factor))


def compare(
    case: case_lib.Case, factor: float
) -> tuple[case_lib.Case, activations.LayerStates] | None:
    """Compares the outputs outside of training, and all layers if the outputs differ.

    Args:
      case: Both sides, with their own weights.
      factor: Factor of the weights.

    Returns:
      The scaled case and the states of its calls. None if one of the programs overflows.
    """
    scaled_case = scaled(case, factor)
    mode = scaled_case.plain_mode
    graph, batch = scaled_case.graphs[mode], scaled_case.batches.items[0]
    with randomness.dropout_off():
        graph.assign(scaled_case.weights)
        scaled_case.load_port()
        outputs = [graph.run(graph.scalar, batch)]
        for tensor in tf.nest.flatten(
            scaled_case.port.call(batch, training=mode == legacy_model.TRAIN)
        ):
            if tensor.dtype.is_floating:
                outputs.append(tensor.numpy())
        if not all(np.isfinite(end).all() for end in outputs):
            return None
        layers = activations.compare(scaled_case, mode, outputs_only=True)
        if layers.states[0] in (activations.OFF, activations.BEFORE):
            layers = activations.compare(scaled_case, mode)
    return scaled_case, layers
