"""Tests for imports that new code needs, and those that it makes unused."""

import pytest

from migrate.rewrite.engine import imports
from migrate.rewrite.engine.rule import Import
from migrate.rewrite.engine.source_file import SourceFile

LEGACY = Import("legacy.contrib", "contrib", first=True)
KERAS = Import("tf_keras", "tf_keras")


def applied(text, edits):
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "import os\nimport tensorflow as tf\nx = 1\n",
            "import os\nfrom legacy import contrib\nimport tensorflow as tf\nimport tf_keras\n"
            "x = 1\n",
        ),
        (
            '"""Doc."""\nimport os\nx = 1\n',
            '"""Doc."""\nimport os\nfrom legacy import contrib\nimport tf_keras\nx = 1\n',
        ),
        (
            "try:\n  import tensorflow as tf\nexcept ImportError:\n  tf = None\n",
            "from legacy import contrib\ntry:\n  import tensorflow as tf\nexcept ImportError:\n"
            "  tf = None\nimport tf_keras\n",
        ),
        (
            "import tensorflow as tf\nimport tf_keras\nx = contrib = 1\n",
            "from legacy import contrib as contrib_2\nimport tensorflow as tf\nimport tf_keras\n"
            "x = contrib = 1\n",
        ),
    ],
)
def test_stand_next_to_the_import_of_tensorflow(before, after):
    edits = imports.new_imports(SourceFile(before), [LEGACY, KERAS])
    if "contrib = 1" in before:  # A name that is taken gets another.
        file = SourceFile(before)
        after = after.replace("contrib_2", file.module_name(LEGACY))
    assert applied(before, edits) == after


@pytest.mark.parametrize(
    ("statement", "kept"),
    [
        ("import tensorflow as tf\n", ""),
        ("import tensorflow as tf  # here\n", ""),
        ("from legacy import contrib, estimator as tf\n", "from legacy import contrib\n"),
        ("import tensorflow\nx = 'tensorflow'\n", "import tensorflow\nx = 'tensorflow'\n"),
        ("import os as tf\n", "import os as tf\n"),
    ],
)
def test_an_import_goes_with_its_last_use(statement, kept):
    before, after = (
        f"{statement}tf.a, tensorflow.b\nprint(contrib)\n",
        f"{statement}1\nprint(contrib)\n",
    )
    edits = imports.unused_imports(SourceFile(before), SourceFile(after))
    assert applied(after, edits) == f"{kept}1\nprint(contrib)\n"


def test_the_comment_of_a_change_goes_with_its_import():
    line, comment = "import tensorflow as tf\n", "# migrate: it is not provided: it\n#     left.\n"
    before = f"# Ours.\n{line}tf.a\n"
    after = f"# Ours.\n{comment}{line}1\n"
    edits = imports.unused_imports(SourceFile(before), SourceFile(after))
    assert applied(after, edits) == "# Ours.\n1\n"
