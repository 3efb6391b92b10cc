"""Batch size, learning rate and steps under a new strategy, in words and numbers.

>>> print(advise(4, True, "multi_worker_mirrored", batch_size=128, learning_rate=0.1)[1].title)
the work of each task as it was

The examples in one update decide. On asynchronous parameter servers an update is one trainer's
batch, both under an Estimator and under ParameterServerStrategy. With all-reduce it is the mean
over the batches of all N trainers. To keep the batch of each task, multiply the rate by N for the
same progress per example. This is the linear scaling rule of Goyal et al., 2017, arXiv:1706.02677,
which also describes the warm-up. For adaptive optimizers it is the square root of N, Malladi et
al., 2022, arXiv:2205.10287. To keep the update, divide the batch by N.
"""

from __future__ import annotations

import dataclasses

from modern.process import cli


@dataclasses.dataclass(frozen=True)
class Choice:
    """A choice of the numbers. A number is None if the old one is unknown.

    Attributes:
      title: Property that the choice keeps.
      batch_size: Batch size per trainer.
      global_batch_size: Batch size of all trainers, for `Dataset.batch` if TensorFlow splits the
        dataset.
      update_size: Number of examples whose mean is one update.
      learning_rate: Learning rate for one update.
      train_steps: Number of updates for as many examples as before.
      text: The choice in words.
    """

    title: str
    batch_size: int | None
    global_batch_size: int | None
    update_size: int | None
    learning_rate: float | None
    train_steps: int | None
    text: str


def advise(
    trainers: int,
    asynchronous: bool,
    way: str,
    *,
    batch_size: int | None = None,
    learning_rate: float | None = None,
    train_steps: int | None = None,
) -> list[Choice]:
    """Returns choices of batch size, learning rate and steps.

    Args:
      trainers: Number of tasks that compute gradients, before and after.
      asynchronous: True if the old job trained on parameter servers, with each batch an update.
      way: The new way: "parameter_server" or "multi_worker_mirrored".
      batch_size: Old batch size, per trainer.
      learning_rate: Old learning rate.
      train_steps: The old TrainSpec's max_steps: updates of all trainers together.

    Returns:
      The choices. The first changes least.

    Raises:
      cli.UsageError: The batch is too small to be split.
    """
    old = _Old(trainers, batch_size, learning_rate, train_steps)
    if asynchronous == (way == "parameter_server"):
        kind = "one trainer's batch" if asynchronous else f"the mean over {trainers} batches"
        text = f"Nothing changes: one update is {kind}, as before."
        return [old.choice("as it was", 1, 1, 1, 1 if asynchronous else trainers, text)]
    return _to_synchronous(old) if asynchronous else _to_served(old)


@dataclasses.dataclass(frozen=True)
class _Old:
    trainers: int
    batch_size: int | None
    learning_rate: float | None
    train_steps: int | None

    def choice(
        self, title: str, batch: float, rate: float, steps: float, batches: int, text: str
    ) -> Choice:
        """Scales the known numbers. `batches` is the number of batches in one update."""
        # The addend keeps rounding from turning, for example, 49 * (1 / 49) into 0.
        size = None if self.batch_size is None else int(self.batch_size * batch + 1e-9)
        if size == 0:
            raise cli.UsageError(
                f"--batch-size={self.batch_size} cannot be split over {self.trainers} trainers: "
                "leave it out, or train with fewer."
            )
        rate_per_update = None if self.learning_rate is None else self.learning_rate * rate
        return Choice(
            title,
            size,
            None if size is None else size * self.trainers,
            None if size is None else size * batches,
            rate_per_update,
            None if self.train_steps is None else max(round(self.train_steps * steps), 1),
            text,
        )


def _to_synchronous(old: _Old) -> list[Choice]:
    n = old.trainers
    same_update = old.choice(
        "each update as it was",
        1 / n,
        1,
        1,
        n,
        f"One update is the mean over the batches of all {n} trainers. With 1/{n} of the batch in "
        "each task, it uses as many examples as one update of the Estimator. Rate, schedule and "
        f"steps stay. No gradient is stale. The tasks communicate as often, but for 1/{n} of the "
        f"work: an example takes longer.{_remainder(old)}",
    )
    same_work = old.choice(
        "the work of each task as it was",
        1,
        n,
        1 / n,
        n,
        f"The same batch in each task, so the global batch is kept: one update uses {n} times the "
        f"examples, and replaces {n} updates. So {n} times the rate (warm up to it), and 1/{n} of "
        "the steps, of the schedule's boundaries and of the decay steps. For Adam and similar "
        f"optimizers, try the square root of {n} instead.",
    )
    return [same_update, same_work]


def _remainder(old: _Old) -> str:
    if not old.batch_size or not old.batch_size % old.trainers:
        return ""
    return (
        f" {old.batch_size} is not a multiple of {old.trainers}: an update uses "
        f"{old.batch_size // old.trainers * old.trainers} examples."
    )


def _to_served(old: _Old) -> list[Choice]:
    n = old.trainers
    same_work = old.choice(
        "the work of each task as it was",
        1,
        1 / n,
        n,
        1,
        f"One update uses one worker's batch instead of the mean over {n}. So 1/{n} of the rate "
        f"and {n} times the steps, of the schedule's boundaries and of the decay steps. Gradients "
        f"may be stale by about {_updates(n - 1)}.",
    )
    same_update = old.choice(
        "each update as it was",
        n,
        1,
        1,
        1,
        f"{n} times the batch in each task: one update uses as many examples as before, and rate "
        f"and steps stay. A task needs {n} times the memory for activations. Gradients may be "
        f"stale by about {_updates(n - 1)}: if it diverges, lower the rate.",
    )
    return [same_work, same_update]


def _updates(count: int) -> str:
    return f"{count} update" + ("" if count == 1 else "s")


def lines(choices: list[Choice]) -> list[str]:
    """Returns the choices for printing, a paragraph each."""
    paragraphs = []
    for letter, choice in zip("ABC", choices, strict=False):
        title = f"{letter}. Keep {choice.title}: " if len(choices) > 1 else ""
        numbers = [
            f"{name} {value:g}" if isinstance(value, float) else f"{name} {value:,}"
            for name, value in (
                ("per worker", choice.batch_size),
                ("global", choice.global_batch_size),
                ("examples per update", choice.update_size),
                ("learning rate", choice.learning_rate),
                ("steps", choice.train_steps),
            )
            if value is not None
        ]
        paragraphs.append(title + (f"[{', '.join(numbers)}] " if numbers else "") + choice.text)
    return paragraphs
