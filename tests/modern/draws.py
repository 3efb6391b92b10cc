"""Unseeded random numbers of a training: an order of examples, augmentation, dropout masks.

data = draws.added(examples).batch(16)
...
draws.note(features, mask, path)  # in a step of training
...
draws.check_distinct(path, steps)
"""

import re

import tensorflow as tf

_COUNT = 20_000


def added(examples, shuffled=True):
    """Adds the numbers of an unseeded shuffle and an unseeded augmentation to the features."""
    numbers = tf.data.Dataset.range(_COUNT)
    numbers = numbers.shuffle(_COUNT).repeat() if shuffled else numbers
    drawn = numbers.map(lambda number: (number, tf.random.uniform([])))
    return tf.data.Dataset.zip((examples, drawn)).map(
        lambda example, one: ({**example[0], "y_order": one[0], "z_noise": one[1]}, example[1])
    )


def note(features, mask, path):
    """Returns the operation that appends one step's random numbers to a file.

    Args:
      features: A batch of the examples of `added`.
      mask: Output of dropout for an input of ones.
      path: Path of the file.
    """
    return tf.print(
        *(features["y_order"], features["z_noise"], mask),
        output_stream=f"file://{path}", summarize=-1, sep="|",
    )  # fmt: skip


def read(path):
    """Returns (numbers, noise, mask) of each step as strings."""
    return [
        tuple(tuple(re.findall(r"[\w.+-]+", part)) for part in line.split("|"))
        for line in path.read_text().splitlines()
    ]


def check_distinct(path, steps):
    """Checks that all trainers drew different numbers in their first steps.

    Args:
      path: The file of all trainers.
      steps: Number of steps to check. It counts the steps of all trainers together.
    """
    orders, noises, masks = zip(*read(path)[:steps], strict=True)
    assert len(set(orders)) == len(set(noises)) == len(set(masks)) == steps
    numbers = [number for order in orders for number in order]
    # Each trainer draws from all numbers, so a few numbers occur twice by chance.
    assert len(set(numbers)) > 0.9 * len(numbers)
