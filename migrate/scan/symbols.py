"""Looks up names of the Estimator era, with the work to port each to Keras.

>>> about = look_up("tf.estimator.Estimator")
>>> about.verdict, about.recipe
('bridge', 'custom_model_fn')
>>> look_up("tf.cast") is None
True

The sources:

- `symbols.json`: instructions for a name and all below it. The longest entry applies.
- `names.txt`: the names of tf.contrib and tf.estimator in TensorFlow 1.15 and 2.15, and which of
  them legacy does not provide. tests/oracle/era_names.py writes it.
- legacy's own tables of names that it leaves out, with reasons.
- The rules of `migrate rewrite`.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import re
from typing import NamedTuple

from legacy.names import left_out, tables, v1_only
from legacy.reading import used_names

# Ordered by work, the cheapest first.
VERDICTS = ("runs", "rewritten", "suggested", "bridge", "by hand", "gone", "could not decide")

_HERE = os.path.dirname(os.path.abspath(__file__))
_ALWAYS = (
    "tf.estimator",
    "tf.contrib",
    "tf.feature_column",
    "tf.examples",
    "tf.keras.estimator",
    "tf.python",
    "tf._api",
    "tensorflow_core",
    "tensorflow_estimator",
)
_BELOW_ALWAYS = tuple(f"{name}." for name in _ALWAYS)
# Names that mean something else in TensorFlow 2.
_CHANGED = frozenset(
    (
        "tf.distribute.experimental.ParameterServerStrategy",
        "tf.initializers.random_normal",
        "tf.initializers.random_uniform",
        "tf.initializers.truncated_normal",
        "tf.random_normal_initializer",
        "tf.random_uniform_initializer",
        "tf.metrics.mean_absolute_error",
        "tf.metrics.mean_squared_error",
        "tf.summary.audio",
        "tf.summary.histogram",
        "tf.summary.image",
        "tf.summary.scalar",
        "tf.summary.text",
    )
)
# Names of TensorFlow 2 below a name that left with TensorFlow 1.
_OF_TODAY = frozenset(
    f"tf.summary.{name}"
    for name in (
        "SummaryWriter",
        "create_file_writer",
        "create_noop_writer",
        "experimental",
        "flush",
        "graph",
        "record_if",
        "should_record_summaries",
        "trace_export",
        "trace_off",
        "trace_on",
        "write",
    )
)
_PRIVATE = ("tf.python", "tensorflow_estimator")
# Public packages of the classes of private modules.
_PRIVATE_HOMES = {"tf.python.training.": "tf.train", "tf.python.client.session.": "tf"}
# The package's own names for its public API, and for the modules that create it.
_SAME_API = re.compile(
    r"^tensorflow_estimator\.(?:python\.estimator\.api\._v[12]\.|_api\.v[12]\.)?estimator(?=\.|$)"
)
# getattr(tf.train, name + "Optimizer"): computed names of modules that lost most of their names.
_COMPUTED = (f"tf.{used_names.UNKNOWN}", f"tf.train.{used_names.UNKNOWN}")
# Internal packages of TensorFlow 1.15 and 2.0.
_INNER = ("tensorflow_core", "tf._api")
_LEFT = "TensorFlow removed it, and legacy does not provide it"
_REPORT = "python -m legacy.run --report FILE looks it up in a running TensorFlow"


class Symbol(NamedTuple):
    """Information on a name.

    Attributes:
      name: The name, as `legacy.reading.used_names` writes it.
      runs: Whether the name works today with `legacy` (rungs 0 and 1). None if that is unknown.
      verdict: One of `VERDICTS`, on the way to Keras (rungs 2 and 3).
      todo: Short instructions.
      recipe: The page of `migrate recipes` to read. "" for removed names.
      rule: The rule of `migrate rewrite` that changes it. "" for none.
    """

    name: str
    runs: bool | None
    verdict: str
    todo: str
    recipe: str
    rule: str = ""


def is_of_the_era(name: str) -> bool:
    """Returns whether a name belongs to TensorFlow 1 or Estimator, and not to today's TensorFlow.

    Args:
      name: The name in the form of `legacy.reading.used_names`, with "compat.v1." if it is used
        through that.
    """
    return _is_of_the_era(plain(name))


def plain(name: str) -> str:
    """Returns the name that TensorFlow 1 had for one in tf.compat.v1, or tf.estimator's in v2."""
    while name.startswith("tf.compat.v1."):
        name = f"tf.{name.removeprefix('tf.compat.v1.')}"
    for start in ("tf.compat.v2.estimator", "tf.compat.v2.feature_column"):
        if name.startswith(start):
            return name.replace("tf.compat.v2.", "tf.", 1)
    return _SAME_API.sub("tf.estimator", name) if name.startswith("tensorflow_e") else name


@functools.lru_cache(maxsize=20_000)
def public(name: str) -> str:
    """Returns the public name of a used name, which may be in a formerly private module.

    Args:
      name: As `legacy.reading.used_names` writes it: "tf.python.estimator.estimator.Estimator".
    """
    known = plain(name)
    for module, home in _PRIVATE_HOMES.items():
        if known.startswith(module):
            last = known.rpartition(".")[2]
            return f"{home}.{last}" if last[:1].isupper() else known
    return _public(known)


@functools.lru_cache(maxsize=20_000)
def look_up(name: str) -> Symbol | None:
    """Returns the information on a name. None if it is not of the era.

    Args:
      name: The name, as `legacy.reading.used_names` writes it.
    """
    known = plain(name)
    if not _is_of_the_era(known):
        return None
    row = _row_of(_public(known))
    if known.startswith("tensorflow_core."):  # legacy serves it as TensorFlow.
        same = look_up(f"tf.{known.partition('.')[2]}")
        return Symbol(name, same.runs if same else True, row["verdict"], row["todo"], row["recipe"])
    if known.startswith(_INNER):
        return Symbol(name, False, row["verdict"], row["todo"], row["recipe"])
    if used_names.UNKNOWN in known:
        todo = "the program computes the name when it runs"
        return Symbol(name, None, "could not decide", todo, row["recipe"])
    runs = _runs(known)
    reason = None if runs else left_out.reason_for(known)
    if runs is False or reason:
        told = row["todo"] if row["verdict"] in ("gone", "by hand") else ""
        todo = ": ".join(reason[:2]) if reason else told or _LEFT
        if _was_moved(known) and _runs(_public(known)):
            todo = f"no TensorFlow since 1.15 has this module: use the public name {_public(known)}"
        return Symbol(name, False, "gone", todo, "")
    if runs is None:
        todo = f"it is not public in TensorFlow 1.15 or 2.15: {_REPORT}"
        return Symbol(name, None, "could not decide", todo, row["recipe"])
    rule = _rules().get(known) or _rule_above(known)
    if rule:
        rule_name, safe, message = rule
        verdict = "rewritten" if safe else "suggested"
        return Symbol(name, True, verdict, message, row["recipe"], rule_name)
    # A private name of TensorFlow may or may not exist today.
    runs_today = None if known.startswith("tf.python.") and not _is_served(known) else True
    return Symbol(name, runs_today, row["verdict"], row["todo"], row["recipe"])


def without_rule(symbol: Symbol) -> Symbol:
    """Returns the information on a name that no rule changes.

    Args:
      symbol: The information on it where a rule may change it.
    """
    row = _row_of(_public(plain(symbol.name)))
    return Symbol(symbol.name, symbol.runs, row["verdict"], row["todo"], row["recipe"])


def _is_of_the_era(known: str) -> bool:
    if known in v1_only.METHODS or known in v1_only.ARGUMENTS or known in _CHANGED:
        return True
    if known in _ALWAYS or known.startswith(_BELOW_ALWAYS) or known in _COMPUTED:
        return True
    return not _is_of_today(known) and _is_in_v1(known)


def _is_of_today(known: str) -> bool:
    return known == "tf.summary" or any(
        known == name or known.startswith(f"{name}.") for name in _OF_TODAY
    )


def _is_in_v1(known: str) -> bool:
    """Returns whether TensorFlow 1 had the name or one of its parents, and TensorFlow 2 has not."""
    only_in_1 = tables.names_of("v1")
    while known.count("."):
        if known in only_in_1:
            return True
        known = known.rpartition(".")[0]
    return False


def _was_moved(known: str) -> bool:
    """Returns whether a name is in a private module of contrib that TensorFlow 1.15 had removed."""
    if not known.startswith("tf.contrib.") or ".python." not in known:
        return False
    module = f"tensorflow{known.removeprefix('tf')}"
    while ".python" in module:
        if tables.is_module(module):
            return False
        module = module.rpartition(".")[0]
    return True


def _runs(known: str) -> bool | None:
    """Returns whether legacy provides a name. None if the name is unknown."""
    if _was_moved(known):
        return False
    listed = _listed()
    path = known
    full = "tensorflow" + known.removeprefix("tf") if known.startswith("tf.") else known
    if known not in listed and ".python" in known and tables.is_module(full):
        # A formerly private module: legacy serves those of the groups that it has.
        group = ".".join(known.split(".")[:3])
        return not left_out.reason_for(known) and (group == known or _runs(group) is not False)
    while path.count("."):
        if path in listed:
            has, is_module = listed[path]
            if has and is_module and path != known:
                # All names of the module are listed, those of private modules by their public
                # names.
                public = _public(known)
                return listed[public][0] if public in listed else None
            return has
        path = path.rpartition(".")[0]
    if known.startswith(_PRIVATE):
        return _private_runs(known, full)
    if known.startswith(("tf.contrib.", "tf.estimator.")):
        public = _public(known)
        return _runs(public) if public != known else None
    return True


def _is_served(known: str) -> bool:
    """Returns whether legacy has a table for a private module, or for the module of a name."""
    full = f"tensorflow{known.removeprefix('tf')}"
    return any(tables.is_module(name) for name in (full, full.rpartition(".")[0]))


def _private_runs(known: str, full: str) -> bool | None:
    public = _public(known)
    if public != known:
        return _runs(public)
    if left_out.reason_for(known):
        return False
    if any(full.startswith(f"{place}.") for place in tables.PUBLIC_PLACES):
        return True
    left = any(tables.is_module(full.rsplit(".", n)[0]) for n in range(3))
    return None if left or known.startswith("tensorflow_estimator") else True


@functools.lru_cache(maxsize=20_000)
def _public(known: str) -> str:
    """Returns the public name of a name in a formerly private module, or the name unchanged."""
    listed = _listed()
    parts = known.split(".")
    groups = []
    if known.startswith(("tensorflow_estimator.", "tf.python.estimator.")):
        groups = ["tf.estimator", "tf.estimator.export", "tf.estimator.inputs", "tf.estimator.tpu"]
        groups += ["tf.estimator.experimental", "tf.contrib.estimator"]
    elif known.startswith("tf.contrib.") and ".python." in known:
        groups = [".".join(parts[:3])]
    for i in range(len(parts) - 1, 2, -1):
        for group in groups:
            if f"{group}.{parts[i]}" in listed and parts[i] != "estimator":
                return ".".join([group, *parts[i:]])
    return known


def _row_of(known: str) -> dict[str, str]:
    rows = _rows()
    while known.count(".") and known not in rows:
        known = known.rpartition(".")[0]
    return rows.get(known) or rows["tf"]


@functools.lru_cache(maxsize=1)
def _rows() -> dict[str, dict[str, str]]:
    with open(os.path.join(_HERE, "symbols.json"), encoding="utf-8") as file:
        return {name: row for row in json.load(file) for name in row["names"]}


@functools.lru_cache(maxsize=1)
def _listed() -> dict[str, tuple[bool, bool]]:
    """Returns name to (legacy provides it, it is a module), from names.txt."""
    with open(os.path.join(_HERE, "names.txt"), encoding="utf-8") as file:
        lines = file.read().split()
    return {line.strip("-/"): (not line.startswith("-"), line.endswith("/")) for line in lines}


@functools.lru_cache(maxsize=1)
def _rules() -> dict[str, tuple[str, bool, str]]:
    """Returns name to (rule, safe, message) of the rules that lead to Keras. Safe ones win."""
    if importlib.util.find_spec("migrate.rewrite") is None:
        return {}
    from migrate.rewrite import rules

    found: dict[str, tuple[str, bool, str]] = {}
    for rule in sorted(rules.all_rules("modern"), key=lambda rule: rule.safe):
        found |= dict.fromkeys(rule.symbols, (rule.name, rule.safe, rule.message))
    return found


def _rule_above(known: str) -> tuple[str, bool, str] | None:
    """Returns the rule for all names below a parent of a name."""
    while known.count("."):
        known = known.rpartition(".")[0]
        if f"{known}.*" in _rules():
            return _rules()[f"{known}.*"]
    return None
