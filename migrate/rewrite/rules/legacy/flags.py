"""Lets a program define flags that absl defines today, such as --log_dir."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.rewrite.engine import arguments, bindings, source_file
from migrate.rewrite.engine.rule import Change, Import, Rule
from migrate.rewrite.engine.source_file import SourceFile

# The flags of absl.logging, absl.app and absl.testing.
_ABSL_FLAGS = frozenset(
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
# For example, tf.app.flags.FLAGS or tf.python.platform.flags.FLAGS.
_FLAGS_NAME = re.compile(r"(absl|tf)\.([\w.]+\.)?flags\.FLAGS")
_SYS = Import("sys", "sys")


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        name = match.name.rpartition(".")[2]
        call = match.call
        if call is None or not name.startswith("DEFINE_") or not call.args:
            continue
        flag = call.args[0]
        is_absl_flag = isinstance(flag, ast.Constant) and flag.value in _ABSL_FLAGS
        if is_absl_flag and all(keyword.arg != "allow_override" for keyword in call.keywords):
            editor = arguments.Arguments(file.segment(call))
            editor.add("allow_override", "True")
            yield file.replacement(call, editor.code)
    yield from _parse_calls(file)


def _parse_calls(file: SourceFile) -> Iterator[Change]:
    """Rewrites FLAGS._parse_flags(), which TensorFlow had until 1.4."""
    for node in file.nodes:
        if isinstance(node, ast.Call) and not node.args and not node.keywords:
            function = node.func
            if (
                isinstance(function, ast.Attribute)
                and function.attr == _PARSE
                and _is_flags(file, function.value)
            ):
                sys_name = file.module_name(_SYS)
                flags = file.segment(function.value)
                text = f"{flags}({sys_name}.argv, known_only=True)"
                yield file.replacement(node, text, (_SYS,))


def _is_flags(file: SourceFile, node: ast.expr, depth: int = 3) -> bool:
    """Says whether an expression is FLAGS of absl or TensorFlow, or a name for it."""
    name = file.name_of(node) or file.full_name(file.imported_name_of(node))
    if _FLAGS_NAME.fullmatch(source_file.public_name(name)):
        return True
    if not isinstance(node, ast.Name) or not depth:
        return False
    binders = bindings.of_scope(file, node)
    if binders and all(isinstance(b, ast.alias) and b.name == "FLAGS" for b in binders):
        return True
    # `FLAGS = None` may only reserve the name.
    values = [bindings.value_of(file, binder) for binder in binders]
    values = [v for v in values if not (isinstance(v, ast.Constant) and v.value is None)]
    return bool(values) and all(v is not None and _is_flags(file, v, depth - 1) for v in values)


RULE = Rule(
    __name__,
    _find,
    message="A flag that absl also defines gets allow_override=True.",
    source="https://abseil.io/docs/python/guides/flags",
    symbols=("tf.flags.*", "tf.app.flags.*"),
    recipe="flags_and_app",
)
