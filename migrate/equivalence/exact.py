"""The exact tier: the same initial weights and examples must give the same weights.

    from migrate import equivalence

    check = equivalence.exact("weights", "legacy", "single", w_legacy, w_single, initial=w_0)

Use it where training is deterministic.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from migrate.equivalence.check import DIFFERENT, EXACT, INCONCLUSIVE, Check, within


def exact(
    name: str,
    a: str,
    b: str,
    weights_a: Mapping[str, np.ndarray],
    weights_b: Mapping[str, np.ndarray],
    *,
    initial: Mapping[str, np.ndarray] | None = None,
    rtol: float = 1e-3,
    atol: float = 1e-7,
) -> Check:
    """Compares all weights after the same steps on the same examples.

    The statistic is the largest value, over the variables, of `max|a - b| / (scale + atol / rtol)`.
    So a variable passes if `max|a - b| <= rtol * scale + atol`. The scale of a variable is its
    movement in the reference, `max|b - initial|`. Relative to the weights themselves, a short
    training with a wrong learning rate would look like the right one. Without `initial` the scale
    is `max|b|`. Integer variables, such as the global step, must be equal.

    Args:
      name: Name of the compared quantity.
      a: The way under test.
      b: The reference.
      weights_a: Variables of `a` by name, any shape, numeric dtype.
      weights_b: Variables of `b` by name. Names and shapes must be those of `weights_a`.
      initial: Initial weights of both, under the names of `weights_b`.
      rtol: The limit of the statistic.
      atol: Absolute deviation that is always allowed: float32 rounding of weights of order one.

    Returns:
      A check of the exact tier.

    Raises:
      ValueError: `initial` lacks a variable of `weights_b` or has it in another shape.
    """
    header = (name, EXACT, a, b)
    reason = _structure(a, b, weights_a, weights_b)
    if not reason and not weights_b:
        return Check(*header, None, rtol, INCONCLUSIVE, f"{b} has no variables")
    if not reason and _not_finite(b, weights_b):
        return Check(*header, None, rtol, INCONCLUSIVE, _not_finite(b, weights_b))
    reason = reason or _not_finite(a, weights_a) or _unequal_integers(weights_a, weights_b)
    if reason:
        return Check(*header, None, rtol, DIFFERENT, reason)
    floor = atol / rtol
    scales = {
        key: _scale(key, value, initial)
        for key, value in weights_b.items()
        if not _is_integer(value)
    }
    # Variables that would pass even if `a` had not trained them. They must not count as equivalent.
    unmoved = [key for key, scale in scales.items() if scale / (scale + floor) <= rtol]
    if len(unmoved) == len(scales):
        why = f"{b} has not moved from its initial weights, so no error could show"
        return Check(*header, None, rtol, INCONCLUSIVE, why)
    deviations = {key: _farthest(weights_a[key], weights_b[key]) for key in scales}
    ratios = {key: deviations[key] / (scale + floor) for key, scale in scales.items()}
    worst = max(ratios, key=ratios.__getitem__)
    measure = "its largest movement" if initial is not None else "its largest value"
    detail = (
        f"{len(weights_b)} variables; the worst is {worst}: it deviates by at most "
        f"{deviations[worst]:.2g}, {measure} is {scales[worst]:.2g}."
    )
    if unmoved:
        detail += f" Too still to be tested: {_some(unmoved)}."
    numbers = {"deviation": deviations[worst], "scale": scales[worst]}
    return Check(*header, ratios[worst], rtol, within(ratios[worst] <= rtol), detail, numbers)


def _structure(a: str, b: str, weights_a: Mapping, weights_b: Mapping) -> str:
    """Returns a description of differing names and shapes, or ""."""
    parts = []
    for way, keys in (
        (a, sorted(set(weights_a) - set(weights_b))),
        (b, sorted(set(weights_b) - set(weights_a))),
    ):
        if keys:
            parts.append(f"only {way} has {_some(keys)}")
    for key in sorted(set(weights_a) & set(weights_b)):
        shapes = np.shape(weights_a[key]), np.shape(weights_b[key])
        if shapes[0] != shapes[1]:
            parts.append(f"{key} is {shapes[0]} in {a} and {shapes[1]} in {b}")
    return "; ".join(parts)


def _not_finite(way: str, weights: Mapping) -> str:
    names = [key for key, w in weights.items() if not np.all(np.isfinite(np.asarray(w, float)))]
    return f"{way} has NaN or infinity in {_some(names)}" if names else ""


def _is_integer(value: np.ndarray) -> bool:
    return np.asarray(value).dtype.kind in "biu"


def _unequal_integers(weights_a: Mapping, weights_b: Mapping) -> str:
    integers = [key for key, value in weights_b.items() if _is_integer(value)]
    names = [key for key in integers if not np.array_equal(weights_a[key], weights_b[key])]
    return f"integers must be equal, and these are not: {_some(names)}" if names else ""


def _farthest(value_a: np.ndarray, value_b: np.ndarray) -> float:
    difference = np.asarray(value_a, np.float64) - np.asarray(value_b, np.float64)
    return float(np.max(np.abs(difference), initial=0.0))


def _scale(key: str, value: np.ndarray, initial: Mapping[str, np.ndarray] | None) -> float:
    if initial is None:
        return _farthest(value, np.zeros(()))
    if key not in initial or np.shape(initial[key]) != np.shape(value):
        raise ValueError(
            f"initial weights: {key} of shape {np.shape(value)} is not among them. Give the "
            "weights of the reference before its first step"
        )
    return _farthest(value, initial[key])


def _some(keys: Sequence[str], limit: int = 5) -> str:
    suffix = f" and {len(keys) - limit} more" if len(keys) > limit else ""
    return ", ".join(keys[:limit]) + suffix
