"""Recipes: for each subject of a migration an old program, a new one, and a page of explanations.

Each is a folder here, with `old.py`, `new.py` and `recipe.md`. The old program is written for
tf.estimator and runs under `python -m legacy.run`. The new one is the same on tf_keras and
tf.distribute. Both have `main(folder)`, which returns the figures in which they must agree. The
tests run them. Nothing here imports TensorFlow.

>>> from migrate import recipes
>>> recipes.find("warm_start").title
'Warm start: begin with the weights of another training'
>>> "early_stopping" in recipes.names()
True

Files in reading order:
command  prints the list, a page or a program: python -m migrate recipes
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
    """A subject of a migration.

    Attributes:
      name: Its name, as in `python -m migrate recipes NAME`.
      page: The changes, in Markdown. The first line is the title.
      old: Source of the old program.
      new: Source of the new program.
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
        """The changes from the old program to the new one, as a unified diff."""
        lines = difflib.unified_diff(
            self.old.splitlines(keepends=True),
            self.new.splitlines(keepends=True),
            f"{self.name}/old.py",
            f"{self.name}/new.py",
            n=_CONTEXT_LINES,
        )
        return "".join(lines)


def names() -> list[str]:
    """Returns the names of all recipes, in alphabetical order."""
    return sorted(page.parent.name for page in _FOLDER.glob("*/recipe.md"))


def find(name: str) -> Recipe:
    """Reads a recipe.

    Args:
      name: One of `names()`. Hyphens and capitals are accepted, too.

    Returns:
      The recipe.

    Raises:
      cli.UsageError: The recipe does not exist. The message has similar names.
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
