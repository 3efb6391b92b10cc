"""Reads the facts about a program that one of its files contains by itself.

    contents = read(("my_jobs/train.py", frozenset(["model"])))
    contents.imports, contents.exported

Nothing is imported or executed.
"""

from __future__ import annotations

import ast
import contextlib
import re
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from legacy.reading import program_files
from legacy.reading import used_names as names
from migrate.rewrite.engine import bindings, files, rebinding
from migrate.rewrite.engine.mentions import Mentions
from migrate.rewrite.engine.source_file import PACKAGES
from migrate.rewrite.names import modern_names

# Calls that only set something up for other files.
_SETTINGS = re.compile(r"(^|\.)(DEFINE_|(append|filterwarnings|insert|use)$|disable_|enable_|set_)")
# Code that imports, finds or runs modules by names that may be computed.
_LOADS = re.compile(
    r"\b(import_module|__import__|exec|execfile|run_module|run_path)\(|\bsys\.modules\b"
)


class FileContents(NamedTuple):
    """The facts about its program that a file itself contains.

    Attributes:
      uses: Uses of TensorFlow names.
      local_uses: Uses of names from other files, which begin with "@".
      exported: Names that other files can import, with their values.
      imports: Modules that it imports.
      is_main: Whether it is run as a program.
      has_effects: Whether an import of it does more than change settings.
      alternatives: Names from other files that a condition may choose instead.
      sets_seed: Whether it sets the seed of a graph.
      functions: Names of its functions.
      changed_names: Names as in `FilePlan.changed_elsewhere` that it changes.
      used_attributes: Attributes that may belong to objects of other files.
      used_names: Other names as in `FilePlan.used_elsewhere` that it uses.
      methods: Methods of its classes, as "Class.method".
      own_attributes: Attributes that its classes assign, and their properties, as "Class.name".
      loads_modules: Whether it may import modules whose names it computes.
      reads_flags_early: Whether it reads flags of another file before its main function runs.
      star_names: Names that `import *` may bring from it, or None if they are unknown.
      type_words: Its words as in `ProgramFacts.type_words`.
    """

    uses: list[names.Use]
    local_uses: list[names.Use]
    exported: dict[str, str]
    imports: list[str]
    is_main: bool
    has_effects: bool
    alternatives: frozenset[str] = frozenset()
    sets_seed: bool = False
    functions: frozenset[str] = frozenset()
    changed_names: frozenset[str] = frozenset()
    used_attributes: frozenset[str] = frozenset()
    used_names: frozenset[str] = frozenset()
    methods: tuple[str, ...] = ()
    own_attributes: tuple[str, ...] = ()
    loads_modules: bool = False
    reads_flags_early: bool = False
    star_names: frozenset[str] | None = None
    type_words: frozenset[str] = frozenset()

    @property
    def all_names(self) -> Iterator[str]:
        """The TensorFlow names that it uses, and the names from other files."""
        yield from (use.name for use in self.uses)
        yield from (use.name for use in self.local_uses)

    @property
    def local_heads(self) -> set[str]:
        """The first parts of the names that come from other files."""
        full_names = [*(use.name for use in self.local_uses), *self.alternatives]
        return {name[1:].partition(".")[0] for name in full_names}


def read(task: tuple[str, frozenset[str]]) -> FileContents | None:
    """Reads a file. None if it cannot be parsed, which is reported when it is rewritten.

    Args:
      task: Path of the file, and the first parts of the names of modules that are files, as one
        argument for a parallel `map`.
    """
    path, heads = task
    try:
        text = files.read(path).code
        if "tensorflow" not in text and "import" not in text:
            return _without_imports(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        uses = names.uses_in(tree, path)
        all_uses, exported = names.read(tree, path, True, heads.union(PACKAGES).__contains__)
    except (files.NotReadable, SyntaxError, ValueError, RecursionError):
        return None
    local_uses = [use for use in all_uses if use.name.startswith("@")]
    is_main = path.endswith(".ipynb") or "__main__" in text
    has_effects = is_main or _has_effects(tree)
    imports = list(dict.fromkeys(program_files.imports_in(tree)))
    alternatives = frozenset(
        full_name for use in all_uses for full_name in use.others if full_name.startswith("@")
    )
    sets_seed = modern_names.seeds_graphs(text)
    functions = frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))
    modules = (f"@{name}" for name in rebinding.rebound_names(tree))
    changed_names = frozenset((*_changed_names(tree), *modules))
    mentions = Mentions(tree, heads.__contains__)
    return FileContents(
        uses,
        local_uses,
        exported,
        imports,
        is_main,
        has_effects,
        alternatives,
        sets_seed,
        functions,
        changed_names,
        frozenset(node.attr for node in mentions.attributes),
        mentions.others,
        *_members(tree),
        _LOADS.search(text) is not None,
        _reads_flags_early(tree),
        _star_names(tree),
        modern_names.type_words(text),
    )


def _star_names(tree: ast.Module) -> frozenset[str] | None:
    """Returns the names that `import *` may bring from a file. None if they are unknown."""
    bound = {name for node in ast.walk(tree) for name in bindings.bound_names(node)}
    return None if {"*", "__all__"} & bound else frozenset(bound)


def _without_imports(text: str) -> FileContents:
    """Returns the facts about a file that uses nothing from other files."""
    star_names = None
    with contextlib.suppress(SyntaxError, ValueError, RecursionError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        star_names = _star_names(ast.parse(text))
    words = modern_names.type_words(text)
    return FileContents([], [], {}, [], False, False, star_names=star_names, type_words=words)


def _members(tree: ast.Module) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the methods of the classes in a file, and their attributes."""
    methods: list[str] = []
    attributes: list[str] = []
    for node in ast.walk(tree):
        for statement in node.body if isinstance(node, ast.ClassDef) else ():
            if not isinstance(node, ast.ClassDef) or not isinstance(statement, ast.FunctionDef):
                continue
            decorators = [ast.unparse(decorator) for decorator in statement.decorator_list]
            is_property = any(text.endswith("property") for text in decorators)
            (attributes if is_property else methods).append(f"{node.name}.{statement.name}")
            own_self = statement.args.args[0].arg if statement.args.args else ""
            attributes += [
                f"{node.name}.{part.attr}"
                for part in ast.walk(statement)
                if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
                if isinstance(part.value, ast.Name) and part.value.id == own_self
            ]
    return tuple(methods), tuple(dict.fromkeys(attributes))


def _reads_flags_early(tree: ast.Module) -> bool:
    """Says whether a file reads a flag on import, from the FLAGS of another file."""
    imported_flags = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name == "FLAGS"
    }
    stack: list[ast.AST] = [*tree.body]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value)
            if owner in imported_flags or owner.endswith(".FLAGS"):
                return True
        is_main = isinstance(node, ast.If) and "__main__" in ast.unparse(node.test)
        if not is_main and not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            stack += ast.iter_child_nodes(node)
    return False


def _changed_names(tree: ast.Module) -> Iterator[str]:
    """Yields the attributes that a file assigns, and the classes from which it derives others."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield node.attr
        elif isinstance(node, ast.ClassDef):
            for base in node.bases:
                yield ast.unparse(base).rpartition(".")[2]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "setattr":
            name = node.args[1] if len(node.args) > 1 else None
            yield str(name.value) if isinstance(name, ast.Constant) else "*"


def _has_effects(tree: ast.Module) -> bool:
    """Says whether a file does something on import, other than to change settings."""
    calls = [node.value for node in tree.body if isinstance(node, ast.Expr)]
    names = [ast.unparse(call.func) for call in calls if isinstance(call, ast.Call)]
    return any(not _SETTINGS.search(name) for name in names)
