r"""Finds the dataset that an input_fn returns. Keras takes the dataset instead of the function.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "import tensorflow as tf\n"
...     "def input_fn(path):\n"
...     "    return tf.data.TextLineDataset(path).batch(8)\n"
...     "estimator.train(lambda: input_fn('a.csv'))\n"
... )
>>> dataset_of(file, file.tree.body[-1].value.args[0], "train", "")
Input(text="input_fn('a.csv')", problem='', by_hand='', tensors=False)
"""

from __future__ import annotations

import ast
import os
import re
from typing import NamedTuple

from migrate.rewrite.analysis import elements
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.plan import InputFunction
from migrate.rewrite.engine.source_file import Match, SourceFile
from migrate.rewrite.names import modern_names

_MAX_MAKERS = 4  # Ends the search in functions that call each other.
# Arguments that only an Estimator passes to an input_fn.
_CONTEXT = ("config", "input_context")
_UNSEEN = "Keras needs a tf.data.Dataset, and the input_fn may return something else"
_GRAPH = "the input_fn uses {}, which needs the graph of an Estimator"
_TENSORS = "its input_fn returns tensors, and still runs in a graph and a session"
_MAY_RETURN_TENSORS = (
    "its input_fn may return the tensors of {}, and still runs in a graph and a session"
)
_SHUFFLES = "tf.data shuffles in another order than the queue did"
READ_LATER = (
    "the dataset reads the arrays when the function is called, and they may have changed by then"
)
# Functions that return an input_fn with tensors as its result.
_QUEUES = ("tf.estimator.inputs.", "tf.contrib.learn.io.", "tf.contrib.learn.python.")
# The parameters of numpy_input_fn and pandas_input_fn, in their order.
OF_ARRAYS = ("x", "y", "batch_size", "num_epochs", "shuffle", "queue_capacity", "num_threads")
# Functions that take examples from the queues of a graph.
_FROM_QUEUES = frozenset(
    [
        "tf.train.batch",
        "tf.train.batch_join",
        "tf.train.input_producer",
        "tf.train.maybe_batch",
        "tf.train.maybe_batch_join",
        "tf.train.maybe_shuffle_batch",
        "tf.train.range_input_producer",
        "tf.train.shuffle_batch",
        "tf.train.shuffle_batch_join",
        "tf.train.slice_input_producer",
        "tf.train.string_input_producer",
    ]
)
_TENSOR_CODE = re.compile(r"\bget_next\b|_producer\b|\bbatch_join\b|\btrain\.\w*batch\b")
_INPUT_LAYER = "tf.feature_column.input_layer"
_MAKES_VARIABLES = re.compile(
    r"tf\.(Variable|get_variable|feature_column\.(input_layer|linear_model)"
    r"|(contrib\.)?layers\.(dense|embed_sequence|fully_connected|(separable_)?conv[123]d))"
)
_OF_GRAPHS = (
    "tf.Session",
    "tf.add_to_collection",
    "tf.get_",
    "tf.placeholder",
    "tf.train.",
    "tf.set_random_seed",
)
# Functions of tf.data that make datasets, and methods of datasets that return new ones.
_MAKERS = frozenset(
    [
        "CsvDataset",
        "FixedLengthRecordDataset",
        "SqlDataset",
        "TFRecordDataset",
        "TextLineDataset",
        "choose_from_datasets",
        "from_generator",
        "from_sparse_tensor_slices",
        "from_tensor_slices",
        "from_tensors",
        "list_files",
        "load",
        "make_batched_features_dataset",
        "make_csv_dataset",
        "range",
        "sample_from_datasets",
        "zip",
    ]
)
_METHODS = frozenset(
    [
        "apply",
        "batch",
        "bucket_by_sequence_length",
        "cache",
        "concatenate",
        "enumerate",
        "filter",
        "flat_map",
        "interleave",
        "map",
        "padded_batch",
        "prefetch",
        "rebatch",
        "repeat",
        "shard",
        "shuffle",
        "skip",
        "take",
        "take_while",
        "unbatch",
        "unique",
        "window",
        "with_options",
    ]
)
_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
_Function = ast.FunctionDef | ast.Lambda


class Input(NamedTuple):
    """A dataset, as an expression of new code.

    Attributes:
      text: Expression that makes it.
      problem: Reason why the data may differ, or "" if they cannot.
      by_hand: Reason why there is no such expression, or "" if there is one.
      tensors: Whether it may return tensors instead of a dataset.
    """

    text: str
    problem: str = ""
    by_hand: str = ""
    tensors: bool = False


def dataset_of(
    file: SourceFile, node: ast.expr, mode: str, params: str, always: bool = False
) -> Input:
    """Returns the dataset that an input_fn makes for an Estimator.

    Args:
      file: The file.
      node: The input_fn.
      mode: Mode that it is called for: "train", "eval" or "infer".
      params: Text of the Estimator's params, or "" if they have no name.
      always: Whether an input_fn takes params even if its function cannot be determined.
    """
    function = function_of(file, node) or _function_of_makers(file, node)
    place = _variable_in(file, function, set()) if function is not None else ""
    if place:
        return Input("", by_hand=f"its input_fn makes variables, which checkpoints have ({place})")
    imported = _imported_facts(file, node, function, ())
    data = _dataset_of(file, node, function, mode, params, always)
    if data.by_hand or data.tensors:
        return data
    tensors = next((fact.tensors for fact in imported if fact.tensors), "")
    if tensors or _is_no_dataset(file, node, function):
        return data._replace(
            problem=f"{_TENSORS} ({tensors})" if tensors else _TENSORS, tensors=True
        )
    place = file.plan.decisions.tensors_elsewhere or _tensors_in(file, function)
    if data.problem == _UNSEEN and place and not imported:
        return data._replace(problem=_MAY_RETURN_TENSORS.format(place), tensors=True)
    return data


def _dataset_of(
    file: SourceFile,
    node: ast.expr,
    function: _Function | None,
    mode: str,
    params: str,
    always: bool,
) -> Input:
    """Returns the result of `dataset_of` for an input_fn that is not known to return tensors."""
    if isinstance(node, ast.Lambda) and not parameters(node):
        return Input(_atom(file, node.body), _problem(file, node))
    if isinstance(node, ast.Lambda) and parameters(node) != ["params"]:
        return Input("", by_hand="its input_fn is a lambda with arguments")
    text = _atom(file, node)
    if function is None:
        params_argument = f"params={params}" if always else ""
        queue = _queue_that_stays(file)
        if queue is not None:  # The input_fn may be that function, along a path not followed.
            place = f"{queue.name} in line {queue.node.lineno}"
            return Input(
                f"{text}({params_argument})", _MAY_RETURN_TENSORS.format(place), tensors=True
            )
        arrays = _of_arrays(file, node)
        if arrays is None and not always and (name := _function_with_params(file)):
            return Input("", by_hand=f"its input_fn may be {name}, which takes params")
        problem = _UNSEEN if arrays is None else problem_of_arrays(file, arrays)
        return Input(f"{text}({params_argument})", problem)
    names = parameters(function)
    for name in _CONTEXT:
        if name in names:
            return Input("", by_hand=f"its input_fn takes {name}, which only an Estimator passes")
    args = [f"mode={mode!r}".replace("'", '"')] if "mode" in names else []
    if "params" in names:
        if not params:
            return Input("", by_hand="its input_fn takes params, and the params are unknown here")
        args.append(f"params={params}")
    return Input(f"{text}({', '.join(args)})", _problem(file, function))


def stays(args: dict[str, ast.expr] | None) -> str:
    """Returns the reason why an input_fn of arrays has no dataset, or "" if it has one.

    Args:
      args: Arguments of the function that makes it, or None if `*` or `**` hides them.
    """
    if args is None or "x" not in args:
        return "it is called with *args or **kwargs"
    if "target_column" in args:
        return "tf.data has no counterpart of target_column"
    if "num_threads" in args and not modern_names.is_constant(args["num_threads"], 1):
        return "with num_threads, several threads read in an undefined order"
    return ""


def problem_of_arrays(file: SourceFile, args: dict[str, ast.expr]) -> str:
    """Returns the reason why a dataset of arrays may have other examples than the queue, or "".

    Args:
      file: The file.
      args: Arguments of the function that makes the input_fn.
    """
    if not modern_names.is_constant(args.get("shuffle"), False):
        return _SHUFFLES
    if not all(is_fixed(file, args[key]) for key in ("x", "y") if key in args):
        return READ_LATER
    return modern_names.problem_of_seeds(file)


def is_fixed(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression keeps its value: all its names are bound once in the file.

    Args:
      file: The file.
      node: The expression.
    """
    if any(isinstance(part, (ast.Call, ast.Subscript, ast.Attribute)) for part in ast.walk(node)):
        return False
    return all(
        file.computed(_bindings).get(part.id, 0) <= 1
        for part in ast.walk(node)
        if isinstance(part, ast.Name)
    )


def _bindings(file: SourceFile) -> dict[str, int]:
    """Returns the number of bindings of each name in a file. One that is repeated counts twice."""
    counts: dict[str, int] = {}
    for node in file.nodes:
        if not isinstance(node, (ast.Global, ast.Nonlocal)):
            for name in bindings.bound_names(node):
                counts[name] = counts.get(name, 0) + 1 + _rebinds(file, node)
    return counts


def _rebinds(file: SourceFile, node: ast.AST) -> bool:
    """Says whether a binding certainly follows another one of its name, or may run again."""
    is_target = isinstance(file.parent(node), ast.AugAssign)
    return is_target or bindings.is_repeated(file, node)


def _queue_that_stays(file: SourceFile) -> Match | None:
    """Returns a call in the file whose input_fn returns tensors, before and after the rewrite."""
    for match in file.names():
        if match.call is not None and match.name.startswith(_QUEUES):
            is_of_arrays = match.name.startswith("tf.estimator.inputs.")
            if not is_of_arrays or stays(arguments.bind(match.call, OF_ARRAYS)):
                return match
    return None


def _of_arrays(file: SourceFile, node: ast.expr) -> dict[str, ast.expr] | None:
    """Returns the arguments of an input_fn of arrays, which becomes one that returns a dataset."""
    value = bindings.assigned_value(file, node) if isinstance(node, ast.Name) else node
    name = file.name_of(value.func) or "" if isinstance(value, ast.Call) else ""
    if not isinstance(value, ast.Call) or not name.startswith("tf.estimator.inputs."):
        return None
    return arguments.bind(value, OF_ARRAYS)


def _is_no_dataset(file: SourceFile, node: ast.expr, function: _Function | None) -> bool:
    """Says whether an input_fn certainly returns something other than a dataset."""
    maker = function_of(file, node.func) if isinstance(node, ast.Call) else None
    is_queue = any(reads_iterator(file, part) for part in (node, maker) if part is not None)
    return is_queue or (function is not None and _returns_tensors(file, function, ()))


def _variable_in(file: SourceFile, function: _Function, visited: set[ast.AST]) -> str:
    """Returns the place where a function, or one that it uses, makes a variable, or ""."""
    visited.add(function)
    for node in ast.walk(function):
        if not isinstance(node, ast.expr):
            continue
        name = file.name_of(node) or ""
        is_empty = name == _INPUT_LAYER and "embedding_column" not in file.text
        if _MAKES_VARIABLES.fullmatch(name) and not is_empty:
            return f"{name} in line {node.lineno}"
        used = _bound_function(file, node) if isinstance(node, ast.Name) else None
        if used is not None and used not in visited:
            place = _variable_in(file, used, visited)
            if place:
                return place
    return ""


def _function_with_params(file: SourceFile) -> str:
    """Returns the name of an input_fn of the file that only an Estimator can call, or ""."""
    for node in file.nodes:
        is_input = isinstance(node, ast.FunctionDef) and "input" in node.name
        if isinstance(node, ast.FunctionDef) and is_input and "params" in parameters(node):
            return node.name
    return ""


def reads_iterator(file: SourceFile, node: ast.AST) -> bool:
    """Says whether code contains a call that takes tensors from an iterator or a queue.

    Args:
      file: The file.
      node: A function or an expression.
    """
    for part in ast.walk(node):
        name = file.name_of(part) or "" if isinstance(part, ast.expr) else ""
        if name.startswith(_QUEUES) or name in _FROM_QUEUES or _gets_next(part):
            return True
    return False


def _gets_next(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "get_next"


def _tensors_in(file: SourceFile, function: _Function | None) -> str:
    """Returns a place of the file that takes tensors from an iterator or a queue, or ""."""
    if not _TENSOR_CODE.search(file.text):
        return ""
    inside = {id(part) for part in ast.walk(function)} if function is not None else set()
    for part in file.nodes:
        if not isinstance(part, ast.expr) or id(part) in inside:
            continue
        if file.name_of(part) in _FROM_QUEUES or _gets_next(part):
            return f"line {part.lineno}"
    return ""


def tensors_of(file: SourceFile, function: ast.FunctionDef) -> InputFunction:
    """Returns the places at which a function returns tensors, for other files that use it.

    Args:
      file: The file.
      function: The function.
    """
    place = f"line {function.lineno} of {os.path.basename(file.path)}"
    values = [statement.value for statement in returns(function)]
    functions = [
        function_of(file, value) for value in values if isinstance(value, (ast.Lambda, ast.Name))
    ]
    is_maker = any(inner is not None for inner in functions) and (
        reads_iterator(file, function)
        or any(_returns_tensors(file, inner, ()) for inner in functions if inner is not None)
    )
    # A function that returns the function of numpy_input_fn is a maker too.
    is_maker = is_maker or any(
        (file.name_of(value.func) or "").startswith(_QUEUES)
        for value in values
        if isinstance(value, ast.Call)
    )
    places_of_others = [
        fact.made_tensors
        for value in values
        if isinstance(value, ast.Call)
        for fact in (_fact(file, value.func),)
        if fact is not None and fact.made_tensors
    ]
    if is_maker or places_of_others:
        return InputFunction("", place if is_maker else places_of_others[0])
    return InputFunction(place if _returns_tensors(file, function, ()) else "")


def _fact(file: SourceFile, node: ast.expr) -> InputFunction | None:
    """Returns the facts about a function of another file. None if it is not known."""
    return file.plan.decisions.imported_inputs.get(file.imported_name_of(node))


def _fact_of_result(file: SourceFile, call: ast.Call) -> InputFunction | None:
    """Returns the facts about the function that a call runs, as `data.f()` or `data.make()()`."""
    if not isinstance(call.func, ast.Call):
        return _fact(file, call.func)
    maker = _fact(file, call.func.func)
    return InputFunction(maker.made_tensors) if maker is not None else None


def _imported_facts(
    file: SourceFile, node: ast.expr, function: _Function | None, visited: tuple[ast.AST, ...]
) -> list[InputFunction]:
    """Returns the facts about the functions of other files that an input_fn is or calls.

    `tensors` of each says whether the input_fn returns tensors.

    Args:
      file: The file.
      node: The input_fn.
      function: The function that it is, if the file defines it.
      visited: Expressions that are being inspected. The recursion ends at them.
    """
    if node in visited:
        return []
    visited = (*visited, node)
    if function is not None:
        values = [_value(file, statement.value) for statement in returns(function)]
        calls = [value for value in values if isinstance(value, ast.Call)]
        return [fact for call in calls if (fact := _fact_of_result(file, call)) is not None]
    direct = _fact(file, node)
    if direct is not None:
        return [direct]
    if isinstance(node, ast.IfExp):
        sides = (node.body, node.orelse)
        facts_of_sides = [
            _imported_facts(file, side, function_of(file, side), visited) for side in sides
        ]
        return [fact for facts in facts_of_sides for fact in facts]
    if isinstance(node, ast.Name):
        value = bindings.assigned_value(file, node)
        return (
            _imported_facts(file, value, function_of(file, value), visited)
            if value is not None
            else []
        )
    if isinstance(node, ast.Call):
        # functools.partial(data.input_fn, path) and data.make_input_fn(path)
        if ast.unparse(node.func).endswith("partial") and node.args:
            return _imported_facts(file, node.args[0], function_of(file, node.args[0]), visited)
        maker = _fact(file, node.func)
        return [InputFunction(maker.made_tensors)] if maker is not None else []
    return []


def _value(file: SourceFile, node: ast.expr | None) -> ast.expr | None:
    """Returns an expression, or the value of a name that is bound once."""
    value = bindings.assigned_value(file, node) if isinstance(node, ast.Name) else None
    return value or node


def is_unpacked(file: SourceFile, call: ast.Call) -> bool:
    """Says whether code unpacks or indexes the result of a call, or passes it to another function.

    Args:
      file: The file.
      call: The call.
    """
    parent = file.parent(call)
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Tuple):
        return True
    is_argument = isinstance(parent, ast.Call) and parent.func is not call
    return is_argument or isinstance(parent, (ast.Subscript, ast.Starred))


def _returns_tensors(file: SourceFile, function: _Function, visited: tuple[ast.AST, ...]) -> bool:
    if function in visited:
        return False
    if reads_iterator(file, function):
        return True
    for statement in returns(function):
        value = _value(file, statement.value)
        if isinstance(value, (ast.Tuple, ast.Dict)):
            return True
        imported = _fact(file, value.func) if isinstance(value, ast.Call) else None
        if imported is not None and imported.tensors:
            return True
        callee = function_of(file, value.func) if isinstance(value, ast.Call) else None
        if callee is not None and _returns_tensors(file, callee, (*visited, function)):
            return True
    return False


def _atom(file: SourceFile, node: ast.expr) -> str:
    """Returns the text of an expression, in parentheses if a method call needs them."""
    text = file.segment(node)
    head = file.segment(node.func) if isinstance(node, ast.Call) else text
    return text if isinstance(node, _ATOMS) and "\n" not in head else f"({text})"


def parameters(function: _Function | ast.AsyncFunctionDef) -> list[str]:
    """Returns the names of the positional parameters of a function."""
    return [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]


def function_of(file: SourceFile, node: ast.expr) -> _Function | None:
    """Returns the function that an expression is, if the file defines it.

    Args:
      file: The file.
      node: A lambda, the name of a function, a call that returns a function, or an element of a
        tuple, list or dictionary with one of them.
    """
    if isinstance(node, ast.Lambda):
        return node
    if isinstance(node, ast.Name):
        return _bound_function(file, node)
    if isinstance(node, ast.Call):
        # def make_input_fn(path): ... return input_fn
        maker = function_of(file, node.func)
        values = [statement.value for statement in returns(maker)] if maker else []
        if len(values) == 1 and isinstance(values[0], (ast.Lambda, ast.Name)):
            return function_of(file, values[0])
    if isinstance(node, ast.Subscript):
        element = elements.of_subscript(file, node)
        return function_of(file, element) if element is not None else None
    return None


def _function_of_makers(file: SourceFile, node: ast.expr) -> _Function | None:
    """Returns the function that a call returns, if the called function calls another maker.

    For example, `def make_train_fn(path): return make_input_fn(path, shuffle=True)`.
    """
    value = bindings.assigned_value(file, node) if isinstance(node, ast.Name) else node
    for _ in range(_MAX_MAKERS):
        maker = function_of(file, value.func) if isinstance(value, ast.Call) else None
        values = [statement.value for statement in returns(maker)] if maker is not None else []
        value = values[0] if len(values) == 1 else None
        function = function_of(file, value) if value is not None else None
        if function is not None:
            return function
    return None


def _bound_function(file: SourceFile, name: ast.Name) -> _Function | None:
    """Returns the function that a name is bound to, if nothing else binds it there."""
    binders = bindings.of_scope(file, name)
    if len(binders) != 1:
        return None
    if isinstance(binders[0], ast.FunctionDef):
        return binders[0] if not binders[0].decorator_list else None
    value = bindings.value_of(file, binders[0])
    if value is None and isinstance(binders[0], ast.Name):
        value = elements.of_target(file, binders[0])
        return function_of(file, value) if value is not None else None
    return function_of(file, value) if isinstance(value, (ast.Lambda, ast.Call)) else None


def returns(function: _Function) -> list[ast.Return]:
    """Returns the return statements of a function, without those of nested functions."""
    if isinstance(function, ast.Lambda):
        return [ast.Return(function.body)]
    statements: list[ast.Return] = []
    stack: list[ast.AST] = [*function.body]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Return):
            statements.append(node)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            stack.extend(ast.iter_child_nodes(node))
    return statements


def _problem(file: SourceFile, function: _Function) -> str:
    """Returns the reason why a function may not return the Estimator's dataset, or ""."""
    if not _returns_dataset(file, function, ()):
        return _UNSEEN
    inside = {id(node) for node in ast.walk(function)}
    for match in file.names():
        if id(match.node) in inside and match.name.startswith(_OF_GRAPHS):
            return _GRAPH.format(match.name)
    return ""


def _returns_dataset(file: SourceFile, function: _Function, visited: tuple[ast.AST, ...]) -> bool:
    statements = returns(function)
    if not statements or function in visited:
        return False
    visited = (*visited, function)
    return all(
        _is_dataset(file, statement.value, function, visited, frozenset())
        for statement in statements
    )


def _is_dataset(
    file: SourceFile,
    node: ast.expr | None,
    function: _Function,
    visited: tuple[ast.AST, ...],
    dataset_names: frozenset[str],
) -> bool:
    """Says whether an expression is a tf.data.Dataset.

    Args:
      file: The file.
      node: The expression.
      function: Function that it stands in.
      visited: Functions that are being inspected. The recursion ends at them.
      dataset_names: Names that are assumed to be datasets while their own bindings are inspected.
    """
    if isinstance(node, ast.IfExp):
        branches = (node.body, node.orelse)
        return all(
            _is_dataset(file, branch, function, visited, dataset_names) for branch in branches
        )
    if isinstance(node, ast.Name):
        return _is_bound_to_dataset(file, node.id, function, visited, dataset_names)
    if not isinstance(node, ast.Call):
        return False
    if _is_array_dataset(file, node):
        return True
    name = file.name_of(node.func) or ""
    if name:
        return name.startswith("tf.data.") and name.rpartition(".")[2] in _MAKERS
    if isinstance(node.func, ast.Attribute):
        is_method = node.func.attr in _METHODS
        return is_method and _is_dataset(file, node.func.value, function, visited, dataset_names)
    maker = function_of(file, node.func)
    return maker is not None and _returns_dataset(file, maker, visited)


def _is_array_dataset(file: SourceFile, call: ast.Call) -> bool:
    """Says whether a call is `porting.array_dataset`."""
    helpers = [
        alias.asname or alias.name
        for statement in file.tree.body
        if isinstance(statement, ast.ImportFrom) and statement.module == "modern"
        for alias in statement.names
        if alias.name == "porting"
    ]
    return ast.unparse(call.func) in [f"{name}.array_dataset" for name in helpers]


def _is_bound_to_dataset(
    file: SourceFile,
    name: str,
    function: _Function,
    visited: tuple[ast.AST, ...],
    dataset_names: frozenset[str],
) -> bool:
    if name in dataset_names:
        return True
    inside = {id(node) for node in ast.walk(function)}
    binders = [node for node in bindings.binders(file, name) if id(node) in inside]
    assigned_values = [bindings.value_of(file, node) for node in binders]
    values = [value for value in assigned_values if value is not None]
    if not values or len(values) != len(assigned_values):
        return False
    dataset_names = dataset_names | {name}
    # For example, `data = data.batch(8)` is a dataset only if another binding is a dataset.
    initial_values = [value for value in values if not _begins_with(value, name)]
    return bool(initial_values) and all(
        _is_dataset(file, value, function, visited, dataset_names) for value in values
    )


def _begins_with(node: ast.expr, name: str) -> bool:
    """Says whether an expression is a chain of method calls on a name."""
    while isinstance(node, (ast.Call, ast.Attribute)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and node.id == name


def takes_config(file: SourceFile, model_fn: ast.expr) -> bool:
    """Says whether a model_fn takes the RunConfig. True if the file does not define it.

    Args:
      file: The file.
      model_fn: The model_fn.
    """
    function = function_of(file, model_fn)
    return function is None or "config" in parameters(function)
