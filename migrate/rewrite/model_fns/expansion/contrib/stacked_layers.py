"""Writes `tf.contrib.layers.stack` and `repeat` as loops over their layers.

draft = without_stacks(draft)

For example, `net = stack(x, fully_connected, sizes)` becomes a loop that calls `fully_connected`
with each size, in the scope of the stack. `net = repeat(x, 2, conv2d, 8, 3, scope="a")` becomes a
loop that calls `conv2d` two times.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.rewrite.engine import arguments
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion
from migrate.rewrite.model_fns.expansion.functions import inlining
from migrate.rewrite.model_fns.rendering import Rendered

_STACKS = ("tf.contrib.layers.stack", "tf.contrib.slim.stack")
_REPEATS = ("tf.contrib.layers.repeat", "tf.contrib.slim.repeat")
_PARAMETERS = ("inputs", "layer", "stack_args")
_REPEAT_PARAMETERS = ("inputs", "repetitions", "layer")


@expansion
def without_stacks(draft: Draft) -> Draft:
    """Returns a copy of a file in which loops replace assignments of stacks.

    A stack stays if it is a part of an expression, or if its layers have several arguments.

    Args:
      draft: The copy of the file.
    """
    new_lines: dict[ast.stmt, Sequence[Line]] = {}
    used_names = inlining.names_of(draft)
    count = 0
    for statement in inlining.statements_of(draft.function.body):
        value = statement.value if isinstance(statement, ast.Assign) else None
        is_stack = isinstance(value, ast.Call) and draft.file.name_of(value.func) in _STACKS
        if not isinstance(statement, ast.Assign) or not isinstance(value, ast.Call):
            continue
        if draft.file.name_of(value.func) in _REPEATS:
            text = _repetition(draft, statement, value, used_names)
            new_lines |= {statement: draft.lines_of(statement, text)} if text else {}
        if not is_stack:
            continue
        text = _loop(draft, statement, value, count, used_names)
        count += "scope" not in {keyword.arg for keyword in value.keywords}
        if text:
            new_lines[statement] = draft.lines_of(statement, text)
    return draft.with_lines(new_lines) if new_lines else draft


def _loop(
    draft: Draft, statement: ast.Assign, call: ast.Call, count: int, used_names: set[str]
) -> str:
    """Returns the loop for a stack, or "" if it stays."""
    file = draft.file
    args = arguments.bind(call, _PARAMETERS)
    target = statement.targets[0]
    if args is None or not {*_PARAMETERS} <= set(args) or len(statement.targets) > 1:
        return ""
    layer = (file.name_of(args["layer"]) or "").rpartition(".")[2]
    sizes = args["stack_args"]
    elements = sizes.elts if isinstance(sizes, (ast.List, ast.Tuple)) else []
    is_nested = any(isinstance(part, (ast.List, ast.Tuple)) for part in elements)
    if not isinstance(target, ast.Name) or not layer or is_nested or "reuse" in args:
        return ""
    if any(target.id in slices.read(args[key]) for key in args if key != "inputs"):
        return ""
    size = inlining.free_name("size", used_names)
    number = inlining.free_name("number", used_names)
    used_names |= {size, number}
    scope = args.pop("scope", None)
    stack_scope = file.segment(scope) if scope else '"Stack"' if not count else f'"Stack_{count}"'
    module = _tensorflow(draft)
    if scope is not None and not isinstance(scope, ast.Constant) or not module:
        return ""
    layer = str(scope.value) if isinstance(scope, ast.Constant) else layer
    name = f'"{layer}_%d" % {number}'
    rendered = Rendered(file)
    options = [
        f"{key}={rendered.one_line(node)}" for key, node in args.items() if key not in _PARAMETERS
    ]
    options = [target.id, size, *options, f"scope={name}"]
    indent = file.indent(statement.lineno)
    inputs = rendered.one_line(args["inputs"])
    lines = [f"{target.id} = {inputs}"] if inputs != target.id else []
    lines += [
        f"with {module}.variable_scope({stack_scope}):",
        f"    for {number}, {size} in enumerate({rendered.one_line(sizes)}, 1):",
        f"        {target.id} = {file.segment(args['layer'])}({', '.join(options)})",
    ]
    return "\n".join(f"{indent}{line}" for line in lines)


def _repetition(draft: Draft, statement: ast.Assign, call: ast.Call, used_names: set[str]) -> str:
    """Returns the loop for a repeated layer, or "" if it stays."""
    file, target = draft.file, statement.targets[0]
    count = len(_REPEAT_PARAMETERS)
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    scope, module = keywords.pop("scope", None), _tensorflow(draft)
    prefix = scope.value if isinstance(scope, ast.Constant) else None
    starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    if not isinstance(prefix, str) or not prefix or not module or starred:
        return ""
    if len(call.args) < count or {None, *_REPEAT_PARAMETERS, "reuse"} & {*keywords}:
        return ""
    (inputs, repetitions, layer), rest = call.args[:count], call.args[count:]
    repeated = [repetitions, layer, *rest, *keywords.values()]
    if not isinstance(target, ast.Name) or len(statement.targets) > 1:
        return ""
    if any(target.id in slices.read(node) for node in repeated):
        return ""
    number, rendered = inlining.free_name("number", used_names), Rendered(file)
    used_names.add(number)
    options = [target.id, *map(rendered.one_line, rest)]
    options += [f"{key}={rendered.one_line(node)}" for key, node in keywords.items()]
    options.append(f'scope="{prefix}_%d" % ({number} + 1)')
    first = rendered.one_line(inputs)
    lines = [f"{target.id} = {first}"] if first != target.id else []
    lines += [
        f'with {module}.variable_scope("{prefix}"):',
        f"    for {number} in range({rendered.one_line(repetitions)}):",
        f"        {target.id} = {file.segment(layer)}({', '.join(options)})",
    ]
    return "\n".join(f"{file.indent(statement.lineno)}{line}" for line in lines)


def _tensorflow(draft: Draft) -> str:
    """Returns the name of TensorFlow in the file, or ""."""
    for name, value in draft.file.exported.items():
        if value in ("tensorflow", "tensorflow.compat.v1") and name not in draft.file.rebound:
            return name
    return ""
