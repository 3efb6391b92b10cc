"""Replaces tf.contrib.training.HParams by a namespace, if the file only uses its attributes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.rewrite.engine.rule import Change, Import, Rule
from migrate.rewrite.engine.source_file import SourceFile

_TYPES = Import("types", "types")
_METHODS = frozenset(
    [
        "add_hparam",
        "del_hparam",
        "get",
        "get_model_structure",
        "override_from_dict",
        "parse",
        "parse_json",
        "set_hparam",
        "set_from_map",
        "set_model_structure",
        "to_json",
        "to_proto",
        "values",
    ]
)
# Methods that other objects have, too, such as dictionaries. They count only on HParams.
_COMMON = frozenset(("get", "parse", "to_json", "values"))
_CONSUMERS = ("tf.estimator.Estimator", "tf.contrib.learn.learn_runner.run")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _find(file: SourceFile) -> Iterator[Change]:
    matches = file.matches(RULE)
    used = sorted(_used_features(file, [m.call for m in matches if m.call])) if matches else []
    for match in matches:
        if match.call is None or match.call.args:
            yield file.suggestion(match.node, "it is not called, or called with hparam_def")
        elif any(use.name in _CONSUMERS for use in file.names()):
            yield file.suggestion(
                match.node, "an Estimator or learn_runner does not accept a namespace"
            )
        elif used:
            reason = f"this file uses {', '.join(used)} of HParams, which a namespace does not have"
            yield file.suggestion(match.node, reason)
        else:
            yield file.replacement(
                match.node,
                f"{file.module_name(_TYPES)}.SimpleNamespace",
                (_TYPES,),
                "other code may call its methods, or pass it to an Estimator",
            )


def _used_features(file: SourceFile, calls: Sequence[ast.Call]) -> Iterator[str]:
    """Yields the methods of HParams that a file calls, and "in" if it tests for a name.

    Args:
      file: The file.
      calls: The calls that create HParams.
    """
    holders = _Holders(file, calls)
    features = set()
    for node in file.nodes:
        if isinstance(node, ast.Attribute) and node.attr in _METHODS:
            if node.attr not in _COMMON or holders.may_be(node.value):
                features.add(node.attr)
        elif isinstance(node, ast.Compare):
            is_test = isinstance(node.ops[-1], (ast.In, ast.NotIn))
            if is_test and holders.may_be(node.comparators[-1]):
                features.add("in")
    yield from features


class _Holders:
    """The names in a file that may stand for HParams: variables, attributes, arguments and keys.

    A name counts in the whole file. For example, after `self.hparams = HParams()`, `params.hparams`
    may be HParams, too.

    Args:
      file: The file.
      calls: The calls that create HParams.
    """

    def __init__(self, file: SourceFile, calls: Sequence[ast.Call]) -> None:
        self._file, self._calls = file, calls
        self._names: set[str] = set()
        self._returning: set[str] = set()  # Functions that return HParams.
        self._parameters = {
            node.name: _parameters(node) for node in file.nodes if isinstance(node, _FUNCTIONS)
        }
        for node in file.nodes:
            if isinstance(node, ast.ClassDef):
                methods = [n for n in node.body if isinstance(n, _FUNCTIONS)]
                inits = [n for n in methods if n.name == "__init__"]
                self._parameters.update((node.name, _parameters(n)) for n in inits)
        count = -1
        while count != len(self._names) + len(self._returning):
            count = len(self._names) + len(self._returning)
            for node in file.nodes:
                self._follow(node)

    def may_be(self, node: ast.AST | None) -> bool:
        """Says whether an expression may be HParams."""
        if isinstance(node, ast.Call):
            return node in self._calls or _last_name(node.func) in self._returning
        if isinstance(node, ast.BoolOp):
            return any(map(self.may_be, node.values))
        if isinstance(node, ast.IfExp):
            return self.may_be(node.body) or self.may_be(node.orelse)
        if isinstance(node, ast.NamedExpr):
            return self.may_be(node.value)
        if isinstance(node, ast.Subscript):
            return isinstance(node.slice, ast.Constant) and node.slice.value in self._names
        return _last_name(node) in self._names

    def _has(self, node: ast.AST | None) -> bool:
        """Says whether an expression may be HParams, or a list or tuple with such an element."""
        if isinstance(node, (ast.List, ast.Tuple)):
            return any(map(self._has, node.elts))
        return self.may_be(node)

    def _follow(self, node: ast.AST) -> None:
        """Adds the names that a node gives to HParams."""
        if isinstance(node, ast.Assign) and self._has(node.value):
            for target in node.targets:
                self._add(target)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
            if self._has(node.value):
                self._add(node.target)
        elif isinstance(node, (ast.For, ast.comprehension)):
            if self._has(node.iter):
                self._add(node.target)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and self.may_be(value):
                    self._names.add(str(key.value))
        elif isinstance(node, ast.Return) and self._has(node.value):
            function = self._file.function(node)
            self._returning.update([function.name] if isinstance(function, _FUNCTIONS) else ())
        elif isinstance(node, ast.Call) and node not in self._calls:
            self._follow_arguments(node)

    def _follow_arguments(self, call: ast.Call) -> None:
        keywords = [keyword for keyword in call.keywords if self.may_be(keyword.value)]
        self._names.update(keyword.arg for keyword in keywords if keyword.arg)
        if not any(map(self.may_be, call.args)):
            return
        # For example, `functools.partial(model_fn, hparams)` passes it to `model_fn`.
        for function in (call.func, *call.args):
            self._names.update(self._parameters.get(_last_name(function), ()))

    def _add(self, target: ast.AST) -> None:
        if isinstance(target, (ast.List, ast.Tuple)):
            for element in target.elts:
                self._add(element)
        elif isinstance(target, ast.Subscript):
            if isinstance(target.slice, ast.Constant):
                self._names.add(str(target.slice.value))
        elif name := _last_name(target):
            self._names.add(name)


def _last_name(node: ast.AST | None) -> str:
    """Returns the last part of a name, such as "hparams" of `self.hparams`, or ""."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    return [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]


RULE = Rule(
    __name__,
    _find,
    message="A namespace replaces HParams, which has no counterpart in TensorFlow.",
    source="https://docs.python.org/3/library/types.html#types.SimpleNamespace",
    symbols=("tf.contrib.training.HParams",),
    recipe="hparams",
    safe=False,
)
