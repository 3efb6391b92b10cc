"""Checks that methods of a Keras model can compute a part of a model_fn.

    refuse(file, node, local)
    refuse(file, node, local, has_labels=True)

They refuse variables that no object holds, collections, and functions with unknown effects.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator

from migrate.rewrite.analysis import other_functions
from migrate.rewrite.analysis.other_functions import ClassDefinition, Definition
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.source_file import Match, SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import chosen_functions, log_calls, slices

# Names that every module has.
_OF_MODULES = ("__file__", "__name__")

# Names that make variables, or depend on the graph, and that no Keras object replaces.
_REFUSED = (
    "tf.Variable",
    "tf.assign",
    "tf.contrib.",
    "tf.control_dependencies",
    "tf.distribute.",  # In an evaluation, Keras has another context than an Estimator.
    "tf.estimator.",
    "tf.feature_column.linear_model",
    "tf.get_",
    "tf.global_variables",
    "tf.gradients",
    "tf.keras.",
    "tf.layers.",
    "tf.lookup.",
    "tf.losses.",
    "tf.make_template",
    "tf.metrics.",
    "tf.nn.bidirectional",
    "tf.nn.dynamic_rnn",
    "tf.nn.raw_rnn",
    "tf.nn.rnn_cell",
    "tf.nn.static",
    "tf.placeholder",
    "tf.scatter_",
    "tf.set_random_seed",
    "tf.train.",
    "tf.trainable_variables",
    "tf.variable_scope",
    "tf_keras.",
)
_HARMLESS = tuple(
    f"{keras}{name}."
    for keras in ("tf.keras.", "tf_keras.")
    for name in ("activations", "backend", "constraints", "initializers", "losses", "regularizers")
) + (
    *("tf.contrib.crf.crf_", "tf.contrib.crf.viterbi_"),
    *("tf.contrib.layers.l1", "tf.contrib.layers.l2", "tf.contrib.layers.xavier"),
    "tf.losses.Reduction",
)
_LOSSES = frozenset(
    (
        *("absolute_difference", "cosine_distance", "hinge_loss", "huber_loss", "log_loss"),
        *("compute_weighted_loss", "mean_pairwise_squared_error", "mean_squared_error"),
        *("sigmoid_cross_entropy", "softmax_cross_entropy", "sparse_softmax_cross_entropy"),
    )
)
# Parts of variable names that Keras and tf.layers share. Of these names, tf.contrib.layers has
# only "bias".
_KERAS_NAMES = frozenset(("batch_normalization", "beta", "gamma", "kernel"))
_NAMES = _KERAS_NAMES | {"bias"}
# Modules whose functions make no variables.
_PLAIN_MODULES = frozenset(("collections", "functools", "itertools", "math", "np", "numpy", "six"))
_BUILTINS = frozenset(
    (
        *("KeyError", "NotImplementedError", "RuntimeError", "TypeError", "ValueError"),
        *("abs", "all", "any", "bool", "dict", "enumerate", "float", "int"),
        *("isinstance", "len", "list", "map", "max", "min", "print", "range", "reversed"),
        *("round", "set", "sorted", "str", "sum", "super", "tuple", "type", "zip"),
    )
)


_CHAIN = ("inputs", "tag_indices", "sequence_lengths", "transition_params")

# Functions that print, log or write summaries.
_SHOWN = (
    *("absl.logging.", "logging.", "tf.contrib.layers.summarize_", "tf.contrib.summary."),
    *("tf.logging.", "tf.summary."),
)
# Methods of dictionaries, strings and HParams, which are the possible types of params.
_OF_VALUES = frozenset(
    (
        *("copy", "endswith", "format", "get", "index", "items", "join", "keys", "lower"),
        *("split", "startswith", "strip", "upper", "values"),
    )
)


def names_in(file: SourceFile, node: ast.AST) -> Iterator[Match]:
    """Yields the names of TensorFlow in a node."""
    inside = {id(part) for part in ast.walk(node)}
    return (match for match in file.names() if id(match.node) in inside)


def is_refused(name: str, has_labels: bool = False) -> bool:
    """Says whether a method of a Keras model cannot use a name.

    Args:
      name: The public name.
      has_labels: Whether the name is used after the forward pass, where losses are allowed.
    """
    if has_labels and name.rpartition(".")[2] in _LOSSES:
        return False
    return name.startswith(_REFUSED) and not name.startswith(_HARMLESS)


def is_loss(name: str) -> bool:
    """Says whether a function of tf.losses computes a loss, and adds it to the collection.

    Args:
      name: The public name.
    """
    return name.startswith("tf.losses.") and name.rpartition(".")[2] in _LOSSES


def refuse(
    file: SourceFile,
    node: ast.AST,
    local: Collection[str],
    replaced_ids: Collection[int] = frozenset(),
    has_labels: bool = False,
) -> None:
    """Refuses a node that a method cannot compute.

    Args:
      file: The file.
      node: A statement or an expression of a model_fn.
      local: Names that the function binds.
      replaced_ids: Ids of nodes that are replaced.
      has_labels: Whether the node is after the forward pass.

    Raises:
      NotUnderstood: The node uses, or may use, an operation that a method cannot do.
    """
    for match in names_in(file, node):
        if id(match.node) not in replaced_ids and is_refused(match.name, has_labels):
            raise NotUnderstood(f"it uses {match.name} in line {match.node.lineno}")
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and id(part) not in replaced_ids:
            _refuse_chain(file, part)
            _refuse_call(file, part, local, has_labels)


def _refuse_chain(file: SourceFile, node: ast.Call) -> None:
    """Refuses crf_log_likelihood without transitions, which then makes their variable."""
    if file.name_of(node.func) == "tf.contrib.crf.crf_log_likelihood":
        args = arguments.bind(node, _CHAIN)
        if args is None or "transition_params" not in args:
            raise NotUnderstood(f"the transitions of labels in line {node.lineno} have no variable")


def _refuse_call(
    file: SourceFile, node: ast.Call, local: Collection[str], has_labels: bool
) -> None:
    """Refuses a call that may make variables."""
    function: ast.expr = node.func
    if file.name_of(function) is not None or isinstance(function, ast.Call):
        return
    if chosen_functions.is_choice(file, node):
        return
    if len(node.args) == 1 and not node.keywords and chosen_functions.is_chosen(file, function):
        return
    root = function
    while isinstance(root, (ast.Attribute, ast.Subscript, ast.Call)):
        root = root.func if isinstance(root, ast.Call) else root.value
    if isinstance(function, ast.Attribute):
        if function.attr.startswith(("assign", "scatter_")):
            raise NotUnderstood(
                f"it assigns to the variable {ast.unparse(root)} in line {node.lineno}"
            )
        if not isinstance(root, ast.Name) or root.id in _PLAIN_MODULES:
            return
        is_params = root.id == "params" and function.attr not in _OF_VALUES
        if root.id in local and not is_params:
            return
    if file.name_of(root) is not None:
        return
    function_name = (
        function.id if isinstance(function, ast.Name) and function.id not in local else None
    )
    if function_name is not None and _is_plain(file, function_name, set(), has_labels):
        return
    other = helper_of(file, function)
    if other is not None and is_plain(other.file, other.function.name, has_labels=has_labels):
        return
    text = ast.unparse(function)
    raise NotUnderstood(f"{text}() in line {node.lineno} may create variables")


def refuse_undefined(file: SourceFile, function: ast.FunctionDef, known: Collection[str]) -> None:
    """Refuses a function that reads a name which nothing defines.

    For example, a model_fn that is only trained may contain a misspelt name in its evaluation. An
    Estimator never runs this part, but the methods of a Keras model may.

    Args:
      file: The file.
      function: The function.
      known: Names that are defined in addition to those of the file.

    Raises:
      NotUnderstood: There is such a name.
    """
    if any(isinstance(node, ast.alias) and node.name == "*" for node in file.nodes):
        return
    for node in ast.walk(function):
        is_read = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        if not isinstance(node, ast.Name) or not is_read or node.id in known:
            continue
        is_built_in = hasattr(builtins, node.id) or node.id in _OF_MODULES
        if not is_built_in and not bindings.of_scope(file, node):
            raise NotUnderstood(f"the name {node.id} is not defined")


def refuse_selection(file: SourceFile, function: ast.FunctionDef, call: ast.Call) -> None:
    """Refuses a selection of variables that would select other variables in Keras.

    Args:
      file: The file.
      function: The model_fn.
      call: Call of tf.trainable_variables() in the model_fn.

    Raises:
      NotUnderstood: It selects variables by position, or by names that Keras does not use.
    """
    texts = {ast.unparse(call)}
    for part in ast.walk(function):
        if isinstance(part, ast.Assign) and part.value is call:
            texts |= {ast.unparse(target) for target in part.targets}
    of_contrib = any(
        match.name.startswith("tf.contrib.layers") for match in names_in(file, function)
    )
    allowed_names = _NAMES - _KERAS_NAMES if of_contrib else _NAMES
    for part in ast.walk(function):
        if isinstance(part, ast.Subscript) and ast.unparse(part.value) in texts:
            raise NotUnderstood(f"it selects variables by position in line {part.lineno}")
        if not isinstance(part, ast.Attribute) or part.attr not in ("name", "op"):
            continue
        if _is_logged(file, part):
            continue
        test = file.parent(part)
        left = test.left if isinstance(test, ast.Compare) and _is_in(test) else None
        if not isinstance(left, ast.Constant) or left.value not in allowed_names:
            raise NotUnderstood(f"it selects variables by name in line {part.lineno}")


def _is_logged(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression is only printed, logged or written as a summary."""
    statement = file.statement(node)
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call):
        return False
    name = file.name_of(call.func) or ast.unparse(call.func)
    return name == "print" or name.startswith(_SHOWN)


def _is_in(test: ast.Compare) -> bool:
    return isinstance(test.ops[0], (ast.In, ast.NotIn))


def function_named(file: SourceFile, name: str) -> ast.FunctionDef | None:
    """Returns the function of a file with a name, if the name is unique and not decorated.

    Args:
      file: The file.
      name: The name.
    """
    definitions = [
        statement
        for statement in file.tree.body
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and statement.name == name
    ]
    if len(definitions) != 1 or not isinstance(definitions[0], ast.FunctionDef):
        return None
    return definitions[0] if not definitions[0].decorator_list else None


def only_shows(file: SourceFile, name: str, silent: tuple[str, ...]) -> bool:
    """Says whether a function of the file only prints, logs or writes summaries.

    Args:
      file: The file.
      name: Name of the function.
      silent: Prefixes of TensorFlow functions that only show something.
    """
    function = function_named(file, name) if name.isidentifier() else None
    if function is None:
        return False
    names = {match.name for match in names_in(file, function)} - {"tf.variable_scope"}
    if any(
        is_refused(used_name, has_labels=True) and not used_name.startswith(silent)
        for used_name in names
    ):
        return False
    if any(slices.changing_calls(function)):
        return False
    for part in ast.walk(function):
        if isinstance(part, (ast.AugAssign, ast.Delete, ast.Global, ast.Nonlocal)):
            return False
        if isinstance(part, (ast.Attribute, ast.Subscript)) and not isinstance(part.ctx, ast.Load):
            return False
        if isinstance(part, ast.Expr) and not isinstance(part.value, ast.Constant):
            callee = part.value.func if isinstance(part.value, ast.Call) else None
            is_silent = (file.name_of(callee) or "").startswith(silent)
            if not is_silent and (callee is None or not log_calls.is_log(file, callee)):
                return False
        callee = part.func if isinstance(part, ast.Call) else None
        callee_name = callee.id if isinstance(callee, ast.Name) and not file.name_of(callee) else ""
        is_log = callee is not None and log_calls.is_log(file, callee)
        if callee_name and not is_log and not _is_plain(file, callee_name, {name}, True):
            return False
    return True


def helper_of(file: SourceFile, function: ast.expr) -> Definition | None:
    """Returns the function of another file of the program that a model_fn calls.

    Args:
      file: The file.
      function: The called expression.
    """
    name = file.imported_name_of(function)
    other = file.plan.decisions.helpers.get(name)
    return other_functions.definition(file, name, other) if other is not None else None


def class_of(file: SourceFile, function: ast.expr) -> ClassDefinition | None:
    """Returns the class of another file of the program that a model_fn makes an object of.

    Args:
      file: The file.
      function: The called expression.
    """
    name = file.imported_name_of(function)
    other = file.plan.decisions.helpers.get(name)
    return other_functions.class_definition(file, name, other) if other is not None else None


def is_plain(file: SourceFile, name: str, *, has_labels: bool) -> bool:
    """Says whether a function of Python, or of the file, makes no variables.

    Args:
      file: The file.
      name: Name of the function.
      has_labels: Whether the call is after the forward pass, where losses are allowed.
    """
    return _is_plain(file, name, set(), has_labels)


def _is_plain(file: SourceFile, name: str, visited: set[str], has_labels: bool) -> bool:
    """Says whether a function of Python, or of the file, makes no variables."""
    if name in _BUILTINS or name in visited:
        return True
    function = function_named(file, name)
    if function is None:
        return False
    if any(is_refused(match.name, has_labels) for match in names_in(file, function)):
        return False
    return all(
        _is_plain(file, call.func.id, visited | {name}, has_labels)
        for call in ast.walk(function)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and file.name_of(call.func) is None
    )
