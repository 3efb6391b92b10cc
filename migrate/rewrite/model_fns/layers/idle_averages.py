"""Keeps the averages of batch normalization that no training step updated.

    parts = arguments(item)
    comment(item)

TensorFlow 1 updates the averages of `tf.layers.batch_normalization` by UPDATE_OPS, and those of
Keras' layers by `layer.updates`. Many model_fns run neither. Keras always updates them, and a
momentum of 1 lets each average keep its value.
"""

from __future__ import annotations

import re

from migrate.rewrite.model_fns.layers.object_maker import Object

_KEYWORD = re.compile(r"\w+=(?!=)")


def without_updates(item: Object) -> Object:
    """Returns an object for a model_fn that does not run UPDATE_OPS."""
    is_normalization = item.function.endswith(".BatchNormalization")
    return item._replace(updates="UPDATE_OPS") if is_normalization else item


def arguments(item: Object) -> tuple[str, ...]:
    """Returns the texts of an object's arguments."""
    if not item.updates:
        return item.parts
    parts = tuple(part for part in item.parts if not part.startswith("momentum="))
    if len(parts) > 1 and not _KEYWORD.match(parts[1]):  # The momentum is the second parameter.
        return (parts[0], "1.0", *parts[2:])
    return (*parts, "momentum=1.0")


def comment(item: Object) -> str:
    """Returns the comment above an object, or "" for none."""
    text = f"# Nothing ran {item.updates}, so the averages kept their initial values."
    return text if item.updates else ""
