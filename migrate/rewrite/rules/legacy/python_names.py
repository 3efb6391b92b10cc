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
_ARGUMENTS = {f"numpy.{name}": names for name, names in numpy_1.ARGUMENTS.items()}
_STACKING = frozenset(f"numpy.{name}" for name in numpy_1.STACKING)
_ITERATORS = ("filter", "map", "zip")


def _find(file: SourceFile) -> Iterator[Change]:
    if not file.plan.program.is_old:
        return
    for match in file.names():
        head, name = _split(match)
        if name in NAMES and not match.guarded:
            yield from _renamed(file, head, NAMES[name])
        elif name == GETARGSPEC and match.call is not None and not match.guarded:
            yield _specified(file, head, match.call)
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
            yield from _stacked(file, match.call)
    yield from _to_bytes(file)


def _specified(file: SourceFile, head: ast.expr, call: ast.Call) -> Change:
    """Returns the change to getfullargspec: its first four values, or those read by name."""
    text = "getfullargspec"
    if isinstance(head, ast.Attribute):
        text = f"{file.segment(head.value)}.getfullargspec"
    elif isinstance(head, ast.Name) and head.id != "getargspec":
        text = head.id  # `python_imports` gives the new function the same local name.
    start, end = file.span(head)
    text += file.segment(call)[end - start :]
    attributes = _asked_of(file, call)
    if not attributes:
        return file.replacement(call, f"{text}[:4]")
    edits = [Edit(*file.span(call), text)]
    for node in attributes:
        if node.attr == "keywords":
            at = file.span(node)[1]
            edits.append(Edit(at - len(node.attr), at, "varkw"))
    return Change(call.lineno, tuple(edits))


def _asked_of(file: SourceFile, call: ast.Call) -> list[ast.Attribute]:
    """Returns the attributes of a call's result, if it is read by attributes alone."""
    parent = file.parent(call)
    if isinstance(parent, ast.Attribute):
        return [parent]
    if not isinstance(parent, ast.Assign):
        return []
    read = [
        file.parent(node)
        for node in file.nodes
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and bindings.assigned_value(file, node) is call
    ]
    return [node for node in read if isinstance(node, ast.Attribute)] * all(
        isinstance(node, ast.Attribute) for node in read
    )


def _with_new_argument(file: SourceFile, call: ast.Call, old: str, new: str) -> Iterator[Change]:
    for index, keyword in enumerate(call.keywords):
        if keyword.arg != old:
            continue
        # Every version of NumPy accepts the second argument of `reshape` by its position.
        is_second = old == "newshape" and index == 0 and len(call.args) == 1
        name = "" if is_second and not isinstance(call.args[0], ast.Starred) else f"{new}="
        yield file.replacement(keyword, f"{name}{file.segment(keyword.value)}")


def _stacked(file: SourceFile, call: ast.Call) -> Iterator[Change]:
    """Makes a list of a generator of arrays."""
    given = call.args[0] if call.args else None
    if isinstance(given, ast.GeneratorExp):
        listed = f"[{file.segment(given)[1:-1]}]"  # Its text has parentheses, if only of the call.
        is_bare = file.span(given)[0] == file.span(call.func)[1]
        yield file.replacement(given, f"({listed})" if is_bare else listed)
    elif isinstance(given, ast.Call) and _is_iterator(file, given.func):
        yield file.replacement(given, f"list({file.segment(given)})")


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
        yield Change(node.lineno, (Edit(end - len(_TOSTRING), end, "tobytes"),))


def _split(match: Match) -> tuple[ast.expr, str]:
    """Returns the part of an expression that is a name of the module, and that name."""
    node, name = match.node, match.name
    while isinstance(node, ast.Attribute) and name.count(".") > 1:
        node, name = node.value, name.rpartition(".")[0]
    return node, name


def _renamed(file: SourceFile, node: ast.expr, new: str) -> Iterator[Change]:
    if not isinstance(node, ast.Attribute):
        return  # It was imported by name, which `python_imports` rewrites.
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
