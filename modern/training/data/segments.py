"""The division of a training into calls of `fit`.

>>> Plan(train_steps=25, steps_per_epoch=10).segments(start=4)
[(0, 1, 6), (1, 2, 10), (2, 3, 5)]
"""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Plan:
    """Divides a training into epochs of Keras.

    Attributes:
      train_steps: The step at which the training ends.
      steps_per_epoch: Steps in an epoch of Keras.
    """

    train_steps: int
    steps_per_epoch: int

    def segments(self, start: int) -> list[tuple[int, int, int]]:
        """Returns the calls of `fit` from a step on: (initial epoch, epochs, steps per epoch).

        A training that starts or ends within an epoch has a shorter epoch there.
        """
        calls, step = [], start
        while step < self.train_steps:
            epoch, offset = divmod(step, self.steps_per_epoch)
            whole = (self.train_steps - step) // self.steps_per_epoch
            if offset or not whole:
                steps = min(self.steps_per_epoch - offset, self.train_steps - step)
                calls.append((epoch, epoch + 1, steps))
                step += steps
            else:
                calls.append((epoch, epoch + whole, self.steps_per_epoch))
                step += whole * self.steps_per_epoch
        return calls
