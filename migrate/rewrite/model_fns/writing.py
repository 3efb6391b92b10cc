"""Writes the tf_keras.Model subclass that a model_fn becomes.

    model = read(file, function)
    model.text()

The loss is the program's own, in `compute_loss`. Metrics are objects. The loss of an evaluation is
the mean over batches, as an Estimator reports it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeVar

from migrate.rewrite.analysis import bridged_configs, modern_names
from migrate.rewrite.engine.rule import Check, Edit
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood, metrics, optimizers, rendering
from migrate.rewrite.model_fns.analysis import checks, resolving, slices
from migrate.rewrite.model_fns.analysis import shape as shapes
from migrate.rewrite.model_fns.analysis.heads import Head
from migrate.rewrite.model_fns.analysis.shape import Part
from migrate.rewrite.model_fns.expansion import expanded
from migrate.rewrite.model_fns.expansion.draft import Draft
from migrate.rewrite.model_fns.layers import parts
from migrate.rewrite.model_fns.layers.objects import Objects, Scope
from migrate.rewrite.model_fns.layers.parts import Parts
from migrate.rewrite.model_fns.places import Place
from migrate.rewrite.model_fns.rendering import Rendered
from migrate.rewrite.model_fns.replacement import Replacement

_Statement = TypeVar("_Statement", bound=ast.stmt)
_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
_METHOD, _BODY = " " * 4, " " * 8
_LOSSES = {
    "tf.losses.get_regularization_loss": "sum(self.losses)",
    "tf.losses.get_regularization_losses": "self.losses",
    "tf.trainable_variables": "self.trainable_variables",
}
_COLLECTIONS = {
    "tf.GraphKeys.REGULARIZATION_LOSSES": "self.losses",
    "tf.GraphKeys.TRAINABLE_VARIABLES": "self.trainable_variables",
}
_EXPORTS = {
    "tf.estimator.export.PredictOutput": ("outputs",),
    "tf.estimator.export.RegressionOutput": ("value",),
    "tf.estimator.export.ClassificationOutput": ("scores", "classes"),
}
_SHARE = "# Keras sums the gradients of all replicas, but an Estimator averaged them."
_REPLICAS = "num_replicas_in_sync"
_NUMBERED = "# Keeps the old layer names, so that checkpoints can be converted by name."
_NO_UPDATES = "nothing runs UPDATE_OPS, so its batch normalization never updates its averages"


class KerasModel:
    """A model_fn that can become a Keras model.

    Attributes:
      function: The model_fn.
      name: Name of the class.
      takes_params: Whether the class takes params.
      imports: Imports that the class needs.
      problem: Reason why results may differ, or "" if they cannot.
      distributes: Whether several replicas may train it.
    """

    def __init__(
        self, draft: Draft, original: SourceFile | None = None, place: Place | None = None
    ) -> None:
        """Reads a model_fn.

        Args:
          draft: The file with the model_fn, which may be expanded.
          original: The file without the expansion. Default: the same file.
          place: Place of the class. Default: that of a function of the module.

        Raises:
          NotUnderstood: No Keras model is known to compute the same.
        """
        file, function = draft.file, draft.function
        self._draft, self._original = draft, original or file
        self._file, self.function, self.distributes = file, function, False
        self._place = place or Place(function)
        self._owner = function.args.args[0].arg if self._place.of_class is not None else ""
        self.takes_params = any(argument.arg == "params" for argument in function.args.args)
        self._static = (*filter(None, [self._owner]), *(("params",) if self.takes_params else ()))
        self._shape = shapes.read(file, function, self._owner)
        self._keras, imports = modern_names.keras(file)
        self._rendered = Rendered(file)
        self._taken: set[int] = set()
        for literal, text in self._shape.literals.items():
            self._rendered.replace(literal, text)
        self._replace_params()
        self._replace_losses()
        self._parts = Parts(file)
        head = self._shape.head
        scope = Scope(
            function,
            self._shape.modes,
            self._shape.forward,
            self._shape.outputs,
            frozenset((*self._static, *((head.local,) if head else ()))),
            frozenset(("features", "labels", "mode")),
            dict(head.dimensions(function)) if head else {},
        )
        self._objects = Objects(file, scope, self._rendered, self._parts.part)
        self._parts.check_shared(self._objects)
        # The numbers of layers depend on all classes, which exist once the objects have been found.
        self._parts.number(self._objects)
        self._numbers = self._parts.numbers(self._objects)
        self._check_behind(scope)
        self._replace_given()
        self._metrics = metrics.read(file, self._shape, self._rendered)
        self._training = optimizers.read(file, self._shape, self._rendered)
        self._check_normalization()
        self.name = self._class_name()
        self.imports = (*imports, *sorted(self._objects.imports - {*imports}))
        if self._numbers:
            self.imports += bridged_configs.module(file, "porting")[1]
        self.problem = self._training.problem
        self._base = f"{self._keras}.Model"
        if head is not None:
            module, more = bridged_configs.module(file, "heads")
            self.imports, self._base = (*self.imports, *more), f"{module}.{head.name}"
            self._check_head(head)
        self._check_names()

    def _class_name(self) -> str:
        of_class = self._place.of_class
        if of_class is None:
            return rendering.class_name(self._file, self.function)
        wanted = of_class.name if of_class.name.endswith("Model") else f"{of_class.name}Model"
        return self._file.new_name(wanted, ("the class of", self.function), is_public=True)

    # Replacements in all statements.

    def _replace_params(self) -> None:
        """Replaces params, and the object of a method, by those of the model."""
        for node in ast.walk(self.function):
            if (
                isinstance(node, ast.Name)
                and node.id in self._static
                and isinstance(node.ctx, ast.Load)
            ):
                self._rendered.replace(node, f"self.{node.id}")

    def _replace_losses(self) -> None:
        """Replaces collections of losses and variables by attributes of the model."""
        for match in self._file.names():
            call = match.call
            if call is None or self._file.function(call) is not self.function:
                continue
            text = _LOSSES.get(match.name) if not call.args and not call.keywords else None
            if match.name == "tf.get_collection" and len(call.args) == 1:
                text = _COLLECTIONS.get(self._file.name_of(call.args[0]) or "")
            if text:
                if text == "self.trainable_variables":
                    checks.refuse_told_apart(self._file, self.function, call)
                self._rendered.replace(call, text)
                self._taken.update(id(part) for part in ast.walk(call))

    def _replace_given(self) -> None:
        """Replaces the parameters of the function that returns the metrics by their values."""
        part = self._shape.evaluation
        values = part.given if part is not None else {}
        texts = {name: self._rendered.text(value) for name, value in values.items()}
        for one in (*part.statements, *part.expressions) if part is not None else ():
            for node in ast.walk(one):
                if not isinstance(node, ast.Name) or texts.get(node.id, node.id) == node.id:
                    continue
                if isinstance(node.ctx, ast.Load):
                    text = texts[node.id]
                    is_atom = isinstance(values[node.id], _ATOMS)
                    self._rendered.replace(node, text if is_atom else f"({text})")

    # Checks that need the whole model_fn.

    def _check_normalization(self) -> None:
        """Refuses batch normalization if the model_fn never updated its averages. Keras would."""
        objects = [self._objects, *(one.objects for one in self._parts.classes.values())]
        made = [item.function for each in objects for item in each.items]
        normalizes = any("BatchNormalization" in function for function in made)
        if normalizes and not self._training.runs_updates:
            raise NotUnderstood(_NO_UPDATES)

    def _check_head(self, head: Head) -> None:
        """Refuses parts that a head does not take."""
        outputs, logits = self._shape.outputs, self._rendered.text(self._shape.loss.expressions[0])
        if self._shape.loss.statements or logits not in outputs:
            raise NotUnderstood("the logits of its head are not a name of its forward pass")
        if len(outputs) > 1 and logits != "logits":
            raise NotUnderstood(f"it has other outputs, and the logits are named {logits}")
        labels = self._shape.labels
        if labels is not None and labels.names & {*outputs, "mode"}:
            raise NotUnderstood("its labels depend on the forward pass or on the mode")

    def _check_behind(self, scope: Scope) -> None:
        """Refuses computations after the forward pass that use more than TensorFlow's functions."""
        for part in self._shape.parts:
            for node in (*part.statements, *part.expressions):
                scope.modes.refuse_others(node)
                checks.refuse(self._file, node, scope.local, self._taken, has_labels=True)
            for name in self._shape.outputs:
                if slices.changes_given(part.statements, name):
                    raise NotUnderstood(f"it changes {name} after the forward pass")

    def _check_names(self) -> None:
        """Refuses names of the model_fn that no statement of a method binds."""
        local = slices.bound_inside(self.function) | {"features", "labels", "mode", *self._static}
        (made,) = ast.parse(self.text()).body
        for method in made.body if isinstance(made, ast.ClassDef) else ():
            if isinstance(method, ast.FunctionDef):
                inner = [one for one in method.body if isinstance(one, ast.FunctionDef)]
                left = slices.open_names([one for one in method.body if one not in inner])
                left -= {one.name for one in inner}
                left = left.union(*(slices.open_names(one.body) for one in inner)) & local
                left -= {n.arg for n in ast.walk(method) if isinstance(n, ast.arg)}
                left -= slices.of_comprehensions(method)
                if method.name == "compute_metrics":
                    left -= metrics.conditional_names(self._shape)
                if left:
                    raise NotUnderstood(
                        f"the method {method.name} would have no value for {sorted(left)[0]}"
                    )

    @property
    def check(self) -> Check | None:
        """The comparison that shows that the class computes the same. None in a function."""
        if self._file.parent(self.function) is not self._file.tree:
            return None
        functions = [one for one in self._file.tree.body if isinstance(one, ast.FunctionDef)]
        inputs = [one.name for one in functions if one.name.endswith("input_fn")]
        inputs = [name for name in inputs if "train" in name] or inputs
        data = inputs[0] if inputs else "INPUT_FN"
        return Check(self.function.name, self.name, data, self.takes_params)

    @property
    def odd_signature(self) -> str:
        """The kind of an export whose input has another name than the request, or ""."""
        called = [one.func for one in self._shape.exports.values() if isinstance(one, ast.Call)]
        names = [(self._file.name_of(one) or "").rpartition(".")[2] for one in called]
        return next((name for name in names if name != "PredictOutput"), "")

    # Text of the class.

    def edits(self, uses: int) -> Iterator[Edit]:
        """Yields the edits that replace the functions by classes.

        Args:
          uses: Number of uses of the model_fn's name that are removed.
        """
        replacement = Replacement(self._original, self._draft, self._place)
        classes = [*self._parts.classes.values()]
        yield from replacement.edits(self.text(), self.name, classes, uses, self._shape.head)

    def made(self, params: str) -> str:
        """Returns the expression that makes the model.

        Args:
          params: Text of the params, or "" if the class takes none.
        """
        return self._place.made(self.name, params)

    def text(self) -> str:
        """Returns the text of the class."""
        said = rendering.docstring(self.function, f"The Keras model of {self.function.name}.")
        lines = [f"class {self.name}({self._base}):", f"    {said}", ""]
        methods = [self._init(), self._call()]
        has_head = self._shape.head is not None
        methods += [self._labels()] if has_head else [self._loss(), self._compute_metrics()]
        methods += [self._predict_step(), self._signatures(), self._optimizer()]
        text = "\n\n".join(method for method in methods if method)
        return self._file.newline.join([*lines, *text.splitlines()])

    def _def(self, line: str, body: list[str]) -> str:
        return "\n".join([f"{_METHOD}def {line}", *(part for part in body if part)])

    def _init(self) -> str:
        params = "".join(f", {name}" for name in self._static)
        head = self._shape.head
        options = head.options(self._file) if head else "autocast=False"
        body = [f"{_BODY}super().__init__({options})"]
        body += [f"{_BODY}self.{name} = {name}" for name in self._static]
        counter = self._parts.counter if self._numbers else ""
        if counter:
            porting, _ = bridged_configs.module(self._file, "porting")
            body += [f"{_BODY}{_NUMBERED}", f"{_BODY}{counter} = {porting}.LayerNames()"]
        body += parts.made_lines(self._parts, self._objects, counter, is_model=True)
        if head is not None:
            return self._def(f"__init__(self{params}):", body)
        mean = f'"loss": {self._keras}.metrics.Mean(name="loss")'
        always = [metric for metric in self._metrics if metric.test is None]
        made = [mean, *(f"{metric.name}: {metric.made}" for metric in always)]
        # Keras finds only the metrics that are in the dictionary when it is assigned.
        is_open = len(always) < len(self._metrics)
        target = "eval_metrics" if is_open else "self.eval_metrics"
        body += [f"{_BODY}{target} = {{", *(f"{_BODY}    {one}," for one in made), f"{_BODY}}}"]
        for metric in self._metrics:
            if metric.test is not None:
                text = f"{target}[{metric.name}] = {metric.made}"
                body.append(f"{_BODY}if {self._file.segment(metric.test)}:\n{_BODY}    {text}")
        body += [f"{_BODY}self.eval_metrics = {target}"] if is_open else []
        return self._def(f"__init__(self{params}):", body)

    def _call(self) -> str:
        for loop in {item.loop for item in self._objects.items if item.loop}:
            parts.replace_loop(self._file, self._objects, self._rendered, loop)
        statements = self._objects.forward()
        body = [self._rendered.statement(statement, _BODY) for statement in statements]
        if slices.changes_given(statements, "features"):
            body.insert(0, f"{_BODY}features = dict(features)")
        return self._def("call(self, features, training=False):", [*body, self._returned()])

    def _returned(self) -> str:
        names = self._shape.outputs
        if len(names) == 1:
            return f"{_BODY}return {names[0]}"
        parts = [f'"{name}": {name}' for name in names]
        return _BODY + rendering.call("return ", parts, _BODY, brackets="{}")

    def _unpacked(self, part: Part, outputs: str, features: str, labels: str = "") -> list[str]:
        """Returns the statements that assign the names that a part reads."""
        wanted = part.names
        names = [name for name in self._shape.outputs if name in wanted]
        # The name of the outputs comes last, because the others are read from it.
        names.sort(key=lambda name: name == outputs)
        lines = []
        for name, value in (("features", features), ("labels", labels)):
            if value and name in wanted and name not in names:
                is_changed = slices.changes_given(part.statements, name)
                value = f"dict({value})" if is_changed else value
                lines.append(f"{name} = {value}" if name != value else "")
        if len(self._shape.outputs) == 1:
            lines += [f"{name} = {outputs}" for name in names if name != outputs]
        else:
            lines += [f'{name} = {outputs}["{name}"]' for name in names]
        return [f"{_BODY}{line}" for line in lines if line]

    def _body(self, part: Part, outputs: str, features: str, labels: str = "") -> list[str]:
        lines = self._unpacked(part, outputs, features, labels)
        return [*lines, *(self._rendered.statement(one, _BODY) for one in part.statements)]

    def _labels(self) -> str:
        """Returns the method that changes the labels for the head."""
        part = self._shape.labels
        if part is None:
            return ""
        body = self._body(part, "", "features", "labels")
        body.append(f"{_BODY}return {self._rendered.text(part.expressions[0])}")
        return self._def("prepare_labels(self, features, labels):", body)

    def _loss(self) -> str:
        part = self._shape.loss
        (expression,) = part.expressions
        body = self._body(part, "y_pred", "x", "y")
        text = self._rendered.text(expression)
        if text != "loss":
            body.append(f"{_BODY}loss = {text}")
        body.append(f'{_BODY}self.eval_metrics["loss"].update_state(loss)')
        if self.distributes:
            body += [f"{_BODY}{_SHARE}", f"{_BODY}loss /= self.distribute_strategy.{_REPLICAS}"]
        body.append(f"{_BODY}return loss")
        line = "compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None):"
        return self._def(line, body)

    def _compute_metrics(self) -> str:
        part = self._shape.evaluation
        body = self._body(part, "y_pred", "x", "y") if part else []
        for metric in self._metrics:
            function = f"self.eval_metrics[{metric.name}].update_state"
            indent = _BODY
            if metric.test is not None:
                body.append(f"{_BODY}if {self._rendered.text(metric.test)}:")
                indent = f"{_BODY}    "
            body.append(indent + rendering.call(function, [metric.update], indent))
        body.append(f"{_BODY}return self.get_metrics_result()")
        return self._def("compute_metrics(self, x, y, y_pred, sample_weight):", body)

    def _predict_step(self) -> str:
        part = self._shape.predictions
        if part is None:
            return ""
        body = [f"{_BODY}features, _, _ = {self._keras}.utils.unpack_x_y_sample_weight(data)"]
        body += self._predicted(part)
        body.append(f"{_BODY}return {self._rendered.text(part.expressions[0])}")
        return self._def("predict_step(self, data):", body)

    def _predicted(self, part: Part) -> list[str]:
        """Returns the statements that compute a part from the outputs, without labels."""
        names = self._shape.outputs
        outputs = names[0] if len(names) == 1 else "outputs"
        body = [f"{_BODY}{outputs} = self(features, training=False)"]
        return [*body, *self._body(part, outputs, "features")]

    def _signatures(self) -> str:
        """Returns the method with the outputs of the exported model's signatures."""
        part = self._shape.exported
        if part is None:
            return ""
        body = self._predicted(part)
        texts = {name: self._exported(node) for name, node in self._shape.exports.items()}
        if len(texts) == 1 and "serving_default" not in texts:
            texts["serving_default"] = next(iter(texts.values()))
        body.append(f"{_BODY}return {{")
        body += [f'{_BODY}    "{name}": {text},' for name, text in texts.items()]
        return self._def("signatures(self, features):", [*body, f"{_BODY}}}"])

    def _exported(self, node: ast.expr) -> str:
        """Returns the outputs of a signature, by their names."""
        name = self._file.name_of(node.func) if isinstance(node, ast.Call) else None
        if name not in _EXPORTS or not isinstance(node, ast.Call):
            raise NotUnderstood("its export_outputs do not come from tf.estimator.export")
        names = _EXPORTS[name]
        given = dict(zip(names, node.args, strict=False))
        given.update((keyword.arg or "", keyword.value) for keyword in node.keywords)
        texts = {key: self._rendered.text(value) for key, value in given.items()}
        if names == ("scores", "classes"):
            return "{" + ", ".join(f'"{key}": {text}' for key, text in texts.items()) + "}"
        if names == ("value",):
            return f'{{"outputs": {texts["value"]}}}'
        value = given["outputs"]
        if self._shape.infer is not None:
            value = resolving.resolved(self._shape.infer, value)
        is_dict = isinstance(value, ast.Dict)
        if not is_dict and not isinstance(given["outputs"], ast.Name):
            return f'{{"output": {texts["outputs"]}}}'
        if is_dict:
            return texts["outputs"]
        raise NotUnderstood("the outputs in its export_outputs are unknown")

    def _optimizer(self) -> str:
        training = self._training
        body = [rendering.block(training.function, _BODY), ""] if training.function else []
        body += [self._rendered.statement(one, _BODY) for one in training.statements]
        return self._def("make_optimizer(self):", [*body, f"{_BODY}{training.text}"])


def read(
    file: SourceFile, function: ast.FunctionDef, place: Place | None = None
) -> KerasModel | str:
    """Returns a model_fn as a Keras model, or the reason why it has none.

    Args:
      file: The file.
      function: The model_fn.
      place: Place of the class. Default: that of a function of the module.
    """
    is_method = place is not None and place.of_class is not None
    first = "its object has state" if is_method else _read(Draft.of(file, function), file, place)
    if isinstance(first, KerasModel):
        return first
    reason = first
    try:
        for draft in expanded.drafts(file, function):
            found = _read(draft, file, place)
            if isinstance(found, KerasModel):
                return found
            reason = expanded.in_original(draft, found)
    except NotUnderstood as error:
        reason = str(error) if is_method else reason
    return reason


def _read(draft: Draft, original: SourceFile, place: Place | None) -> KerasModel | str:
    try:
        return KerasModel(draft, original, place)
    except NotUnderstood as error:
        return str(error)
    except SyntaxError as error:  # The text is valid in the function, but not in a method.
        return f"the statement {(error.text or '').strip()!r} cannot move into a method"
