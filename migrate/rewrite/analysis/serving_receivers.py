r"""Turns a serving_input_receiver_fn into a tf.function from a request to features.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "import tensorflow.compat.v1 as tf\n"
...     "def serving_fn():\n"
...     "    x = tf.placeholder(tf.float32, [None])\n"
...     "    return tf.estimator.export.ServingInputReceiver({'x': x}, {'x': x})\n"
... )
>>> function = file.tree.body[1]
>>> for edit in Receiver(file, function).edits():
...     edit.text
"@tf.function(input_signature=[tf.TensorSpec([None], tf.float32, name='x')])\n"
'(x)'
''
"{'x': x}"
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from migrate.rewrite.analysis import bridged_configs, estimator_uses, mutations
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Edit
from migrate.rewrite.engine.source_file import SourceFile

RECEIVERS = (
    "tf.estimator.export.ServingInputReceiver",
    "tf.estimator.export.TensorServingInputReceiver",
)
_PLACEHOLDER = "tf.placeholder"
_RECEIVER_PARAMETERS = ("features", "receiver_tensors")
# The names that ServingInputReceiver gives to unnamed tensors.
_ONE_TENSOR, _ONE_FEATURE = "input", "feature"
_WIDTH = 100
_FIXED = re.compile(r"(tf|numpy)\.(dtypes\.|compat\.v2\.)?\w+")
_HEAD = re.compile(r"def\s+\w+\s*(\(\s*\))")
# Names of request tensors that a tf.function keeps unchanged.
_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
_OF_GRAPHS = (
    "tf.Session",
    "tf.Variable",
    "tf.contrib.",
    "tf.feature_column.",
    "tf.get_",
    "tf.layers.",
    "tf.lookup.",
    "tf.placeholder_",
    "tf.py_func",
    "tf.sparse_placeholder",
    "tf.train.",
)
_PARSED = ("tf.parse_example", "tf.io.parse_example", "tf.io.parse_single_example")
_UNSEEN_FEATURES = "its features may not be a dict, and the model receives them unchanged"


class NotUnderstood(Exception):
    """Raised if a receiver function cannot become a tf.function. The message says why."""


class _Input(NamedTuple):
    """A placeholder.

    Attributes:
      call: Call that makes it.
      name: Its name in a request.
      parameter: Its name as a parameter of the function.
    """

    call: ast.Call
    name: str
    parameter: str


class Receiver:
    """A serving_input_receiver_fn.

    Attributes:
      problem: Reason why the tf.function may differ from it, or "" if it cannot.
    """

    def __init__(self, file: SourceFile, function: ast.FunctionDef) -> None:
        """Reads the function.

        Args:
          file: The file.
          function: Function that returns a ServingInputReceiver or a TensorServingInputReceiver.

        Raises:
          NotUnderstood: It cannot become a tf.function, or that cannot be determined.
        """
        self._file, self._function = file, function
        self.problem = ""
        self._check()
        self._names = {n.id for n in self._nodes if isinstance(n, ast.Name)}
        self._features, self._tensors, self._is_single = self._result()
        self._inputs = self._read()

    def _check(self) -> None:
        function, file = self._function, self._file
        self._nodes = [node for node in ast.walk(function) if node is not function]
        if function.decorator_list or not _HEAD.match(file.segment(function)):
            raise NotUnderstood("it has a decorator or takes arguments")
        if any(isinstance(node, (ast.Yield, ast.Global, ast.Nonlocal)) for node in self._nodes):
            raise NotUnderstood("it uses yield, global or nonlocal")
        for node in self._nodes:
            name = file.name_of(node) or ""
            if name.startswith(_OF_GRAPHS):
                raise NotUnderstood(f"it uses {name}, which needs a graph")

    def _result(self) -> tuple[ast.expr, ast.expr, bool]:
        """Returns the features, the request tensors, and whether features are a single tensor."""
        last = self._function.body[-1]
        returns = [node for node in self._nodes if isinstance(node, ast.Return)]
        call = last.value if isinstance(last, ast.Return) else None
        name = self._file.name_of(call.func) if isinstance(call, ast.Call) else None
        if returns != [last] or not isinstance(call, ast.Call) or name not in RECEIVERS:
            raise NotUnderstood(
                "it must return a ServingInputReceiver in its last statement, and only there"
            )
        args = arguments.bind(call, (*_RECEIVER_PARAMETERS, "receiver_tensors_alternatives"))
        if args is None or set(estimator_uses.without_none(args)) != set(_RECEIVER_PARAMETERS):
            raise NotUnderstood(
                "its receiver has receiver_tensors_alternatives, or is created with *args or "
                "**kwargs"
            )
        is_single = name.endswith(".TensorServingInputReceiver")
        return args["features"], args["receiver_tensors"], is_single

    def _read(self) -> list[_Input]:
        """Returns the placeholders of a request."""
        calls = [
            node
            for node in self._nodes
            if isinstance(node, ast.Call) and self._file.name_of(node.func) == _PLACEHOLDER
        ]
        tensors = self._value(self._tensors)
        if isinstance(tensors, ast.DictComp):
            raise NotUnderstood("it creates its placeholders in a loop")
        nodes_by_name = self._by_name(tensors) if isinstance(tensors, ast.Dict) else None
        if nodes_by_name is None:
            nodes_by_name = {_ONE_TENSOR: tensors}
        inputs = [self._input(name, node) for name, node in nodes_by_name.items()]
        if sorted(map(id, calls)) != sorted(id(placeholder.call) for placeholder in inputs):
            raise NotUnderstood("its placeholders differ from its receiver_tensors")
        return inputs

    def _by_name(self, node: ast.Dict) -> dict[str, ast.expr]:
        names = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
        if len({*names}) != len(names) or not all(isinstance(name, str) for name in names):
            raise NotUnderstood("the names of its receiver_tensors are unknown")
        return dict(zip(map(str, names), node.values, strict=True))

    def _input(self, name: str, node: ast.expr) -> _Input:
        call = self._value(node)
        if not isinstance(call, ast.Call) or self._file.name_of(call.func) != _PLACEHOLDER:
            raise NotUnderstood(f"the receiver tensor {name!r} may not be a placeholder")
        if not _NAME.fullmatch(name):
            raise NotUnderstood(
                f"the receiver tensor {name!r} has a name that no argument can have"
            )
        statement = self._file.parent(call)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(target, ast.Name):
            return _Input(call, name, target.id)
        parameter = name
        while parameter in self._names or keyword.iskeyword(parameter):
            parameter += "_"
        return _Input(call, name, parameter)

    def _value(self, node: ast.expr) -> ast.expr:
        """Returns the value of a name that one statement of the function's body assigns."""
        if not isinstance(node, ast.Name):
            return node
        targets = [n for n in self._nodes if isinstance(n, ast.Name) and n.id == node.id]
        targets = [n for n in targets if not isinstance(n.ctx, ast.Load)]
        statement = self._file.parent(targets[0]) if len(targets) == 1 else None
        if not isinstance(statement, ast.Assign) or statement not in self._function.body:
            raise NotUnderstood(f"the value of {node.id} in it is unknown")
        if statement.targets != targets or mutations.place(self._file, node) is not None:
            raise NotUnderstood(f"the value of {node.id} in it is unknown")
        return self._value(statement.value)

    # The change.

    def edits(self) -> list[Edit]:
        """Returns the edits that turn it into a tf.function.

        Raises:
          NotUnderstood: It cannot become a tf.function.
        """
        file, function = self._file, self._function
        tf = bridged_configs.tensorflow(file)
        if not tf:
            raise NotUnderstood(bridged_configs.NAMELESS)
        specs = [self._spec(tf, placeholder) for placeholder in self._inputs]
        start = file.span(function)[0]
        line, indent = file.line_start(function.lineno), file.indent(function.lineno)
        decorator = _decorator(tf, specs, indent, file.newline)
        head = _HEAD.match(file.segment(function))
        first, last = (start + at for at in head.span(1)) if head else (start, start)
        if function.returns is not None:
            last = file.span(function.returns)[1]
        parameters = ", ".join(placeholder.parameter for placeholder in self._inputs)
        edits = [Edit(line, line, decorator), Edit(first, last, f"({parameters})")]
        edits += [*self._of_body()]
        end = function.body[-1]
        if isinstance(end, ast.Return) and end.value is not None:
            edits += file.replacement(end.value, self._features_text()).edits
        return edits

    def _spec(self, tf: str, placeholder: _Input) -> str:
        args = arguments.bind(placeholder.call, ("dtype", "shape", "name"))
        if args is None or "dtype" not in args:
            raise NotUnderstood("a placeholder is created with *args or **kwargs")
        for node in (args["dtype"], args.get("shape")):
            if node is not None and not self._is_fixed(node):
                text = self._file.segment(node)
                raise NotUnderstood(f"{text} may have another value where the function is defined")
        shape = self._file.segment(args["shape"]) if "shape" in args else "None"
        dtype = self._file.segment(args["dtype"])
        return f"{tf}.TensorSpec({shape}, {dtype}, name={placeholder.name!r})"

    def _is_fixed(self, node: ast.expr) -> bool:
        """Says whether an expression has the same value where the function is defined."""
        name = self._file.name_of(node)
        if isinstance(node, ast.Constant) or name and _FIXED.fullmatch(name):
            return True
        if isinstance(node, (ast.List, ast.Tuple)):
            return all(map(self._is_fixed, node.elts))
        if isinstance(node, ast.BinOp):
            return self._is_fixed(node.left) and self._is_fixed(node.right)
        if not isinstance(node, ast.Name):
            return False
        value = bindings.assigned_value(self._file, node)
        if value is None or self._file.function(value) is not None:
            return False
        return value.lineno < self._function.lineno and self._is_fixed(value)

    def _of_body(self) -> Iterator[Edit]:
        """Yields the edits that replace placeholders, and that remove unused statements."""
        file = self._file
        parameters = {placeholder.call: placeholder.parameter for placeholder in self._inputs}
        for statement in self._function.body[:-1]:
            calls = [call for call in parameters if file.statement(call) is statement]
            if self._is_needless(statement, calls):
                if not estimator_uses.is_alone(file, statement):
                    raise NotUnderstood(
                        f"there is more than one statement in line {statement.lineno}"
                    )
                yield _without(file, statement)
            else:
                for call in calls:
                    yield from file.replacement(call, parameters[call]).edits

    def _is_needless(self, statement: ast.stmt, calls: Sequence[ast.Call]) -> bool:
        """Says whether a statement only names a placeholder or the request tensors."""
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
            return False
        if statement.value in calls:
            return True
        name = statement.targets[0].id
        uses = [n for n in self._nodes if isinstance(n, ast.Name) and n.id == name]
        return uses == [statement.targets[0], self._tensors]

    def _features_text(self) -> str:
        """Returns the expression of the features, in the form that a model takes."""
        text = self._file.segment(self._features)
        if self._is_single:
            return text
        if isinstance(self._features, ast.Name):
            if self._features.id in {placeholder.parameter for placeholder in self._inputs}:
                return f'{{"{_ONE_FEATURE}": {text}}}'
            uses = [n for n in self._nodes if isinstance(n, ast.Name) and n.id == self._features.id]
            statements = [self._file.parent(n) for n in uses if not isinstance(n.ctx, ast.Load)]
            values = [
                statement.value for statement in statements if isinstance(statement, ast.Assign)
            ]
            is_dict = bool(values) and len(values) == len(statements)
            is_dict = is_dict and all(map(self._is_dict, values))
        else:
            is_dict = self._is_dict(self._features)
        if not is_dict:
            self.problem = _UNSEEN_FEATURES
        return text

    def _is_dict(self, node: ast.expr) -> bool:
        if isinstance(node, (ast.Dict, ast.DictComp)):
            return True
        if not isinstance(node, ast.Call):
            return False
        is_dict_call = isinstance(node.func, ast.Name) and node.func.id == "dict"
        return is_dict_call or self._file.name_of(node.func) in _PARSED


def _decorator(tf: str, specs: Sequence[str], indent: str, newline: str) -> str:
    """Returns the tf.function decorator, on several lines if one would be too long."""
    line = f"{indent}@{tf}.function(input_signature=[{', '.join(specs)}])"
    if len(line) <= _WIDTH:
        return line + newline
    inner = "".join(f"{indent}        {spec},{newline}" for spec in specs)
    return (
        f"{indent}@{tf}.function({newline}{indent}    input_signature=[{newline}{inner}"
        f"{indent}    ]{newline}{indent}){newline}"
    )


def _without(file: SourceFile, statement: ast.stmt) -> Edit:
    """Returns the edit that removes a statement and keeps a trailing comment in its place."""
    first, last = statement.lineno, statement.end_lineno or statement.lineno
    start, end = file.line_start(first), file.line_start(last + 1)
    comment = file.text[file.span(statement)[1] : file.line_end(last)].strip()
    return Edit(start, end, f"{file.indent(first)}{comment}{file.newline}" if comment else "")
