"""tf.app.run is absl's app.run."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.rule import Change, Example, Import, Rule
from migrate.rewrite.source_file import SourceFile

_ABSL = Import("absl.app", "app")


def _find(file: SourceFile) -> Iterator[Change]:
    for found in file.found(RULE):
        call = found.call
        if call is None:
            continue
        text = f"{file.imported(_ABSL)}.run({'' if call.args or call.keywords else 'main'}"
        end = file.span(found.node)[1]
        rest = file.text[end : file.span(call)[1]].lstrip().removeprefix("(")
        yield file.replaced(
            call,
            text + rest,
            (_ABSL,),
            "absl refuses flags that it does not know; tf.app.run gave them to main",
        )


RULE = Rule(
    __name__,
    _find,
    message="tf.app.run was absl's app.run, which wants main to be named.",
    source="https://abseil.io/docs/python/guides/app",
    symbols=("tf.app.run",),
    recipe="flags_and_app",
    examples=(
        Example(
            "import tensorflow.compat.v1 as tf\n"
            "def main(argv):\n    return len(argv)\n"
            "if __name__ == '__main__':\n    tf.app.run()\n"
            "def other():\n    tf.app.run(main=main)\n"
            "x = main(['program']), tf.float32.name\n",
            "import tensorflow.compat.v1 as tf\n"
            "from absl import app\n"
            "def main(argv):\n    return len(argv)\n"
            "if __name__ == '__main__':\n    app.run(main)\n"
            "def other():\n    app.run(main=main)\n"
            "x = main(['program']), tf.float32.name\n",
            unsafe=True,
        ),
    ),
    unchanged=("from absl import app\ndef main(_):\n    app.run(main)\nx = 1\n",),
    safe=False,
)
