"""What a training draws without a seed: an order of examples, augmentation, dropout masks.

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
    """Adds an unseeded shuffle's numbers and an unseeded augmentation to the features."""
    numbers = tf.data.Dataset.range(_COUNT)
    numbers = numbers.shuffle(_COUNT).repeat() if shuffled else numbers
    drawn = numbers.map(lambda number: (number, tf.random.uniform([])))
    return tf.data.Dataset.zip((examples, drawn)).map(
        lambda example, one: ({**example[0], "y_order": one[0], "z_noise": one[1]}, example[1])
    )


def note(features, mask, path):
    """Makes the operation that writes one step's draws to the end of a file.

    Args:
      features: A batch of examples that `added` has changed.
      mask: What dropout has made of ones.
      path: The file.
    """
    return tf.print(
        *(features["y_order"], features["z_noise"], mask),
        output_stream=f"file://{path}", summarize=-1, sep="|",
    )  # fmt: skip


def read(path):
    """Returns (numbers, noise, mask) of each step, as texts."""
    return [
        tuple(tuple(re.findall(r"[\w.+-]+", part)) for part in line.split("|"))
        for line in path.read_text().splitlines()
    ]


def check_distinct(path, steps):
    """Checks that all trainers drew other numbers in their first steps.

    Args:
      path: The file of all trainers.
      steps: How many steps to look at, of those that they made together.
    """
    orders, noises, masks = zip(*read(path)[:steps], strict=True)
    assert len(set(orders)) == len(set(noises)) == len(set(masks)) == steps
    numbers = [number for order in orders for number in order]
    # Each trainer draws from all numbers, so a few of them come twice by chance.
    assert len(set(numbers)) > 0.9 * len(numbers)
