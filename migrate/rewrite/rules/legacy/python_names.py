"""Replaces names that NumPy and Python have dropped: `np.float` was just `float`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from legacy.names import numpy_1
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Change, Edit, Rule
from migrate.rewrite.engine.source_file import Match, SourceFile

# The replacement of each name. If it begins with a dot, it is a name of the same module.
NAMES: dict[str, str] = {
    "numpy.NINF": "float('-inf')",
    "time.clock": ".perf_counter",
    **{f"numpy.{name}": today for name, today in numpy_1.NAMES.items()},
} | {
    f"collections.{name}": f".abc.{name}"
    for name in [
        *("Callable", "Container", "Hashable", "ItemsView", "Iterable", "Iterator", "KeysView"),
        *("Mapping", "MappingView", "MutableMapping", "MutableSequence", "MutableSet"),
        *("Sequence", "Set", "Sized", "ValuesView"),
    ]
}
GETARGSPEC = "inspect.getargspec"
_ASSCALAR = "numpy.asscalar"
_FROMSTRING = "numpy.fromstring"
_TOSTRING = "tostring"
_UNKNOWN_TOSTRING = (
    "the object may be an array of NumPy, which has only tobytes today, or of another class"
)
# Functions of NumPy that return an array or a scalar.
_ARRAY_FUNCTIONS = frozenset(
    [
        *("abs", "absolute", "arange", "argmax", "argmin", "argsort", "array", "asarray"),
        *("ascontiguousarray", "asfortranarray", "bitwise_and", "bitwise_or", "ceil", "clip"),
        *("concatenate", "copy", "cos", "cumsum", "diff", "dot", "dstack", "empty", "empty_like"),
        *("exp", "expand_dims", "eye", "fliplr", "flipud", "floor", "frombuffer", "fromfile"),
        *("fromiter", "fromstring", "full", "full_like", "hstack", "identity", "linspace", "log"),
        *("logical_and", "logical_not", "logical_or", "logspace", "matmul", "max", "maximum"),
        *("mean", "min", "minimum", "moveaxis", "multiply", "ones", "ones_like", "packbits", "pad"),
        *("ravel", "repeat", "reshape", "resize", "rint", "roll", "rot90", "round", "sin", "sort"),
        *("sqrt", "square", "squeeze", "stack", "subtract", "sum", "swapaxes", "take", "tile"),
        *("transpose", "unpackbits", "vstack", "where", "zeros", "zeros_like"),
        *("bool_", "float16", "float32", "float64", "int16", "int32", "int64", "int8"),
        *("uint16", "uint32", "uint64", "uint8"),
        *(f"random.{name}" for name in ("normal", "permutation", "rand", "randint", "randn")),
        *(f"random.{name}" for name in ("random", "random_sample", "uniform")),
    ]
)
# Methods and attributes of arrays that are arrays again.
_ARRAY_METHODS = frozenset(
    [
        *("astype", "clip", "copy", "cumsum", "dot", "flatten", "max", "mean", "min", "ravel"),
        *("repeat", "reshape", "round", "squeeze", "sum", "swapaxes", "take", "transpose", "view"),
    ]
)
_VIEWS = frozenset(("T", "imag", "real"))
_ARGUMENTS = {f"numpy.{name}": names for name, names in numpy_1.ARGUMENTS.items()}
_STACKING = frozenset(f"numpy.{name}" for name in numpy_1.STACKING)
_ITERATORS = ("filter", "map", "zip")


def _find(file: SourceFile) -> Iterator[Change]:
    if not file.plan.program.is_old:
        return
    for match in file.names():
        head, name = _split(match)
        if name in NAMES and not match.guarded:
            yield from _rename(file, head, NAMES[name])
        elif name == GETARGSPEC and match.call is not None and not match.guarded:
            yield _getfullargspec(file, head, match.call)
        elif name == _ASSCALAR and match.call is not None and isinstance(head, ast.Attribute):
            args = arguments.bind(match.call, ("a",))
            if args and "a" in args:
                array = f"{file.segment(head.value)}.asarray({file.segment(args['a'])})"
                yield file.replacement(match.call, f"{array}.item()")
        elif name == _FROMSTRING and match.call is not None and isinstance(head, ast.Attribute):
            yield from _from_bytes(file, head, match.call)
        elif name in _ARGUMENTS and match.call is not None:
            yield from _with_new_argument(file, match.call, *_ARGUMENTS[name])
        elif name in _STACKING and match.call is not None:
            yield from _stack(file, match.call)
    yield from _to_bytes(file)


def _getfullargspec(file: SourceFile, head: ast.expr, call: ast.Call) -> Change:
    """Returns the change to getfullargspec, cut to four values unless they are read by name."""
    text = "getfullargspec"
    if isinstance(head, ast.Attribute):
        text = f"{file.segment(head.value)}.getfullargspec"
    elif isinstance(head, ast.Name) and head.id != "getargspec":
        text = head.id  # `python_imports` gives the new function the same local name.
    start, end = file.span(head)
    text += file.segment(call)[end - start :]
    attributes = _attributes_of_result(file, call)
    if not attributes:
        return file.replacement(call, f"{text}[:4]")
    edits = [Edit(*file.span(call), text)]
    for node in attributes:
        if node.attr == "keywords":
            name_end = file.span(node)[1]
            edits.append(Edit(name_end - len(node.attr), name_end, "varkw"))
    return Change(call.lineno, tuple(edits))


def _attributes_of_result(file: SourceFile, call: ast.Call) -> list[ast.Attribute]:
    """Returns the attributes that are read from a call's result, or [] if it has other uses."""
    parent = file.parent(call)
    if isinstance(parent, ast.Attribute):
        return [parent]
    if not isinstance(parent, ast.Assign):
        return []
    uses = [
        file.parent(node)
        for node in file.nodes
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and bindings.assigned_value(file, node) is call
    ]
    return [node for node in uses if isinstance(node, ast.Attribute)] * all(
        isinstance(node, ast.Attribute) for node in uses
    )


def _with_new_argument(file: SourceFile, call: ast.Call, old: str, new: str) -> Iterator[Change]:
    for index, keyword in enumerate(call.keywords):
        if keyword.arg != old:
            continue
        # Every version of NumPy accepts the second argument of `reshape` by its position.
        is_second = old == "newshape" and index == 0 and len(call.args) == 1
        name = "" if is_second and not isinstance(call.args[0], ast.Starred) else f"{new}="
        yield file.replacement(keyword, f"{name}{file.segment(keyword.value)}")


def _stack(file: SourceFile, call: ast.Call) -> Iterator[Change]:
    """Turns a generator or an iterator of arrays into a list, because NumPy requires a sequence."""
    arrays = call.args[0] if call.args else None
    if isinstance(arrays, ast.GeneratorExp):
        array_list = f"[{file.segment(arrays)[1:-1]}]"  # Its text includes parentheses.
        is_bare = file.span(arrays)[0] == file.span(call.func)[1]
        yield file.replacement(arrays, f"({array_list})" if is_bare else array_list)
    elif isinstance(arrays, ast.Call) and _is_iterator(file, arrays.func):
        yield file.replacement(arrays, f"list({file.segment(arrays)})")


def _is_iterator(file: SourceFile, function: ast.expr) -> bool:
    """Says whether a function, such as `map` or a dictionary's `values`, returns no sequence."""
    if isinstance(function, ast.Name):
        return function.id in _ITERATORS and not bindings.of_scope(file, function)
    return isinstance(function, ast.Attribute) and function.attr in ("values", "itervalues")


def _from_bytes(file: SourceFile, function: ast.Attribute, call: ast.Call) -> Iterator[Change]:
    """Rewrites a `fromstring` that reads bytes. With `sep`, it reads text and still exists."""
    if len(call.args) > 3 or any(keyword.arg in (None, "sep") for keyword in call.keywords):
        return
    if not call.args or any(keyword.arg == "string" for keyword in call.keywords):
        return
    start, end = file.span(function)
    rest = file.segment(call)[end - start :]
    yield file.replacement(call, f"{file.segment(function.value)}.frombuffer{rest}.copy()")


def _to_bytes(file: SourceFile) -> Iterator[Change]:
    """Rewrites the method `tostring` of arrays. Functions of that name take an argument."""
    for node in file.nodes:
        if not isinstance(node, ast.Call) or node.args or node.keywords:
            continue
        if not isinstance(node.func, ast.Attribute) or node.func.attr != _TOSTRING:
            continue
        end = file.span(node.func)[1]
        if _is_array(file, node.func.value):
            yield Change(node.lineno, (Edit(end - len(_TOSTRING), end, "tobytes"),))
        elif not file.computed(_has_own_tostring):
            yield file.suggestion(node, _UNKNOWN_TOSTRING)


def _is_array(
    file: SourceFile, node: ast.expr | None, assumed: frozenset[str] = frozenset()
) -> bool:
    """Says whether an expression is certainly an array or a scalar of NumPy, or an array.array.

    Args:
      file: The file.
      node: The expression. None is unknown.
      assumed: Names that count as arrays. For example, `data` in `data = data * 2`, so that the
        other assignments to it decide.
    """
    if isinstance(node, (ast.BinOp, ast.Compare, ast.UnaryOp)):
        return any(
            isinstance(operand, ast.expr) and _is_array(file, operand, assumed)
            for operand in ast.iter_child_nodes(node)
        )
    if isinstance(node, ast.Subscript):
        return _is_array(file, node.value, assumed)
    if isinstance(node, ast.Attribute):
        return node.attr in _VIEWS and _is_array(file, node.value, assumed)
    if isinstance(node, ast.Name):
        if node.id in assumed:
            return True
        values = [bindings.value_of(file, binder) for binder in bindings.of_scope(file, node)]
        is_bound = bool(values) and not bindings.is_rebound_indirectly(file, node)
        return is_bound and all(_is_array(file, v, assumed | {node.id}) for v in values)
    if not isinstance(node, ast.Call):
        return False
    name = file.name_of(node.func) or ""
    if name.startswith("numpy."):
        return name.removeprefix("numpy.") in _ARRAY_FUNCTIONS
    if isinstance(node.func, ast.Attribute):
        if node.func.attr in _ARRAY_METHODS:
            return _is_array(file, node.func.value, assumed)
        return ast.unparse(node.func) == "array.array" and _is_module(file, node.func.value)
    return False


def _is_module(file: SourceFile, node: ast.expr) -> bool:
    """Says whether a name is bound only by `import` of the module with that name."""
    binders = bindings.of_scope(file, node) if isinstance(node, ast.Name) else []
    parents = map(file.parent, binders)
    return bool(binders) and all(isinstance(parent, ast.Import) for parent in parents)


def _has_own_tostring(file: SourceFile) -> bool:
    """Says whether a file defines or assigns a method `tostring`."""
    return any(
        (isinstance(node, ast.FunctionDef) and node.name == _TOSTRING)
        or (isinstance(node, ast.Attribute) and node.attr == _TOSTRING and _is_stored(node))
        for node in file.nodes
    )


def _is_stored(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store)


def _split(match: Match) -> tuple[ast.expr, str]:
    """Returns the part of an expression that is a name in the module, and that name."""
    node, name = match.node, match.name
    while isinstance(node, ast.Attribute) and name.count(".") > 1:
        node, name = node.value, name.rpartition(".")[0]
    return node, name


def _rename(file: SourceFile, node: ast.expr, new: str) -> Iterator[Change]:
    if not isinstance(node, ast.Attribute):
        return  # The name was imported from its module, which `python_imports` rewrites.
    if not new.startswith("."):
        yield file.replacement(node, new)
        return
    # The attribute `collections.abc` exists, because TensorFlow imports that module.
    yield file.replacement(node, f"{file.segment(node.value)}{new}")


RULE = Rule(
    __name__,
    _find,
    message="Current names replace those that NumPy and Python have removed.",
    source="https://numpy.org/devdocs/release/1.20.0-notes.html",
    symbols=(*NAMES, _ASSCALAR, GETARGSPEC, _FROMSTRING, *_ARGUMENTS, *sorted(_STACKING)),
    recipe="sessions_and_graphs",
)
