"""What the rules of --to=modern share: the names of modules, and whether an expression is simple.

tf, imports = tensorflow(file, found)
yield file.replaced(found.node, f"{tf}.math.log", imports)
"""

from __future__ import annotations

import ast
import re

from migrate.rewrite.engine.rule import Import
from migrate.rewrite.engine.source_file import Found, SourceFile

KERAS = Import("tf_keras", "tf_keras")
_V1 = Import("tensorflow.compat.v1", "tf")
_V2 = Import("tensorflow.compat.v2", "tf2")
# What reads, or fills, the collection that the losses of tf.losses are in.
_OF_LOSSES = (
    *("tf.GraphKeys.LOSSES", "tf.contrib.losses.add_loss", "tf.contrib.losses.get_"),
    *("tf.contrib.slim.learning.", "tf.contrib.slim.losses.add_loss"),
    *("tf.contrib.slim.losses.get_", "tf.losses.add_loss", "tf.losses.get_losses"),
    "tf.losses.get_total_loss",
)
# What reads the collections that layers are in with their variables, updates and penalties.
_OF_LAYERS = (
    *_OF_LOSSES,
    *("tf.GraphKeys.", "tf.contrib.layers.apply_regularization", "tf.contrib.layers.optimize_loss"),
    *("tf.contrib.training.create_train_op", "tf.get_collection", "tf.losses.get_reg"),
)
_OF_MODEL_FN = (
    "the program has a model_fn, whose variables keep the names and collections that they have in "
    "its checkpoints"
)
_TENSOR = re.compile(r"[A-Za-z0-9.][\w./-]*:\d+")
_ATOMS = (ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Tuple, ast.List)


def tensorflow(file: SourceFile, found: Found) -> tuple[str, tuple[Import, ...]]:
    """Returns what a name of TensorFlow begins with in a file, and what that needs.

    Args:
      file: The file.
      found: A name there; where it begins with TensorFlow itself, so does what takes its place.
    """
    node = found.node
    while isinstance(node, ast.Attribute):
        node = node.value
    names = found.full_name.split(".")
    depth = ast.unparse(found.node).count(".")
    start = ".".join(names[: len(names) - depth])
    if isinstance(node, ast.Name) and start in ("tensorflow", "tensorflow.compat.v1"):
        return node.id, ()
    for name, value in file.exported.items():
        if value in ("tensorflow", "tensorflow.compat.v1") and name not in file.rebound:
            return name, ()
    return file.imported(_V1), (_V1,)


def tensorflow_2(file: SourceFile) -> tuple[str, tuple[Import, ...]]:
    """Returns the name of TensorFlow 2's API in a file, and what that needs."""
    for name, value in file.exported.items():
        is_v2 = value == "tensorflow.compat.v2" or value == "tensorflow"
        if is_v2 and name not in file.rebound:
            return name, ()
    return file.imported(_V2), (_V2,)


def keras(file: SourceFile) -> tuple[str, tuple[Import, ...]]:
    """Returns the name of legacy Keras in a file, and what that needs."""
    return file.imported(KERAS), (KERAS,)


def factor(file: SourceFile, node: ast.expr) -> str:
    """Returns the text of an expression that is to be a factor, in parentheses if need be.

    Args:
      file: The file.
      node: The expression.
    """
    text = file.segment(node)
    return text if isinstance(node, _ATOMS) else f"({text})"


# Arguments and functions that set the seed of a graph, from which its operations derive theirs.
_SEEDS = re.compile(r"\bset_random_seed\b|\btf_random_seed\b(?!\s*=\s*None\b)")
_SEEDED = (
    "a graph has other operations then, and what has no seed of its own, as first weights and "
    "dropout, draws other numbers for tf_random_seed"
)


def distributes(name: str) -> bool:
    """Says whether a public name is one of distribution strategies."""
    return name.startswith(("tf.distribute.", "tf.contrib.distribute.")) or "Strategy" in name


def collects_losses(name: str) -> bool:
    """Says whether a public name is one of those that know the collection of tf.losses."""
    return name.startswith(_OF_LOSSES)


def collects_layers(name: str) -> bool:
    """Says whether a public name is one of those that know what the layers of a graph have."""
    return name.startswith(_OF_LAYERS)


def seeds_graphs(text: str) -> bool:
    """Says whether the text of a file sets the seed of a graph."""
    return bool(_SEEDS.search(text))


def problem_of_seeds(file: SourceFile) -> str:
    """Returns why the program may draw other numbers when its graphs change; "" if it does not.

    The seed of an operation without one is the number of operations that its graph has before it.
    """
    return _SEEDED if file.context.seeds_graphs or seeds_graphs(file.text) else ""


def returned_by_model_fn(name: str) -> bool:
    """Says whether a public name is that of a class of which a model_fn returns one.

    A head makes the EstimatorSpec where the model_fn does not name the class.
    """
    return name.endswith((".EstimatorSpec", ".TPUEstimatorSpec", ".ModelFnOps", "_head", "Head"))


def of_model_fn(file: SourceFile, node: ast.AST) -> str:
    """Why a layer keeps its variables as they are: a model_fn may have it; "" where none does.

    Args:
      file: The file.
      node: Where the layer is called.
    """
    if file.function(node) is None:
        return ""
    own = any(returned_by_model_fn(found.name) for found in file.names())
    return _OF_MODEL_FN if own or file.context.has_model_fn else ""


def unsure_losses(file: SourceFile) -> str:
    """Why the mean of Keras' losses may not be what tf.losses gave a file; "" where it is."""
    if file.context.distributes or any(distributes(found.name) for found in file.names()):
        return "a replica's last batch may be empty, and the mean over none is no number"
    return asked_by_name(file)


def asked_by_name(file: SourceFile) -> str:
    """Why the names of operations count in a file; "" where they do not."""
    for node in file.nodes:
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and _TENSOR.fullmatch(text):
            return f"this file asks for a tensor by its name, {text!r}"
    return ""


def is_constant(node: ast.expr | None, *values: object) -> bool:
    """Says whether an expression is a constant: one of some values, or any where none is given."""
    if not isinstance(node, ast.Constant):
        return False
    return not values or any(node.value is value or node.value == value for value in values)
