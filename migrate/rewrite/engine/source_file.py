r"""A file as rules see it: its text, its tree, and the position of every TensorFlow name.

>>> file = SourceFile("import tensorflow as tf\nx = tf.to_float(y)\n")
>>> [(use.name, file.segment(use.node)) for use in file.names()]
[('tf.to_float', 'tf.to_float')]

Offsets count characters from the start of the text. Names are the public names of TensorFlow 1.
For example, a name of `tf.compat.v1`, `legacy.contrib` or `legacy.estimator` is listed under the
name that it had there.
"""

from __future__ import annotations

import ast
import bisect
import builtins
import functools
import io
import re
import textwrap
import tokenize
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, TypeVar

from migrate.rewrite.engine import new_names
from migrate.rewrite.engine.mentions import Mentions
from migrate.rewrite.engine.parsed_text import Function, ParsedText
from migrate.rewrite.engine.plan import OF_OBJECT, FilePlan
from migrate.rewrite.engine.rule import Change, Edit, Import, Rule

# Packages whose names rules look for, in addition to those of TensorFlow.
PACKAGES = frozenset(
    ("absl", "collections", "inspect", "keras", "legacy", "numpy", "tf_keras", "time", "unittest")
)
_KERAS = ("@keras.", "@tf_keras.")
# Prefix of functions that return Estimators of another file.
ESTIMATORS = "estimators_of."
# Prefix of model_fns of another file that become classes there.
MODELS = "models_of."
_Result = TypeVar("_Result")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IGNORE = re.compile(r"#\s*migrate:\s*ignore(?:\[([\w\s,-]*)\])?")
_PUBLIC = (
    ("tf.compat.v1.", "tf."),
    ("legacy.contrib", "tf.contrib"),
    ("legacy.compat.v1.estimator", "tf.estimator"),
    ("legacy.estimator.inputs.numpy_io.", "tf.estimator.inputs."),
    ("legacy.estimator.inputs.pandas_io.", "tf.estimator.inputs."),
    ("legacy.estimator", "tf.estimator"),
    ("keras.", "tf.keras."),
    # Private modules that real programs import.
    ("tf.python.feature_column.feature_column.", "tf.feature_column."),
    ("tf.python.feature_column.feature_column_lib.", "tf.feature_column."),
    ("tf.python.feature_column.feature_column_v2.", "tf.feature_column."),
    ("tf.python.platform.tf_logging.", "tf.logging."),
    ("tf.python.training.basic_session_run_hooks.", "tf.train."),
    ("tf.python.training.session_run_hook.", "tf.train."),
    ("tf.python.training.training_util.", "tf.train."),
)


class Match(NamedTuple):
    """An occurrence of a name in a file.

    Attributes:
      name: The public name.
      full_name: The resolved name, such as "tensorflow.compat.v1.layers.dense".
      node: The expression that is the name.
      call: The call of it, if it is called.
      guarded: Whether the program handles its failure, as in a `try`.
      others: Full names that it may have instead, if a condition decides at run time.
    """

    name: str
    full_name: str
    node: ast.expr
    call: ast.Call | None
    guarded: bool
    others: tuple[str, ...] = ()


class SourceFile:
    """A parsed file under its plan."""

    def __init__(
        self,
        text: str,
        path: str = "<text>",
        plan: FilePlan | None = None,
        parsed: ParsedText | None = None,
    ) -> None:
        """Parses a text.

        Args:
          text: Text of the file.
          path: Name of the file, for messages.
          plan: Plan for the file. Default: that of a program of one file.
          parsed: The parsed text, if it is known.

        Raises:
          SyntaxError: The text is not Python of this version.
        """
        self.text, self.path = text, path
        self.plan = plan or FilePlan()
        self._computed: dict[Callable[[SourceFile], Any], Any] = {}
        self._parsed = parsed or ParsedText(text, path)
        self.newline, self.tree = self._parsed.newline, self._parsed.tree
        self._starts = self._parsed.starts
        local = PACKAGES.union(self.plan.local_modules)
        self.uses, self.exported = self._parsed.names(local, self.plan.program.api)

    def under(self, plan: FilePlan) -> SourceFile:
        """Returns this file under another plan. Nothing is parsed again.

        Args:
          plan: The other plan.
        """
        return SourceFile(self.text, self.path, plan, self._parsed)

    def computed(self, analysis: Callable[[SourceFile], _Result]) -> _Result:
        """Returns the result of an analysis of this file, which runs once and serves all rules.

        For example, `file.computed(_binders)` calls `_binders(file)` the first time.

        Args:
          analysis: Function of the file. It must be the same object in each call.
        """
        if analysis not in self._computed:
            self._computed[analysis] = analysis(self)
        return self._computed[analysis]

    # Positions.

    def offset(self, line: int, column: int) -> int:
        """Returns the offset of a position of `ast`: line from 1, column in bytes from 0."""
        start = self._starts[line - 1]
        # ast counts columns in bytes of UTF-8, which differ from characters in non-ASCII text.
        piece = self.text[start : start + column]
        if piece.isascii():
            return start + column
        end = self._starts[line] if line < len(self._starts) else len(self.text)
        return start + len(self.text[start:end].encode()[:column].decode())

    def line_of(self, offset: int) -> int:
        """Returns the line, from 1, of an offset."""
        return bisect.bisect_right(self._starts, offset)

    def line_start(self, line: int) -> int:
        """Returns the offset at which a line begins."""
        return self._starts[line - 1] if line <= len(self._starts) else len(self.text)

    def line_end(self, line: int) -> int:
        """Returns the offset after a line's text, before its line end."""
        end = self.line_start(line + 1)
        return len(self.text[self.line_start(line) : end].rstrip("\r\n")) + self.line_start(line)

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Returns the offsets of the start and the end of a node."""
        # `ast.AST` has no position in its type, but most of its subclasses have one.
        start = self.offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]
        return start, self.offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def segment(self, node: ast.AST) -> str:
        """Returns the text of a node."""
        start, end = self.span(node)
        return self.text[start:end]

    def indent(self, line: int) -> str:
        """Returns the white space that a line begins with."""
        text = self.text[self.line_start(line) : self.line_end(line)]
        return text[: len(text) - len(text.lstrip())]

    # Context of a node.

    @functools.cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the tree, in the order of `ast.walk`, computed once."""
        return list(self._parsed.parents)

    def parent(self, node: ast.AST) -> ast.AST | None:
        """Returns the node that a node is a part of."""
        return self._parsed.parents.get(node)

    def statement(self, node: ast.AST) -> ast.stmt:
        """Returns the innermost statement that a node is in."""
        while not isinstance(node, ast.stmt):
            parent = self._parsed.parents[node]
            assert parent is not None  # Only the module has no parent.
            node = parent
        return node

    def function(self, node: ast.AST) -> Function | None:
        """Returns the innermost function that a node is in. None at the module's level."""
        return self._parsed.functions.get(node)

    # Names.

    @functools.cached_property
    def _matches(self) -> list[Match]:
        matches = []
        for use in self.uses:
            place = (use.line, use.column, use.end_line, use.end_column)
            node = self._parsed.by_place.get(place) if use.form == "name" else None
            full_name = self.full_name(use.name)
            if not full_name and isinstance(node, ast.Attribute) and use.name.startswith(_KERAS):
                full_name = use.name[1:]  # `K.abs` is no builtin, however K was imported.
            if node is None or not full_name or self.is_displaced(node):
                continue
            parent = self.parent(node)
            call = parent if isinstance(parent, ast.Call) and parent.func is node else None
            others = tuple(filter(None, map(self.full_name, use.others)))
            matches.append(
                Match(public_name(full_name), full_name, node, call, use.guarded, others)
            )
        return self._with_methods(matches)

    def _with_methods(self, matches: list[Match]) -> list[Match]:
        """Returns matches together with those of methods and attributes of other files' objects."""
        decided = self.plan.decisions.imported_estimators
        names = {name for name in decided if name.startswith(OF_OBJECT)}
        if not names:
            return matches
        mentions = Mentions(self.tree, self.plan.local_modules.__contains__)
        nodes = {
            node: text
            for node in mentions.attributes
            for text in (f"{OF_OBJECT}{node.attr}", f"{OF_OBJECT}{node.attr}()")
            if text in names
        }
        matches = [match for match in matches if match.node not in nodes]
        for node, text in nodes.items():
            parent, name = self.parent(node), f"{ESTIMATORS}{text[1:]}"
            is_called = isinstance(parent, ast.Call) and parent.func is node and text.endswith("()")
            call = parent if is_called and isinstance(parent, ast.Call) else None
            matches.append(Match(name, name, node, call, guarded=False))
        return sorted(matches, key=lambda match: self.span(match.node))

    def is_displaced(self, node: ast.expr) -> bool:
        """Says whether a node has a wrong position, as in f-strings before Python 3.12."""
        ending = node.attr if isinstance(node, ast.Attribute) else ""
        ending = node.id if isinstance(node, ast.Name) else ending
        ending = ")" if isinstance(node, ast.Call) else ending
        return not self.segment(node).endswith(ending)

    def full_name(self, use_name: str) -> str:
        """Returns the full name of a use, or "" if no rule needs it."""
        if use_name.startswith("tf."):
            return f"tensorflow.{use_name.removeprefix('tf.')}"
        if not use_name.startswith("@"):
            return use_name
        prefix, rest = use_name, ""
        if use_name in self.plan.decisions.imported_estimators:
            return f"{ESTIMATORS}{use_name[1:]}"
        if use_name in self.plan.decisions.imported_models:
            return f"{MODELS}{use_name[1:]}"
        while prefix:
            if prefix in self.plan.local:
                return self.plan.local[prefix] + rest
            prefix, dot, last = prefix.rpartition(".")
            rest = dot + last + rest
        name = use_name[1:]
        if name.partition(".")[0] not in PACKAGES or hasattr(builtins, name.rpartition(".")[2]):
            # `from module import *` may have brought it, but it may also be a builtin.
            return name if name.partition(".")[0] in PACKAGES and name.count(".") < 2 else ""
        return name

    def names(self) -> list[Match]:
        """Returns all names of TensorFlow and of `PACKAGES`, in order."""
        return self._matches

    def v1_names(self) -> list[Match]:
        """Returns the names of TensorFlow 1's API, in order.

        In a program of TensorFlow 2, a name such as tf.losses.hinge_loss belongs to another API
        than in a program of TensorFlow 1. Facts that a rule has about one do not hold for the
        other.
        """
        return self._v1_matches

    @functools.cached_property
    def _v1_matches(self) -> list[Match]:
        if self.plan.program.api == "v1":
            return self._matches
        v1 = "tensorflow.compat.v1"
        return [
            match
            for match in self._matches
            if match.full_name.startswith(v1) or not match.full_name.startswith("tensorflow.")
            if all(full_name.startswith(v1) for full_name in match.others)
        ]

    @functools.cached_property
    def _v1_public_names(self) -> frozenset[str]:
        return frozenset(match.name for match in self._v1_matches)

    def matches(self, rule: Rule) -> list[Match]:
        """Returns the names of TensorFlow 1's API that a rule covers, in order."""
        covered = set(filter(rule.covers, self._v1_public_names))
        return [match for match in self._v1_matches if match.name in covered] if covered else []

    def program_uses(self, is_wanted: Callable[[str], bool]) -> bool:
        """Says whether the program used a public name of some kind, or this file uses it now.

        Args:
          is_wanted: Says whether a name is of that kind.
        """
        return self.plan.program.uses(is_wanted) or any(
            is_wanted(match.name) for match in self.names()
        )

    def name_of(self, node: ast.AST | None) -> str | None:
        """Returns the public name that an expression is. None for other expressions."""
        match = self._match_of_node.get(node) if node is not None else None
        return match.name if match else None

    def imported_name_of(self, node: ast.AST | None) -> str:
        """Returns the name of another file's object that an expression is, or "" for others.

        Names are written as in `Decisions.imported_models`: "@model.build" for `model.build`.
        """
        return self.imported_names.get(node, "") if node is not None else ""

    @functools.cached_property
    def imported_names(self) -> dict[ast.AST, str]:
        """The expressions that are other files' objects, with the names of these."""
        names: dict[ast.AST, str] = {}
        for use in self.uses:
            place = (use.line, use.column, use.end_line, use.end_column)
            if use.form == "name" and use.name.startswith("@") and place in self._parsed.by_place:
                names[self._parsed.by_place[place]] = use.name
        return names

    @functools.cached_property
    def _match_of_node(self) -> dict[ast.AST, Match]:
        return {match.node: match for match in self._matches}

    @functools.cached_property
    def identifiers(self) -> frozenset[str]:
        """Every name in the file that stands for something, without attributes."""
        names = set(self.rebound)
        for node in self.nodes:
            if isinstance(node, ast.Name):
                names.add(node.id)
            elif isinstance(node, ast.alias):
                names.add(node.asname or node.name.partition(".")[0])
        return frozenset(names)

    @functools.cached_property
    def rebound(self) -> frozenset[str]:
        """Names that new code cannot rely on.

        Such a name is bound by more than an import, or imported for type checks only.
        """
        names = {n.id for n in self.nodes if isinstance(n, ast.Name) and _stores(n)}
        imports: dict[str, dict[str, ast.stmt | None]] = {}
        for node in self.nodes:
            if isinstance(node, ast.arg):
                names.add(node.arg)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
                names.add(node.name)
            elif isinstance(node, (ast.Global, ast.Nonlocal)):
                names.update(node.names)
            elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
                names.add(node.name or "")
            elif isinstance(node, ast.MatchMapping):
                names.add(node.rest or "")
            elif isinstance(node, ast.alias):
                name = node.asname or node.name.partition(".")[0]
                meaning, place = self._imported_by(node)
                imports.setdefault(name, {})[meaning] = place
                if isinstance(place, ast.If) and "TYPE_CHECKING" in ast.unparse(place.test):
                    names.add(name)
        names.update(name for name, meanings in imports.items() if _may_differ(meanings))
        return frozenset(names)

    def _imported_by(self, alias: ast.alias) -> tuple[str, ast.stmt | None]:
        """Returns the full name that an import binds, and the module-level statement that it is in.

        The statement is None for an import in a function or a class.
        """
        statement = self.parent(alias)
        full_name = alias.name if alias.asname else alias.name.partition(".")[0]
        if isinstance(statement, ast.ImportFrom):
            full_name = f"{'.' * statement.level}{statement.module or ''}.{alias.name}"
        node = statement
        while node is not None and (parent := self.parent(node)) is not self.tree:
            node = None if isinstance(parent, _SCOPES) else parent
        return full_name, node if isinstance(node, ast.stmt) else None

    def module_name(self, module: Import) -> str:
        """Returns the name of a module in new code: that of an existing import, or a new one.

        Args:
          module: The module. It must be among the `imports` of the change.
        """
        return self.import_of(module) or self.new_name(module.name, f"module {module.module}")

    def import_of(self, module: Import) -> str | None:
        """Returns the name under which the file imports a module. None if it does not.

        Args:
          module: The module.
        """
        for name, value in self.exported.items():
            if value.removeprefix("@") == module.module and name not in self.rebound:
                return name
        for node in self.tree.body:
            for alias in node.names if isinstance(node, ast.Import) else ():
                name = alias.asname or alias.name
                if alias.name == module.module and "." not in name and name not in self.rebound:
                    return name
        return None

    def new_name(
        self,
        preferred: str,
        meaning: Hashable,
        scope: ast.AST | None = None,
        is_public: bool = False,
    ) -> str:
        """Returns a name that neither the file nor other new code uses.

        Args:
          preferred: Name to use if it is free.
          meaning: Key of the thing that it stands for. The same meaning gets the same name.
          scope: Function whose variable it is, or None for the whole file.
          is_public: Whether other files import it.
        """
        # An `import *` here or elsewhere could overwrite the name, unless it begins with "_".
        is_hidden = self._has_star or self.plan.is_starred
        prefix = "_" if is_hidden and scope is None and not is_public else ""
        return self._new_names.get(f"{prefix}{preferred}", meaning, scope)

    @functools.cached_property
    def _new_names(self) -> new_names.NewNames:
        return new_names.NewNames(self.identifiers, self.function)

    @functools.cached_property
    def _has_star(self) -> bool:
        return any(isinstance(node, ast.alias) and node.name == "*" for node in self.nodes)

    # Changes.

    def replacement(
        self, node: ast.AST, text: str, imports: tuple[Import, ...] = (), unsafe: str = ""
    ) -> Change:
        """Returns the change that replaces the text of a node.

        Comments in the old text that are missing in the new one move above the statement.

        Args:
          node: The node.
          text: The new text.
          imports: Modules that the new text needs.
          unsafe: Reason why results may differ.
        """
        start, end = self.span(node)
        edits = [Edit(start, end, text)]
        lost_comments = [
            comment for comment in comments(self.text[start:end]) if comment not in text
        ]
        if lost_comments:
            line = self.statement(node).lineno
            comment_text = "".join(
                f"{self.indent(line)}{comment}{self.newline}" for comment in lost_comments
            )
            edits.insert(0, Edit(self.line_start(line), self.line_start(line), comment_text))
        return Change(self.line_of(start), tuple(edits), imports, unsafe)

    def suggestion(self, node: ast.AST, reason: str) -> Change:
        """Returns a change that a person has to make.

        Args:
          node: Place of the change.
          reason: Reason why it is not made.
        """
        # As in `span`, the type has no position.
        return Change(node.lineno, unsafe=reason)  # type: ignore[attr-defined]

    @functools.cached_property
    def _ignore_comments(self) -> list[tuple[int, int, frozenset[str]]]:
        """First line, last line and rules of each ignore comment. No rules means all rules."""
        ignored = []
        for match in _IGNORE.finditer(self.text):
            line = self.line_of(match.start())
            rules = frozenset(re.findall(r"[\w-]+", match[1] or ""))
            ignored.append((*self._lines_around(line), rules))
        return ignored

    def _lines_around(self, line: int) -> tuple[int, int]:
        """Returns the first and last line of the innermost statement, or of its head, at a line."""
        best = (line, line)
        for node in self.nodes:
            if isinstance(node, ast.stmt):
                body = getattr(node, "body", None)
                end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
                if node.lineno <= line <= end:
                    best = (node.lineno, end)
        return best

    def ignores(self, rule: Rule, line: int) -> bool:
        """Says whether a comment `# migrate: ignore[rule]` excludes a line from a rule."""
        return any(
            first <= line <= last and (not rules or rule.name in rules)
            for first, last, rules in self._ignore_comments
        )


def public_name(full_name: str) -> str:
    """Returns the usual name of a symbol in TensorFlow 1.

    >>> public_name("legacy.contrib.layers.l2_regularizer")
    'tf.contrib.layers.l2_regularizer'
    """
    name = full_name
    if name.startswith("tensorflow."):
        name = f"tf.{name.removeprefix('tensorflow.')}"
    for prefix, public in _PUBLIC:
        if name.startswith(prefix):
            return public + name.removeprefix(prefix)
    return name


def comments(text: str) -> list[str]:
    """Returns the comments in a part of a program: an expression, or statements."""
    if "#" not in text:
        return []
    tokens = tokenize.generate_tokens(io.StringIO(textwrap.dedent(f"({text}\n)")).readline)
    try:
        return [token.string for token in tokens if token.type == tokenize.COMMENT]
    except (tokenize.TokenError, IndentationError):
        return []


def _stores(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _may_differ(meanings: dict[str, ast.stmt | None]) -> bool:
    """Says whether a name has several meanings that are not alternatives of one `try` or `if`."""
    return len(meanings) > 1 and (
        None in meanings.values() or len(set(map(id, meanings.values()))) > 1
    )
