"""Computes the values of a port that are compared between backends.

values = recording.record(side, recording.Inputs(weights, batches, evaluation, steps=3))
values["loss of batch 1 in training"]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from modern.process import chosen_keras

_BATCHES = 2  # Number of batches for outputs, losses and gradients.
_MODES = {False: "evaluation", True: "training"}


class Side(Protocol):
    """A port with one backend. A batch is whatever its `record` is given."""

    @property
    def trainable(self) -> set[str]:
        """Names of the weights that training changes by gradients."""

    def assign(self, values: Mapping[str, np.ndarray]) -> None:
        """Assigns values to weights by name."""

    def read(self) -> dict[str, np.ndarray]:
        """Returns all weights by name."""

    def call(self, batch: Any, training: bool) -> Any:
        """Returns the model's outputs, a structure of tensors."""

    def loss(self, batch: Any, training: bool) -> tuple[float, float]:
        """Returns the loss with regularization, and its part in `model.losses`."""

    def gradients(self, batch: Any) -> dict[str, np.ndarray | None]:
        """Returns the gradients of the training loss by weight."""

    def step(self, batch: Any) -> float | None:
        """Takes one training step, and returns the reported loss, if any."""

    def evaluate(self, items: Any) -> dict[str, float]:
        """Returns the metrics over all batches."""


class Inputs(NamedTuple):
    """Weights and batches from which both sides compute.

    Attributes:
      weights: Initial weights by name.
      batches: Batches for training.
      evaluation: Batches for the metrics.
      steps: Number of training steps.
    """

    weights: Mapping[str, np.ndarray]
    batches: Sequence[Any]
    evaluation: Sequence[Any]
    steps: int


def record(side: Side, inputs: Inputs) -> dict[str, np.ndarray]:
    """Returns outputs, losses, gradients, weights after steps, and metrics, by a description.

    Args:
      side: The port. Its optimizer has taken no step.
      inputs: Weights and batches, in the form that the side takes.
    """
    weights, batches, evaluation, steps = inputs
    values: dict[str, Any] = {}
    for number, batch in enumerate(batches[:_BATCHES], 1):
        for training, mode in _MODES.items():
            where = f"of batch {number} in {mode}"
            side.assign(weights)
            for index, output in enumerate(_leaves(side.call(batch, training)), 1):
                values[f"output {index} {where}"] = output
            side.assign(weights)
            values[f"loss {where}"] = side.loss(batch, training)[0]
        side.assign(weights)
        for name, gradient in side.gradients(batch).items():
            if gradient is not None and name in side.trainable:
                values[f"gradient of {name}, batch {number}"] = gradient
    side.assign(weights)
    for number in range(1, steps + 1):
        loss = side.step(batches[(number - 1) % len(batches)])
        if loss is not None:
            values[f"loss of step {number}"] = loss
        values |= {f"{name} after step {number}": array for name, array in side.read().items()}
    side.assign(weights)
    values |= {f"metric {name}": number for name, number in side.evaluate(evaluation).items()}
    return {name: _float32(value) for name, value in values.items()}


def _float32(value: Any) -> np.ndarray:
    """Returns an array. A Python number has the precision of the computation."""
    array = np.asarray(value)
    return array.astype(np.float32) if isinstance(value, float) else array


def _leaves(structure: Any) -> Iterator[np.ndarray]:
    if isinstance(structure, Mapping):
        structure = [structure[key] for key in sorted(structure)]
    if isinstance(structure, (list, tuple)):
        for part in structure:
            yield from _leaves(part)
    else:
        yield chosen_keras.load().ops.convert_to_numpy(structure)
