"""Tests of conditions that TensorFlow's version decides."""

import ast

import pytest

from legacy.reading import version_tests


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("tf.__version__ >= '2.0.0'", True),
        ("tf.__version__.startswith('1.')", False),
        ("tf.__version__[0] == '2'", True),
        ("int(tf.VERSION.split('.')[0]) < 2", False),
        ("float(tf.__version__[:3]) < 2", None),
        ("float('.'.join(tf.__version__.split('.'))) < 2", None),
        ("LooseVersion(tf.__version__) >= LooseVersion('2')", True),
        ("version.parse(tf.compat.v1.version.VERSION) == version.parse('2.15.1.0')", True),
        ("not tf.__version__ < '2'", True),
        ("tf.__version__ < '2' or FLAGS.new", None),
        ("tf.__version__ < '2' and FLAGS.new", False),
        ("tf.__version__ > '2' or FLAGS.new", True),
        ("hasattr(tf, 'compat') and hasattr(tf.compat, 'v1')", True),
        ("hasattr(tf, 'Session')", None),
        ("np.__version__ >= '2'", None),
        ("'2.15.1'[9] == '1'", None),
        ("int('x') > 1", None),
        ("1 < 2 < 3", None),
        ("'a' < 1", None),
    ],
)
def test_outcome(test, expected):
    node = ast.parse(test, mode="eval").body
    assert version_tests.outcome(node, "2.15.1") is expected
