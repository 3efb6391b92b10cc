"""The plan: the jobs among the files, their parts, the rung that each reaches today, and an order.

    for job in plan(scan):
        print(job.path, job.rung, job.blockers)

A job is a program that trains or uses a model, by an Estimator or by a session and an optimizer.
The model may be in the file that is run or in the program's modules that it imports. Tests are not
jobs. The rungs: 0 runs by `legacy.run` from its own file. 1 imports `legacy` by name
(`migrate rewrite --to=legacy`). 2 has its model_fn trained by Keras (`migrate.bridge`). Rung 3, a
Keras job, is always left to a person.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from migrate.scan import reading, scanner, symbols

_ESTIMATORS = re.compile(
    r"^tf\.(estimator|contrib\.(learn|estimator|tpu|boosted_trees|timeseries|tensor_forest|"
    r"factorization|kernel_methods))\.(experimental\.|tpu\.|random_forest\.)?"
    r"(?!Experiment$)(\w*(Estimator|Classifier|Regressor|KMeansClustering|KMeans|LinearSDCA|SVM))$"
)
_OWN_MODEL_FN = re.compile(r"(^|\.)(TPU)?Estimator$")
# Its model_fn does not return an EstimatorSpec, which the bridge needs.
_LEARN = "tf.contrib.learn.Estimator"
_NO_SPEC = "return an EstimatorSpec where the model_fn returns ModelFnOps"
_OF_CONTRIB_LEARN = "the bridge needs a class of tf.estimator: replace it by {} first"
_RENAMED = {"KMeansClustering": "experimental.KMeans"}
_FROM_KERAS = ("tf.keras.estimator.model_to_estimator",)
_SESSIONS = frozenset(
    f"tf.{name}"
    for name in (
        "Session",
        "InteractiveSession",
        "train.MonitoredTrainingSession",
        "train.MonitoredSession",
        "train.SingularMonitoredSession",
        "train.Supervisor",
    )
)
# Calls that tell a job with a session from a tool that only reads data.
_TRAINS = re.compile(r"(Optimizer|\.optimize_loss|\.learning\.train|\.create_train_op)$")
_TRAINING_SESSIONS = ("tf.train.MonitoredTrainingSession", "tf.train.Supervisor")
# Functions that run an Estimator, which may be created in another file.
_RUNNERS = frozenset(
    (
        "tf.estimator.train_and_evaluate",
        "tf.contrib.learn.Experiment",
        "tf.contrib.learn.learn_runner.run",
    )
)
ELSEWHERE = "an Estimator that other files create"
_CLUSTER = _RUNNERS | frozenset(
    (
        "tf.train.Server",
        "tf.train.replica_device_setter",
    )
)
_OF_A_CLUSTER = re.compile(r"MultiWorker|CollectiveAllReduce|ParameterServer")
# Verdicts of the names that a person ports, the most work first.
_LEFT_TO_KERAS = ("gone", "could not decide", "by hand", "bridge")
_WHEN_CALLED = "it fails when it is called: "
_TEST = re.compile(r"(^test_.*|.*_tests?)\.py$")

# Patterns for the parts of a job, matched against the last part of a name.
_PARTS = {
    "strategies": re.compile(r"(?<!Export)Strategy$|SyncReplicasOptimizer$|replica_device_setter$"),
    "hooks": re.compile(r"Hook$|_hook$|CheckpointSaverListener$"),
    "exporters": re.compile(
        r"Exporter$|ServingInputReceiver$|serving_input_receiver_fn$|Export|make_\w*export_strategy$"
    ),
    "checkpoints": re.compile(
        r"^(Saver|WarmStartSettings|init_from_checkpoint|warm_start|Scaffold|NewCheckpointReader"
        r"|assign_from_checkpoint(_fn)?|load_checkpoint|load_variable)$"
    ),
}


class Blocker(NamedTuple):
    """An obstacle that keeps a job from a rung.

    Attributes:
      rung: The rung that it does not reach.
      what: A name, or an error of a file.
      where: "file:line".
      todo: Instructions.
    """

    rung: int
    what: str
    where: str
    todo: str


class Job(NamedTuple):
    """A program that trains.

    Attributes:
      path: The file that is run.
      files: The file and the modules of the program that it imports.
      missing: Imported modules of the program's own packages that were not scanned.
      rung: The highest rung that it can reach today. None if even rung 0 fails.
      starts: Whether it starts on rung 0. If its rung is None, it then fails where it calls a
        removed name.
      trains_by: Its Estimators, or a function that runs other files' Estimators, or its sessions.
      roles: The roles that its tasks can have: "one process", or "chief, worker, ps, evaluator".
      strategies: Names of its strategies.
      input_functions: Names of its own functions, and of TensorFlow's that create one.
      tensor_inputs: Those of its own input functions that return tensors instead of a dataset.
      model_functions: Names of its own functions.
      hooks: Names of hooks that it creates or extends.
      exporters: Names of exporters and serving input receivers.
      checkpoints: Names of other uses of checkpoints, such as savers and warm starts.
      blockers: Blockers, the lowest rung first.
      verdicts: Number of findings of each verdict.
    """

    path: str
    files: list[str]
    missing: list[str]
    rung: int | None
    starts: bool
    trains_by: list[str]
    roles: str
    strategies: list[str]
    input_functions: list[str]
    tensor_inputs: list[str]
    model_functions: list[str]
    hooks: list[str]
    exporters: list[str]
    checkpoints: list[str]
    blockers: list[Blocker]
    verdicts: dict[str, int]


def plan(scan: scanner.Scan) -> list[Job]:
    """Returns the jobs in the recommended order: the furthest with the least work first."""
    by_file: dict[str, list[scanner.Finding]] = {}
    for finding in scan.findings:
        by_file.setdefault(os.path.normpath(finding.path), []).append(finding)
    imported = {one.rpartition(".")[2] for file in scan.files.values() for one in file.imports}
    jobs = []
    for path, file in scan.files.items():
        name = os.path.basename(path)
        # A module that others import may call its own functions for its setup.
        is_run = file.facts.calls_own and name.removesuffix(".py") not in imported
        if (file.facts.has_main or is_run) and not _TEST.match(name):
            job = _job(path, scan, by_file)
            if job is not None:
                jobs.append(job)
    return sorted(jobs, key=_order)


def shared_blockers(jobs: Sequence[Job]) -> list[tuple[Blocker, int]]:
    """Returns the blockers of several jobs with their counts, the most frequent first.

    Args:
      jobs: The plan. The first job of each blocker provides its `where`.
    """
    first: dict[tuple[int, str], Blocker] = {}
    counts: Counter[tuple[int, str]] = Counter()
    for job in jobs:
        for key in {(blocker.rung, blocker.what): blocker for blocker in job.blockers}.items():
            first.setdefault(*key)
            counts[key[0]] += 1
    shared = [(first[key], count) for key, count in counts.items() if count > 1]
    return sorted(shared, key=lambda pair: (-pair[1], pair[0]))


def obstacles(job: Job, scan: scanner.Scan) -> list[Blocker]:
    """Returns the blockers of a job, and after them the names that no rule ports to Keras.

    Args:
      job: A job of the scan.
      scan: The scan.
    """
    files = set(job.files)
    left: dict[str, scanner.Finding] = {}  # The first of those with the same instructions.
    for finding in scan.findings:
        if finding.symbol.verdict in _LEFT_TO_KERAS and os.path.normpath(finding.path) in files:
            left.setdefault(finding.symbol.todo, finding)
    known = {blocker.todo for blocker in job.blockers}
    further = sorted(
        (_LEFT_TO_KERAS.index(finding.symbol.verdict), symbols.public(finding.symbol.name), todo)
        for todo, finding in left.items()
        if todo not in known
    )
    return job.blockers + [Blocker(3, name, _where(left[todo]), todo) for _, name, todo in further]


def _order(job: Job) -> tuple[int, int, int, str]:
    left = sum(job.verdicts.get(verdict, 0) for verdict in ("by hand", "gone", "could not decide"))
    # Among jobs without a rung, those that start come first.
    rung = job.rung if job.rung is not None else -1 if job.starts else -2
    return -rung, len(job.blockers), left, job.path


def _job(path: str, scan: scanner.Scan, by_file: dict[str, list[scanner.Finding]]) -> Job | None:
    files = _closure(path, scan)
    findings = [finding for file in files for finding in by_file.get(file, [])]
    used = sorted({symbols.public(finding.symbol.name) for finding in findings})
    facts = [scan.files[file].facts for file in files]
    own = _without_other_jobs(files, scan)
    called = sorted(
        {
            symbols.public(finding.symbol.name)
            for finding in findings
            if not finding.is_mention and os.path.normpath(finding.path) in own
        }
    )
    own_facts = [scan.files[file].facts for file in own]
    estimators = []
    if _runs_estimators(own_facts, called):
        estimators = [name for name in called if _ESTIMATORS.search(name) or name in _FROM_KERAS]
    trains_by = estimators or _runners(called, own_facts) or _sessions(called, own_facts)
    if not trains_by:
        return None
    model_functions = _model_fns(facts)
    input_functions = _input_functions(facts, used)
    blockers = _blockers(files, findings, scan, trains_by, model_functions)
    reached = min((blocker.rung for blocker in blockers), default=3) - 1
    parts = {
        part: [name for name in used if pattern.search(name.rpartition(".")[2])]
        for part, pattern in _PARTS.items()
    }
    parts["strategies"] = sorted({*parts["strategies"], *(s for f in facts for s in f.strategies)})
    clustered = any(fact.reads_tf_config for fact in facts) or bool(_CLUSTER & set(used))
    clustered |= any(_OF_A_CLUSTER.search(name) for name in parts["strategies"])
    return Job(
        path=path,
        files=files,
        missing=_missing(files, scan),
        rung=None if reached < 0 else reached,
        starts=all(b.rung or b.todo.startswith(_WHEN_CALLED) for b in blockers),
        trains_by=trains_by,
        roles=_roles(used, trains_by, clustered),
        input_functions=input_functions,
        tensor_inputs=sorted(
            {name for fact in facts for name in fact.tensor_fns}.intersection(input_functions)
        ),
        model_functions=model_functions,
        blockers=sorted(blockers),
        verdicts=dict(Counter(finding.symbol.verdict for finding in findings)),
        **parts,
    )


def _without_other_jobs(files: Sequence[str], scan: scanner.Scan) -> list[str]:
    """Returns the files of a job. A tool may import helpers from the file of another job."""
    main = scan.files[files[0]].facts
    if main.calls_main or main.methods:
        return list(files)
    return [file for file in files if file == files[0] or not scan.files[file].facts.has_main]


def _runs_estimators(facts: Sequence[reading.Facts], called: Sequence[str]) -> bool:
    """Returns whether a program runs an Estimator. A converter may only import or extend one."""
    methods = {method for fact in facts for method in fact.methods}
    # A module that calls its functions when it is imported creates what they create.
    is_set_up = any(fact.calls_own for fact in facts)
    return is_set_up or bool(methods - {"minimize", "apply_gradients"} or _RUNNERS & set(called))


def _runners(used: Sequence[str], facts: Sequence[reading.Facts]) -> list[str]:
    """Returns the functions that run an Estimator in a program that does not visibly create one."""
    named = [name for name in used if name in _RUNNERS]
    methods = {method for fact in facts for method in fact.methods}
    # Only methods of an Estimator take an input_fn.
    given = any("input_fn" in fact.functions for fact in facts)
    runs = given and bool({"train", "evaluate", "predict", "fit"} & methods) and bool(used)
    return named or [ELSEWHERE] * runs


def _sessions(used: Sequence[str], facts: Sequence[reading.Facts]) -> list[str]:
    """Returns the sessions by which a program without an Estimator trains."""
    methods = {method for fact in facts for method in fact.methods}
    trains = any(_TRAINS.search(name) or name in _TRAINING_SESSIONS for name in used)
    if trains or {"minimize", "apply_gradients"} & methods:
        return [name for name in used if name in _SESSIONS]
    return []


def _closure(path: str, scan: scanner.Scan) -> list[str]:
    """Returns a file and the program's files that it imports."""
    found: dict[str, None] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found[file] = None
            for module in scan.files[file].imports:
                imported = scan.modules.file_of(file, module)
                if imported is not None and imported in scan.files:
                    waiting.append(imported)
    return list(found)


def _missing(files: Sequence[str], scan: scanner.Scan) -> list[str]:
    """Returns the modules of the program's own packages that files import and that do not exist."""
    missing = set()
    for file in files:
        imports = scan.files[file].imports
        own = {one.partition(".")[0] for one in imports if scan.modules.find(file, one)}
        # In `from a.b import c`, a.b is a module, and c may be any name in it.
        for module in {name.rpartition(".")[0] for name in imports}:
            head, _, rest = module.partition(".")
            place = scan.modules.find(file, module)
            if rest.strip(".") and (place[1] if place else head in {"", *own}):
                missing.add(module)
    # A folder without __init__.py is a package, too.
    return sorted(m for m in missing if not _is_folder(m, scan))


def _is_folder(module: str, scan: scanner.Scan) -> bool:
    part = os.path.join("", *module.strip(".").split("."), "")
    return any(f"{os.sep}{part}" in f"{os.sep}{path}" for path in scan.files)


def _model_fns(facts: Sequence[reading.Facts]) -> list[str]:
    found = {name for fact in facts for name in fact.functions.get("model_fn", [])}
    return sorted(found.union(*(fact.model_fns for fact in facts)) - {"?"})


def _input_functions(facts: Sequence[reading.Facts], used: Sequence[str]) -> list[str]:
    own = {
        name
        for fact in facts
        for given_as, names in fact.functions.items()
        if given_as.endswith("input_fn")
        for name in names
    }
    made = {name for name in used if name.endswith("_input_fn")}
    return sorted((own | made) - {"?"})


def _roles(used: Sequence[str], trains_by: Sequence[str], clustered: bool) -> str:
    if any("TPUEstimator" in name for name in trains_by):
        return "one host with TPUs, or a pod of them (one process without use_tpu)"
    if not clustered:
        return "one process"
    if "tf.train.Server" in used:
        return "worker, ps: each starts its own tf.train.Server"
    if set(trains_by) <= _SESSIONS:
        return "worker, ps: set by its own flags"
    return "chief, worker, ps, evaluator: set by TF_CONFIG"


def _blockers(
    files: Sequence[str],
    findings: Sequence[scanner.Finding],
    scan: scanner.Scan,
    trains_by: Sequence[str],
    model_functions: Sequence[str],
) -> list[Blocker]:
    found = []
    for read in scan.unread:
        if os.path.normpath(read.path) in files:
            where = f"{read.path}:{read.error_line}" if read.error_line else read.path
            found.append(Blocker(0, str(read.error), where, "convert it to Python 3 first (2to3)"))
    first: dict[str, scanner.Finding] = {}
    for finding in findings:
        first.setdefault(symbols.public(finding.symbol.name), finding)
        symbol = finding.symbol
        key = f"blocks {symbol.name}"
        if symbol.runs is False and not finding.guarded and key not in first:
            first[key] = finding
            when = "" if finding.at_start else _WHEN_CALLED
            found.append(Blocker(0, symbol.name, _where(finding), when + symbol.todo))
    found += [Blocker(2, name, _where(first[name]), todo) for name, todo in _not_bridged(trains_by)]
    if set(trains_by) <= _SESSIONS:
        todo = "replace its loop by fit or a tf.function: see the recipe sessions_and_graphs"
        found.append(Blocker(2, "its own session", files[0], todo))
    elif set(trains_by) <= _RUNNERS | {ELSEWHERE}:
        todo = "scan it together with the files that create the Estimator"
        found.append(Blocker(2, "no Estimator in its files", files[0], todo))
    elif not model_functions and any(_OWN_MODEL_FN.search(name) for name in trains_by):
        todo = "scan it together with the file that defines the model_fn"
        found.append(Blocker(2, "no model_fn in its files", files[0], todo))
    return found


def _not_bridged(estimators: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yields Estimators whose model_fn the bridge does not accept, with instructions."""
    for name in estimators:
        if name == _LEARN:
            yield name, _NO_SPEC
        elif name.startswith("tf.contrib.learn.") and name not in _RUNNERS:
            last = name.rpartition(".")[2]
            successor = f"tf.estimator.{_RENAMED.get(last, last)}"
            known = symbols.look_up(successor)
            is_one = known is not None and known.runs
            yield (
                name,
                _OF_CONTRIB_LEARN.format(
                    successor if is_one else "an Estimator with your own model_fn"
                ),
            )


def _where(finding: scanner.Finding) -> str:
    cell = f"cell {finding.cell}:" if finding.cell else ""
    return f"{finding.path}:{cell}{finding.line}"
