"""Replaces tf.app.run by app.run of absl."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Import, Rule
from migrate.rewrite.engine.source_file import SourceFile

_APP, _FLAGS = Import("absl.app", "app"), Import("absl.flags", "flags")
_STRICTER = "absl rejects undefined flags, but tf.app.run passed them to main"


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        call = match.call
        if call is None:
            continue
        args = arguments.bind(call, ("main", "argv"))
        app = file.module_name(_APP)
        has_arguments = call.args or call.keywords
        editor = arguments.Arguments(file.segment(call) if has_arguments else "run(main)")
        editor.set_function(f"{app}.run")
        if args is None or not _may_read_arguments(file, args.get("main")):
            yield file.replacement(call, editor.code, (_APP,), _STRICTER)
            continue
        # Like tf.app.run, this leaves undefined flags to the program.
        parser = f"lambda argv: {file.module_name(_FLAGS)}.FLAGS(argv, known_only=True)"
        editor.add("flags_parser", parser)
        yield file.replacement(call, editor.code, (_APP, _FLAGS))


def _may_read_arguments(file: SourceFile, main: ast.expr | None) -> bool:
    """Says whether a program may read its arguments itself."""
    if "argparse" in file.identifiers or "sys.argv" in file.text:
        return True
    name = main.id if isinstance(main, ast.Name) else "main" if main is None else ""
    functions = [n for n in file.tree.body if isinstance(n, ast.FunctionDef) and n.name == name]
    if len(functions) != 1 or not functions[0].args.args:
        return True
    argument = functions[0].args.args[0].arg
    names = (node for node in ast.walk(functions[0]) if isinstance(node, ast.Name))
    return any(node.id == argument and isinstance(node.ctx, ast.Load) for node in names)


RULE = Rule(
    __name__,
    _find,
    message="absl's app.run replaces tf.app.run, and takes main as an argument.",
    source="https://abseil.io/docs/python/guides/app",
    symbols=("tf.app.run",),
    recipe="flags_and_app",
)
