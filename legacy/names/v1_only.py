"""Methods and arguments that only TensorFlow 1 had.

>>> is_argument("keep_dims", "tf.reduce_sum"), is_argument("dimension", "tf.argmax")
(True, True)
>>> is_argument("dimension", "tf.feature_column.embedding_column")
False
"""

from __future__ import annotations

# Of its datasets.
METHODS = frozenset(("make_one_shot_iterator", "make_initializable_iterator"))
_GRADIENTS = frozenset(("tf.gradients", "tf.hessians"))
_NN = ("l2_normalize", "log_softmax", "softmax", "softmax_cross_entropy_with_logits")
# Of what functions: those of None by themselves, others are arguments of TensorFlow 2's too.
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
    """Says whether an argument is one that only TensorFlow 1 had.

    Args:
      name: The argument's.
      function: The public name of the function that is given it, in "tf.compat.v1" or not.
    """
    if name not in _OF:
        return False
    functions = _OF[name]
    # Of one that `import *` may have brought, the module stands in front.
    plain = function.replace(".compat.v1.", ".").rpartition(".*.")[2]
    return functions is None or plain in functions
