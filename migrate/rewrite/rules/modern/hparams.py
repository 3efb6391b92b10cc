"""Replaces tf.contrib.training.HParams by a namespace, if the program uses only its attributes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Import, Rule
from migrate.rewrite.engine.source_file import SourceFile

_TYPES = Import("types", "types")
_METHODS = frozenset(
    [
        "add_hparam",
        "del_hparam",
        "get",
        "get_model_structure",
        "override_from_dict",
        "parse",
        "parse_json",
        "set_hparam",
        "set_from_map",
        "set_model_structure",
        "to_json",
        "to_proto",
        "values",
    ]
)
_WANTED_BY = ("tf.estimator.Estimator", "tf.contrib.learn.learn_runner.run")


def _find(file: SourceFile) -> Iterator[Change]:
    used = sorted(
        {
            node.func.attr
            for node in file.nodes
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _METHODS
        }
    )
    for match in file.matches(RULE):
        if match.call is None or match.call.args:
            yield file.suggestion(match.node, "it is not called, or called with hparam_def")
        elif any(one.name in _WANTED_BY for one in file.names()):
            yield file.suggestion(
                match.node, "an Estimator or learn_runner does not accept a namespace"
            )
        elif used:
            reason = f"this file calls {', '.join(used)}, which a namespace does not have"
            yield file.suggestion(match.node, reason)
        else:
            yield file.replacement(
                match.node,
                f"{file.module_name(_TYPES)}.SimpleNamespace",
                (_TYPES,),
                "other code may call its methods, or pass it to an Estimator",
            )


RULE = Rule(
    __name__,
    _find,
    message="A namespace replaces HParams, which has no counterpart in TensorFlow.",
    source="https://docs.python.org/3/library/types.html#types.SimpleNamespace",
    symbols=("tf.contrib.training.HParams",),
    recipe="hparams",
    safe=False,
)
