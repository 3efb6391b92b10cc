"""Helpers of the rules of --to=modern: names of modules, and shared checks.

tf, imports = tensorflow(file, match)
yield file.replacement(match.node, f"{tf}.math.log", imports)
"""

from __future__ import annotations

import ast
import re

from migrate.rewrite.engine.rule import Import
from migrate.rewrite.engine.source_file import Match, SourceFile

KERAS = Import("tf_keras", "tf_keras")
_V1 = Import("tensorflow.compat.v1", "tf")
_V2 = Import("tensorflow.compat.v2", "tf2")
# Names that read or fill the collection of the losses of tf.losses.
_OF_LOSSES = (
    *("tf.GraphKeys.LOSSES", "tf.contrib.losses.add_loss", "tf.contrib.losses.get_"),
    *("tf.contrib.slim.learning.", "tf.contrib.slim.losses.add_loss"),
    *("tf.contrib.slim.losses.get_", "tf.losses.add_loss", "tf.losses.get_losses"),
    "tf.losses.get_total_loss",
)
# Names that read the collections of variables, updates and penalties of layers.
_OF_LAYERS = (
    *_OF_LOSSES,
    *("tf.GraphKeys.", "tf.contrib.layers.apply_regularization", "tf.contrib.layers.optimize_loss"),
    *("tf.contrib.training.create_train_op", "tf.get_collection", "tf.losses.get_reg"),
)
_OF_MODEL_FN = (
    "the program has a model_fn, whose variables must keep the names and collections of its "
    "checkpoints"
)
# Words of a file that may compute in other float types than float32.
OTHER_FLOATS = frozenset(
    ("bfloat16", "double", "float16", "float64", "half", "to_bfloat16", "to_double")
)
_ENGLISH = ("double", "half")  # Types only after a dot or a quote, as in `tf.half`.
_OTHER_TYPE_WORDS = ("float32", "numpy", "pandas", "sklearn", "to_float")
_WORDS = "|".join(sorted(OTHER_FLOATS.difference(_ENGLISH).union(_OTHER_TYPE_WORDS)))
_TYPE_WORD = re.compile(rf"\b(?:{_WORDS})\b|(?<=[.'\"])(?:{'|'.join(_ENGLISH)})\b")
_TENSOR = re.compile(r"[A-Za-z0-9.][\w./-]*:\d+")
_ATOMS = (ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Tuple, ast.List)


def type_words(text: str) -> frozenset[str]:
    """Returns the words of a file that tell the types of its data, such as "numpy"."""
    return frozenset(_TYPE_WORD.findall(text))


def tensorflow(file: SourceFile, match: Match) -> tuple[str, tuple[Import, ...]]:
    """Returns the name of TensorFlow in a file, and the imports that it needs.

    Args:
      file: The file.
      match: The name to replace. If it begins with TensorFlow itself, that spelling is kept.
    """
    node = match.node
    while isinstance(node, ast.Attribute):
        node = node.value
    names = match.full_name.split(".")
    depth = ast.unparse(match.node).count(".")
    start = ".".join(names[: len(names) - depth])
    if isinstance(node, ast.Name) and start in ("tensorflow", "tensorflow.compat.v1"):
        return node.id, ()
    for name, value in file.exported.items():
        if value in ("tensorflow", "tensorflow.compat.v1") and name not in file.rebound:
            return name, ()
    return file.module_name(_V1), (_V1,)


def tensorflow_2(file: SourceFile) -> tuple[str, tuple[Import, ...]]:
    """Returns the name of TensorFlow 2's API in a file, and the imports that it needs."""
    for name, value in file.exported.items():
        is_v2 = value == "tensorflow.compat.v2" or value == "tensorflow"
        if is_v2 and name not in file.rebound:
            return name, ()
    return file.module_name(_V2), (_V2,)


def keras(file: SourceFile) -> tuple[str, tuple[Import, ...]]:
    """Returns the name of legacy Keras in a file, and the imports that it needs."""
    return file.module_name(KERAS), (KERAS,)


def factor(file: SourceFile, node: ast.expr) -> str:
    """Returns the text of an expression as a factor, in parentheses if necessary.

    Args:
      file: The file.
      node: The expression.
    """
    text = file.segment(node)
    return text if isinstance(node, _ATOMS) else f"({text})"


# Arguments and functions that set the seed of a graph, from which its operations derive theirs.
_SEEDS = re.compile(r"\bset_random_seed\b|\btf_random_seed\b(?!\s*=\s*None\b)")
_SEEDED = (
    "the graph changes, so operations without their own seed, such as initial weights and dropout, "
    "draw other numbers from tf_random_seed"
)


def distributes(name: str) -> bool:
    """Says whether a public name belongs to distribution strategies."""
    return name.startswith(("tf.distribute.", "tf.contrib.distribute.")) or "Strategy" in name


def collects_losses(name: str) -> bool:
    """Says whether a public name reads or fills the collection of tf.losses."""
    return name.startswith(_OF_LOSSES)


def collects_layers(name: str) -> bool:
    """Says whether a public name reads the collections of layers."""
    return name.startswith(_OF_LAYERS)


def seeds_graphs(text: str) -> bool:
    """Says whether the text of a file sets the seed of a graph."""
    return bool(_SEEDS.search(text))


def problem_of_seeds(file: SourceFile) -> str:
    """Returns the reason why a program with changed graphs may draw other numbers, or "".

    An operation without a seed derives one from the number of earlier operations in its graph.
    """
    return _SEEDED if file.plan.program.seeds_graphs or seeds_graphs(file.text) else ""


def returned_by_model_fn(name: str) -> bool:
    """Says whether a public name is a class of which a model_fn returns an instance.

    A head makes the EstimatorSpec if the model_fn does not name that class.
    """
    ends = (".EstimatorSpec", ".TPUEstimatorSpec", ".ModelFnOps", "_head", "Head")
    # _binary_logistic_head_with_sigmoid_cross_entropy_loss and its like.
    return name.endswith(ends) or "_head_with_" in name


def of_model_fn(file: SourceFile, node: ast.AST) -> str:
    """Returns the reason why a layer, which may be in a model_fn, must keep its variables, or "".

    Args:
      file: The file.
      node: Call of the layer.
    """
    if file.function(node) is None:
        return ""
    is_in_file = any(returned_by_model_fn(match.name) for match in file.names())
    program = file.plan.program
    # The names of a program are those before any change. A single file shows those of today.
    is_in_program = program.has_several_files and program.uses(returned_by_model_fn)
    return _OF_MODEL_FN if is_in_file or is_in_program else ""


def unsure_losses(file: SourceFile) -> str:
    """Returns the reason why the mean of Keras' losses may differ from tf.losses, or ""."""
    if file.program_uses(distributes):
        return "a replica's last batch may be empty, and its mean is then NaN"
    return problem_of_tensor_names(file)


def problem_of_tensor_names(file: SourceFile) -> str:
    """Returns the reason why the names of operations matter in a file, or "" if they do not."""
    for node in file.nodes:
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and _TENSOR.fullmatch(text):
            return f"this file gets a tensor by its name, {text!r}"
    return ""


def is_constant(node: ast.expr | None, *values: object) -> bool:
    """Says whether an expression is one of some constants, or any constant if none is listed."""
    if not isinstance(node, ast.Constant):
        return False
    return not values or any(node.value is value or node.value == value for value in values)
