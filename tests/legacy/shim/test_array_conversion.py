"""Tests of arrays as numbers. Run in another process, because NumPy is changed for good."""

import subprocess
import sys

PROGRAM = """
import math
import numpy as np
from legacy.shim import array_conversion

array_conversion.restore(np)
array_conversion.restore(np)  # The second call changes nothing.

class Old(np.ndarray):
    pass

one = np.array([[1.5]])
assert (float(one), int(one), complex(one)) == (1.5, 1, 1.5 + 0j)
assert (float(np.array(2)), int(np.float32(2)), "%.1f" % one) == (2.0, 2, "1.5")
assert (math.floor(np.array([2.5])), float(one.view(Old))) == (2, 1.5)
for array in (np.ones(2), np.ones(0), np.array(["a"])):
    for convert in (float, int):
        try:
            convert(array)
        except (TypeError, ValueError):
            continue
        raise AssertionError(array)
"""


def test_an_array_with_one_element_is_a_number():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
