"""Compares what the two programs of a recipe return."""

import numpy as np

RTOL, ATOL = 1e-5, 1e-6


def differences(old, new, where=""):
    """Where two results differ, with both values; numbers may differ by rounding.

    Args:
      old: what the old program returns: numbers, texts, and lists and dictionaries of them.
      new: what the new one does.
      where: the place within the whole.

    Returns:
      A line for each difference.
    """
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        parts = [(f"{where}/{name}", old[name], new[name]) for name in old]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        parts = [(f"{where}[{i}]", a, b) for i, (a, b) in enumerate(zip(old, new, strict=True))]
    else:
        return [] if _same(old, new) else [f"{where}: {old!r} is {new!r} in the new program"]
    return [line for place, a, b in parts for line in differences(a, b, place)]


def _same(old, new):
    if isinstance(old, int) and isinstance(new, int):
        return old == new
    numbers = all(isinstance(value, int | float) for value in (old, new))
    return bool(np.isclose(old, new, RTOL, ATOL)) if numbers else old == new
