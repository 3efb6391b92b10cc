"""Splits a model_fn into its forward pass, and the parts that each mode adds.

    shape = read(file, function)
    shape.forward, shape.outputs

The forward pass consists of the statements that all modes share and that need no labels. Keras
calls it. All other parts see only its results, the names in `outputs`, such as logits.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from migrate.rewrite.analysis import modern_names
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import (
    checks,
    dictionaries,
    heads,
    metric_functions,
    modes,
    resolving,
    sharing,
    slices,
    specifications,
)
from migrate.rewrite.model_fns.analysis.heads import Head
from migrate.rewrite.model_fns.analysis.metric_functions import Evaluated
from migrate.rewrite.model_fns.analysis.modes import Modes, Path
from migrate.rewrite.model_fns.analysis.sharing import Common

_PARAMETERS = ("features", "labels", "mode", "params")
# Names that no forward pass uses, because they need the loss, the labels or the step.
_LATE = (
    "tf.GraphKeys",
    "tf.add_to_collection",
    "tf.get_collection",
    "tf.global_variables",
    "tf.gradients",
    "tf.losses.",
    "tf.metrics.",
    "tf.train.",
    "tf.trainable_variables",
)
# Statements that only show something.
_SILENT = (
    "tf.Print",
    "tf.contrib.summary.",
    "tf.identity",
    "tf.logging.",
    "tf.print",
    "tf.summary.",
)


class Part(NamedTuple):
    """A computation on the results of the forward pass.

    Attributes:
      statements: Statements in order.
      expressions: Results, computed after the statements.
      given: Values of the parameters of a function that it contains, by their names.
    """

    statements: list[ast.stmt]
    expressions: list[ast.expr]
    given: Mapping[str, ast.expr] = types.MappingProxyType({})

    @property
    def names(self) -> set[str]:
        """The names that it reads from earlier computations."""
        read = slices.open_names(self.statements, self.expressions)
        return metric_functions.names_outside(read, self.given)


class Shape(NamedTuple):
    """The parts of a model_fn.

    Attributes:
      function: The model_fn.
      modes: The model_fn, followed through each mode.
      train: Path through training.
      infer: Path through prediction, or None if there is none.
      train_op: Expression of the train_op.
      forward: Statements of the forward pass.
      literals: Texts for constants that differ between training and the other modes.
      outputs: Names whose values other parts need, in the order of their binding.
      loss: The loss, computed from labels and the results of the forward pass.
      metrics: Calls of tf.metrics in `eval_metric_ops`, by name.
      tests: Conditions on settings under which metrics exist, by name.
      evaluation: Computation of the arguments of these calls, or None without metrics.
      predictions: Computation of the predictions, or None if there are none.
      exports: Values of `export_outputs` by name, empty if there are none.
      exported: Computation of their arguments, or None if there are none.
      head: Head that computes the loss from logits, which are in `loss` then, and the metrics. It
        computes the predictions too, if there are none here. None for most model_fns.
      labels: Computation of the labels for the head, or None if it takes them as they are.
    """

    function: ast.FunctionDef
    modes: Modes
    train: Path
    infer: Path | None
    train_op: ast.expr
    forward: list[ast.stmt]
    literals: dict[ast.Constant, str]
    outputs: list[str]
    loss: Part
    metrics: dict[str, ast.Call]
    tests: dict[str, ast.expr]
    evaluation: Part | None
    predictions: Part | None
    exports: dict[str, ast.expr]
    exported: Part | None
    head: Head | None = None
    labels: Part | None = None

    @property
    def parts(self) -> list[Part]:
        """All computations on the results of the forward pass."""
        parts = (self.loss, self.labels, self.evaluation, self.predictions, self.exported)
        return [part for part in parts if part is not None]


def read(file: SourceFile, function: ast.FunctionDef, owner: str = "") -> Shape:
    """Splits a model_fn into parts.

    Args:
      file: The file.
      function: The model_fn.
      owner: Parameter for the object of a method, or "" for a function.

    Raises:
      NotUnderstood: It does not have a supported form.
    """
    _check_parameters(function, owner)
    followed = Modes(file, function)
    paths = {mode: followed.path(mode) for mode in modes.MODES}
    train, head = paths["train"], None
    if train is not None:
        head = heads.read(file, function, train)
    if head is not None:
        for mode, path in paths.items():
            if path is not None:
                kept = [one for one in path.statements if not head.makes(file, one)]
                paths[mode] = path._replace(statements=kept)
    shape = _shape(file, function, followed, paths, head)
    told: list[ast.AST] = []
    if head is None and paths["eval"] is not None:
        spec = specifications.read(file, followed, "eval", paths["eval"])
        told = _check_same_loss(paths["eval"], spec, shape.loss)
    shape = _split(file, shape, [path for path in paths.values() if path is not None])
    if any(node in shape.loss.statements or node in shape.loss.expressions for node in told):
        raise NotUnderstood("its loss depends on whether it trains")
    return shape


def _shape(
    file: SourceFile,
    function: ast.FunctionDef,
    followed: Modes,
    paths: Mapping[str, Path | None],
    head: Head | None,
) -> Shape:
    """Returns the parts of a model_fn, each with all the statements that it depends on."""
    train, infer, evaluated = paths["train"], paths["infer"], paths["eval"]
    for path in paths.values():
        check_effects(file, path)
    metrics: dict[str, ast.Call] = {}
    tests: dict[str, ast.expr] = {}
    evaluation = labels = None
    if head is not None and train is not None:
        if evaluated is None or not heads.is_same(evaluated, head, train):
            raise NotUnderstood("its head does not compute the loss of evaluation")
        loss = _part(train, [head.spec["logits"]])
        train_op = head.spec["logits"]  # `optimizers` reads the head instead.
        if "labels" in head.spec:
            prepared = _part(train, [head.spec["labels"]])
            if prepared.statements or ast.unparse(head.spec["labels"]) != "labels":
                labels = prepared
    else:
        trained = specifications.read(file, followed, "train", train) if train is not None else {}
        if train is None or not {"loss", "train_op"} <= set(trained):
            raise NotUnderstood("it returns no loss and train_op for training")
        loss = _part(train, [resolving.source(train, trained["loss"])])
        train_op = trained["train_op"]
        if evaluated is not None:
            spec = specifications.read(file, followed, "eval", evaluated)
            found = metric_functions.read(file, function, evaluated, spec)
            metrics, tests = _metrics(file, found.after(evaluated), found.metrics)
            evaluation = _evaluation(evaluated, found, metrics) if metrics else None
    predictions = exported = None
    exports: dict[str, ast.expr] = {}
    is_of_head = infer is not None and head is not None and heads.is_same(infer, head, train)
    spec = {}
    if infer is not None and not is_of_head:
        spec = specifications.read(file, followed, "infer", infer)
    if infer is not None and "predictions" in spec:
        predictions = _part(infer, [spec["predictions"]])
        exports = _dictionary(infer, spec.get("export_outputs"), "export_outputs")
        exported = _part(infer, _arguments_of(exports.values())) if exports else None
    return Shape(
        function,
        followed,
        train,
        infer,
        train_op,
        [],
        {},
        [],
        loss,
        metrics,
        tests,
        evaluation,
        predictions,
        exports,
        exported,
        head,
        labels,
    )


def _check_parameters(function: ast.FunctionDef, owner: str) -> None:
    given = function.args
    names = [argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    read = set().union(*map(slices.read, function.body))
    unread = {"config"} - read  # Estimator passes a RunConfig, which the function may leave alone.
    others = [name for name in names if name not in {*_PARAMETERS, *unread, owner}]
    if others or given.vararg or given.kwarg:
        raise NotUnderstood(f"it takes {others[0] if others else '*args or **kwargs'}")
    if function.decorator_list or "features" not in names:
        raise NotUnderstood("it has a decorator, or no parameter `features`")
    changed = {"params", owner} & set(names) & slices.bound_inside(function)
    if changed:
        raise NotUnderstood(f"it changes its {sorted(changed)[0]}")


def check_effects(file: SourceFile, path: Path | None) -> None:
    """Refuses side effects of a path, which the Keras model would not have.

    Args:
      file: The file.
      path: The path, or None for a path that raises.

    Raises:
      NotUnderstood: It may do more than to print, log or write summaries.
    """
    statements = path.statements if path else []
    own = {"features", "labels"}.union(*map(slices.replaces, statements))
    collects = {
        id(call)
        for one in statements
        for call in slices.changing_calls(one)
        if slices.base(call.func) in own
    }
    for statement in (part for one in statements for part in ast.walk(one)):
        if not isinstance(statement, ast.Expr) or isinstance(statement.value, ast.Constant):
            continue
        value = statement.value
        if id(value) in collects:
            continue  # A part that reads the list also contains this statement.
        name = file.name_of(value.func) if isinstance(value, ast.Call) else None
        called = ast.unparse(value.func) if isinstance(value, ast.Call) else ""
        is_silent = called == "print" or called.startswith("logging.")
        is_silent = is_silent or (name or "").startswith(_SILENT)
        if not is_silent and not checks.only_shows(file, called, _SILENT):
            said = ast.unparse(value)[:40]
            raise NotUnderstood(f"{said!r} in line {statement.lineno} may have side effects")


def _check_same_loss(path: Path, spec: dict[str, ast.expr], loss: Part) -> list[ast.AST]:
    """Returns the nodes of the loss that differ in training, such as `training=True`."""
    if "loss" not in spec:
        raise NotUnderstood("it returns no loss for evaluation")
    found = _part(path, [resolving.source(path, spec["loss"])])
    pairs = [
        *zip(found.statements, loss.statements, strict=False),
        (found.expressions[0], loss.expressions[0]),
    ]
    is_same = all(sharing.same(one, other) for one, other in pairs)
    if not is_same or len(found.statements) != len(loss.statements):
        raise NotUnderstood("its loss in evaluation differs from its loss in training")
    return [other for one, other in pairs if ast.dump(one) != ast.dump(other)]


def _part(path: Path, expressions: Sequence[ast.expr]) -> Part:
    names = set().union(*map(slices.read, expressions)) if expressions else set()
    return Part(slices.needed(path.statements, names), [*expressions])


def _evaluation(path: Path, evaluated: Evaluated, metrics: Mapping[str, ast.Call]) -> Part:
    """Returns the computation of the arguments of metrics, perhaps in a function of their own."""
    expressions = _arguments_of(metrics.values())
    read = set().union(*map(slices.read, expressions)) if expressions else set()
    inside = slices.needed(evaluated.statements, read)
    read = slices.open_names(inside, expressions)
    outside = slices.needed(path.statements, metric_functions.names_outside(read, evaluated.given))
    return Part([*outside, *inside], expressions, evaluated.given)


def _dictionary(path: Path, node: ast.expr | None, what: str) -> dict[str, ast.expr]:
    """Returns the values of a dictionary with constant keys."""
    if node is None:
        return {}
    found = dictionaries.entries(path, node, what)
    return {name: resolving.resolved(path, value) for name, value in found.items()}


def _metrics(
    file: SourceFile, path: Path, node: ast.expr | None
) -> tuple[dict[str, ast.Call], dict[str, ast.expr]]:
    """Returns the calls that make metrics, and the conditions under which they exist."""
    found: dict[str, ast.Call] = {}
    tests: dict[str, ast.expr] = {}
    for name, value in _dictionary(path, node, "eval_metric_ops").items():
        while isinstance(value, ast.IfExp) and modern_names.is_constant(value.orelse, None):
            test = tests.setdefault(name, value.test)
            if ast.unparse(test) != ast.unparse(value.test):
                raise NotUnderstood(f"its metric {name!r} has several conditions")
            value = resolving.resolved(path, value.body)
        value = _unpacked_call(path, value) or value
        called = file.name_of(value.func) if isinstance(value, ast.Call) else None
        if not isinstance(value, ast.Call) or not (called or "").startswith("tf.metrics."):
            raise NotUnderstood(f"its metric {name!r} does not come from tf.metrics")
        found[name] = value
    return found, tests


def _unpacked_call(path: Path, node: ast.expr) -> ast.Call | None:
    """Returns the call whose results a pair has, as in `(value, update)`. None for others."""
    if not isinstance(node, ast.Tuple) or not all(isinstance(one, ast.Name) for one in node.elts):
        return None
    names = {one.id for one in node.elts if isinstance(one, ast.Name)}
    binders = [one for one in path.statements if names & slices.bound(one)]
    binder = binders[0] if len(binders) == 1 else None
    if not isinstance(binder, ast.Assign) or not isinstance(binder.value, ast.Call):
        return None
    (target, *others) = binder.targets
    is_pair = not others and ast.unparse(target) == ast.unparse(node)
    return binder.value if is_pair else None


def _arguments_of(calls: Iterable[ast.expr]) -> list[ast.expr]:
    found: list[ast.expr] = []
    for call in calls:
        if isinstance(call, ast.Call):
            found += [*call.args, *(keyword.value for keyword in call.keywords)]
    return found


def _split(file: SourceFile, shape: Shape, paths: Sequence[Path]) -> Shape:
    """Finds the forward pass, and removes it from the parts."""
    wanted = {id(statement) for part in shape.parts for statement in part.statements}
    local = slices.bound_inside(shape.function)
    late = {id(statement) for statement in slices.dependent(shape.train.statements, {"labels"})}
    parameters = {argument.arg for argument in shape.function.args.args}
    known = (parameters | {"params", *shape.modes.aliases}) - {"labels", "mode"}
    known |= {shape.head.local} if shape.head else set()
    forward: list[Common] = []
    for found in sharing.common([path.statements for path in paths]):
        statement = found.statement
        reads = slices.read(statement) & (local | {"labels"})
        if id(statement) in late or reads - known or _is_late(file, statement):
            continue
        if _is_alias(shape, statement):
            continue
        known |= slices.bound(statement)
        if wanted & {id(statement), *map(id, found.others)}:
            forward.append(found)
    inside = {id(statement) for found in forward for statement in (found.statement, *found.others)}
    inside |= {
        id(statement)
        for path in paths
        for statement in path.statements
        if _is_alias(shape, statement)
    }
    for path in paths:
        _check_order(shape, path, inside)
    loss = _without(shape.loss, inside)
    evaluation, predictions, exported, labels = (
        None if part is None else _without(part, inside)
        for part in (shape.evaluation, shape.predictions, shape.exported, shape.labels)
    )
    parts = (loss, evaluation, predictions, exported, labels)
    names = set().union(*(part.names for part in parts if part is not None))
    order: dict[str, int] = {}
    for i, found in enumerate(forward):
        order.update(dict.fromkeys(slices.bound(found.statement), i))
    literals = {key: text for found in forward for key, text in found.literals.items()}
    return shape._replace(
        forward=[found.statement for found in forward],
        literals=literals,
        outputs=sorted(names & set(order), key=lambda name: (order[name], name)),
        loss=loss,
        evaluation=evaluation,
        predictions=predictions,
        exported=exported,
        labels=labels,
    )


def _without(part: Part, statements: Collection[int]) -> Part:
    """Returns a part without some statements, which are listed by their ids."""
    return part._replace(statements=[one for one in part.statements if id(one) not in statements])


def _is_alias(shape: Shape, statement: ast.stmt) -> bool:
    """Says whether a statement only assigns a test of the mode to a name."""
    return bool(slices.replaces(statement) & set(shape.modes.aliases))


def _is_late(file: SourceFile, statement: ast.stmt) -> bool:
    inside = {id(node) for node in ast.walk(statement)}
    return any(id(match.node) in inside and match.name.startswith(_LATE) for match in file.names())


def _check_order(shape: Shape, path: Path, inside: Collection[int]) -> None:
    """Refuses a part that reads a name before the forward pass binds it a second time."""
    wanted = {id(one) for part in shape.parts for one in part.statements}
    for i, statement in enumerate(path.statements):
        if id(statement) in inside or id(statement) not in wanted:
            continue
        later = [one for one in path.statements[i:] if id(one) in inside]
        changed = set().union(*map(slices.bound, later)) if later else set()
        if slices.read(statement) & changed:
            name = sorted(slices.read(statement) & changed)[0]
            raise NotUnderstood(
                f"{name} is assigned again after its use in line {statement.lineno}"
            )
        taken = slices.bound(statement) & slices.open_names(later)
        if taken:
            raise NotUnderstood(
                f"not all modes assign {sorted(taken)[0]} as in line {statement.lineno}"
            )
