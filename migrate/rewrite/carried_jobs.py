"""Estimators that go, with all that is done with them: trained, evaluated, asked, exported.

    def _find(file):
        yield from carried_jobs.changes(file, RULE, carrier)

A rule names the classes, and its carrier says which model takes an Estimator's place. What is done
with an Estimator is carried over as a whole, or not at all.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from migrate.rewrite import (
    arguments,
    bridged,
    estimator_uses,
    hook_callbacks,
    input_functions,
    modern_names,
)
from migrate.rewrite.bridged import Config
from migrate.rewrite.estimator_uses import MethodCall, Used
from migrate.rewrite.hook_callbacks import Callbacks
from migrate.rewrite.rule import Change, Edit, Import, Rule
from migrate.rewrite.source_file import Found, SourceFile

# The first parameters of the classes; later ones are only taken by their names.
_PARAMETERS = {
    "Estimator": ("model_fn", "model_dir", "config", "params", "warm_start_from"),
    "BaselineClassifier": ("model_dir",),
    "BaselineRegressor": ("model_dir",),
    "DNNClassifier": ("hidden_units", "feature_columns", "model_dir"),
    "DNNEstimator": ("head", "hidden_units", "feature_columns", "model_dir"),
    "DNNLinearCombinedClassifier": ("model_dir",),
    "DNNLinearCombinedEstimator": ("head", "model_dir"),
    "DNNLinearCombinedRegressor": ("model_dir",),
    "DNNRegressor": ("hidden_units", "feature_columns", "model_dir"),
    "LinearClassifier": ("feature_columns", "model_dir"),
    "LinearEstimator": ("head", "feature_columns", "model_dir"),
    "LinearRegressor": ("feature_columns", "model_dir"),
}
CANNED = tuple(sorted(f"tf.estimator.{name}" for name in set(_PARAMETERS) - {"Estimator"}))
_CLASSES = frozenset((*CANNED, "tf.estimator.Estimator"))
_OPTIONS = ("predict_keys", "yield_single_examples")
_EXPORT = ("export_dir_base", "serving_input_receiver_fn")
_TAKEN = {
    "train": frozenset(("input_fn", "hooks", "steps", "max_steps")),
    "evaluate": frozenset(("input_fn", "steps", "name")),
    "predict": frozenset(("input_fn", *_OPTIONS)),
    "export_saved_model": frozenset(_EXPORT),
    "export_savedmodel": frozenset(_EXPORT),
    "latest_checkpoint": frozenset(),
    "model_dir": frozenset(),
}
_FIRST = "it is of TensorFlow itself: first python -m migrate rewrite --to=legacy"
_GRAPH = (
    "Keras needs the behavior of TensorFlow 2, so disable_v2_behavior goes; what else the program "
    "does with graphs and sessions is not seen"
)
_SESSIONS = (
    "tf.InteractiveSession",
    "tf.Session",
    "tf.train.MonitoredSession",
    "tf.train.MonitoredTrainingSession",
    "tf.train.SingularMonitoredSession",
    "tf.train.Supervisor",
)
_CLUSTER = "under a TF_CONFIG each task would train alone: make the model in a strategy's scope"
_SHARED = "another Estimator has the same model_dir, and each read what the other had saved last"
_COMPUTED = "its model_dir is computed where it is made: give it a name"
_IMPORTED = "another file may import it by its name"
_NO_DIR = "it is asked for its folder or checkpoint, and has no model_dir here"
_WATCHES = "evaluated in a loop, it read what another process had saved last"


class Job(NamedTuple):
    """What is known of an Estimator that is rewritten.

    found: The name that makes it.
    used: What is done with it.
    given: The arguments that it is made with.
    config: What its RunConfig says.
    model_dir: The text of its folder; "" where it has none.
    binding: The value that the name in model_dir is to be given first; "" where it has one.
    callbacks: The name of what saves checkpoints, among others; "" where there is none.
    """

    found: Found
    used: Used
    given: dict[str, ast.expr]
    config: Config
    model_dir: str
    binding: str
    callbacks: str


class Model(NamedTuple):
    """What takes the place of an Estimator.

    text: The expression that makes it.
    imports: What that needs.
    above: A comment above it; "" for none.
    below: Statements that follow it, before it is restored.
    edits: What is to change elsewhere for it.
    problem: Why it may not compute the same; "" where it does.
    """

    text: str
    imports: tuple[Import, ...] = ()
    above: str = ""
    below: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    problem: str = ""


class Carrier(NamedTuple):
    """How Estimators are carried over.

    model: Returns what takes the place of an Estimator, or why nothing does.
    helpers: The module that does what an Estimator did around its model, as `bridged.module` knows
      it.
    step: The attribute of the model that counts its steps.
    builds: Whether a model knows its steps only after `build_on`.
    """

    model: Callable[[SourceFile, Rule, Job], Model | str]
    helpers: str
    step: str
    builds: bool = False


def changes(file: SourceFile, rule: Rule, carrier: Carrier) -> Iterator[Change]:
    """Yields the changes that carry Estimators over, and what keeps others from it.

    Args:
      file: The file.
      rule: The classes are among its symbols; its recipe is what the marker names.
      carrier: How they are carried over.
    """
    for found in file.found(rule):
        if found.name not in _CLASSES or found.call is None:
            continue
        if _is_carried_over(file, found.call):
            continue
        if not found.full_name.startswith("legacy."):
            yield file.suggested(found.call, _FIRST)
            continue
        job = _job(file, found, found.call, carrier)
        change = job if isinstance(job, str) else _rewritten(file, rule, job, carrier)
        yield file.suggested(found.call, change) if isinstance(change, str) else change


def _is_carried_over(file: SourceFile, call: ast.Call) -> bool:
    """Says whether only the model_fn of an Estimator is asked for, as rewritten programs do."""
    parent = file.parent(call)
    return isinstance(parent, ast.Attribute) and parent.attr == "model_fn"


def _given(found: Found) -> dict[str, ast.expr] | None:
    names = _PARAMETERS[found.name.rpartition(".")[2]]
    return arguments.bound(found.call, names) if found.call is not None else None


def _job(file: SourceFile, found: Found, call: ast.Call, carrier: Carrier) -> Job | str:
    """What is known of an Estimator, or why it is left as it is."""
    given = _given(found)
    is_canned = found.name in CANNED
    if given is None or not (is_canned or "model_fn" in given):
        return "it is given arguments by * or **, or too many without names"
    given = estimator_uses.without_none(given)
    if "warm_start_from" in given:
        return "it starts from other weights (warm_start_from)"
    used = estimator_uses.read(file, call)
    if isinstance(used, str):
        return used
    reason = estimator_uses.understood(used.calls, _TAKEN)
    config = bridged.config(file, given.get("config"), not carrier.builds)
    if reason or isinstance(config, str):
        return reason or str(config)
    text = file.segment(given["model_dir"]) if "model_dir" in given else config.model_dir
    node = given.get("model_dir") or config.model_dir_node
    saves = text and any(_saves_by_itself(file, one) for one in used.calls)
    callbacks = bridged.free(file, "callbacks") if saves else ""
    if not text or node is None or bridged.is_simple(file, node):
        return Job(found, used, given, config, text, "", callbacks)
    if is_canned and carrier.builds:  # The model_fn is still asked of it, with its folder.
        return _COMPUTED
    name = bridged.free(file, "model_dir")
    return Job(found, used, given, config, name, text, callbacks)


def _saves_by_itself(file: SourceFile, one: MethodCall) -> bool:
    """Says whether a training saves as its Estimator's RunConfig says, not as a hook does."""
    found = hook_callbacks.read(file, one.given.get("hooks"), "", ())
    return one.method == "train" and not (isinstance(found, Callbacks) and found.saves)


def _rewritten(file: SourceFile, rule: Rule, job: Job, carrier: Carrier) -> Change | str:
    """The change of everything that is done with an Estimator."""
    model = carrier.model(file, rule, job)
    sessions = _sessions(file)
    if isinstance(model, str) or sessions:
        return sessions or str(model)
    helpers, more = bridged.module(file, carrier.helpers)
    edits: list[Edit] = [*_making(file, job, model, helpers), *model.edits]
    problems = [model.problem or _problem(file, job)]
    uses_helpers = bool(job.model_dir)
    for one in job.used.calls:
        text, problem = _call(file, job, one, carrier, helpers)
        if text and one.is_inner:
            continue
        if not text:
            return problem
        problems.append(problem)
        uses_helpers = uses_helpers or helpers in text
        edits += file.replaced(one.call, text).edits
    unsafe = next((problem for problem in problems if problem), "")
    edits += bridged.without_disabling(file)
    if job.config.statement is not None:
        edits.append(bridged.removed(file, job.config.statement))
    imports = (*model.imports, *(more if uses_helpers else ()))
    return Change(job.used.call.lineno, tuple(edits), imports, unsafe)


def _making(file: SourceFile, job: Job, model: Model, helpers: str) -> Iterator[Edit]:
    """The edits of the statement that makes the Estimator."""
    statement, call = job.used.statement, job.used.call
    yield from file.replaced(call, model.text).edits
    start, indent = file.line_start(statement.lineno), file.indent(statement.lineno)
    above = [model.above] if model.above else []
    above += [f"{job.model_dir} = {job.binding}"] if job.binding else []
    if above:
        yield Edit(start, start, "".join(f"{indent}{line}{file.newline}" for line in above))
    below = [*model.below]
    if job.model_dir:
        below.append(f"{helpers}.restore({job.used.name}, {job.model_dir})")
        if job.callbacks:
            saves = ", ".join([job.model_dir, *job.config.saves])
            below.append(f"{job.callbacks} = {helpers}.callbacks({saves})")
    if below:
        end = file.line_end(statement.end_lineno or statement.lineno)
        yield Edit(end, end, "".join(f"{file.newline}{indent}{line}" for line in below))


def _sessions(file: SourceFile) -> str:
    """Why a file cannot do without graphs, whatever becomes of its Estimators; "" if it can."""
    for found in file.names():
        is_fed = found.name == "tf.placeholder" and found.call is not None
        is_fed = is_fed and file.function(found.node) is None
        if is_fed or found.name.startswith(_SESSIONS):
            return f"{found.name} in line {found.node.lineno} needs graphs: take that apart first"
    return ""


def _problem(file: SourceFile, job: Job) -> str:
    """Why the program may not compute the same; "" where it does."""
    if file.context.api == "v1" or bridged.disables(file):
        return _GRAPH
    if "TF_CONFIG" in file.text:
        return _CLUSTER
    if job.config.problem:
        return job.config.problem
    if not file.context.is_entry and file.function(job.used.statement) is None:
        return _IMPORTED
    folders = [_folder(one) for one in file.names() if one.name in _CLASSES]
    if job.model_dir and folders.count(_folder(job.found)) > 1:
        return _SHARED
    calls = {one.method: one.call for one in job.used.calls}
    evaluated = calls.get("evaluate")
    if "train" not in calls and evaluated and estimator_uses.is_in_loop(file, evaluated):
        return _WATCHES
    return ""


def _folder(found: Found) -> str:
    """What says which folder an Estimator has."""
    given = _given(found) or {}
    node = given.get("model_dir") or given.get("config")
    return ast.unparse(node) if node is not None else f"line {found.node.lineno}"


def _call(
    file: SourceFile, job: Job, one: MethodCall, carrier: Carrier, helpers: str
) -> tuple[str, str]:
    """The new text of a method's call ("": there is none), and why it may not be the same."""
    name = job.used.name
    if one.method in ("model_dir", "latest_checkpoint") and not job.model_dir:
        return "", _NO_DIR
    if one.method == "model_dir":
        return job.model_dir, ""
    if one.method == "latest_checkpoint":
        is_keras = carrier.helpers == "porting"  # Whose checkpoints are in a folder below.
        finder = helpers if is_keras else f"{bridged.tensorflow(file)}.train"
        return f"{finder}.latest_checkpoint({job.model_dir})", ""
    if one.method.startswith("export"):
        options = [file.segment(one.given[key]) for key in _EXPORT if key in one.given]
        asked = rf"(?<![\w.]){name}\.model_dir\b"
        options = [re.sub(asked, lambda _: job.model_dir, text) for text in options]
        return f"{helpers}.export({', '.join([name, *options])})", ""
    if "input_fn" not in one.given:
        return "", f"{one.method} is given no input_fn in line {one.call.lineno}"
    mode = {"train": "train", "evaluate": "eval", "predict": "infer"}[one.method]
    data = input_functions.called(file, one.given["input_fn"], mode, job.given.get("params"))
    if data.by_hand:
        return "", data.by_hand
    text = data.text
    if "steps" in one.given:
        text += f".take({file.segment(one.given['steps'])})"
    if one.method == "predict":
        options = [f"{key}={file.segment(one.given[key])}" for key in _OPTIONS if key in one.given]
        return f"{helpers}.predict({', '.join([name, text, *options])})", data.problem
    if one.method == "evaluate":
        return _evaluation(file, one, name, text, carrier), data.problem
    statement = file.parent(one.call)
    if not isinstance(statement, ast.Expr) or not estimator_uses.is_alone(file, statement):
        return "", f"what train returns is used in line {one.call.lineno}, or more stands there"
    callbacks = hook_callbacks.read(file, one.given.get("hooks"), helpers, job.config.saves)
    if isinstance(callbacks, str):
        return "", callbacks
    problem = data.problem or callbacks.problem
    return _training(file, job, one, text, carrier, helpers, callbacks), problem


def _evaluation(file: SourceFile, one: MethodCall, name: str, data: str, carrier: Carrier) -> str:
    """The metrics; with the global step, where something may look at it."""
    parent = file.parent(one.call)
    if isinstance(parent, ast.Expr):
        return f"{name}.evaluate({data}, verbose=2)"
    text = f"{name}.evaluate({data}, verbose=0, return_dict=True)"
    key = parent.slice if isinstance(parent, ast.Subscript) else None
    is_other = modern_names.is_constant(key) and not modern_names.is_constant(key, "global_step")
    return text if is_other else f"dict({text}, global_step=int({name}.{carrier.step}))"


def _training(
    file: SourceFile,
    job: Job,
    one: MethodCall,
    data: str,
    carrier: Carrier,
    helpers: str,
    callbacks: Callbacks,
) -> str:
    name = job.used.name
    always = job.callbacks if job.callbacks and not callbacks.saves else f"{helpers}.callbacks()"
    if callbacks.texts:
        always = f"[*{always}, {', '.join(callbacks.texts)}]"
    options = f"callbacks={always}, verbose=2"
    if "max_steps" not in one.given:
        return f"{name}.fit({data}, {options})"
    indent = file.newline + file.indent(one.call.lineno)
    last, before = file.segment(one.given["max_steps"]), ""
    if not bridged.is_simple(file, one.given["max_steps"]):
        last, value = bridged.free(file, "last_step"), last
        before = f"{last} = {value}{indent}"
    step = f"int({name}.{carrier.step})"
    if not carrier.builds:
        fit = f"{name}.fit({data}.take({last} - {step}), {options})"
        return f"{before}if {step} < {last}:{indent}    {fit}"
    variable = bridged.free(file, "train_data")
    return (
        f"{before}{variable} = {data}"
        f"{indent}{name}.build_on({variable})"
        f"{indent}if {step} < {last}:"
        f"{indent}    {name}.fit({variable}.take({last} - {step}), {options})"
    )
