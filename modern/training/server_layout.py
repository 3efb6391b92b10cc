"""Description of the bytes on each parameter server, in one line.

>>> import tensorflow as tf
>>> with tf.Graph().as_default():
...     with tf.device("/job:ps/task:0"):
...         table = tf.compat.v1.get_variable("table/part_0", [50_000, 16])
...     with tf.device("/job:ps/task:1"):
...         rest = tf.compat.v1.get_variable("table/part_1", [40_000, 16])
>>> describe([table, rest])
'ps-0: 3.2 MB, ps-1: 2.6 MB (1 variable is split)'
"""

from __future__ import annotations

import collections
import re
from collections.abc import Iterable

import tensorflow as tf

_PART = re.compile(r"/part_\d+")


def describe(variables: Iterable[tf.Variable]) -> str:
    """Returns the bytes on each parameter server, and the number of variables that are split.

    Args:
      variables: Variables, or parts of variables, whose names end with "/part_N" as those of
        TensorFlow's partitioners.

    Returns:
      One line. An empty string if no variable is on a parameter server.
    """
    sizes: collections.Counter[int] = collections.Counter()
    parts: collections.Counter[str] = collections.Counter()
    for variable in variables:
        place = tf.DeviceSpec.from_string(variable.device)
        if place.job != "ps" or not variable.shape.is_fully_defined():
            continue
        sizes[place.task or 0] += variable.shape.num_elements() * variable.dtype.size
        if _PART.search(variable.name):
            parts[_PART.sub("", variable.name)] += 1
    line = ", ".join(f"ps-{task}: {size / 1e6:.1f} MB" for task, size in sorted(sizes.items()))
    number = sum(count > 1 for count in parts.values())
    if number:
        line += f" ({number} variable{'s are' if number > 1 else ' is'} split)"
    return line
