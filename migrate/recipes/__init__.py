"""Recipes: for each subject of a migration an old program, a new one, and what to watch out for.

Each is a folder beside this file, with `old.py` (as it was written for tf.estimator; it runs under
`python -m legacy.run`), `new.py` (the same on tf_keras and tf.distribute) and `recipe.md`. Both
programs have `main(folder)`, which returns the figures in which they must agree; the tests run
them. Nothing here imports TensorFlow.

>>> from migrate import recipes
>>> recipes.find("warm_start").title
'Warm start: begin with the weights of another training'
>>> "early_stopping" in recipes.names()
True
"""

from __future__ import annotations

import dataclasses
import difflib
import pathlib

from modern.process import cli

_FOLDER = pathlib.Path(__file__).parent
_CONTEXT_LINES = 3


@dataclasses.dataclass(frozen=True)
class Recipe:
    """One subject.

    Attributes:
      name: what it is asked for by, as in `python -m migrate recipes NAME`.
      page: what changes and what does not, in Markdown; its first line is the title.
      old: the source of the old program.
      new: the source of the new program.
    """

    name: str
    page: str
    old: str
    new: str

    @property
    def title(self) -> str:
        """The page's heading, one line."""
        return self.page.partition("\n")[0].removeprefix("# ")

    @property
    def diff(self) -> str:
        """The way from the old program to the new one, a unified diff."""
        lines = difflib.unified_diff(
            self.old.splitlines(keepends=True),
            self.new.splitlines(keepends=True),
            f"{self.name}/old.py",
            f"{self.name}/new.py",
            n=_CONTEXT_LINES,
        )
        return "".join(lines)


def names() -> list[str]:
    """The names of all recipes, in alphabetical order."""
    return sorted(page.parent.name for page in _FOLDER.glob("*/recipe.md"))


def find(name: str) -> Recipe:
    """Reads a recipe.

    Args:
      name: one of `names()`; hyphens and capitals are as good as underscores and small letters.

    Returns:
      The recipe.

    Raises:
      cli.UsageError: there is none of this name; the message has those that come close.
    """
    known = names()
    wanted = name.strip().lower().replace("-", "_")
    if wanted not in known:
        close = difflib.get_close_matches(wanted, known, cutoff=0.5)
        meant = f"did you mean {' or '.join(close)}?" if close else "see `migrate recipes`."
        raise cli.UsageError(f"there is no recipe {name!r}: {meant}")
    folder = _FOLDER / wanted
    page, old, new = (
        (folder / file).read_text(encoding="utf-8") for file in ("recipe.md", "old.py", "new.py")
    )
    return Recipe(wanted, page, old, new)
