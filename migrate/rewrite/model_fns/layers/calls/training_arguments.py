"""Checks and adds the argument `training` in calls of layers and models.

    training_arguments.check(call, "tf.layers.batch_normalization", True, "training")

Keras sets it by the mode. In TensorFlow 1, a model_fn could set it to a constant.
"""

from __future__ import annotations

import ast

from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.rendering import Rendered


def check(node: ast.Call, name: str, normalizes: bool, trains: str) -> None:
    """Refuses batch normalization that normalizes as in training in every mode."""
    if normalizes and trains not in ("", "False", "training"):
        raise NotUnderstood(f"{name} in line {node.lineno} always normalizes as in training")


def add_false(rendered: Rendered, call: ast.Call) -> None:
    """Adds `training=False` to a call of a layer or model that never trains."""
    texts = [rendered.text(argument) for argument in call.args]
    texts += [f"{keyword.arg}={rendered.text(keyword.value)}" for keyword in call.keywords]
    function = rendered.text(call.func)
    rendered.replace(call, f"{function}({', '.join(texts)}, training=False)")
