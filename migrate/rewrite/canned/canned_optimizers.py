"""Writes the Keras optimizers that take the same steps as those of canned Estimators.

    optimizers = Optimizers(reader, keras, is_v1=False)
    text, imports = optimizers.text(node, rate="0.2"), optimizers.imports

The v2 Estimators trained with tf.keras.optimizers.legacy, so the new code uses these classes. Their
slots match as well. In the place of some optimizers of tf.train, it uses modern.optimizers.classic.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from migrate.rewrite.analysis import bridged_configs, input_functions, optimizer_calls
from migrate.rewrite.analysis.dataflow import Env, Reader, UnknownValue
from migrate.rewrite.analysis.optimizer_calls import DECAYS, STEPS
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Import
from migrate.rewrite.names import modern_names

_LEGACY = frozenset(("Adadelta", "Adagrad", "Adam", "Adamax", "Ftrl", "Nadam", "RMSprop", "SGD"))
# By the name in canned Estimators: the Keras class, and the arguments that differ in v1.
_NAMED = {
    "Adagrad": ("Adagrad", ", epsilon=0.0"),
    "Adam": ("Adam", ", epsilon=1e-08"),
    "Ftrl": ("Ftrl", ""),
    "RMSProp": ("RMSprop", ""),
    "SGD": ("SGD", ""),
}
_RATE = "learning_rate"
_DROPPED = ("use_locking", "name")
_SHRINKING = ("l1_regularization_strength", "l2_regularization_strength")


class _Kind(NamedTuple):
    """An optimizer of tf.train, and its counterpart.

    Attributes:
      counterpart: The counterpart's class, a legacy optimizer of Keras or one of `classic`.
      parameters: Parameters of the tf.train optimizer, in order.
      defaults: Arguments to write out.
      is_classic: Whether the counterpart is in `classic`.
    """

    counterpart: str
    parameters: tuple[str, ...]
    defaults: dict[str, str] = {}
    is_classic: bool = False


_TRAIN = {
    "AdadeltaOptimizer": _Kind(
        "Adadelta", (_RATE, "rho", "epsilon", *_DROPPED), {"epsilon": "1e-08"}
    ),
    "AdagradOptimizer": _Kind(
        "Adagrad", (_RATE, "initial_accumulator_value", *_DROPPED), {"epsilon": "0.0"}
    ),
    "AdamOptimizer": _Kind(
        "Adam",
        (_RATE, "beta1", "beta2", "epsilon", *_DROPPED),
        {_RATE: "0.001", "epsilon": "1e-08"},
    ),
    "FtrlOptimizer": _Kind(
        "Ftrl", (_RATE, "learning_rate_power", "initial_accumulator_value", *_SHRINKING)
    ),
    "GradientDescentOptimizer": _Kind("SGD", (_RATE, *_DROPPED)),
    "MomentumOptimizer": _Kind("SGD", (_RATE, "momentum", *_DROPPED, "use_nesterov")),
    "ProximalAdagradOptimizer": _Kind(
        "ProximalAdagrad",
        (_RATE, "initial_accumulator_value", *_SHRINKING, *_DROPPED),
        is_classic=True,
    ),
    "ProximalGradientDescentOptimizer": _Kind(
        "ProximalGradientDescent", (_RATE, *_SHRINKING, *_DROPPED), is_classic=True
    ),
    "RMSPropOptimizer": _Kind(
        "RMSProp",
        (_RATE, "decay", "momentum", "epsilon", "use_locking", "centered", "name"),
        is_classic=True,
    ),
}
_SUPPORTED = frozenset(("l2_shrinkage_regularization_strength", "beta", *_DROPPED))
_RENAMED = {"beta1": "beta_1", "beta2": "beta_2", "use_nesterov": "nesterov"}
_CLASSIC = {"decay": "decay_rate", **dict(zip(_SHRINKING, ("l1", "l2"), strict=True))}
_NEW_ONLY = ("ema", "jit_compile", "weight_decay", "is_legacy_optimizer", "use_ema")
_CLIPPING = "tf.contrib.estimator.clip_gradients_by_norm"


class Optimizers:
    """Texts of the optimizers of one Estimator.

    Attributes:
      imports: Imports that they need.
    """

    def __init__(self, reader: Reader, keras: str, is_v1: bool) -> None:
        """Starts with no texts.

        Args:
          reader: Reader of the file.
          keras: Name of tf_keras in the file.
          is_v1: Whether the Estimator is of the v1 API.
        """
        self._reader, self._legacy, self._is_v1 = reader, f"{keras}.optimizers.legacy", is_v1
        self._keras = keras
        self.imports: tuple[Import, ...] = ()

    def text(self, node: ast.expr, rate: str) -> str:
        """Returns the expression of an optimizer.

        Args:
          node: Optimizer argument.
          rate: Learning rate of an optimizer that is named by a string, or "" for its default.

        Raises:
          UnknownValue: No Keras optimizer takes the same steps, or the optimizer cannot be
            determined.
        """
        value, env = self._resolve(node, Env())
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return self._from_name(value.value, rate)
        call, parts = value, []
        name = self._name(call)
        while name == _CLIPPING and isinstance(call, ast.Call):
            args = arguments.bind(call, ("optimizer", "clip_norm"))
            if args is None or set(args) != {"optimizer", "clip_norm"}:
                raise UnknownValue(f"the arguments of {_CLIPPING} are not supported")
            parts.append(f"global_clipnorm={self._reader.text(args['clip_norm'], env)}")
            call, env = self._resolve(args["optimizer"], env)
            name = self._name(call)
        if not isinstance(call, ast.Call) or not name or len(parts) > 1:
            raise UnknownValue(f"the optimizer {ast.unparse(node)} is unknown")
        if name.startswith("tf.train."):
            return self._of_train(call, env, name, parts)
        return self._of_keras(call, env, name, parts)

    def _name(self, node: ast.expr) -> str:
        """Returns the name of the function that an expression calls, or "" for others."""
        return (self._reader.file.name_of(node.func) or "") if isinstance(node, ast.Call) else ""

    def _resolve(self, node: ast.expr, env: Env) -> tuple[ast.expr, Env]:
        """Follows names, and functions without arguments, to the call that makes an optimizer."""
        value = self._last_assigned(node) if isinstance(node, ast.Name) else None
        if value is not None:
            return self._resolve(value, env)
        if isinstance(node, ast.Name) and node.id not in env.names:
            function = input_functions.function_of(self._reader.file, node)
            if isinstance(function, ast.FunctionDef) and not function.args.args:
                node = ast.copy_location(ast.Call(node, [], []), node)
        value, env = self._reader.follow(node, env)
        if (self._reader.file.name_of(value) or "").startswith("tf.train."):
            # A canned Estimator calls a class of optimizers without arguments.
            return ast.copy_location(ast.Call(value, [], []), value), env
        if isinstance(value, ast.Lambda) and not value.args.args:
            value, env = self._reader.follow(value.body, env)
        if self._name(value):
            return value, env
        return self._reader.result_of(value, env)

    def _last_assigned(self, node: ast.Name) -> ast.expr | None:
        """Returns the last of several values that consecutive statements assign to a name.

        For example, `clip(optimizer)` in `optimizer = Adam()`, `optimizer = clip(optimizer)`.
        """
        file = self._reader.file
        binders = self._reader.binders(node)
        statements = [file.parent(binder) for binder in binders]
        assignments = [statement for statement in statements if isinstance(statement, ast.Assign)]
        blocks = {file.parent(assignment) for assignment in assignments}
        if len(assignments) < 2 or len(assignments) < len(statements) or len(blocks) > 1:
            return None
        if file.function(assignments[0]) is not file.function(node):
            return None
        if any(bindings.is_repeated(file, assignment) for assignment in assignments):
            return None
        (block,) = blocks
        outer: ast.AST | None = node
        while outer is not None and file.parent(outer) is not block:
            outer = file.parent(outer)
        use = file.statement(node)
        preceding = [
            assignment
            for assignment in assignments
            if file.span(assignment)[1] <= file.span(use)[0]
        ]
        last = preceding[-1] if preceding and outer is not None else None
        is_name = last is not None and isinstance(last.targets[0], ast.Name)
        return last.value if last is not None and is_name else None

    def _of_keras(self, call: ast.Call, env: Env, name: str, parts: list[str]) -> str:
        kind = name.rpartition(".")[2]
        if (
            not name.startswith(("tf_keras.optimizers.", "tf.keras.optimizers."))
            or kind not in _LEGACY
        ):
            raise UnknownValue(f"Keras' legacy optimizers have no counterpart of {name}")
        new_only = [
            keyword.arg
            for keyword in call.keywords
            if keyword.arg is None or keyword.arg.startswith(_NEW_ONLY)
        ]
        if new_only and ".legacy." not in name:
            raise UnknownValue(f"canned Estimators do not support {new_only[0] or '**'} of {name}")
        self._refuse_steps([*call.args, *(keyword.value for keyword in call.keywords)])
        texts = [self._reader.text(expression, env) for expression in call.args]
        texts += [
            f"{keyword.arg}={self._reader.text(keyword.value, env)}" for keyword in call.keywords
        ]
        return f"{self._legacy}.{kind}({', '.join([*texts, *parts])})"

    def _from_name(self, name: str, rate: str) -> str:
        if name not in _NAMED:
            raise UnknownValue(f"the optimizer {name!r} is unknown")
        if self._is_v1 and name == "RMSProp":
            return f"{self._classic()}.RMSProp({rate})"
        kind, options = _NAMED[name]
        return f"{self._legacy}.{kind}({rate}{options if self._is_v1 else ''})"

    def _classic(self) -> str:
        name, imports = bridged_configs.module(self._reader.file, "classic")
        self.imports = (*self.imports, *imports)
        return name

    def _of_train(self, call: ast.Call, env: Env, name: str, options: list[str]) -> str:
        kind = _TRAIN.get(name.rpartition(".")[2])
        if kind is None:
            raise UnknownValue(f"no Keras optimizer takes the same steps as {name}")
        args = arguments.bind(call, kind.parameters)
        if args is None or set(args) - set(kind.parameters) - _SUPPORTED:
            raise UnknownValue(f"the arguments of {name} in line {call.lineno} are not supported")
        self._refuse_steps([value for key, value in args.items() if key != _RATE])
        renamed = _CLASSIC if kind.is_classic else _RENAMED
        parts = {
            renamed.get(key, key): self._reader.text(value, env)
            for key, value in args.items()
            if key not in (*_DROPPED, _RATE)
        }
        for key, text in kind.defaults.items():
            parts.setdefault(key, text)
        rates = [self._rate(args[_RATE], env)] if _RATE in args else []
        rates += [parts.pop(_RATE)] if not rates and _RATE in parts else []
        parts.pop(_RATE, None)
        if "momentum" in parts and not kind.is_classic and "schedules." in "".join(rates):
            raise UnknownValue("its learning rate changes, and Keras includes it in the momentum")
        module = self._classic() if kind.is_classic else self._legacy
        texts = [*rates, *(f"{key}={text}" for key, text in parts.items()), *options]
        return f"{module}.{kind.counterpart}({', '.join(texts)})"

    def _rate(self, node: ast.expr, env: Env) -> str:
        """Returns the learning rate, or the schedule of a rate that decays with the step."""
        try:
            value, inner = self._reader.follow(node, env)
        except UnknownValue:
            return self._reader.text(node, env)
        name = self._name(value).removeprefix("tf.train.")
        decay = DECAYS.get(name)
        if decay is None or not isinstance(value, ast.Call):
            self._refuse_steps([value])
            return self._reader.text(node, env)
        keras, parameters = decay
        args = arguments.bind(value, (*parameters, "name"))
        step = args.pop("x" if "x" in parameters else "global_step", None) if args else None
        step = self._reader.follow(step, inner)[0] if step is not None else None
        if args is None or step is None or self._name(step) not in STEPS:
            raise UnknownValue("its learning rate does not depend on the global step")
        args.pop("name", None)
        self._refuse_steps(args.values())
        tensorflow, imports = modern_names.tensorflow_2(self._reader.file)
        if name == "natural_exp_decay":
            self.imports = (*self.imports, *imports)
        values = {key: self._reader.text(arg, inner) for key, arg in args.items()}
        texts = optimizer_calls.decay_arguments(name, values, tensorflow)
        return f"{self._keras}.optimizers.schedules.{keras}({', '.join(texts)})"

    def _refuse_steps(self, nodes: Iterable[ast.expr]) -> None:
        """Refuses values that depend on the graph of the training, such as the global step."""
        for node in nodes:
            for inner in ast.walk(node):
                if (self._reader.file.name_of(inner) or "").startswith("tf.train."):
                    raise UnknownValue(
                        f"its learning rate depends on {ast.unparse(inner)}, which Keras does not "
                        "support"
                    )
