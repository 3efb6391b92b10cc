"""Turns the train_op of a model_fn into a Keras optimizer, with its schedule and clipping.

    training = read(file, shape, rendered)
    training.text

For example, a rate from tf.train.exponential_decay becomes an ExponentialDecay schedule.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from migrate.rewrite.analysis import bridged_configs, estimator_uses, optimizer_calls
from migrate.rewrite.analysis.optimizer_calls import CONTRIB, DECAYS, OPTIMIZERS, RATE, STEPS
from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Import
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood, choices, rates, rendering
from migrate.rewrite.model_fns.analysis import checks, dictionaries, resolving, slices
from migrate.rewrite.model_fns.analysis.heads import Head
from migrate.rewrite.model_fns.analysis.modes import Modes, Path
from migrate.rewrite.model_fns.analysis.resolving import resolved
from migrate.rewrite.model_fns.analysis.shape import Shape
from migrate.rewrite.model_fns.choices import Choice
from migrate.rewrite.model_fns.rendering import Rendered
from migrate.rewrite.names import modern_names

_MINIMIZE = ("loss", "global_step", "var_list", "gate_gradients", "aggregation_method")
_APPLY = ("grads_and_vars", "global_step", "name")
_OPTIMIZE = "tf.contrib.layers.optimize_loss"
_COLOCATE, _INCREMENT = "colocate_gradients_with_ops", "increment_global_step"
_CREATE = (
    "tf.contrib.slim.learning.create_train_op",
    "tf.contrib.training.create_train_op",
)
_UPDATES = "tf.GraphKeys.UPDATE_OPS"
_KERAS = ("tf.keras.optimizers.", "tf_keras.optimizers.")
_LEGACY = frozenset(("Adadelta", "Adagrad", "Adam", "Adamax", "Ftrl", "Nadam", "RMSprop", "SGD"))
_CLIPS = {
    "tf.clip_by_global_norm": ("global_clipnorm", ("t_list", "clip_norm")),
    "tf.clip_by_norm": ("clipnorm", ("t", "clip_norm")),
    "tf.clip_by_value": ("clipvalue", ("t", "clip_value_min", "clip_value_max")),
}
NAMES = (*(f"tf.train.{name}" for name in DECAYS), _OPTIMIZE)
_SPARSE = (
    *("tf.contrib.layers.embed", "tf.feature_column.embedding", "tf.feature_column.shared_emb"),
    *("tf.gather", "tf.keras.layers.Embedding", "tf.nn.embedding", "tf_keras.layers.Embedding"),
)
_OF_TPU = ("tf.contrib.tpu.CrossShardOptimizer", "tf.tpu.CrossShardOptimizer")
_STEP_NAMES = ("global_step", "x")
_KINDS = {"tf.train": OPTIMIZERS, "tf.contrib.opt": CONTRIB}
_NO_OPTIMIZER = 'raise ValueError("no optimizer has this name")'


class Training(NamedTuple):
    """The training of a model.

    Attributes:
      statements: Statements that compute the arguments of the optimizer, in order.
      text: Statement that returns the optimizer.
      imports: Imports of the optimizer.
      runs_updates: Whether each training step runs the updates of batch normalization.
      function: Lines of the function that computes the learning rate, without an indent.
    """

    statements: list[ast.stmt]
    text: str
    imports: tuple[Import, ...]
    runs_updates: bool
    function: tuple[str, ...] = ()


class _Reader:
    """Reads the train_op of one model_fn."""

    def __init__(self, file: SourceFile, shape: Shape, rendered: Rendered) -> None:
        self._file, self._shape, self._rendered = file, shape, rendered
        self._expressions: list[ast.expr] = []  # Expressions that the new text contains.
        self._keras, self.imports = modern_names.keras(file)
        self._runs_updates = self._counts_steps = False
        self._path, self._loss = shape.train, shape.loss.expressions[0]
        self._function: tuple[str, ...] = ()

    def read(self) -> Training:
        head = self._shape.head
        if head is not None:
            self._runs_updates = head.runs_updates
            if "optimizer" in head.spec:
                return self._training(self._optimizer(head.spec["optimizer"], []))
            if "train_op_fn" not in head.spec:
                raise NotUnderstood("its head has neither an optimizer nor a train_op_fn")
        train_op = self._train_op(self._of_head(head) if head else self._shape.train_op)
        self._runs_updates = self._runs_updates or self._depends_on_updates(train_op)
        name = train_op.func.attr if isinstance(train_op.func, ast.Attribute) else ""
        if name == "minimize":
            args = self._arguments(train_op, _MINIMIZE, ("loss", "global_step", "var_list"))
            self._check_loss(args["loss"])
            self._check_all(args.get("var_list"))
            clip: list[str] = []
        elif self._name(train_op) == _OPTIMIZE:
            return self._from_optimize_loss(train_op)
        elif self._name(train_op) in _CREATE:
            return self._from_create_train_op(train_op)
        elif name == "apply_gradients":
            args = self._arguments(train_op, _APPLY, ("grads_and_vars", "global_step", "name"))
            clip = self._clip(args["grads_and_vars"])
        else:
            raise NotUnderstood(f"the train_op {ast.unparse(train_op)[:50]!r} is not supported")
        if ("global_step" in args) == self._counts_steps:
            times = "twice" if self._counts_steps else "never"
            raise NotUnderstood(f"its train_op increments the global step {times}")
        if "global_step" in args and not self._is_step(args["global_step"]):
            raise NotUnderstood("its train_op increments another variable than the global step")
        owner = train_op.func.value if isinstance(train_op.func, ast.Attribute) else train_op
        return self._training(self._optimizer(owner, clip))

    def _training(self, text: str) -> Training:
        fields = (text, self.imports, self._runs_updates, self._function)
        return Training(self._statements(), *fields)

    def _of_head(self, head: Head) -> ast.expr:
        """Returns the train_op of a head, and appends its train_op_fn to the path."""
        node = head.spec["train_op_fn"]
        function: ast.FunctionDef | ast.Lambda | None
        function = node if isinstance(node, ast.Lambda) else None
        for statement in self._path.statements:
            if isinstance(statement, ast.FunctionDef) and isinstance(node, ast.Name):
                function = statement if statement.name == node.id else function
        names = [argument.arg for argument in function.args.args] if function is not None else []
        if function is None or len(names) != 1:
            raise NotUnderstood(f"the train_op_fn {ast.unparse(node)[:40]} is not supported")
        self._loss = ast.Name(names[0], ast.Load())
        if isinstance(function, ast.Lambda):
            return function.body
        inner = Modes(self._file, function).path("train")
        if inner is None:
            raise NotUnderstood(f"the train_op_fn {function.name} raises")
        self._path = Path([*self._path.statements, *inner.statements], inner.result)
        return inner.result

    def _from_create_train_op(self, call: ast.Call) -> Training:
        """Reads slim.learning.create_train_op(loss, optimizer)."""
        optional = ("clip_gradient_norm", "global_step", "summarize_gradients", "check_numerics")
        names = ("total_loss", "optimizer", "global_step")
        args = self._arguments(call, names, (*names, *optional))
        self._check_loss(args["total_loss"])
        clip = args.get("clip_gradient_norm")
        is_counted = "global_step" not in args or self._is_step(args["global_step"])
        if "optimizer" not in args or not is_counted:
            raise NotUnderstood("the arguments of create_train_op are not supported")
        options = []
        if clip is not None and not (isinstance(clip, ast.Constant) and not clip.value):
            self._expressions.append(clip)
            options = [f"clipnorm={self._rendered.text(clip)}"]
        self._runs_updates = True
        return self._training(self._optimizer(args["optimizer"], options))

    def _from_optimize_loss(self, call: ast.Call) -> Training:
        """Reads tf.contrib.layers.optimize_loss(loss, step, rate, "Adam")."""
        names = ("loss", "global_step", "learning_rate", "optimizer")
        args = self._arguments(
            call,
            (*names, "_", "_", "clip_gradients"),
            (*names, "clip_gradients", "summaries", "variables", _COLOCATE, _INCREMENT),
        )
        self._check_loss(args["loss"])
        self._check_all(args.get("variables"))
        step, counts = args.get("global_step"), args.get(_INCREMENT)
        is_counted = counts is None or modern_names.is_constant(counts, True)
        # Without an argument, it increments the global step, which an Estimator always has.
        if not is_counted or step is not None and not self._is_step(step):
            raise NotUnderstood("the arguments of optimize_loss are not supported")
        clip = args.get("clip_gradients")
        options = []
        if clip is not None:
            self._expressions.append(clip)
            options = [f"global_clipnorm={self._rendered.text(clip)}"]
        self._runs_updates = True
        kind = args.get("optimizer")
        if kind is not None and self._is_optimizer(kind):
            return self._training(self._optimizer(kind, options))
        name = ""
        if isinstance(kind, ast.Constant) and isinstance(kind.value, str):
            name = f"{kind.value}Optimizer"
        elif kind is not None:
            name = (self._file.name_of(kind) or "").removeprefix("tf.train.")
        name = {"SGDOptimizer": "GradientDescentOptimizer"}.get(name, name)
        if name not in OPTIMIZERS or "learning_rate" not in args:
            raise NotUnderstood("the arguments of optimize_loss are not supported")
        rate, changes = self._rate(args["learning_rate"])
        texts = {RATE: rate, **({"momentum": "0.9"} if name == "MomentumOptimizer" else {})}
        return self._training(self._keras_optimizer(name, texts, changes, options))

    def _is_optimizer(self, node: ast.expr) -> bool:
        """Says whether an expression is an optimizer, and not a class or the name of one."""
        name = self._name(self._resolved(node))
        return name.rpartition(".")[0] in _KINDS and name.endswith("Optimizer")

    def _arguments(
        self, call: ast.Call, names: Sequence[str], supported: Sequence[str]
    ) -> dict[str, ast.expr]:
        args = arguments.bind(call, names)
        args = None if args is None else estimator_uses.without_none(args)
        if args is None or names[0] not in args or set(args) - {*supported, "name"}:
            raise NotUnderstood(f"the arguments of {ast.unparse(call)[:50]!r} are not supported")
        return args

    def _resolved(self, node: ast.expr) -> ast.expr:
        return resolving.in_module(self._file, resolved(self._path, node))

    def _name(self, node: ast.expr) -> str:
        """Returns the name of the function that an expression calls, or "" for others."""
        name = self._file.name_of(node.func) if isinstance(node, ast.Call) else None
        return name or ""

    def _train_op(self, node: ast.expr) -> ast.Call:
        """Returns the call that trains, also if tf.group combines it with other operations.

        These are the updates of batch normalization, and an operation that counts the step.
        """
        node = self._resolved(node)
        if isinstance(node, ast.Attribute) and node.attr == "op":
            node = self._resolved(node.value)
        members: list[ast.expr] = []
        if isinstance(node, ast.Call) and self._name(node) == "tf.group":
            members = self._members(node.args)
        elif self._counts_step(node):
            members = [node, *self._members(self._dependencies(node))]
        counts = [member for member in members if self._counts_step(member)]
        updates = [member for member in members if self._is_updates(member)]
        train_ops = [member for member in members if member not in (*counts, *updates)]
        if len(train_ops) == 1 and len(counts) + self._counts_steps <= 1:
            self._runs_updates = self._runs_updates or bool(updates)
            self._counts_steps = self._counts_steps or bool(counts)
            return self._train_op(train_ops[0])
        if not isinstance(node, ast.Call):
            raise NotUnderstood(f"the train_op {ast.unparse(node)[:50]!r} is not supported")
        return node

    def _members(self, nodes: Sequence[ast.expr]) -> list[ast.expr]:
        """Returns operations, and the members of lists of operations."""
        members: list[ast.expr] = []
        for node in nodes:
            value = self._resolved(node.value if isinstance(node, ast.Starred) else node)
            members += value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]
        return [self._resolved(member) for member in members]

    def _dependencies(self, node: ast.AST) -> list[ast.expr]:
        """Returns the arguments of each tf.control_dependencies around a node."""
        found: list[ast.expr] = []
        parent = self._file.parent(node)
        while parent is not None and parent is not self._shape.function:
            for item in parent.items if isinstance(parent, ast.With) else ():
                call = item.context_expr
                if isinstance(call, ast.Call) and self._name(call) == "tf.control_dependencies":
                    found += call.args
            parent = self._file.parent(parent)
        return found

    def _counts_step(self, node: ast.expr) -> bool:
        """Says whether an operation adds 1 to the global step.

        For example, `tf.assign_add(step, 1)`, `step.assign_add(1)` and `tf.assign(step, step + 1)`.
        """
        call = self._resolved(node)
        if not isinstance(call, ast.Call) or call.keywords:
            return False
        name, args = self._name(call), [*call.args]
        if not name and isinstance(call.func, ast.Attribute):
            name, args = f"tf.{call.func.attr}", [call.func.value, *args]
        if name not in ("tf.assign", "tf.assign_add") or len(args) != 2:
            return False
        step, added = args[0], self._resolved(args[1])
        if name == "tf.assign":
            if not isinstance(added, ast.BinOp) or not isinstance(added.op, ast.Add):
                return False
            if not self._is_step(added.left):
                return False
            added = added.right
        return self._is_step(step) and isinstance(added, ast.Constant) and added.value == 1

    def _is_updates(self, node: ast.expr) -> bool:
        node = node.value if isinstance(node, ast.Starred) else node
        node = self._resolved(node)
        if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
            return False
        # UPDATE_OPS is empty before the layers.
        return self._is_after_layers(node) and self._file.name_of(node.args[0]) == _UPDATES

    def _depends_on_updates(self, node: ast.AST) -> bool:
        """Says whether a node is under tf.control_dependencies of the update ops."""
        return any(map(self._is_updates, self._dependencies(node)))

    def _check_loss(self, node: ast.expr) -> None:
        loss = self._loss
        pairs = ((node, loss), (self._resolved(node), self._resolved(loss)))
        is_same = any(ast.dump(first) == ast.dump(second) for first, second in pairs)
        if not is_same and self._entry(node) is not loss:
            raise NotUnderstood(f"it minimizes {ast.unparse(node)[:40]!r} instead of its loss")
        statements = self._path.statements
        start = self._file.statement(node)
        later = statements[statements.index(start) + 1 :] if start in statements else []
        if any(slices.bound(statement) & slices.read(node) for statement in later):
            raise NotUnderstood(f"it changes {ast.unparse(node)[:40]!r} after minimizing it")

    def _check_all(self, node: ast.expr | None) -> None:
        """Raises NotUnderstood for anything but all trainable variables, which is the default."""
        value = self._resolved(node) if node is not None else None
        name = self._name(value) if value is not None else ""
        args = [*value.args, *value.keywords] if isinstance(value, ast.Call) else []
        is_all = name == "tf.trainable_variables" and not args
        if name == "tf.get_collection" and len(args) == 1 and isinstance(args[0], ast.expr):
            is_all = self._file.name_of(args[0]) == "tf.GraphKeys.TRAINABLE_VARIABLES"
        if node is not None and not (is_all and self._is_after_layers(value)):
            raise NotUnderstood(f"it trains the variables {ast.unparse(node)[:50]!r}")

    def _is_after_layers(self, node: ast.AST | None) -> bool:
        """Says whether a node is after the forward pass, so that all variables exist."""
        ends = [self._file.span(statement)[1] for statement in self._shape.forward]
        return node is not None and self._file.span(node)[0] > max(ends, default=0)

    def _entry(self, node: ast.expr) -> ast.expr:
        """Returns the value of an entry of a dictionary, such as `arguments["loss"]`."""
        if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
            return node
        try:
            entries = dictionaries.entries(self._path, node.value, "arguments")
        except NotUnderstood:
            return node
        return entries.get(str(node.slice.value), node)

    def _is_step(self, node: ast.expr) -> bool:
        return self._name(self._resolved(node)) in STEPS

    # Clipped gradients.

    def _clip(self, node: ast.expr) -> list[str]:
        """Returns the clipping of the gradients of all variables, as arguments of Keras."""
        node = self._resolved(node)
        if isinstance(node, ast.ListComp):
            return self._clip_each(node)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "zip" and len(node.args) == 2:
            gradients, variables = node.args
            return self._clip_all(gradients, variables)
        self._check_gradients(node)
        return []

    def _check_gradients(self, node: ast.expr) -> None:
        """Raises NotUnderstood for anything but the gradients of the loss for all variables."""
        node = self._resolved(node)
        attribute = node.func if isinstance(node, ast.Call) else None
        is_method = isinstance(attribute, ast.Attribute) and attribute.attr == "compute_gradients"
        if isinstance(node, ast.Call) and is_method:
            args = self._arguments(node, ("loss", "var_list"), ("loss", "var_list"))
            self._check_loss(args["loss"])
            self._check_all(args.get("var_list"))
            return
        raise NotUnderstood(f"the gradients {ast.unparse(node)[:50]!r} are unknown")

    def _clip_each(self, node: ast.ListComp) -> list[str]:
        """Reads `[(tf.clip_by_value(g, -1., 1.), v) for g, v in gradients]`."""
        (loop, *others), pair = node.generators, node.elt
        names = loop.target.elts if isinstance(loop.target, ast.Tuple) else []
        values = pair.elts if isinstance(pair, ast.Tuple) else []
        is_pair = len(values) == 2 and len(names) == 2
        if others or loop.ifs and not self._is_not_none(loop, names) or not is_pair:
            raise NotUnderstood(
                f"the change of gradients {ast.unparse(node)[:50]!r} is not supported"
            )
        self._check_gradients(loop.iter)
        first, second = values
        if ast.unparse(second) != ast.unparse(names[1]) or not isinstance(first, ast.Call):
            raise NotUnderstood(
                f"the change of gradients {ast.unparse(node)[:50]!r} is not supported"
            )
        return [self._clip_argument(first, names[0])]

    def _is_not_none(self, loop: ast.comprehension, names: Sequence[ast.expr]) -> bool:
        tests = [ast.unparse(test) for test in loop.ifs]
        return bool(names) and tests == [f"{ast.unparse(names[0])} is not None"]

    def _clip_argument(self, call: ast.Call, gradient: ast.expr) -> str:
        name = self._name(call)
        if name not in _CLIPS:
            raise NotUnderstood(
                f"the change of gradients {ast.unparse(call)[:50]!r} is not supported"
            )
        option, parameters = _CLIPS[name]
        args = self._arguments(call, parameters, parameters)
        if ast.unparse(args[parameters[0]]) != ast.unparse(gradient):
            raise NotUnderstood(
                f"the change of gradients {ast.unparse(call)[:50]!r} is not supported"
            )
        value = args[parameters[-1]]
        if option == "clipvalue":
            low = args["clip_value_min"]
            if ast.unparse(low) not in (f"-{ast.unparse(value)}", f"-({ast.unparse(value)})"):
                raise NotUnderstood("it clips gradients to an asymmetric interval")
        self._expressions.append(value)
        return f"{option}={self._rendered.text(value)}"

    def _clip_all(self, gradients: ast.expr, variables: ast.expr) -> list[str]:
        """Returns the clipping in `zip(gradients, variables)`, as by tf.clip_by_global_norm."""
        statements = [*self._path.statements]
        clip: list[str] = []
        name = gradients.id if isinstance(gradients, ast.Name) else ""
        for statement in reversed(statements):
            value = statement.value if isinstance(statement, ast.Assign) else None
            if name not in slices.bound(statement) or not isinstance(statement, ast.Assign):
                continue
            target = statement.targets[0]
            parts = target.elts if isinstance(target, ast.Tuple) else [target]
            if isinstance(value, ast.Call) and self._name(value) == "tf.clip_by_global_norm":
                source = value.args[0] if value.args else None
                if clip or source is None or ast.unparse(parts[0]) != name:
                    break
                if self._are_gradients(source, [name], name, variables):
                    return [self._clip_argument(value, source)]
                if not isinstance(source, ast.Name):
                    break
                clip, name = [self._clip_argument(value, source)], source.id
                continue
            if self._are_gradients(value, [ast.unparse(part) for part in parts], name, variables):
                return clip
            break
        raise NotUnderstood(f"the gradients {ast.unparse(gradients)!r} are unknown")

    def _are_gradients(
        self, value: ast.expr | None, names: list[str], name: str, variables: ast.expr
    ) -> bool:
        """Says whether an expression has the gradients of the loss for all variables.

        For example, `zip(*optimizer.compute_gradients(loss))`, or `tf.gradients(loss,
        tf.trainable_variables())`.
        """
        if not isinstance(value, ast.Call):
            return False
        if ast.unparse(value.func) == "zip" and names == [name, ast.unparse(variables)]:
            starred = value.args[0] if len(value.args) == 1 else None
            if isinstance(starred, ast.Starred):
                self._check_gradients(starred.value)
                return True
        options = {keyword.arg for keyword in value.keywords}
        is_plain = len(value.args) == 2 and options <= {"colocate_gradients_with_ops", "name"}
        if self._name(value) == "tf.gradients" and is_plain:
            self._check_loss(value.args[0])
            is_same = ast.dump(value.args[1]) == ast.dump(variables)
            return is_same and self._name(self._resolved(variables)) == "tf.trainable_variables"
        return False

    # The optimizer.

    def _optimizer(self, node: ast.expr, clip: list[str]) -> str:
        """Returns the statements that return an optimizer.

        The first line has no indent, and the others have that of a method's body.
        """
        expression = self._resolved(node)
        choice = choices.of(self._path, expression, self._resolved)
        if choice is not None:
            return self._chosen(choice, clip)
        if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Name):
            expression = _called(self._resolved(expression.func), expression)
        name = self._name(expression)
        if name == "tf.contrib.estimator.clip_gradients_by_norm" and isinstance(
            expression, ast.Call
        ):
            args = self._arguments(
                expression, ("optimizer", "clip_norm"), ("optimizer", "clip_norm")
            )
            self._expressions.append(args["clip_norm"])
            option = f"global_clipnorm={self._rendered.text(args['clip_norm'])}"
            return self._optimizer(args["optimizer"], [*clip, option])
        if name.startswith(_KERAS) and isinstance(expression, ast.Call):
            return self._of_keras(expression, name.rpartition(".")[2], clip)
        if name in _OF_TPU and isinstance(expression, ast.Call) and len(expression.args) == 1:
            return self._optimizer(expression.args[0], clip)  # It only sums over TPU cores.
        module, _, kind = name.rpartition(".")
        optimizer = _KINDS.get(module, {}).get(kind)
        if optimizer is None or not isinstance(expression, ast.Call):
            raise NotUnderstood(f"its optimizer is {name or ast.unparse(expression)[:40]}")
        options = arguments.bind(expression, optimizer.parameters)
        if options is None:
            raise NotUnderstood("its optimizer is created with *args or **kwargs")
        texts, changes = {}, False
        for key, value in options.items():
            if key == RATE:
                texts[key], changes = self._rate(value)
            elif optimizer.renamed.get(key, key) is not None:
                self._expressions.append(value)
                texts[key] = self._rendered.text(value)
        return self._keras_optimizer(kind, texts, changes, clip)

    def _chosen(self, choice: Choice, clip: list[str]) -> str:
        """Returns the statements that choose an optimizer."""
        tests = [choice.test, *([choice.key] if choice.key else [])]
        self._expressions += tests
        whole, function = self._path, self._function
        texts = []
        for branch in (choice.first, choice.second):
            if branch.value is None:
                texts.append(_NO_OPTIMIZER)
                continue
            if isinstance(branch.value, ast.Raise):
                self._expressions += [part for part in (branch.value.exc,) if part is not None]
                texts.append(self._rendered.text(branch.value))
                continue
            self._path = branch.path
            text = self._optimizer(branch.value, clip)
            if self._function != function:
                raise NotUnderstood("its learning rate depends on the choice of its optimizer")
            texts.append(text)
        self._path = whole
        first = texts[0].replace("\n", f"\n{' ' * 4}")
        test = " == ".join(map(self._rendered.one_line, tests))
        indent = " " * 8
        return f"if {test}:\n{indent}    {first}\n{indent}{texts[1]}"

    def _of_keras(self, call: ast.Call, kind: str, clip: list[str]) -> str:
        """Returns the statement that returns the Keras optimizer of a head."""
        if self._shape.head is None or self._shape.head.is_v1 or kind not in _LEGACY or clip:
            raise NotUnderstood(f"its optimizer is {ast.unparse(call.func)}")
        parts = [*call.args, *(keyword.value for keyword in call.keywords)]
        if any(isinstance(part, ast.Starred) for part in parts) or None in {
            keyword.arg for keyword in call.keywords
        }:
            raise NotUnderstood("its optimizer is created with *args or **kwargs")
        self._expressions += parts
        texts = [self._rendered.text(argument) for argument in call.args]
        texts += [
            f"{keyword.arg}={self._rendered.text(keyword.value)}" for keyword in call.keywords
        ]
        function = f"{self._keras}.optimizers.legacy.{kind}"
        return rendering.call(function, texts, " " * 8, before="return ")

    def _keras_optimizer(
        self, kind: str, texts: dict[str, str], changes: bool, clip: list[str]
    ) -> str:
        """Returns the `return` of an optimizer."""
        is_sparse = self._has_sparse_gradients()
        # Keras includes the learning rate in the momentum, and applies it to all rows of an
        # embedding.
        is_other = kind == "MomentumOptimizer" and (changes or is_sparse)
        if kind in optimizer_calls.CLASSIC and (is_other or kind != "MomentumOptimizer"):
            module, imports = bridged_configs.module(self._file, "classic")
            self.imports = (*self.imports, *imports)
            counterpart, renamed = optimizer_calls.CLASSIC[kind]
            parts = [f"{renamed.get(key, key)}={text}" for key, text in texts.items()]
            function = f"{module}.{counterpart}"
        else:
            optimizer = OPTIMIZERS[kind]
            parts = optimizer_calls.keras_arguments(optimizer, texts)
            # The newer class applies Ftrl to all rows of an embedding.
            legacy = "legacy." if kind == "FtrlOptimizer" and is_sparse else ""
            function = f"{self._keras}.optimizers.{legacy}{optimizer.keras}"
        return rendering.call(function, [*parts, *clip], " " * 8, before="return ")

    def _has_sparse_gradients(self) -> bool:
        return any(match.name.startswith(_SPARSE) for match in self._file.names())

    def _rate(self, node: ast.expr) -> tuple[str, bool]:
        """Returns the text of the learning rate, and whether it changes."""
        value = self._resolved(node)
        name = self._name(value).removeprefix("tf.train.")
        is_decay = name in DECAYS and isinstance(value, ast.Call)
        steps = [*rates.step_calls(self._file, self._path.statements, node)]
        if steps and not (is_decay and len(steps) == 1):
            rate = rates.Rate(self._file, self._shape.function, self._rendered, self._schedule)
            name, lines = rate.text(self._path.statements, node)
            self._function = tuple(lines)
            porting, imports = bridged_configs.module(self._file, "porting")
            self.imports = (*self.imports, *imports)
            return f"{porting}.Schedule({name})", True
        if not is_decay or not isinstance(value, ast.Call):
            self._expressions.append(node)
            return self._rendered.text(node), False
        text, read = self._schedule(value)
        self._expressions += read
        return text, True

    def _schedule(self, value: ast.Call) -> tuple[str, list[ast.expr]]:
        """Returns the Keras schedule for a decay of tf.train, and its arguments."""
        name = self._name(value).removeprefix("tf.train.")
        keras, parameters = DECAYS[name]
        args = self._arguments(value, parameters, parameters)
        step = next(key for key in _STEP_NAMES if key in parameters)
        if step not in args or not self._is_step(args.pop(step)):
            raise NotUnderstood("its learning rate does not depend on the global step")
        args.pop("name", None)
        tensorflow, imports = modern_names.tensorflow_2(self._file)
        texts = {key: self._rendered.text(expression) for key, expression in args.items()}
        parts = optimizer_calls.decay_arguments(name, texts, tensorflow)
        if name == "natural_exp_decay":
            self.imports = (*self.imports, *imports)
        schedule = f"{self._keras}.optimizers.schedules.{keras}"
        return f"{schedule}({', '.join(parts)})", [*args.values()]

    def _statements(self) -> list[ast.stmt]:
        """Returns the statements that compute the optimizer's arguments from params alone."""
        local = slices.bound_inside(self._shape.function) | {"features", "labels", "mode"}
        names = set().union(*map(slices.read, self._expressions)) if self._expressions else set()
        statements = slices.needed(self._path.statements, names)
        unknown = slices.open_names(statements, self._expressions) & local - {"params"}
        others = [
            statement
            for statement in statements
            if not isinstance(statement, (ast.Assign, ast.Delete, ast.Expr))
        ]
        if unknown or others:
            raise NotUnderstood(f"its optimizer depends on {sorted(unknown or names)[0]}")
        for node in (*statements, *self._expressions):
            checks.refuse(self._file, node, local | {"params"})
        return statements


def _called(function: ast.expr, call: ast.Call) -> ast.Call:
    """Returns a call of another function with the same arguments."""
    return ast.copy_location(ast.Call(function, call.args, call.keywords), call)


def read(file: SourceFile, shape: Shape, rendered: Rendered) -> Training:
    """Returns the training of a model.

    Args:
      file: The file.
      shape: The model_fn.
      rendered: Texts of the nodes that are replaced.

    Raises:
      NotUnderstood: Keras has no known counterpart.
    """
    return _Reader(file, shape, rendered).read()
