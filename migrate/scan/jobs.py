"""Plan of the port: the jobs among the files, their parts, their rungs today, and an order.

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
from collections.abc import Sequence
from typing import NamedTuple

from migrate.scan import blockers, reading, scanner, symbols, training_calls

_CLUSTER = training_calls.RUNNERS | frozenset(
    (
        "tf.train.Server",
        "tf.train.replica_device_setter",
    )
)
_CLUSTER_STRATEGIES = re.compile(r"MultiWorker|CollectiveAllReduce|ParameterServer")
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
      strategies: Names of its distribution strategies.
      input_functions: Names of its own input functions, and of functions of TensorFlow that create
        an input function.
      tensor_inputs: Names of its own input functions that return tensors instead of a dataset.
      model_functions: Names of its own model functions.
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
    blockers: list[blockers.Blocker]
    verdicts: dict[str, int]


def plan(scan: scanner.Scan) -> list[Job]:
    """Returns the jobs in the recommended order: the highest rung and the least work first."""
    by_file: dict[str, list[scanner.Finding]] = {}
    for finding in scan.findings:
        by_file.setdefault(os.path.normpath(finding.path), []).append(finding)
    imported_modules = {
        module.rpartition(".")[2] for file in scan.files.values() for module in file.imports
    }
    jobs = []
    for path, file in scan.files.items():
        name = os.path.basename(path)
        # A module that others import may call its own functions for its setup.
        is_run = file.facts.calls_own and name.removesuffix(".py") not in imported_modules
        if (file.facts.has_main or is_run) and not _TEST.match(name):
            job = _job(path, scan, by_file)
            if job is not None:
                jobs.append(job)
    return sorted(jobs, key=_order)


def _order(job: Job) -> tuple[int, int, int, str]:
    count = sum(job.verdicts.get(verdict, 0) for verdict in ("by hand", "gone", "could not decide"))
    # Among jobs without a rung, those that start come first.
    rung = job.rung if job.rung is not None else -1 if job.starts else -2
    return -rung, len(job.blockers), count, job.path


def _job(path: str, scan: scanner.Scan, by_file: dict[str, list[scanner.Finding]]) -> Job | None:
    files = _closure(path, scan)
    findings = [finding for file in files for finding in by_file.get(file, [])]
    used_names = sorted({symbols.public(finding.symbol.name) for finding in findings})
    facts = [scan.files[file].facts for file in files]
    own_files = _without_other_jobs(files, scan)
    called_names = sorted(
        {
            symbols.public(finding.symbol.name)
            for finding in findings
            if not finding.is_mention and os.path.normpath(finding.path) in own_files
        }
    )
    own_facts = [scan.files[file].facts for file in own_files]
    trains_by = training_calls.find(called_names, own_facts)
    if not trains_by:
        return None
    model_functions = _model_fns(facts)
    input_functions = _input_functions(facts, used_names)
    job_blockers = blockers.find(files, findings, scan, trains_by, model_functions)
    rung = min((blocker.rung for blocker in job_blockers), default=3) - 1
    parts = {
        part: [name for name in used_names if pattern.search(name.rpartition(".")[2])]
        for part, pattern in _PARTS.items()
    }
    parts["strategies"] = sorted({*parts["strategies"], *(s for f in facts for s in f.strategies)})
    is_cluster = any(fact.reads_tf_config for fact in facts) or bool(_CLUSTER & set(used_names))
    is_cluster |= any(_CLUSTER_STRATEGIES.search(name) for name in parts["strategies"])
    return Job(
        path=path,
        files=files,
        missing=_missing(files, scan),
        rung=None if rung < 0 else rung,
        starts=all(b.rung or b.is_late for b in job_blockers),
        trains_by=trains_by,
        roles=_roles(used_names, trains_by, is_cluster),
        input_functions=input_functions,
        tensor_inputs=sorted(
            {name for fact in facts for name in fact.tensor_fns}.intersection(input_functions)
        ),
        model_functions=model_functions,
        blockers=sorted(job_blockers),
        verdicts=dict(Counter(finding.symbol.verdict for finding in findings)),
        **parts,
    )


def _without_other_jobs(files: Sequence[str], scan: scanner.Scan) -> list[str]:
    """Returns the files of a job. A tool may import helpers from the file of another job."""
    main = scan.files[files[0]].facts
    if main.calls_main or main.methods:
        return list(files)
    return [file for file in files if file == files[0] or not scan.files[file].facts.has_main]


def _closure(path: str, scan: scanner.Scan) -> list[str]:
    """Returns a file and the program's files that it imports."""
    files: dict[str, None] = {}
    stack = [path]
    while stack:
        file = stack.pop()
        if file not in files:
            files[file] = None
            for module in scan.files[file].imports:
                imported = scan.modules.file_of(file, module)
                if imported is not None and imported in scan.files:
                    stack.append(imported)
    return list(files)


def _missing(files: Sequence[str], scan: scanner.Scan) -> list[str]:
    """Returns the modules of the program's own packages that files import and that do not exist."""
    missing = set()
    for file in files:
        imports = scan.files[file].imports
        own_packages = {
            module.partition(".")[0] for module in imports if scan.modules.find(file, module)
        }
        # In `from a.b import c`, a.b is a module, and c may be any name in it.
        for module in {name.rpartition(".")[0] for name in imports}:
            head, _, rest = module.partition(".")
            place = scan.modules.find(file, module)
            if rest.strip(".") and (place[1] if place else head in {"", *own_packages}):
                missing.add(module)
    # A folder without __init__.py is a package, too.
    return sorted(m for m in missing if not _is_folder(m, scan))


def _is_folder(module: str, scan: scanner.Scan) -> bool:
    part = os.path.join("", *module.strip(".").split("."), "")
    return any(f"{os.sep}{part}" in f"{os.sep}{path}" for path in scan.files)


def _model_fns(facts: Sequence[reading.Facts]) -> list[str]:
    names = {name for fact in facts for name in fact.functions.get("model_fn", [])}
    return sorted(names.union(*(fact.model_fns for fact in facts)) - {"?"})


def _input_functions(facts: Sequence[reading.Facts], used_names: Sequence[str]) -> list[str]:
    own_functions = {
        name
        for fact in facts
        for argument, names in fact.functions.items()
        if argument.endswith("input_fn")
        for name in names
    }
    created_by_tensorflow = {name for name in used_names if name.endswith("_input_fn")}
    return sorted((own_functions | created_by_tensorflow) - {"?"})


def _roles(used_names: Sequence[str], trains_by: Sequence[str], is_cluster: bool) -> str:
    if any("TPUEstimator" in name for name in trains_by):
        return "one host with TPUs, or a pod of them (one process without use_tpu)"
    if not is_cluster:
        return "one process"
    if "tf.train.Server" in used_names:
        return "worker, ps: each starts its own tf.train.Server"
    if set(trains_by) <= training_calls.SESSIONS:
        return "worker, ps: set by its own flags"
    return "chief, worker, ps, evaluator: set by TF_CONFIG"
