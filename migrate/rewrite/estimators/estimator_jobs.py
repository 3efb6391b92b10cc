"""Replaces Estimators, and all calls on them: training, evaluation, prediction, export.

    def _find(file):
        yield from estimator_jobs.changes(file, RULE, carrier)

A rule names the classes, and its carrier returns the model that replaces an Estimator. An Estimator
is rewritten with all calls on it, or not at all.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from migrate.rewrite.analysis import (
    bridged_configs,
    estimator_classes,
    estimator_uses,
    input_functions,
    v2_switches,
)
from migrate.rewrite.analysis.bridged_configs import Config
from migrate.rewrite.analysis.estimator_uses import Construction, EstimatorUse
from migrate.rewrite.engine import bindings, wrapping
from migrate.rewrite.engine.rule import Change, Edit, Import, ReplacedEstimators, Rule
from migrate.rewrite.engine.source_file import ESTIMATORS, Match, SourceFile, comments
from migrate.rewrite.estimators import equivalence_problems, method_calls, warm_starts
from migrate.rewrite.estimators.method_calls import Facts
from migrate.rewrite.estimators.warm_starts import WarmStart
from migrate.rewrite.names import modern_names
from migrate.rewrite.sessions import session_code

_SUPPORTED = {
    "add_metrics": frozenset(("metric_fn",)),
    "train": frozenset(("input_fn", "hooks", "steps", "max_steps")),
    "evaluate": frozenset(("input_fn", "hooks", "steps", "name", "checkpoint_path")),
    "predict": frozenset(
        ("input_fn", "hooks", "predict_keys", "yield_single_examples", "checkpoint_path")
    ),
    "export_saved_model": frozenset(("export_dir_base", "serving_input_receiver_fn")),
    "export_savedmodel": frozenset(
        # SavedModels of TensorFlow 2 leave out default attributes in any case.
        ("export_dir_base", "serving_input_receiver_fn", "strip_default_attrs")
    ),
    "latest_checkpoint": frozenset(),
    "eval_dir": frozenset(("name",)),
    "get_variable_names": frozenset(),
    "get_variable_value": frozenset(("name",)),
    "model_dir": frozenset(),
    "train_and_evaluate": frozenset(("train_spec", "eval_spec")),
    "stop_if": frozenset(),
}
_FIRST = "it still comes from TensorFlow: run python -m migrate rewrite --to=legacy first"
_COMPUTED = "its model_dir is computed in the call: assign it to a name first"
_MIXED = "its variable may hold an Estimator of another class, which another rule rewrites"
_OF_KINDS = (
    "its variable may hold a TPUEstimator or another Estimator, and their functions get different "
    "params"
)
_IN_ANOTHER_FILE = "its model is made in another file"
_TPU_ELSEWHERE = "another file uses it, and cannot know that it is a TPUEstimator"


class Job(NamedTuple):
    """The facts about an Estimator that is rewritten.

    Attributes:
      match: Name that makes it.
      construction: Place that makes it.
      use: Calls on it, and on those that may reach the same variable.
      name: Its name in the new code, where it is made.
      arguments: Arguments that it is made with.
      config: Settings of its RunConfig.
      model_dir: Text of its folder, or "" if it has none.
      binding: Value to assign first to the name in model_dir, or "" if it has one.
    """

    match: Match
    construction: Construction
    use: EstimatorUse
    name: str
    arguments: dict[str, ast.expr]
    config: Config
    model_dir: str
    binding: str

    @property
    def is_of_tpu(self) -> bool:
        """True if it is a TPUEstimator."""
        return self.match.name in estimator_classes.OF_TPU

    def distributes(self, file: SourceFile) -> bool:
        """Says whether a strategy may train it, by its RunConfig or in a cluster."""
        is_distributed = any(
            file.plan.decisions.exported_estimators[name] for name in self.use.exported_functions
        )
        return is_distributed or self.use.is_trained_and_evaluated or bool(self.config.strategy)


class Model(NamedTuple):
    """The replacement of an Estimator.

    Attributes:
      text: Expression that makes it.
      imports: Imports that it needs.
      above: Comment above it, or "" for none.
      below: Statements that follow it, before it is restored.
      edits: Edits in other places that it needs.
      problem: Reason why results may differ, or "" if they cannot.
    """

    text: str
    imports: tuple[Import, ...] = ()
    above: str = ""
    below: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    problem: str = ""


class Carrier(NamedTuple):
    """A method of replacing Estimators.

    Attributes:
      model: Returns the replacement of an Estimator, or the reason why it has none.
      helpers: Module that replaces the methods of an Estimator, by its name in
        `bridged_configs.module`.
      builds: Whether a model knows its step only after `build_on`.
      keeps_checkpoints: Whether a model writes the checkpoints of an Estimator.
      blocker: Returns the reason why other Estimators of a file need checkpoints of an Estimator,
        or "" if none does.
    """

    model: Callable[[SourceFile, Rule, Job], Model | str]
    helpers: str
    builds: bool = False
    keeps_checkpoints: bool = False
    blocker: Callable[[SourceFile, Rule], str] = lambda file, rule: ""


def changes(
    file: SourceFile,
    rule: Rule,
    carrier: Carrier,
    classes: Collection[str],
    is_for: Callable[[EstimatorUse], bool] = lambda use: True,
) -> Iterator[Change]:
    """Yields the changes that replace Estimators, and the reasons why others stay.

    Estimators that may reach the same variable share one change. It is yielded for each of them.

    Args:
      file: The file.
      rule: The rule. The marker comment names its recipe.
      carrier: Method of replacing them.
      classes: Names of the classes to replace.
      is_for: Says by the uses of Estimators whether to replace them.
    """
    matches: dict[ast.Call, Match] = {}
    for match in file.v1_names():
        if match.name in classes and match.call is not None:
            use = estimator_uses.read(file, match.call)
            is_wanted = isinstance(use, str) or is_for(use)
            if is_wanted and not _is_only_bridged(file, match.call):
                matches[match.call] = match
    results: dict[ast.Call, Change | str] = {}
    for call, match in matches.items():
        if call not in results:
            results.update(_changes(file, rule, carrier, matches, match, call))
        change = results[call]
        if isinstance(change, str):
            yield file.suggestion(call, change)
        else:
            yield change._replace(line=call.lineno)


def _changes(
    file: SourceFile,
    rule: Rule,
    carrier: Carrier,
    matches: dict[ast.Call, Match],
    match: Match,
    call: ast.Call,
) -> dict[ast.Call, Change | str]:
    """Returns the change of an Estimator and its group, or the reason why they stay."""
    use = estimator_uses.read(file, call)
    if isinstance(use, str):
        return {call: use if match.full_name.startswith("legacy.") else _FIRST}
    calls = [construction.call for construction in use.constructions]
    if not set(calls) <= set(matches):
        return {call: _MIXED}
    jobs: list[Job] = []
    for estimator_call in calls:
        job = _job(file, matches[estimator_call], use, use.of(estimator_call), carrier)
        if isinstance(job, str):
            return dict.fromkeys(calls, job)
        jobs.append(job)
    if any(job.is_of_tpu for job in jobs) and not all(job.is_of_tpu for job in jobs):
        return dict.fromkeys(calls, _OF_KINDS)
    if jobs[0].is_of_tpu and use.exported_functions:
        return dict.fromkeys(calls, _TPU_ELSEWHERE)
    return dict.fromkeys(calls, _change_of_group(file, rule, jobs, carrier))


def _is_only_bridged(file: SourceFile, call: ast.Call) -> bool:
    """Says whether only the model_fn of an Estimator is read, as in a rewritten program."""
    parent = file.parent(call)
    return isinstance(parent, ast.Attribute) and parent.attr == "model_fn"


def _job(
    file: SourceFile, match: Match, use: EstimatorUse, construction: Construction, carrier: Carrier
) -> Job | str:
    """Returns the facts about an Estimator, or the reason why it stays."""
    if not match.full_name.startswith("legacy."):
        return _FIRST
    args = estimator_classes.arguments_of(match)
    is_canned = match.name in estimator_classes.CANNED
    if args is None or not (is_canned or {"model_fn", "keras_model"}.intersection(args)):
        return "it is created with *args or **kwargs, or with too many positional arguments"
    args = estimator_uses.without_none(args)
    if "warm_start_from" in args and carrier.keeps_checkpoints:
        return "it starts from the weights of another checkpoint (warm_start_from)"
    if "embedding_config_spec" in args:
        return "it uses TPU embeddings (embedding_config_spec)"
    reason = estimator_uses.problem_of_calls(use.calls, _SUPPORTED)
    config = bridged_configs.config(
        file, args.get("config"), not _needs_config(file, args, carrier)
    )
    if reason or isinstance(config, str):
        return reason or str(config)
    if config.open_name and not (carrier.builds and _is_own_name(file, match, args["config"])):
        return f"{config.open_name} may be None: assign a RunConfig to it first"
    text = file.segment(args["model_dir"]) if "model_dir" in args else config.model_dir
    node = args.get("model_dir") or config.model_dir_node
    name = construction.name or file.new_name("model", "the model to return")
    if not text or node is None or bridged_configs.is_simple(file, node):
        return Job(match, construction, use, name, args, config, text, "")
    if is_canned and carrier.builds:  # The Estimator is still made, to read its model_fn.
        return _COMPUTED
    folder = file.new_name(
        "model_dir", ("the folder of", construction.call), file.function(construction.call)
    )
    return Job(match, construction, use, name, args, config, folder, text)


def _is_own_name(file: SourceFile, match: Match, node: ast.expr) -> bool:
    """Says whether a name is local to the place that makes an Estimator, so that it may be set."""
    if not isinstance(node, ast.Name):
        return False
    return bindings.scope(file, node) is file.function(match.node)


def _needs_config(file: SourceFile, args: dict[str, ast.expr], carrier: Carrier) -> bool:
    """Says whether the replacement of an Estimator still reads its RunConfig."""
    if not carrier.builds:
        return False
    model_fn = args.get("model_fn")  # A canned Estimator is still made, to read its own model_fn.
    return model_fn is None or input_functions.takes_config(file, model_fn)


def _change_of_group(
    file: SourceFile, rule: Rule, jobs: Sequence[Job], carrier: Carrier
) -> Change | str:
    """Returns the change of a group of Estimators and of all calls on them."""
    sessions = equivalence_problems.sessions(file)
    if sessions:
        return sessions
    reason = carrier.blocker(file, rule)
    if reason:
        return reason
    helpers, helper_imports = bridged_configs.module(file, carrier.helpers)
    edits: list[Edit] = []
    imports: list[Import] = []
    problems: list[str] = []
    for job in jobs:
        model = carrier.model(file, rule, job)
        if isinstance(model, str):
            return model
        start = warm_starts.read(file, job.arguments.get("warm_start_from"))
        if isinstance(start, str):
            return start
        edits += [_construction_edit(file, job, model, helpers, start), *model.edits, *start.edits]
        imports += model.imports
        problems += [
            model.problem,
            start.problem,
            *equivalence_problems.problems(file, job),
            equivalence_problems.summaries(file, job),
        ]
    if not carrier.keeps_checkpoints:  # A bridged model reads data in the order of an Estimator.
        problems.append(equivalence_problems.seeded_order(file))
    problems.append(equivalence_problems.shown(jobs[0].use))
    edits += _types(file, jobs[0].use, imports)
    facts = _facts(file, jobs)
    calls = method_calls.Calls(file, facts, carrier.helpers)
    result = calls.all(jobs[0].use.calls)
    if isinstance(result, str):
        return result
    edits += result[0]
    imports += result[1]
    problems += result[2]
    unsafe = "; ".join(dict.fromkeys(problem for problem in problems if problem))
    switches, switch_imports = v2_switches.without(file)
    edits += switches
    imports += switch_imports
    graphs, graph_imports, effect = session_code.edits(file)
    edits += graphs
    imports += graph_imports
    unsafe = "; ".join(filter(None, (unsafe, effect)))
    statements: dict[ast.stmt, None] = dict.fromkeys(
        statement
        for job in jobs
        for statement in (job.config.statement, job.config.definition)
        if statement is not None
    )
    edits += [bridged_configs.removal(file, statement) for statement in statements]
    imports += helper_imports if any(f"{helpers}." in edit.text for edit in edits) else ()
    line = jobs[0].construction.call.lineno
    # Other files may read the folder of the models that they get.
    exported = jobs[0].use.exported_functions if facts.has_model_dir else frozenset()
    replaced = ReplacedEstimators(carrier.helpers, exported)
    # After other changes, a Keras model may replace an Estimator that is bridged now.
    is_last = calls.reads_graphs or carrier.keeps_checkpoints
    return Change(
        line,
        tuple(dict.fromkeys(edits)),
        tuple(imports),
        unsafe,
        replaced=replaced,
        is_last=is_last,
    )


def job_of(file: SourceFile, match: Match, carrier: Carrier) -> Job | str:
    """Returns the facts about an Estimator, or the reason why it stays.

    Args:
      file: The file.
      match: Name of its class, in the call that makes it.
      carrier: Method of replacing it.
    """
    use = estimator_uses.read(file, match.call) if match.call is not None else "it is not called"
    if isinstance(use, str) or match.call is None:
        return str(use)
    return _job(file, match, use, use.of(match.call), carrier)


def refused_of(file: SourceFile, job: Job, helpers: str) -> str:
    """Returns the reason why calls on an Estimator cannot be rewritten, or "" if they can.

    Args:
      file: The file.
      job: The Estimator.
      helpers: Module of a `Carrier`.
    """
    result = method_calls.Calls(file, _facts(file, [job]), helpers).all(job.use.calls)
    return result if isinstance(result, str) else ""


def _facts(file: SourceFile, jobs: Sequence[Job]) -> Facts:
    """Returns the facts about Estimators that the rewrite of their calls needs."""
    params = jobs[0].arguments.get("params")
    return Facts(
        all(job.model_dir for job in jobs),
        jobs[0].model_dir,
        all("params" in job.arguments for job in jobs),
        file.segment(params) if isinstance(params, (ast.Name, ast.Attribute)) else "",
        jobs[0].config.saves,
        any(job.distributes(file) for job in jobs),
        jobs[0].is_of_tpu,
        jobs[0].arguments if len(jobs) == 1 else {},
    )


def of_other_files(file: SourceFile) -> Iterator[Change]:
    """Yields the changes of calls on Estimators that other files make.

    `across_files/estimators` made sure that each of them can change.
    """
    for use in uses_of_other_files(file):
        change = _of_other_file(file, use)
        if change is not None:
            yield change


def uses_of_other_files(file: SourceFile) -> Iterator[EstimatorUse]:
    """Yields the uses of Estimators that other files make."""
    for match in file.names():
        node = estimator_uses.of_other_file(match)
        if node is not None:
            # Calls on a model are not calls of an Estimator, so `read` gives a reason for them.
            use = estimator_uses.read(file, node)
            if isinstance(use, EstimatorUse):
                yield use


def refused_of_other_file(file: SourceFile, use: EstimatorUse) -> str:
    """Returns the reason why calls on another file's Estimators cannot be rewritten, or "".

    Args:
      file: The file.
      use: Uses of the Estimators.
    """
    result = _calls_of_other_file(file, use)
    return result if isinstance(result, str) else ""


def _calls_of_other_file(
    file: SourceFile, use: EstimatorUse
) -> tuple[str, method_calls.Calls, tuple[list[Edit], list[Import], list[str]]] | str:
    """Returns the helper module and the rewritten calls, or the reason why there are none."""
    names = [estimator_uses.name_of(file, construction.call) for construction in use.constructions]
    estimators = file.plan.decisions.imported_estimators
    kinds = {estimators.get(f"@{name.removeprefix(ESTIMATORS)}") for name in names}
    kind = kinds.pop()
    if kinds or kind is None:
        return _MIXED
    reason = equivalence_problems.sessions(file) or estimator_uses.problem_of_calls(
        use.calls, _SUPPORTED
    )
    if reason:
        return reason
    calls = method_calls.Calls(
        file,
        Facts(distributes=kind.distributes, unknown_predictions=_IN_ANOTHER_FILE),
        kind.helpers,
    )
    result = calls.all(use.calls)
    return result if isinstance(result, str) else (kind.helpers, calls, result)


def _of_other_file(file: SourceFile, use: EstimatorUse) -> Change | None:
    outcome = _calls_of_other_file(file, use)
    if isinstance(outcome, str):
        return None
    helpers, calls, result = outcome
    edits = [edit for edit in result[0] if file.text[edit.start : edit.end] != edit.text]
    if not edits:
        return None
    name, helper_imports = bridged_configs.module(file, helpers)
    imports = [
        *result[1],
        *(helper_imports if any(f"{name}." in edit.text for edit in edits) else ()),
    ]
    switches, switch_imports = v2_switches.without(file)
    edits += [*_types(file, use, imports), *switches]
    imports += switch_imports
    graphs, graph_imports, effect = session_code.edits(file)
    edits += graphs
    imports += graph_imports
    line = use.constructions[0].call.lineno
    return Change(
        line,
        tuple(dict.fromkeys(edits)),
        tuple(imports),
        "; ".join(
            filter(
                None,
                (equivalence_problems.ELSEWHERE, effect, equivalence_problems.shown(use)),
            )
        ),
        replaced=ReplacedEstimators(helpers),
        is_last=calls.reads_graphs,
    )


def _types(file: SourceFile, use: EstimatorUse, imports: list[Import]) -> Iterator[Edit]:
    """Yields the edits of type annotations of Estimators, and adds the imports that these need."""
    statements = [construction.statement for construction in use.constructions if construction.name]
    for annotation in use.annotations:
        if file.parent(annotation) in statements:
            continue  # The edit of the statement that makes it covers this one.
        keras, keras_imports = modern_names.keras(file)
        imports += keras_imports
        yield from file.replacement(annotation, f"{keras}.Model").edits


def _construction_edit(
    file: SourceFile, job: Job, model: Model, helpers: str, warm_start: WarmStart
) -> Edit:
    """Returns the edit of the statement that makes an Estimator."""
    statement, call = job.construction.statement, job.construction.call
    start, end = file.span(statement)
    comment = file.text[end : file.line_end(statement.end_lineno or statement.lineno)]
    end += len(comment)  # A trailing comment stays on the line that makes the model.
    before, after = file.text[start : file.span(call)[0]], file.text[file.span(call)[1] : end]
    is_assigned = isinstance(statement, ast.Assign)
    new_statement = f"{before if is_assigned else f'{job.name} = '}{model.text}{after}"
    lines = [model.above] if model.above else []
    config = job.config.open_name
    lines += [f"{config} = {config} or {helpers}.RunConfig()"] if config else []
    lines += [f"{job.model_dir} = {job.binding}"] if job.binding else []
    inside = [
        _wrapped_statement(file, job, new_statement) if not after else new_statement,
        *model.below,
    ]
    if job.distributes(file):
        strategy = file.new_name("strategy", "the strategy of the model")
        args = [job.model_dir or "None"]
        args += [bridged_configs.factory(job.config.strategy)] if job.config.strategy else []
        lines.append(f"{strategy} = {helpers}.strategy({', '.join(args)})")
        lines.append(f"with {strategy}.scope():")
        inside = [_indented(line) for line in inside]
    lines += inside
    if job.model_dir:
        saves = ", ".join([job.name, job.model_dir, *job.config.saves])
        restored = f"{helpers}.restore({saves})"
        lines.append(_wrapped_statement(file, job, restored))
    if warm_start.text:
        text = f"{helpers}.warm_start({job.name}, {warm_start.text})"
        lines.append(_wrapped_statement(file, job, text) if "#" not in text else text)
    lines += [] if job.construction.name else [f"return {job.name}"]
    text = "\n".join(lines)
    lines = [*(comment for comment in comments(file.segment(call)) if comment not in text), *lines]
    return Edit(start, end, (file.newline + file.indent(statement.lineno)).join(lines))


def _wrapped_statement(file: SourceFile, job: Job, statement: str) -> str:
    """Returns a statement that makes a model, broken into short lines."""
    indent = file.indent(job.construction.statement.lineno)
    return file.newline.join(wrapping.wrapped(indent + statement)).removeprefix(indent)


def _indented(text: str) -> str:
    """Returns the lines of a statement, indented by four. Multi-line strings stay unchanged."""
    if "\n" not in text or '"""' in text or "'''" in text:
        return f"    {text}"
    return "\n".join(f"    {line}" if line.strip() else line for line in text.split("\n"))
