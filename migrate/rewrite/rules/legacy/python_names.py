"""Replaces names that NumPy and Python have dropped: `np.float` was just `float`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Change, Edit, Rule
from migrate.rewrite.engine.source_file import Match, SourceFile

# The replacement of each name. If it begins with a dot, it is a name of the same module.
NAMES: dict[str, str] = {
    "numpy.Inf": ".inf",
    "numpy.Infinity": ".inf",
    "numpy.NaN": ".nan",
    "numpy.PINF": ".inf",
    "numpy.alltrue": ".all",
    "numpy.bool": "bool",
    "numpy.complex": "complex",
    "numpy.complex_": ".complex128",
    "numpy.cumproduct": ".cumprod",
    "numpy.float": "float",
    "numpy.float_": ".float64",
    "numpy.in1d": ".isin",
    "numpy.infty": ".inf",
    "numpy.int": "int",
    "numpy.long": "int",
    "numpy.object": "object",
    "numpy.product": ".prod",
    "numpy.row_stack": ".vstack",
    "numpy.sometrue": ".any",
    "numpy.str": "str",
    "numpy.string_": ".bytes_",
    "numpy.unicode": "str",
    "numpy.unicode_": ".str_",
    "time.clock": ".perf_counter",
} | {
    f"collections.{name}": f".abc.{name}"
    for name in [
        "Callable",
        "Container",
        "Hashable",
        "ItemsView",
        "Iterable",
        "Iterator",
        "KeysView",
        "Mapping",
        "MappingView",
        "MutableMapping",
        "MutableSequence",
        "MutableSet",
        "Sequence",
        "Set",
        "Sized",
        "ValuesView",
    ]
}
GETARGSPEC = "inspect.getargspec"
_ASSCALAR = "numpy.asscalar"
_RESHAPE = "numpy.reshape"  # Its `newshape` was renamed in NumPy 2.1, and removed in 2.4.


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
        elif name == _RESHAPE and match.call is not None:
            yield from _reshaped(file, match.call)


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


def _reshaped(file: SourceFile, call: ast.Call) -> Iterator[Change]:
    for index, keyword in enumerate(call.keywords):
        if keyword.arg == "newshape":
            # Every version of NumPy accepts it as a positional argument.
            is_second = index == 0 and len(call.args) == 1
            name = "" if is_second and not isinstance(call.args[0], ast.Starred) else "shape="
            yield file.replacement(keyword, f"{name}{file.segment(keyword.value)}")


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
    symbols=(*NAMES, _ASSCALAR, GETARGSPEC, _RESHAPE),
    recipe="sessions_and_graphs",
)
