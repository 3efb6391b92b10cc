"""Tests for the engine: other bytes stay, comments such as `# migrate: ignore` disable rules."""

import pytest

from migrate.rewrite.engine import fixed_point
from migrate.rewrite.engine.rule import Change, Edit, Import, Rule
from migrate.rewrite.engine.source_file import SourceFile
from tests.migrate.rewrite import tools

NAMES = tools.rule("legacy", "names")
VERSIONS = tools.rule("legacy", "versions")
ALL = tools.TO_LEGACY


def made_of(find, name="planted"):
    return Rule(f"migrate.rewrite.rules.legacy.{name}", find, "m.", "https://x", ("tf.*",), "r")


def test_every_other_byte_stays():
    text = (
        "#!/usr/bin/env python\r\n# -*- coding: utf-8 -*-\r\n'''Dök'''\r\n\r\n"
        "import  tensorflow   as tf ; import os\t# trailing \r\n\r\n"
        "def f( x,y ) :\r\n\tq = 'ä€😀', tf . estimator . ModeKeys . TRAIN  # é\r\n"
        "\treturn  (q ,\r\n\t\t tf.contrib\\\r\n  .layers . flatten( x )  ,)\r\n\x0c\r\n"
        "class A : pass"
    )
    outcome = fixed_point.rewrite(text, NAMES)
    expected = (
        text.replace("tf . estimator", "tf_estimator")
        .replace("tf.contrib\\", "tf_contrib\\")
        .replace(
            "import  tensorflow",
            "from legacy import contrib as tf_contrib\r\n"
            "from legacy.compat.v1 import estimator as tf_estimator\r\nimport  tensorflow",
        )
    )
    assert outcome.text.replace("import  tensorflow   as tf ; ", "") == expected.replace(
        "import  tensorflow   as tf ; ", ""
    )


def test_a_statement_among_others_keeps_its_line():
    tools.check_transformed(
        "import os; import tensorflow as tf; x = tf.placeholder(tf.float32)\n",
        "import os; import tensorflow.compat.v1 as tf; tf.disable_v2_behavior(); "
        "x = tf.placeholder(tf.float32)\n",
        tools.rule("legacy", "imports"),
    )


@pytest.mark.parametrize(
    "comment",
    ["# migrate: ignore[names]", "# migrate: ignore", "# migrate: ignore[versions, names] - old"],
)
def test_a_comment_keeps_a_rule_off_its_statement(comment):
    text = f"import tensorflow as tf\nx = f(\n    tf.contrib.layers.flatten,  {comment}\n    1)\n"
    tools.check_noop(text, NAMES)
    above = f"import tensorflow as tf\ndef f(x=tf.contrib):  {comment}\n    return x\n"
    tools.check_noop(above, NAMES)


def test_a_comment_for_another_rule_does_not():
    tools.check_transformed(
        "import tensorflow as tf\nx = tf.contrib, tf.zeros  # migrate: ignore[versions]\n",
        "from legacy import contrib as tf_contrib\nimport tensorflow as tf\n"
        "x = tf_contrib, tf.zeros  # migrate: ignore[versions]\n",
        NAMES,
    )
    tools.check_transformed(
        "import tensorflow as tf\nif tf.zeros:\n    x = tf.contrib\n    y = 1  # migrate: ignore\n",
        "from legacy import contrib as tf_contrib\nimport tensorflow as tf\n"
        "if tf.zeros:\n    x = tf_contrib\n    y = 1  # migrate: ignore\n",
        NAMES,
    )


def test_new_names_do_not_hide_those_of_the_program():
    tools.check_transformed(
        """\
        import tensorflow as tf
        tf_contrib = 3
        x = tf.contrib.layers.flatten(tf.zeros([tf_contrib, 2]))
        """,
        """\
        from legacy import contrib as tf_contrib_
        import tensorflow as tf
        tf_contrib = 3
        x = tf_contrib_.layers.flatten(tf.zeros([tf_contrib, 2]))
        """,
        NAMES,
    )


def test_an_import_that_is_there_is_used():
    tools.check_transformed(
        """\
        from legacy import contrib
        import tensorflow as tf
        x = tf.contrib.layers.flatten(tf.zeros([2]))
        """,
        """\
        from legacy import contrib
        import tensorflow as tf
        x = contrib.layers.flatten(tf.zeros([2]))
        """,
        NAMES,
    )


def test_imports_of_which_nothing_is_used_any_more_go():
    text = "import tensorflow as tf\nfrom tensorflow import flags, app\nx = tf.contrib, flags\n"
    outcome = fixed_point.rewrite(text, NAMES)
    assert outcome.text == (
        "from legacy import contrib as tf_contrib\nfrom tensorflow import flags, app\n"
        "x = tf_contrib, flags\n"
    )
    kept = fixed_point.rewrite(text, NAMES, keep_imports=True)
    assert "import tensorflow as tf\n" in kept.text


def test_suggestions_name_the_line_of_the_old_text():
    text = (
        "import tensorflow as tf\nx = tf.contrib.layers\n\n"
        "def f():\n    return tf.contrib.tensorrt.create_inference_graph()\n"
    )
    outcome = fixed_point.rewrite(text, ALL)
    assert [(made.rule.name, made.line) for made in outcome.suggestions] == [("not_provided", 5)]


def test_changes_that_overlap_are_made_one_after_the_other():
    def outer(file: SourceFile):
        for found in file.names():
            if found.call is not None and found.name == "tf.log":
                argument = file.segment(found.call.args[0])
                yield file.replacement(found.call, f"tf.math.log({argument})")

    text = "import tensorflow as tf\nx = tf.log(tf.log(tf.log(y)))\n"
    outcome = fixed_point.rewrite(text, [made_of(outer)])
    assert outcome.text.endswith("x = tf.math.log(tf.math.log(tf.math.log(y)))\n")
    assert len(outcome.changes) == 3


def test_rules_that_undo_each_other_are_an_error():
    def turns(file: SourceFile):
        old, new = ("tf.a", "tf.b") if "tf.a" in file.text else ("tf.b", "tf.a")
        start = file.text.index(old)
        yield Change(2, (Edit(start, start + 4, new),))

    with pytest.raises(fixed_point.RuleError, match="undo each other"):
        fixed_point.rewrite("import tensorflow as tf\nx = tf.a\n", [made_of(turns)])


def test_a_rule_that_breaks_a_program_is_an_error():
    def breaks(file: SourceFile):
        yield Change(1, (Edit(0, 0, "def :"),))

    with pytest.raises(fixed_point.RuleError, match="invalid Python"):
        fixed_point.rewrite("x = 1\n", [made_of(breaks)])


def test_imports_come_behind_the_docstring_where_there_is_no_import_of_tensorflow():
    def needs(file: SourceFile):
        if "ready" not in file.text:
            end = len(file.text)
            text = "ready = tf_keras\n"
            yield Change(1, (Edit(end, end, text),), (Import("tf_keras", "tf_keras"),))

    outcome = fixed_point.rewrite(
        '"""Doc."""\nfrom __future__ import division\nx = 1\n', [made_of(needs)]
    )
    assert outcome.text == (
        '"""Doc."""\nfrom __future__ import division\nimport tf_keras\nx = 1\nready = tf_keras\n'
    )


def test_names_of_tensorflow_2_are_not_those_of_1():
    text = (
        "import tensorflow as tf\nx = tf.losses.hinge_loss\ny = tf.nn.dropout(a, 0.5)\n"
        "z = tf.random_normal_initializer()(1)\n"
    )
    tools.check_noop(text, tools.TO_MODERN, unsafe=True, api="v2")
    old = fixed_point.rewrite(
        text.replace("tensorflow as", "tensorflow.compat.v1 as"), tools.TO_MODERN
    )
    assert "tf.nn.dropout(a, rate=1 - 0.5)" in old.text


def test_a_part_does_not_turn_off_what_another_file_turned_on():
    text = "import tensorflow as tf\nx = tf.Session\n"
    part = fixed_point.rewrite(
        text, ALL, plan=tools.plan(names=("tf.enable_eager_execution",))
    ).text
    assert part == "import tensorflow.compat.v1 as tf\nx = tf.Session\n"
    entry = fixed_point.rewrite(
        f"{text}tf.enable_eager_execution()\n",
        ALL,
        plan=tools.plan(names=("tf.enable_eager_execution",)),
    ).text
    assert entry.startswith("import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n")
