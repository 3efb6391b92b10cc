"""Names and arguments of the metrics of tf.contrib.metrics that tf.metrics has as well.

>>> successor("tf.contrib.metrics.streaming_percentage_less")
'percentage_below'
"""

from __future__ import annotations

_PREFIX = "tf.contrib.metrics.streaming_"
_PAIR = ("predictions", "labels")
_OPTIONS = ("metrics_collections", "updates_collections")
_COMMON = ("weights", *_OPTIONS, "name")
_COUNTS = ("false_negatives", "false_positives", "true_negatives", "true_positives")
_PARAMETERS = {
    **dict.fromkeys(("accuracy", "precision", "recall", *_COUNTS), (*_PAIR, *_COMMON)),
    "auc": (*_PAIR, "weights", "num_thresholds", *_OPTIONS, "curve", "name"),
    "mean": ("values", *_COMMON),
    "mean_absolute_error": (*_PAIR, *_COMMON),
    "mean_iou": (*_PAIR, "num_classes", *_COMMON),
    "mean_squared_error": (*_PAIR, *_COMMON),
    "mean_tensor": ("values", *_COMMON),
    "percentage_less": ("values", "threshold", *_COMMON),
    "precision_at_thresholds": (*_PAIR, "thresholds", *_COMMON),
    "recall_at_thresholds": (*_PAIR, "thresholds", *_COMMON),
    "root_mean_squared_error": (*_PAIR, *_COMMON),
}
NAMES = tuple(f"{_PREFIX}{name}" for name in _PARAMETERS)


def successor(name: str) -> str:
    """Returns the name of the same metric in tf.metrics, or "" if it has none.

    Args:
      name: Public name of a metric of tf.contrib.metrics.
    """
    kind = name.removeprefix(_PREFIX)
    known = {"percentage_less": "percentage_below"}
    return known.get(kind, kind) if name in NAMES else ""


def parameters(name: str) -> tuple[str, ...]:
    """Returns the parameters of a metric of tf.contrib.metrics, in order.

    Args:
      name: Its public name, one of `NAMES`.
    """
    return _PARAMETERS[name.removeprefix(_PREFIX)]
