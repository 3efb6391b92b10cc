"""Reads checkpoints of Estimator and Keras, and converts one kind into the other.

    from migrate import checkpoint

    old = checkpoint.open_source("/models/1")
    checkpoint.propose(checkpoint.variables(old.stored), ...)
    checkpoint.convert("/models/1", "new/ckpt-0", model="package.module:build_model")

Functions that need TensorFlow import it when they are called.

Files in reading order:
formats     reads checkpoints of all kinds: open_source(path)
cells       converts recurrent cells between the layouts of tf.nn.rnn_cell and Keras
conversion  pairs variables, plans a conversion and writes the new checkpoint
inspecting  prints the contents of a checkpoint
comparing   compares two checkpoints of any kind
command     runs `python -m migrate checkpoint`
naming      proposes which variable of one program is which of the other
"""

from migrate.checkpoint.conversion.converter import Conversion, convert
from migrate.checkpoint.conversion.plans import Options, variables
from migrate.checkpoint.formats.source import Source
from migrate.checkpoint.formats.sources import open_source
from migrate.checkpoint.naming.mapping import Tensor, TensorMap, propose
from migrate.checkpoint.naming.slots import slot_names

__all__ = [
    "Conversion",
    "Options",
    "Source",
    "Tensor",
    "TensorMap",
    "convert",
    "open_source",
    "propose",
    "slot_names",
    "variables",
]
