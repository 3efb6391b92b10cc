"""Lets a program define flags that absl defines by now, such as --log_dir."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Import, Rule
from migrate.rewrite.engine.source_file import SourceFile

# The flags of absl.logging, absl.app and absl.testing.
_OWNED = frozenset(
    [
        "alsologtostderr",
        "log_dir",
        "logger_levels",
        "logtostderr",
        "only_check_args",
        "pdb",
        "pdb_post_mortem",
        "profile_file",
        "run_with_pdb",
        "run_with_profiling",
        "showprefixforinfo",
        "stderrthreshold",
        "test_random_seed",
        "test_randomize_ordering_seed",
        "test_srcdir",
        "test_tmpdir",
        "use_cprofile_for_profiling",
        "verbosity",
        "xml_output_file",
    ]
)
_PARSE = "_parse_flags"
_SYS = Import("sys", "sys")


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        name = match.name.rpartition(".")[2]
        call = match.call
        if call is None or not name.startswith("DEFINE_") or not call.args:
            continue
        flag = call.args[0]
        is_owned = isinstance(flag, ast.Constant) and flag.value in _OWNED
        if is_owned and all(keyword.arg != "allow_override" for keyword in call.keywords):
            edited = arguments.Arguments(file.segment(call))
            edited.add("allow_override", "True")
            yield file.replacement(call, edited.code)
    yield from _parses(file)


def _parses(file: SourceFile) -> Iterator[Change]:
    """Finds FLAGS._parse_flags(), which TensorFlow had until 1.4."""
    for node in file.nodes:
        if isinstance(node, ast.Call) and not node.args and not node.keywords:
            function = node.func
            if isinstance(function, ast.Attribute) and function.attr == _PARSE:
                sys_name = file.module_name(_SYS)
                flags = file.segment(function.value)
                text = f"{flags}({sys_name}.argv, known_only=True)"
                yield file.replacement(node, text, (_SYS,))


RULE = Rule(
    __name__,
    _find,
    message="A flag that absl also defines gets allow_override=True.",
    source="https://abseil.io/docs/python/guides/flags",
    symbols=("tf.flags.*", "tf.app.flags.*"),
    recipe="flags_and_app",
)
