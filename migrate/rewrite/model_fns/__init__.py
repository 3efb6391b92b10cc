"""model_fns that are understood, as Keras models: read, taken apart, written anew.

`modes` follows a model_fn for each mode; `slices` tells which statements something needs; `shape`
says what is the forward pass, the loss, the metrics and the predictions; `layers`, `optimizers` and
`metrics` have the objects that Keras has for them; `writing` writes the class.
"""

from __future__ import annotations


class NotUnderstood(Exception):
    """Why a model_fn has no Keras model; its text goes on behind "model_fn is not understood: "."""
