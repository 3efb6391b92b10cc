"""The largest differences between two ways of training that count as equivalent.

A margin answers the question of a reader who is about to migrate a job: "From which difference on
would I keep the old way?" It is a constant of the job, in the unit of the figure, and is never
computed from the runs that it judges. docs/compare.md explains each number.
"""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Margins:
    """The margins of a job.

    Attributes:
      loss: Difference of the final evaluation loss.
      metric: Difference of any other final metric, such as accuracy or AUC.
      curve: Difference of the mean training loss in any stretch of the training.
      exact: Deviation of a weight after a few deterministic steps, relative to its movement.
    """

    loss: float
    metric: float
    curve: float
    exact: float = 0.01


OF_JOB = {
    "mnist_cnn": Margins(loss=0.01, metric=0.01, curve=0.1),
    "linear_regression": Margins(loss=0.0005, metric=0.01, curve=0.1),
    "sparse_embeddings": Margins(loss=0.02, metric=0.02, curve=0.05),
    "wide_deep": Margins(loss=0.02, metric=0.02, curve=0.05),
    "resnet56_cifar10": Margins(loss=0.1, metric=0.05, curve=0.1),
}


def of_initial_loss(loss: float) -> Margins:
    """Returns the margins of a job that defines none.

    Args:
      loss: The loss before training, which sets the scale. The fractions are about those of
        mnist_cnn, whose loss begins at 2.3.
    """
    return Margins(loss=0.005 * abs(loss), metric=0.01, curve=0.05 * abs(loss))
