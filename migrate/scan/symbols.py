"""Looks up names of the Estimator era, with the work to port each to Keras.

>>> about = look_up("tf.estimator.Estimator")
>>> about.verdict, about.recipe
('suggested', 'custom_model_fn')
>>> look_up("tf.cast") is None
True

The sources:

- `symbols.json`: instructions for a name and all names below it. The longest entry applies.
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

_FOLDER = os.path.dirname(os.path.abspath(__file__))
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
_REMOVED = "TensorFlow removed it, and legacy does not provide it"
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
    """Returns the name of TensorFlow 1 for a name in tf.compat.v1 or of Estimators in v2."""
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
    plain_name = plain(name)
    for module, home in _PRIVATE_HOMES.items():
        if plain_name.startswith(module):
            last = plain_name.rpartition(".")[2]
            return f"{home}.{last}" if last[:1].isupper() else plain_name
    return _public(plain_name)


@functools.lru_cache(maxsize=20_000)
def look_up(name: str) -> Symbol | None:
    """Returns the information on a name. None if it is not of the era.

    Args:
      name: The name, as `legacy.reading.used_names` writes it.
    """
    plain_name = plain(name)
    if not _is_of_the_era(plain_name):
        return None
    row = _row_of(_public(plain_name))
    if plain_name.startswith("tensorflow_core."):  # legacy serves it as TensorFlow.
        tf_symbol = look_up(f"tf.{plain_name.partition('.')[2]}")
        return Symbol(
            name, tf_symbol.runs if tf_symbol else True, row["verdict"], row["todo"], row["recipe"]
        )
    if plain_name.startswith(_INNER):
        return Symbol(name, False, row["verdict"], row["todo"], row["recipe"])
    if used_names.UNKNOWN in plain_name:
        todo = "the program computes the name when it runs"
        return Symbol(name, None, "could not decide", todo, row["recipe"])
    runs = _runs(plain_name)
    reason = None if runs else left_out.reason_for(plain_name)
    if runs is False or reason:
        row_todo = row["todo"] if row["verdict"] in ("gone", "by hand") else ""
        todo = ": ".join(reason[:2]) if reason else row_todo or _REMOVED
        if _was_moved(plain_name) and _runs(_public(plain_name)):
            todo = (
                "no TensorFlow since 1.15 has this module: use the public name "
                f"{_public(plain_name)}"
            )
        return Symbol(name, False, "gone", todo, "")
    if runs is None:
        todo = f"it is not public in TensorFlow 1.15 or 2.15: {_REPORT}"
        return Symbol(name, None, "could not decide", todo, row["recipe"])
    rule = _rules().get(plain_name) or _rule_above(plain_name)
    if rule:
        rule_name, safe, message = rule
        verdict = "rewritten" if safe else "suggested"
        return Symbol(name, True, verdict, message, row["recipe"], rule_name)
    # A private name of TensorFlow may or may not exist today.
    runs_today = (
        None if plain_name.startswith("tf.python.") and not _is_served(plain_name) else True
    )
    return Symbol(name, runs_today, row["verdict"], row["todo"], row["recipe"])


def without_rule(symbol: Symbol) -> Symbol:
    """Returns the information on a name that no rule changes.

    Args:
      symbol: Information on the name, which may name a rule.
    """
    row = _row_of(_public(plain(symbol.name)))
    return Symbol(symbol.name, symbol.runs, row["verdict"], row["todo"], row["recipe"])


def _is_of_the_era(plain_name: str) -> bool:
    if plain_name in v1_only.METHODS or plain_name in v1_only.ARGUMENTS or plain_name in _CHANGED:
        return True
    if plain_name in _ALWAYS or plain_name.startswith(_BELOW_ALWAYS) or plain_name in _COMPUTED:
        return True
    return not _is_of_today(plain_name) and _is_in_v1(plain_name)


def _is_of_today(plain_name: str) -> bool:
    return plain_name == "tf.summary" or any(
        plain_name == name or plain_name.startswith(f"{name}.") for name in _OF_TODAY
    )


def _is_in_v1(plain_name: str) -> bool:
    """Returns whether only TensorFlow 1 has the name or one of its parents."""
    v1_names = tables.names_of("v1")
    while plain_name.count("."):
        if plain_name in v1_names:
            return True
        plain_name = plain_name.rpartition(".")[0]
    return False


def _was_moved(plain_name: str) -> bool:
    """Returns whether a name is in a private module of contrib that TensorFlow 1.15 had removed."""
    if not plain_name.startswith("tf.contrib.") or ".python." not in plain_name:
        return False
    module = f"tensorflow{plain_name.removeprefix('tf')}"
    while ".python" in module:
        if tables.is_module(module):
            return False
        module = module.rpartition(".")[0]
    return True


def _runs(plain_name: str) -> bool | None:
    """Returns whether legacy provides a name. None if the name is unknown."""
    if _was_moved(plain_name):
        return False
    listed = _listed()
    path = plain_name
    full_name = (
        "tensorflow" + plain_name.removeprefix("tf") if plain_name.startswith("tf.") else plain_name
    )
    if plain_name not in listed and ".python" in plain_name and tables.is_module(full_name):
        # A formerly private module: legacy serves those of the groups that it has.
        group = ".".join(plain_name.split(".")[:3])
        return not left_out.reason_for(plain_name) and (
            group == plain_name or _runs(group) is not False
        )
    while path.count("."):
        if path in listed:
            is_provided, is_module = listed[path]
            if is_provided and is_module and path != plain_name:
                # All names of the module are listed, those of private modules by their public
                # names.
                public = _public(plain_name)
                return listed[public][0] if public in listed else None
            return is_provided
        path = path.rpartition(".")[0]
    if plain_name.startswith(_PRIVATE):
        return _private_runs(plain_name, full_name)
    if plain_name.startswith(("tf.contrib.", "tf.estimator.")):
        public = _public(plain_name)
        return _runs(public) if public != plain_name else None
    return True


def _is_served(plain_name: str) -> bool:
    """Returns whether legacy has a table for a private module, or for the module of a name."""
    full_name = f"tensorflow{plain_name.removeprefix('tf')}"
    return any(tables.is_module(name) for name in (full_name, full_name.rpartition(".")[0]))


def _private_runs(plain_name: str, full_name: str) -> bool | None:
    public = _public(plain_name)
    if public != plain_name:
        return _runs(public)
    if left_out.reason_for(plain_name):
        return False
    if any(full_name.startswith(f"{place}.") for place in tables.PUBLIC_PLACES):
        return True
    has_module = any(tables.is_module(full_name.rsplit(".", n)[0]) for n in range(3))
    return None if has_module or plain_name.startswith("tensorflow_estimator") else True


@functools.lru_cache(maxsize=20_000)
def _public(plain_name: str) -> str:
    """Returns the public name of a name in a formerly private module, or the name unchanged."""
    listed = _listed()
    parts = plain_name.split(".")
    groups = []
    if plain_name.startswith(("tensorflow_estimator.", "tf.python.estimator.")):
        groups = ["tf.estimator", "tf.estimator.export", "tf.estimator.inputs", "tf.estimator.tpu"]
        groups += ["tf.estimator.experimental", "tf.contrib.estimator"]
    elif plain_name.startswith("tf.contrib.") and ".python." in plain_name:
        groups = [".".join(parts[:3])]
    for i in range(len(parts) - 1, 2, -1):
        for group in groups:
            if f"{group}.{parts[i]}" in listed and parts[i] != "estimator":
                return ".".join([group, *parts[i:]])
    return plain_name


def _row_of(plain_name: str) -> dict[str, str]:
    rows = _rows()
    while plain_name.count(".") and plain_name not in rows:
        plain_name = plain_name.rpartition(".")[0]
    return rows.get(plain_name) or rows["tf"]


@functools.lru_cache(maxsize=1)
def _rows() -> dict[str, dict[str, str]]:
    with open(os.path.join(_FOLDER, "symbols.json"), encoding="utf-8") as file:
        return {name: row for row in json.load(file) for name in row["names"]}


@functools.lru_cache(maxsize=1)
def _listed() -> dict[str, tuple[bool, bool]]:
    """Returns (legacy provides it, it is a module) for each name in names.txt."""
    with open(os.path.join(_FOLDER, "names.txt"), encoding="utf-8") as file:
        lines = file.read().split()
    return {line.strip("-/"): (not line.startswith("-"), line.endswith("/")) for line in lines}


@functools.lru_cache(maxsize=1)
def _rules() -> dict[str, tuple[str, bool, str]]:
    """Returns (rule, safe, message) for each name that a rule ports to Keras. Safe rules win."""
    if importlib.util.find_spec("migrate.rewrite") is None:
        return {}
    from migrate.rewrite import rules

    rule_by_name: dict[str, tuple[str, bool, str]] = {}
    for rule in sorted(rules.all_rules("modern"), key=lambda rule: rule.safe):
        rule_by_name |= dict.fromkeys(rule.symbols, (rule.name, rule.safe, rule.message))
    return rule_by_name


def _rule_above(plain_name: str) -> tuple[str, bool, str] | None:
    """Returns the rule for all names below a parent of a name."""
    while plain_name.count("."):
        plain_name = plain_name.rpartition(".")[0]
        if f"{plain_name}.*" in _rules():
            return _rules()[f"{plain_name}.*"]
    return None
