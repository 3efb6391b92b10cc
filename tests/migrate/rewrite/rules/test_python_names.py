"""Tests that the method `tostring` becomes `tobytes` only on arrays."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

RULE = tools.rule("legacy", "python_names")
START = "import array\nimport numpy as np\nimport tensorflow as tf\nx = tf.contrib\n"


@pytest.mark.parametrize(
    "text",
    [
        "y = np.arange(3).tostring()\n",
        "y = np.float32(1).tostring()\n",
        "y = np.array(images)[0].reshape(-1).astype(np.uint8).tostring()\n",
        "y = (255 * np.asarray(image)).T.tostring()\n",
        "images = np.zeros([2, 3])\ndef f(i):\n    return images[i].tostring()\n",
        "def f():\n    data = np.ones(2)\n    data = data * 2\n    return data.tostring()\n",
        "y = array.array('f', [1]).tostring()\n",
        "class Own:\n    def tostring(self):\n        return np.zeros(1).tostring()\n",
    ],
)
def test_arrays_give_bytes(text):
    outcome = fixed_point.rewrite(START + text, RULE, plan=tools.plan(names=["tf.contrib"]))
    assert outcome.text == START + text.replace(".tostring()", ".tobytes()")
    assert not outcome.suggestions


@pytest.mark.parametrize(
    "text",
    [
        "def f(image):\n    return image.tostring()\n",
        "def f(image):\n    image = np.array(image)\n    return image.tostring()\n",
        "y = element.tostring()\n",
        "y = np.load('a.npz').tostring()\n",
        "for image in images:\n    image.tostring()\n",
        "class array:\n    array = str\ny = array.array('a').tostring()\n",
    ],
)
def test_unknown_objects_are_left_with_a_reason(text):
    outcome = tools.check_noop(START + text, RULE)
    (suggestion,) = outcome.suggestions
    assert "may be an array of NumPy" in suggestion.reason
    assert not suggestion.applicable


@pytest.mark.parametrize(
    "text",
    [
        "class Own:\n    def tostring(self):\n        return b''\ny = Own().tostring()\n",
        "def f(row):\n    return row.tostring()\nOwn.tostring = str\n",
        "y = etree.tostring(root)\n",
    ],
)
def test_own_classes_and_functions_are_left_alone(text):
    assert not tools.check_noop(START + text, RULE).suggestions
