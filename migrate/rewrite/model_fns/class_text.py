"""The text of the tf_keras.Model subclass that a model_fn becomes.

    ClassText(file, function, "CnnModel", ...).text()

The loss is the program's own, in `compute_loss`. Metrics are objects. The loss of an evaluation is
the mean over batches, as an Estimator reports it.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Mapping, Sequence

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine import texts as literals
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood, lost_output, rendering
from migrate.rewrite.model_fns.analysis import resolving, slices
from migrate.rewrite.model_fns.analysis.shape import Part, Shape
from migrate.rewrite.model_fns.layers import naming, object_lines
from migrate.rewrite.model_fns.layers.numbering import Numbering
from migrate.rewrite.model_fns.layers.objects import Objects
from migrate.rewrite.model_fns.metrics import Metric
from migrate.rewrite.model_fns.optimizers import Training
from migrate.rewrite.model_fns.rendering import Rendered

TRAINS = "is_training"
_MODE = "# The loss of an evaluation is another, and Keras does not tell compute_loss the mode."
_METHOD, _BODY = " " * 4, " " * 8
_EXPORTS = {
    "tf.estimator.export.PredictOutput": ("outputs",),
    "tf.estimator.export.RegressionOutput": ("value",),
    "tf.estimator.export.ClassificationOutput": ("scores", "classes"),
}
_TENSORS = (
    *(
        "tf.add",
        "tf.argmax",
        "tf.cast",
        "tf.exp",
        "tf.identity",
        "tf.layers.",
        "tf.math.",
        "tf.nn.",
    ),
    *("tf.matmul", "tf.reduce_", "tf.reshape", "tf.round", "tf.sigmoid", "tf.squeeze", "tf.tanh"),
)
_SHARE = "# Keras sums the gradients of all replicas, but an Estimator averaged them."
_REPLICAS = "num_replicas_in_sync"
_NUMBERED = "# Keeps the old layer names, so that checkpoints can be converted by name."


@dataclasses.dataclass(frozen=True)
class ClassText:
    """The text of a class, made from the parts of a model_fn.

    Attributes:
      file: The file.
      function: The model_fn.
      name: Name of the class.
      base: Base class.
      keras: Name of tf_keras in the file.
      static: Parameters of `__init__`.
      shape: The model_fn, split into parts.
      objects: Layers of the forward pass.
      numbering: Numbers of the layers.
      metrics: Metrics of an evaluation.
      training: The optimizer.
      rendered: Replaced texts of the statements.
      distributes: Whether several replicas may train the model.
      tables: Expressions of the lookup tables, by the names of their attributes.
    """

    file: SourceFile
    function: ast.FunctionDef
    name: str
    base: str
    keras: str
    static: Sequence[str]
    shape: Shape
    objects: Objects
    numbering: Numbering
    metrics: Sequence[Metric]
    training: Training
    rendered: Rendered
    distributes: bool
    tables: Mapping[str, str]

    def text(self) -> str:
        """Returns the text of the class."""
        owner = self.file.parent(self.function)
        is_callable = isinstance(owner, ast.ClassDef) and self.function.name == "__call__"
        name = owner.name if isinstance(owner, ast.ClassDef) and is_callable else self.function.name
        text = self._text(name)
        lost = lost_output.comment(self.file, self.function, text)
        return self._text(name, lost) if lost else text

    def _text(self, name: str, comment: str = "") -> str:
        """Returns the text of the class, with a comment below its docstring."""
        docstring = rendering.docstring(self.function, f"The Keras model of {name}.")
        lines = [f"class {self.name}({self.base}):", f"    {docstring}", ""]
        lines += [f"    {comment}", ""] if comment else []
        methods = [self._init(), self._call()]
        has_head = self.shape.head is not None
        methods += [self._labels()] if has_head else [self._loss(), self._compute_metrics()]
        methods += [self._predict_step(), self._signatures(), self._optimizer()]
        text = "\n\n".join(method for method in methods if method)
        return self.file.newline.join([*lines, *text.splitlines()])

    def _def(self, line: str, body: list[str]) -> str:
        return "\n".join([f"{_METHOD}def {line}", *(part for part in body if part)])

    def _init(self) -> str:
        params = "".join(f", {name}" for name in self.static)
        head = self.shape.head
        options = head.options(self.file) if head else "autocast=False"
        body = [f"{_BODY}super().__init__({options})"]
        body += [f"{_BODY}self.{naming.stored(name)} = {name}" for name in self.static]
        body += [
            f"{_BODY}self.{naming.stored(name)} = {text}" for name, text in self.tables.items()
        ]
        counter = self.numbering.counter if self.numbering.is_needed(self.objects) else ""
        if counter:
            porting, _ = bridged_configs.module(self.file, "porting")
            body += [f"{_BODY}{_NUMBERED}", f"{_BODY}{counter} = {porting}.LayerNames()"]
        body += object_lines.init_lines(
            self.file, self.objects, self.numbering, counter, is_model=True
        )
        if head is not None:
            return self._def(f"__init__(self{params}):", body)
        body += self._metric_function()
        mean = f'"loss": {self.keras}.metrics.Mean(name="loss")'
        unconditional = [metric for metric in self.metrics if metric.test is None]
        entries = [mean, *(f"{metric.name}: {metric.constructor}" for metric in unconditional)]
        # Keras finds only the metrics that are in the dictionary when it is assigned.
        is_open = len(unconditional) < len(self.metrics)
        target = "eval_metrics" if is_open else "self.eval_metrics"
        body += [
            f"{_BODY}{target} = {{",
            *(f"{_BODY}    {entry}," for entry in entries),
            f"{_BODY}}}",
        ]
        for metric in self.metrics:
            if metric.test is not None:
                text = f"{target}[{metric.name}] = {metric.constructor}"
                body.append(f"{_BODY}if {self.file.segment(metric.test)}:\n{_BODY}    {text}")
        body += [f"{_BODY}self.eval_metrics = {target}"] if is_open else []
        return self._def(f"__init__(self{params}):", body)

    def _metric_function(self) -> list[str]:
        """Returns the text of the function that makes the metrics which Keras does not have."""
        streamed = self.shape.streamed
        if streamed is None:
            return []
        inner = f"{_BODY}    "
        lines = [f"{_BODY}def {streamed.function_name}({', '.join(streamed.arguments)}):"]
        lines += [self.rendered.statement(statement, inner) for statement in streamed.statements]
        if isinstance(streamed.values, ast.Call) and not hasattr(streamed.values, "lineno"):
            call = streamed.values  # That of a TPUEstimatorSpec, which the program does not write.
            parts = [self.rendered.text(argument) for argument in call.args]
            parts += [f"{word.arg}={self.rendered.text(word.value)}" for word in call.keywords]
            function = self.rendered.text(call.func)
            lines.append(inner + rendering.call(function, parts, inner, before="return "))
        elif isinstance(streamed.values, ast.expr):
            lines.append(f"{inner}return {self.rendered.text(streamed.values)}")
        else:
            parts = [
                f"{literals.quoted(name)}: {self.rendered.text(value)}"
                for name, value in streamed.values.items()
            ]
            lines.append(inner + rendering.call("return ", parts, inner, brackets="{}"))
        return ["\n".join(["", *lines, ""])]

    def _call(self) -> str:
        object_lines.replace_loops(self.file, self.objects, self.rendered)
        statements = self.objects.forward()
        body = [self.rendered.statement(statement, _BODY) for statement in statements]
        if slices.changes_initial_value(statements, "features"):
            body.insert(0, f"{_BODY}features = dict(features)")
        if self.shape.evaluation_loss is not None:
            body.insert(0, f"{_BODY}{_MODE}\n{_BODY}self.{TRAINS} = training")
        return self._def("call(self, features, training=False):", [*body, self._return_statement()])

    def _return_statement(self) -> str:
        names = self.shape.outputs
        if len(names) == 1:
            return f"{_BODY}return {names[0]}"
        parts = [f'"{name}": {name}' for name in names]
        return _BODY + rendering.call("return ", parts, _BODY, brackets="{}")

    def _assignments(self, part: Part, outputs: str, features: str, labels: str = "") -> list[str]:
        """Returns the statements that assign the outputs, features and labels that a part reads."""
        part_names = part.names
        names = [name for name in self.shape.outputs if name in part_names]
        # The name of the outputs comes last, because the others are read from it.
        names.sort(key=lambda name: name == outputs)
        lines = []
        for name, value in (("features", features), ("labels", labels)):
            if value and name in part_names and name not in names:
                is_changed = slices.changes_initial_value(part.statements, name)
                value = f"dict({value})" if is_changed else value
                lines.append(f"{name} = {value}" if name != value else "")
        if len(self.shape.outputs) == 1:
            lines += [f"{name} = {outputs}" for name in names if name != outputs]
        else:
            lines += [f'{name} = {outputs}["{name}"]' for name in names]
        return [f"{_BODY}{line}" for line in lines if line]

    def _body(self, part: Part, outputs: str, features: str, labels: str = "") -> list[str]:
        lines = self._assignments(part, outputs, features, labels)
        return [
            *lines,
            *(self.rendered.statement(statement, _BODY) for statement in part.statements),
        ]

    def _labels(self) -> str:
        """Returns the method that changes the labels for the head."""
        part = self.shape.labels
        if part is None:
            return ""
        body = self._body(part, "", "features", "labels")
        body.append(f"{_BODY}return {self.rendered.text(part.expressions[0])}")
        return self._def("prepare_labels(self, features, labels):", body)

    def _loss(self) -> str:
        body = self._loss_lines(self.shape.loss)
        if self.shape.evaluation_loss is not None:
            other = self._loss_lines(self.shape.evaluation_loss)
            body = [
                f"{_BODY}if self.{TRAINS}:",
                *(rendering.block([line], " " * 4) for line in body),
                f"{_BODY}else:",
                *(rendering.block([line], " " * 4) for line in other),
            ]
        body.append(f'{_BODY}self.eval_metrics["loss"].update_state(loss)')
        if self.distributes:
            body += [f"{_BODY}{_SHARE}", f"{_BODY}loss /= self.distribute_strategy.{_REPLICAS}"]
        body.append(f"{_BODY}return loss")
        line = "compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None):"
        return self._def(line, body)

    def _loss_lines(self, part: Part) -> list[str]:
        """Returns the statements that assign the loss."""
        (expression,) = part.expressions
        body = self._body(part, "y_pred", "x", "y")
        text = self.rendered.text(expression)
        return [*body, *([f"{_BODY}loss = {text}"] if text != "loss" else [])]

    def _compute_metrics(self) -> str:
        part = self.shape.evaluation
        body = self._body(part, "y_pred", "x", "y") if part else []
        for metric in self.metrics:
            function = f"self.eval_metrics[{metric.name}].update_state"
            indent = _BODY
            if metric.test is not None:
                body.append(f"{_BODY}if {self.rendered.text(metric.test)}:")
                indent = f"{_BODY}    "
            body.append(indent + rendering.call(function, [metric.update], indent))
        body.append(f"{_BODY}return self.get_metrics_result()")
        return self._def("compute_metrics(self, x, y, y_pred, sample_weight):", body)

    def _predict_step(self) -> str:
        part = self.shape.predictions
        if part is None:
            return ""
        body = [f"{_BODY}features, _, _ = {self.keras}.utils.unpack_x_y_sample_weight(data)"]
        body += self._prediction_body(part)
        body.append(f"{_BODY}return {self.rendered.text(part.expressions[0])}")
        return self._def("predict_step(self, data):", body)

    def _prediction_body(self, part: Part) -> list[str]:
        """Returns the statements that compute a part from the outputs, without labels."""
        names = self.shape.outputs
        outputs = names[0] if len(names) == 1 else "outputs"
        body = [f"{_BODY}{outputs} = self(features, training=False)"]
        return [*body, *self._body(part, outputs, "features")]

    def _signatures(self) -> str:
        """Returns the method that computes the outputs of the exported signatures."""
        part = self.shape.exported
        if part is None:
            return ""
        body = self._prediction_body(part)
        texts = {name: self._signature_outputs(node) for name, node in self.shape.exports.items()}
        if len(texts) == 1 and "serving_default" not in texts:
            texts["serving_default"] = next(iter(texts.values()))
        body.append(f"{_BODY}return {{")
        body += [f'{_BODY}    "{name}": {text},' for name, text in texts.items()]
        return self._def("signatures(self, features):", [*body, f"{_BODY}}}"])

    def _signature_outputs(self, node: ast.expr) -> str:
        """Returns the text of the dictionary of a signature's outputs."""
        name = self.file.name_of(node.func) if isinstance(node, ast.Call) else None
        if name not in _EXPORTS or not isinstance(node, ast.Call):
            raise NotUnderstood("its export_outputs do not come from tf.estimator.export")
        names = _EXPORTS[name]
        arguments = dict(zip(names, node.args, strict=False))
        arguments.update((keyword.arg or "", keyword.value) for keyword in node.keywords)
        texts = {key: self.rendered.text(value) for key, value in arguments.items()}
        if names == ("scores", "classes"):
            return "{" + ", ".join(f'"{key}": {text}' for key, text in texts.items()) + "}"
        if names == ("value",):
            return f'{{"outputs": {texts["value"]}}}'
        value = arguments["outputs"]
        if self.shape.infer is not None:
            value = resolving.resolved(self.shape.infer, value)
        is_dict = isinstance(value, ast.Dict)
        is_name = isinstance(arguments["outputs"], ast.Name)
        if not is_dict and (not is_name or self._is_tensor(value)):
            return f'{{"output": {texts["outputs"]}}}'
        if is_dict:
            return texts["outputs"]
        raise NotUnderstood("the outputs in its export_outputs are unknown")

    def _is_tensor(self, node: ast.expr) -> bool:
        """Says whether an expression is one tensor, such as `tf.matmul(x, w) + b`."""
        name = self.file.name_of(node.func) if isinstance(node, ast.Call) else None
        return isinstance(node, ast.BinOp) or (name or "").startswith(_TENSORS)

    def _optimizer(self) -> str:
        training = self.training
        body = [rendering.block(training.function, _BODY), ""] if training.function else []
        body += [self.rendered.statement(statement, _BODY) for statement in training.statements]
        return self._def("make_optimizer(self):", [*body, f"{_BODY}{training.text}"])
