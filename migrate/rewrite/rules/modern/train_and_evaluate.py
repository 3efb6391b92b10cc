"""train_and_evaluate: the training, the evaluation and the exports that it comes to, one by one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from migrate.rewrite import arguments, bindings, bridged, estimator_uses, hook_callbacks
from migrate.rewrite.rule import Change, Example, Rule
from migrate.rewrite.source_file import SourceFile, comments

_PARAMETERS = ("estimator", "train_spec", "eval_spec")
_SPECS = {
    "train_spec": (
        "tf.estimator.TrainSpec",
        ("input_fn", "max_steps", "hooks", "saving_listeners"),
    ),
    "eval_spec": (
        "tf.estimator.EvalSpec",
        ("input_fn", "steps", "name", "hooks", "exporters", "start_delay_secs", "throttle_secs"),
    ),
}
_EXPORTER = ("name", "serving_input_receiver_fn")
_EXPORTERS = {
    "tf.estimator.FinalExporter": (*_EXPORTER, "assets_extra", "as_text"),
    "tf.estimator.LatestExporter": (*_EXPORTER, "assets_extra", "as_text", "exports_to_keep"),
}
_ONCE = (
    "it evaluates and exports once, after the training, and trains alone: under a TF_CONFIG each "
    "task had a role"
)
_MAY_LOOK = "may look at evaluations: python -m migrate recipes early_stopping"


class _Spec(NamedTuple):
    """A TrainSpec or an EvalSpec.

    given: What it is made with; what is None left out.
    statement: What gives it a name that nothing else uses; None where it has no name.
    """

    given: dict[str, ast.expr]
    statement: ast.stmt | None


class _Exports(NamedTuple):
    """What exporters come to.

    lines: The statements that export.
    statements: Those that made the exporters, and can go.
    """

    lines: list[str]
    statements: list[ast.stmt | None]


def _find(file: SourceFile) -> Iterator[Change]:
    for found in file.found(RULE):
        if found.call is not None:
            change = _rewritten(file, found.call)
            yield file.suggested(found.call, change) if isinstance(change, str) else change


def _rewritten(file: SourceFile, call: ast.Call) -> Change | str:
    """The change of a call, or why it is left as it is."""
    given = arguments.bound(call, _PARAMETERS)
    statement = file.parent(call)
    if given is None or set(given) != set(_PARAMETERS):
        return "it is given arguments by * or **"
    if not isinstance(statement, ast.Expr) or not estimator_uses.is_alone(file, statement):
        return "what it returns is used, or more stands on its line"
    if not isinstance(given["estimator"], ast.Name):
        return "its Estimator has no name"
    specs = {key: _spec(file, key, given[key]) for key in _SPECS}
    unknown = [spec for spec in specs.values() if isinstance(spec, str)]
    if unknown:
        return unknown[0]
    train, evaluate = (spec for spec in specs.values() if isinstance(spec, _Spec))
    exports = _exports(file, given["estimator"].id, evaluate.given.get("exporters"))
    if isinstance(exports, str):
        return exports
    reason = _by_hand(file, train)
    if reason:
        return reason
    gone = [one for one in (train.statement, evaluate.statement, *exports.statements) if one]
    lines = [said for one in gone for said in comments(file.segment(one))]
    lines += [_training(file, given["estimator"].id, train)]
    lines += [_evaluation(file, given["estimator"].id, evaluate), *exports.lines]
    text = (file.newline + file.indent(statement.lineno)).join(lines)
    edits = [*file.replaced(call, text).edits]
    edits += [bridged.removed(file, one) for one in gone]
    return Change(call.lineno, tuple(edits), unsafe=_ONCE)


def _spec(file: SourceFile, key: str, node: ast.expr) -> _Spec | str:
    """What a spec says, or why that is not known."""
    name, parameters = _SPECS[key]
    made, statement = _made(file, node)
    if made is None or (made is not node and statement is None):
        return f"its {key} is made elsewhere, or used for more"
    if not isinstance(made, ast.Call) or file.name_of(made.func) != name:
        return f"its {key} is not made as a {name} here"
    given = arguments.bound(made, parameters)
    if given is None or "input_fn" not in given:
        return f"its {key} is given arguments by * or **"
    none = {key for key, value in given.items() if key not in estimator_uses.without_none(given)}
    given = {key: value for key, value in given.items() if key == "steps" or key not in none}
    return _Spec(given, statement)


def _made(file: SourceFile, node: ast.expr) -> tuple[ast.expr | None, ast.stmt | None]:
    """What a name stands for, and the statement that gives it the name, if that can go then."""
    if not isinstance(node, ast.Name):
        return node, None
    made = bindings.assigned(file, node)
    if made is None or file.function(made) is not file.function(node):
        return None, None
    statement = file.statement(made)
    uses = [part for part in ast.walk(file.tree) if isinstance(part, ast.Name)]
    is_alone = estimator_uses.is_alone(file, statement)
    is_used_once = sum(part.id == node.id for part in uses) == 2
    return made, statement if is_alone and is_used_once else None


def _by_hand(file: SourceFile, train: _Spec) -> str:
    """Why a training cannot do without evaluations beside it; "" where it can."""
    if "hooks" not in train.given:
        return ""
    hooks = train.given["hooks"]
    if not isinstance(hooks, ast.List):
        return f"its TrainSpec has hooks that are not seen here, and {_MAY_LOOK}"
    for hook in hooks.elts:
        name = file.name_of(hook.func) if isinstance(hook, ast.Call) else None
        if hook_callbacks.is_about_evaluations(name):
            return f"its TrainSpec has hooks that {_MAY_LOOK}"
    return ""


def _training(file: SourceFile, estimator: str, spec: _Spec) -> str:
    parts = [file.segment(spec.given["input_fn"])]
    for key in ("max_steps", "hooks", "saving_listeners"):
        if key in spec.given:
            parts.append(f"{key}={file.segment(spec.given[key])}")
    return f"{estimator}.train({', '.join(parts)})"


def _evaluation(file: SourceFile, estimator: str, spec: _Spec) -> str:
    parts = [file.segment(spec.given["input_fn"])]
    steps = file.segment(spec.given["steps"]) if "steps" in spec.given else "100"
    parts += [f"steps={steps}"] if steps != "None" else []
    for key in ("name", "hooks"):
        if key in spec.given:
            parts.append(f"{key}={file.segment(spec.given[key])}")
    return f"{estimator}.evaluate({', '.join(parts)})"


def _exports(file: SourceFile, estimator: str, node: ast.expr | None) -> _Exports | str:
    """What exports what exporters do in the end, or why nothing does."""
    found, tf = _Exports([], []), bridged.tensorflow(file)
    if node is None:
        return found
    made, statement = _made(file, node)
    nodes = made.elts if isinstance(made, (ast.List, ast.Tuple)) else [node]
    found.statements.append(statement if nodes != [node] else None)
    for one in nodes:
        made, statement = _made(file, one)
        name = file.name_of(made.func) if isinstance(made, ast.Call) else None
        if name not in _EXPORTERS or not isinstance(made, ast.Call) or not tf:
            return "it has exporters that decide by evaluations, or are not seen here"
        given = arguments.bound(made, _EXPORTERS[name])
        if given is None or set(given) - {"exports_to_keep"} != set(_EXPORTER):
            return "it has exporters with more than a name and a serving_input_receiver_fn"
        name, receiver = (file.segment(given[key]) for key in _EXPORTER)
        folder = f'{tf}.io.gfile.join({estimator}.model_dir, "export", {name})'
        found.lines.append(f"{estimator}.export_saved_model({folder}, {receiver})")
        found.statements.append(statement)
    return found


_IMPORTS = "from legacy import estimator as tf_estimator\nimport os\nimport tensorflow as tf\n"
_MODEL = (
    "v1 = tf.compat.v1\n"
    "def model_fn(features, labels, mode):\n"
    "    w = v1.get_variable('w', [], initializer=tf.ones_initializer())\n"
    "    out = features['a'] * w\n"
    "    if mode == 'infer':\n"
    "        return tf_estimator.EstimatorSpec(mode, {'out': out})\n"
    "    loss = tf.reduce_mean((out - labels) ** 2)\n"
    "    train_op = v1.train.AdamOptimizer(0.1).minimize(loss, v1.train.get_global_step())\n"
    "    return tf_estimator.EstimatorSpec(mode, None, loss, train_op)\n"
    "def input_fn():\n"
    "    data = tf.data.Dataset.from_tensors(({'a': [1., 2., 3.]}, [2., 3., 5.]))\n"
    "    return data.repeat(5)\n"
    "def serving_fn():\n"
    "    a = v1.placeholder(tf.float32, [None], name='a')\n"
    "    return tf_estimator.export.ServingInputReceiver({'a': a}, {'a': a})\n"
    "def served(folder):\n"
    "    model = tf.saved_model.load(os.path.join(folder, os.listdir(folder)[0]))\n"
    "    return model.signatures['serving_default'](a=tf.constant([1.0]))\n"
)
_SEEN = (
    "x, y = estimator.evaluate(input_fn), len(os.listdir('model/export'))\n"
    "z = served('model/export/final')\n"
)

RULE = Rule(
    __name__,
    _find,
    message="train_and_evaluate becomes a training, an evaluation and exports, one by one.",
    source="https://www.tensorflow.org/guide/migrate/evaluator",
    symbols=("tf.estimator.train_and_evaluate",),
    recipe="evaluator",
    safe=False,
    examples=(
        Example(
            _IMPORTS + _MODEL + "estimator = tf_estimator.Estimator(model_fn, 'model')\n"
            "train_spec = tf_estimator.TrainSpec(input_fn=input_fn, max_steps=3)\n"
            "exporter = tf_estimator.FinalExporter('final', serving_fn)\n"
            "eval_spec = tf_estimator.EvalSpec(\n"
            "    input_fn, steps=None, exporters=[exporter], throttle_secs=0)\n"
            "tf_estimator.train_and_evaluate(estimator, train_spec, eval_spec)\n" + _SEEN,
            _IMPORTS + _MODEL + "estimator = tf_estimator.Estimator(model_fn, 'model')\n"
            "estimator.train(input_fn, max_steps=3)\n"
            "estimator.evaluate(input_fn)\n"
            "estimator.export_saved_model("
            "tf.io.gfile.join(estimator.model_dir, \"export\", 'final'), serving_fn)\n" + _SEEN,
            unsafe=True,
            api="v2",
        ),
        Example(
            _IMPORTS + _MODEL + "def job():\n"
            "    estimator = tf_estimator.Estimator(model_fn, 'model')\n"
            "    tf_estimator.train_and_evaluate(\n"
            "        estimator,\n"
            "        tf_estimator.TrainSpec(input_fn),\n"
            "        tf_estimator.EvalSpec(input_fn, name='all'))\n"
            "    return estimator.evaluate(input_fn)\n"
            "x = job()\n",
            _IMPORTS + _MODEL + "def job():\n"
            "    estimator = tf_estimator.Estimator(model_fn, 'model')\n"
            "    estimator.train(input_fn)\n"
            "    estimator.evaluate(input_fn, steps=100, name='all')\n"
            "    return estimator.evaluate(input_fn)\n"
            "x = job()\n",
            unsafe=True,
            api="v2",
        ),
    ),
    unchanged=(
        "from legacy import estimator as tf_estimator\n"
        "def job(estimator, train_spec, eval_spec):\n"
        "    tf_estimator.train_and_evaluate(estimator, train_spec, eval_spec)\nx = 1\n",
        "from legacy import estimator as tf_estimator\n"
        "def job(estimator, f):\n"
        "    hook = tf_estimator.experimental.stop_if_higher_hook(estimator, 'accuracy', 0.9)\n"
        "    train = tf_estimator.TrainSpec(f, hooks=[hook])\n"
        "    tf_estimator.train_and_evaluate(estimator, train, tf_estimator.EvalSpec(f))\nx = 1\n",
        "from legacy import estimator as tf_estimator\n"
        "def job(estimator, f):\n"
        "    train, evaluate = tf_estimator.TrainSpec(f), tf_estimator.EvalSpec(f)\n"
        "    return tf_estimator.train_and_evaluate(estimator, train, evaluate)\nx = 1\n",
    ),
)
