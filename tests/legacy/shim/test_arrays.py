"""Tests of arrays as numbers. Run in another process, because NumPy is changed for good."""

import subprocess
import sys

PROGRAM = """
import math
import numpy as np
from legacy.shim import arrays

arrays.restore_conversion(np)
arrays.restore_conversion(np)  # The second call changes nothing.

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


INDEXING = """
import numpy as np
from legacy.shim import arrays

arrays.restore_indexing(np)
arrays.restore_indexing(np)
array = np.arange(6).reshape(2, 3)
part = [slice(0, 1), slice(1, 3)]
assert array[part].tolist() == [[1, 2]]
array[part] = 7
assert array.tolist() == [[0, 7, 7], [3, 4, 5]]
assert array[[..., 0]].tolist() == [0, 3]
assert array[[1, 0]].tolist() == [[3, 4, 5], [0, 7, 7]]
assert array[[[0, 1], [1, 1]]].shape == (2, 2, 3)
assert (array[1, 2], array[array > 5].size, array[-1:].shape) == (5, 2, (1, 3))
try:
    del array[0]
    raise AssertionError
except ValueError:
    pass
try:
    array[5]
    raise AssertionError
except IndexError:
    pass
"""


def test_a_list_of_slices_is_an_index():
    done = subprocess.run(
        [sys.executable, "-c", INDEXING], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_an_array_with_one_element_is_a_number():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
