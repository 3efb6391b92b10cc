"""Rewritten programs as modules, before and after the rewrite to Keras models.

before, after = rewritten.modules(tmp_path, "cnn", text)
report = verify.verify(before.model_fn, after.Model, before.input_fn)
"""

import re
import sys
import types

from migrate import loading
from migrate.rewrite import rules
from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

# The first training statement in the programs of `model_fn_programs`.
_RUNS = re.compile(r"^(job|model|strategy|x, y) = |^train\(\)", re.MULTILINE)


def texts(program, api="v1"):
    """Returns a program's source at rung 1 and as a Keras job, with its training in `run()`."""
    start = _RUNS.search(program).start()
    lines = [f"    {line}".rstrip() for line in program[start:].splitlines()]
    program = "\n".join([f"{program[:start]}def run():", *lines, ""])
    plan = tools.plan(api=api)
    before = fixed_point.rewrite(program, rules.all_rules("legacy"), plan=plan).text
    after = fixed_point.rewrite(before, rules.all_rules("modern"), plan=plan, unsafe=True).text
    return before, after


def module(folder, name, text):
    """Imports a source as a module, in the same way as the commands."""
    name = f"{folder.name}_{name}"  # Unique among the tests.
    (folder / f"{name}.py").write_text(text)
    sys.path.insert(0, str(folder))
    try:
        loading.find(f"{name}:__name__", "test")
        return sys.modules[name]
    finally:
        sys.path.remove(str(folder))


def modules(folder, name, program, api="v1"):
    """Returns the program before and after the rewrite, as modules."""
    before, after = texts(program, api)
    return module(folder, f"{name}_before", before), module(folder, f"{name}_after", after)


def only(found: types.ModuleType, base):
    """Returns the last class of a module that is derived from `base`."""
    classes = [one for one in vars(found).values() if isinstance(one, type)]
    own = [one for one in classes if one.__module__ == found.__name__ and issubclass(one, base)]
    return own[-1]
