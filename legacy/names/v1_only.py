"""Methods and arguments that only TensorFlow 1 had.

>>> is_argument("keep_dims", "tf.reduce_sum"), is_argument("dimension", "tf.argmax")
(True, True)
>>> is_argument("dimension", "tf.feature_column.embedding_column")
False
"""

from __future__ import annotations

# Methods of datasets.
METHODS = frozenset(("make_one_shot_iterator", "make_initializable_iterator"))
_GRADIENTS = frozenset(("tf.gradients", "tf.hessians"))
_NN = ("l2_normalize", "log_softmax", "softmax", "softmax_cross_entropy_with_logits")
# The functions that take each argument. None if the argument alone identifies TensorFlow 1. The
# others are arguments of some TensorFlow 2 functions, too.
_OF: dict[str, frozenset[str] | None] = {
    "colocate_gradients_with_ops": _GRADIENTS,
    "dim": frozenset(("tf.expand_dims", "tf.linalg.l2_normalize", "tf.math.l2_normalize"))
    | {f"tf.nn.{name}" for name in _NN},
    "dimension": frozenset(("tf.argmax", "tf.argmin", "tf.math.argmax", "tf.math.argmin")),
    "keep_dims": None,
    "keep_prob": None,
    "reduction_indices": None,
    "squeeze_dims": frozenset(("tf.squeeze",)),
}
ARGUMENTS = frozenset(_OF)


def is_argument(name: str, function: str) -> bool:
    """Returns whether a function's argument existed only in TensorFlow 1.

    Args:
      name: Name of the argument.
      function: Public name of the function that is called, with or without "compat.v1".
    """
    if name not in _OF:
        return False
    functions = _OF[name]
    # A name that `import *` may have provided has its module in front, separated by ".*.".
    plain = function.replace(".compat.v1.", ".").rpartition(".*.")[2]
    return functions is None or plain in functions
