"""Runs the oracle's programs on the original and records their facts.

    python -m tests.oracle.record               # all, and builds the environments
    python -m tests.oracle.record canned_dnn    # some
    python -m tests.oracle.record --python=2.15.1=/path/to/its/bin/python

`tests/test_oracle.py` compares our facts with the recorded ones, so the usual test run needs no
second TensorFlow. The environments are kept in the user's cache folder, outside the tree.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from tests import interpreters
from tests.oracle import compare, observe

RECORDED = pathlib.Path(__file__).parent / "recorded"
CHECKPOINTS = RECORDED / "checkpoints"
ROOT = pathlib.Path(__file__).parents[2]

# The last TensorFlow that has each API, and the Pythons that it runs on, in order of preference.
VERSIONS = {"v1": "2.15.1", "v2": "2.15.1", "contrib": "1.15.5"}
PYTHONS = {"2.15.1": ("3.11", "3.10", "3.9"), "1.15.5": ("3.7", "3.6")}
REQUIREMENTS = {
    "2.15.1": ["tensorflow==2.15.1", "numpy<2", "pandas<3"],
    "1.15.5": ["tensorflow==1.15.5", "numpy<1.19", "protobuf<3.21", "pandas"],
}


def environment(version):
    """Returns the Python of an environment with a TensorFlow version, and builds it if needed.

    Raises:
      SystemExit: No suitable Python is installed.
    """
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"))
    folder = cache / "estimator-ladder" / f"tensorflow-{version}"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([_interpreter(version), "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *REQUIREMENTS[version]], check=True)
        (folder / "ready").touch()
    return python


def _interpreter(version):
    for wanted in PYTHONS[version]:
        found = interpreters.find(wanted)
        if found:
            return found
    sys.exit(
        f"TensorFlow {version} needs Python {' or '.join(PYTHONS[version])}, and none was found on "
        f"the path or under pyenv. Install one, or give --python={version}=/path/to/python."
    )


def record(python, api, names):
    """Runs programs on the original and writes their facts below `recorded/`.

    Returns:
      Names of the programs that raised there, which are not recorded, and of those whose results
      show a fault in our checkpoints.
    """
    if "resumed" in names:
        _write_checkpoints(python, api, "installed", CHECKPOINTS)
    seen = _observe(python, api, names)
    failed = [name for name, facts in seen.items() if set(facts) == {"raised"}]
    for name, facts in seen.items():
        if name in failed:
            print(f"{api}/{name} raised:\n{facts['raised']}", file=sys.stderr)
            continue
        path = path_of(api, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"tensorflow": VERSIONS[api], "facts": facts}, indent=1, sort_keys=True)
        path.write_text(text + "\n")
    if "resumed" in names and not _goes_on_from_ours(python, api, seen["resumed"]):
        failed.append("resumed")
    return failed


def _observe(python, api, names, **environment):
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "facts.json"
        command = [python, "-m", "tests.oracle.observe", f"--api={api}", "--engine=installed"]
        _run([*command, f"--output={output}", *names], **environment)
        return json.loads(output.read_text())


def _run(command, **environment):
    # Importing TensorFlow 2 in this process sets this variable, and TensorFlow 1.15 would obey it.
    clean = {name: value for name, value in os.environ.items() if name != "TF2_BEHAVIOR"}
    subprocess.run(command, cwd=ROOT, env=clean | environment, check=True)


def _write_checkpoints(python, api, engine, folder):
    command = [python, "-m", "tests.oracle.checkpoints", f"--api={api}", f"--engine={engine}"]
    _run([*command, f"--output={folder / api}"])


def _goes_on_from_ours(python, api, facts):
    """Returns true if the original resumes from our checkpoints as from its own."""
    with tempfile.TemporaryDirectory() as folder:
        _write_checkpoints(sys.executable, api, "ours", pathlib.Path(folder))
        from_ours = _observe(python, api, ["resumed"], ORACLE_CHECKPOINTS=folder)
    lines = compare.differences(facts, from_ours["resumed"])
    print("\n".join([f"{api}/resumed from our checkpoints:", *lines]) if lines else "", end="")
    return not lines


def path_of(api, name):
    """Returns the file that holds a program's recorded facts."""
    return RECORDED / api / f"{name}.json"


def main():
    """Reads the flags and records. Returns 1 if a program failed on the original."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", action="append", default=[], metavar="VERSION=PATH")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    given = dict(pair.split("=", 1) for pair in arguments.python)
    failed = []
    for api, version in VERSIONS.items():
        known = observe.program_names(api)
        names = [name for name in arguments.names if name in known] if arguments.names else known
        if names:
            failed += record(given.get(version) or environment(version), api, names)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
