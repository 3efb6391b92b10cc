"""Follows the objects of the program's own classes that a model_fn makes.

    method = method_of(draft, call)
    draft = without_objects(draft)

For example, `network = TextCnn(params)` and `logits = network.build(x)` become the statements of
`__init__` and of `build`, in which variables hold the attributes of the object.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks, lookup_tables, shape, slices
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion
from migrate.rewrite.model_fns.layers import naming, parts
from migrate.rewrite.model_fns.rendering import Rendered

# Names of TensorFlow in functions that only the statements of a model_fn can contain.
LATE = (
    *shape.LATE,
    *lookup_tables.NAMES,
    "tf.contrib.layers.optimize_loss",
    "tf.contrib.losses.",
    "tf.contrib.slim.learning",
    "tf.contrib.slim.losses",
    "tf.control_dependencies",
    "tf.estimator.EstimatorSpec",
    "tf.estimator.export.",
)
_MAKING = (*parts.MAKE_VARIABLES, *LATE)
_LAYERS = ("tf.keras.layers.Layer", "tf.layers.Layer", "tf_keras.layers.Layer")
_INIT, _CALL, _NEW = "__init__", "__call__", "__new__"


class Method(NamedTuple):
    """A method that a call runs.

    Attributes:
      function: The method.
      object: Name of the object in the model_fn.
      of_class: Class of the object.
    """

    function: ast.FunctionDef
    object: ast.Name
    of_class: ast.ClassDef


def method_of(draft: Draft, call: ast.Call) -> Method | None:
    """Returns the method of an object of the model_fn that a call runs. None for other calls.

    Args:
      draft: The copy of the file.
      call: Call in the model_fn.
    """
    made_class = _class_named(draft.file, call.func)
    if made_class is not None:
        statement = draft.file.parent(call)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(target, ast.Name) or _class_of(draft, target) is not made_class:
            return None
        return _method(made_class, _INIT, target)
    method = _method_named(draft, _CALL, call.func)
    if method is None and isinstance(call.func, ast.Attribute):
        method = _method_named(draft, call.func.attr, call.func.value)
    return method


def _method_named(draft: Draft, name: str, value: ast.expr) -> Method | None:
    """Returns the method of an object, which is a variable or an attribute of another object."""
    if isinstance(value, ast.Attribute):
        value = _value_of_attribute(draft, value) or value
    of_class = _class_of(draft, value) if isinstance(value, ast.Name) else None
    if of_class is None or not isinstance(value, ast.Name):
        return None
    return _method(of_class, name, value)


def _value_of_attribute(draft: Draft, node: ast.Attribute) -> ast.expr | None:
    """Returns the value that an attribute of an object of the model_fn always holds."""
    owner = node.value
    if not isinstance(owner, ast.Name) or _class_of(draft, owner) is None:
        return None
    stores = [
        draft.file.parent(part)
        for part in ast.walk(draft.function)
        if isinstance(part, ast.Attribute) and part.attr == node.attr
        if not isinstance(part.ctx, ast.Load) and slices.base(part) == owner.id
    ]
    statement = stores[0] if len(stores) == 1 else None
    if not isinstance(statement, ast.Assign) or statement not in draft.function.body:
        return None
    return statement.value if len(statement.targets) == 1 else None


def unnamed(draft: Draft) -> Iterator[tuple[ast.stmt, ast.Call, str]]:
    """Yields the calls that make objects without a name, with their statements and new names.

    For example, `logits = TextCnn(params).build(x)` uses such an object. So does a statement
    `self.encoder = Encoder()` of the class of another object.

    Args:
      draft: The copy of the file.
    """
    for node in ast.walk(draft.function):
        made_class = _class_named(draft.file, node.func) if isinstance(node, ast.Call) else None
        if made_class is None or not isinstance(node, ast.Call):
            continue
        statement = draft.file.statement(node)
        is_named = isinstance(statement, ast.Assign) and statement.value is node
        if is_named and isinstance(statement, ast.Assign):
            is_named = not isinstance(statement.targets[0], ast.Attribute)
        if not is_named and makes_layers(draft.file, made_class):
            yield statement, node, naming.snake(made_class.name)


def makes_layers(file: SourceFile, of_class: ast.ClassDef) -> bool:
    """Says whether the methods of a plain class make layers, losses, metrics or a train_op.

    Args:
      file: The file of the class.
      of_class: The class. Its methods may make objects of other classes of the file.
    """
    return _makes_layers(file, of_class, ())


def _makes_layers(
    file: SourceFile, of_class: ast.ClassDef, stack: tuple[ast.ClassDef, ...]
) -> bool:
    if not _is_plain_class(of_class) or of_class in stack:
        return False
    names = (match.name for match in checks.names_in(file, of_class))
    if any(name.startswith(_MAKING) for name in names):
        return True
    calls = (node.func for node in ast.walk(of_class) if isinstance(node, ast.Call))
    made_classes = [_class_named(file, function) for function in calls]
    return any(
        made_class is not None and _makes_layers(file, made_class, (*stack, of_class))
        for made_class in made_classes
    )


def _method(of_class: ast.ClassDef, name: str, node: ast.Name) -> Method | None:
    for statement in of_class.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == name:
            return Method(statement, node, of_class)
    return None


def made(method: ast.FunctionDef, node: ast.Name, of_class: ast.ClassDef) -> str:
    """Returns the statement that stands for an object whose `__init__` is written out.

    It keeps the class of the object known until its other methods are written out, too.

    Args:
      method: The method that is written out.
      node: Name of the object.
      of_class: Class of the object.
    """
    return f"{node.id} = {of_class.name}.{_NEW}({of_class.name})" if method.name == _INIT else ""


def _class_of(draft: Draft, node: ast.Name) -> ast.ClassDef | None:
    """Returns the class of the object that a variable of the model_fn always holds."""
    file = draft.file
    binders = bindings.of_scope(file, node)
    if len(binders) != 1 or file.function(binders[0]) is not draft.function:
        return None
    value = bindings.value_of(file, binders[0])
    function = value.func if isinstance(value, ast.Call) else None
    if isinstance(function, ast.Attribute) and function.attr == _NEW:
        function = function.value
    return _class_named(file, function) if function is not None else None


def _class_named(file: SourceFile, node: ast.expr) -> ast.ClassDef | None:
    """Returns a class of the module that only has methods and constants. None for others."""
    if not isinstance(node, ast.Name):
        return None
    binders = bindings.of_scope(file, node)
    definition = binders[0] if len(binders) == 1 else None
    if not isinstance(definition, ast.ClassDef) or file.parent(definition) is not file.tree:
        return None
    return definition if _is_plain_class(definition) else None


def _is_plain_class(definition: ast.ClassDef) -> bool:
    bases = [ast.unparse(base) for base in definition.bases]
    is_derived = bases not in ([], ["object"]) or bool(definition.keywords)
    if len(bases) == 1 and bases[0] in _LAYERS:
        is_derived = not _overrides_layer(definition)
    return not is_derived and not definition.decorator_list and all(map(_is_plain, definition.body))


def _overrides_layer(definition: ast.ClassDef) -> bool:
    """Says whether a class uses nothing of its base class, which is that of all layers.

    Its `__init__` does not call that of a layer, and its `__call__` makes the layers.
    """
    names = {part.name for part in definition.body if isinstance(part, ast.FunctionDef)}
    return {_INIT, _CALL} <= names and not any(
        (isinstance(node, ast.Name) and node.id == "super")
        or (isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load))
        or ast.unparse(node) in _LAYERS
        for statement in definition.body
        for node in ast.walk(statement)
        if isinstance(node, (ast.Attribute, ast.Name))
    )


def _is_plain(statement: ast.stmt) -> bool:
    """Says whether a statement of a class is a method, a constant or a docstring."""
    if isinstance(statement, ast.FunctionDef):
        is_special = statement.name.startswith("__") and statement.name not in (_INIT, _CALL)
        return bool(statement.args.args) and not statement.decorator_list and not is_special
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or isinstance(statement, (ast.Assign, ast.Pass))


@expansion
def without_objects(draft: Draft) -> Draft:
    """Returns a copy in which variables hold the attributes of objects without other uses.

    Args:
      draft: The copy of the file.

    Raises:
      NotUnderstood: An object has uses other than its attributes.
    """
    while True:
        statement = next(_made_objects(draft), None)
        if statement is None:
            return draft
        draft = _Object(draft, statement).without()


def _made_objects(draft: Draft) -> Iterator[ast.Assign]:
    """Yields the statements that stand for objects whose `__init__` is written out."""
    for node in ast.walk(draft.function):
        value = node.value if isinstance(node, ast.Assign) else None
        function = value.func if isinstance(value, ast.Call) else None
        is_new = isinstance(function, ast.Attribute) and function.attr == _NEW
        if isinstance(node, ast.Assign) and is_new:
            yield node


class _Object:
    """An object of a model_fn whose methods are written out."""

    def __init__(self, draft: Draft, statement: ast.Assign) -> None:
        target = statement.targets[0]
        assert isinstance(target, ast.Name)
        self._draft, self._statement, self._name = draft, statement, target
        self._class = _class_of(draft, target)
        self._attributes = [*self._uses()]
        self._stores = {
            node.attr: node for node in self._attributes if not isinstance(node.ctx, ast.Load)
        }

    def _uses(self) -> Iterator[ast.Attribute]:
        """Yields the attributes of the object, and refuses its other uses."""
        for node in ast.walk(self._draft.function):
            if not isinstance(node, ast.Name) or node.id != self._name.id or node is self._name:
                continue
            parent = self._draft.file.parent(node)
            if not isinstance(parent, ast.Attribute):
                raise NotUnderstood(f"it uses {node.id} in line {node.lineno} as a whole")
            yield parent

    def without(self) -> Draft:
        """Returns a copy in which variables replace the attributes of the object."""
        draft = self._draft
        pairs = next(self._pairs(), None)
        if pairs is not None:
            return draft.with_lines(pairs)
        used_names = {node.id for node in ast.walk(draft.function) if isinstance(node, ast.Name)}
        used_names |= {node.arg for node in ast.walk(draft.function) if isinstance(node, ast.arg)}
        used_names = used_names.union(*map(slices.bound, draft.file.tree.body))
        texts: dict[str, str] = {}
        removed: list[ast.stmt] = [self._statement]
        for name, node in self._stores.items():
            value = self._only_value(name)
            if value is not None:
                texts[name] = draft.file.segment(value)
                removed.append(draft.file.statement(node))
                continue
            texts[name] = name
            while texts[name] in used_names:
                texts[name] = f"{self._name.id}_{texts[name]}"
            used_names.add(texts[name])
        rendered = Rendered(draft.file)
        for node in self._attributes:
            rendered.replace(node, texts.get(node.attr) or self._constant(node))
        return draft.with_lines(self._new_lines(rendered, removed))

    def _pairs(self) -> Iterator[dict[ast.stmt, Sequence[Line]]]:
        """Yields the lines for statements such as `self.size, self.rate = size, rate`."""
        draft = self._draft
        for statement in draft.function.body:
            value = statement.value if isinstance(statement, ast.Assign) else None
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
                continue
            is_stored = all(part in self._attributes for part in target.elts)
            is_own = self._name.id in slices.read(value)
            if is_stored and not is_own and len(target.elts) == len(value.elts):
                indent = draft.file.indent(statement.lineno)
                lines = [
                    f"{indent}{draft.file.segment(first)} = {draft.file.segment(second)}"
                    for first, second in zip(target.elts, value.elts, strict=True)
                ]
                yield {statement: draft.lines_of(statement, "\n".join(lines))}

    def _only_value(self, name: str) -> ast.expr | None:
        """Returns the name or constant that an attribute always holds. None for other values."""
        file = self._draft.file
        stores = [
            node
            for node in self._attributes
            if node.attr == name and not isinstance(node.ctx, ast.Load)
        ]
        statement = file.parent(stores[0])
        if len(stores) != 1 or not isinstance(statement, ast.Assign) or len(statement.targets) > 1:
            return None
        if statement not in self._draft.function.body:
            return None
        value = statement.value
        if isinstance(value, ast.Name) and _class_of(self._draft, value) is not None:
            return value  # Another object, which only its own attributes may change.
        if isinstance(value, ast.Name):
            bound = [
                bound_name
                for other in self._draft.function.body
                for bound_name in slices.bound(other)
            ]
            parameters = {argument.arg for argument in self._draft.function.args.args}
            is_stable = bound.count(value.id) + (value.id in parameters) <= 1
            return value if is_stable else None
        return value if isinstance(value, ast.Constant) else None

    def _constant(self, node: ast.Attribute) -> str:
        """Returns the text of a constant that the class defines."""
        for statement in self._class.body if self._class is not None else ():
            value = statement.value if isinstance(statement, ast.Assign) else None
            is_found = value is not None and slices.replaces(statement) == {node.attr}
            if value is not None and is_found and not _has_names(value):
                return ast.unparse(value)
        text = f"{self._name.id}.{node.attr}"
        parent = self._draft.file.parent(node)
        if isinstance(parent, ast.Call) and parent.func is node:
            raise NotUnderstood(f"{text}() in line {node.lineno} may create variables")
        raise NotUnderstood(f"{text} in line {node.lineno} is unknown")

    def _new_lines(
        self, rendered: Rendered, removed: Sequence[ast.stmt]
    ) -> dict[ast.stmt, Sequence[Line]]:
        """Returns the new lines of all statements with attributes of the object."""
        draft = self._draft
        lines: dict[ast.stmt, Sequence[Line]] = {}
        for statement in removed:
            rendered.replace(statement, "pass")
        for statement in draft.function.body:
            if statement in removed:
                lines[statement] = []
            elif self._name.id in slices.read(statement) | slices.bound(statement):
                indent = draft.file.indent(statement.lineno)
                text = rendered.statement(statement, indent)
                lines[statement] = draft.lines_of(statement, text)
        return lines


def _has_names(node: ast.expr) -> bool:
    """Says whether an expression depends on names."""
    return any(isinstance(part, ast.Name) for part in ast.walk(node))
