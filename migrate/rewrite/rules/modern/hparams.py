"""Replaces tf.contrib.training.HParams by a namespace, if the program uses only its attributes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Example, Import, Rule
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
            yield file.suggestion(match.node, "its type, or its hparam_def, is used")
        elif any(one.name in _WANTED_BY for one in file.names()):
            yield file.suggestion(match.node, "an Estimator, or learn_runner, takes no namespace")
        elif used:
            reason = f"this file calls {', '.join(used)}, which a namespace does not have"
            yield file.suggestion(match.node, reason)
        else:
            yield file.replacement(
                match.node,
                f"{file.module_name(_TYPES)}.SimpleNamespace",
                (_TYPES,),
                "other code may use more of it than attributes, or give it to an Estimator",
            )


RULE = Rule(
    __name__,
    _find,
    message="HParams has no like in TensorFlow; a namespace, or a dataclass, holds the values.",
    source="https://docs.python.org/3/library/types.html#types.SimpleNamespace",
    symbols=("tf.contrib.training.HParams",),
    recipe="hparams",
    examples=(
        Example(
            "from legacy import contrib\n"
            "import tensorflow.compat.v1 as tf\n"
            "hparams = contrib.training.HParams(rate=0.5, units=[4, 2])\n"
            "x = hparams.rate, hparams.units, tf.float32.name\n",
            "import tensorflow.compat.v1 as tf\n"
            "import types\n"
            "hparams = types.SimpleNamespace(rate=0.5, units=[4, 2])\n"
            "x = hparams.rate, hparams.units, tf.float32.name\n",
            unsafe=True,
        ),
    ),
    unchanged=(
        "from legacy import contrib\nx = contrib.training.HParams(a=1).values()\n",
        "from legacy import contrib\nx = contrib.training.HParams is not None\n",
        "from legacy import contrib\nfrom legacy import estimator as tf_estimator\n"
        "def f(model_fn):\n"
        "    params = contrib.training.HParams(a=1)\n"
        "    return tf_estimator.Estimator(model_fn, params=params).train\nx = callable(f)\n",
    ),
    safe=False,
)
