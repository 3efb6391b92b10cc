"""Tests that a rewrite of a notebook changes nothing but the source of changed cells."""

import json

import pytest

from migrate.rewrite.engine import fixed_point, notebook_cells
from tests.migrate.rewrite import tools

CELLS = [
    {"cell_type": "markdown", "metadata": {}, "source": ["# tf.contrib in text\n"]},
    {
        "cell_type": "code",
        "execution_count": 3,
        "metadata": {},
        "outputs": [
            {"data": {"text/plain": ["tf.contrib é \u2028"]}, "output_type": "display_data"}
        ],
        "source": ["%matplotlib inline\n", "import tensorflow as tf\n", "!pip install x"],
    },
    {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["%%bash\n", "tf.contrib"]},
    {"cell_type": "code", "metadata": {}, "outputs": [], "source": []},
    {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "source": ["%%time\n", "x = tf.contrib.layers.flatten(  # é\n", "    tf.zeros([2]))\n"],
    },
]


def rewritten(text):
    code = notebook_cells.code_of(text)
    return notebook_cells.with_code(
        text, fixed_point.rewrite(code, tools.rule("legacy", "names")).text
    )


@pytest.mark.parametrize("indent", [1, 4, None])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_outputs_and_layout_stay(indent, ascii_only):
    notebook = {"cells": CELLS, "metadata": {"a": 1.0}, "nbformat": 4, "nbformat_minor": 2}
    text = json.dumps(notebook, indent=indent, ensure_ascii=ascii_only) + "\n"
    new = json.loads(rewritten(text))
    assert new["cells"][1]["source"] == [
        "%matplotlib inline\n",
        "from legacy import contrib as tf_contrib\n",
        "import tensorflow as tf\n",
        "!pip install x",
    ]
    assert new["cells"][4]["source"][1] == "x = tf_contrib.layers.flatten(  # é\n"
    new["cells"][1]["source"] = CELLS[1]["source"]
    new["cells"][4]["source"] = CELLS[4]["source"]
    assert json.dumps(new, indent=indent, ensure_ascii=ascii_only) + "\n" == text


def test_a_source_that_is_one_string():
    cells = [{"cell_type": "code", "source": "import tensorflow as tf\nx = tf.contrib, tf.zeros"}]
    new = json.loads(rewritten(json.dumps({"cells": cells})))
    assert new["cells"][0]["source"] == (
        "from legacy import contrib as tf_contrib\nimport tensorflow as tf\n"
        "x = tf_contrib, tf.zeros"
    )


def test_a_notebook_without_old_names_is_the_same():
    text = json.dumps({"cells": CELLS[:3]}, indent=3)
    assert rewritten(text) == text


@pytest.mark.parametrize("text", ["{", "[]", '{"cells": 3}', "import tensorflow"])
def test_what_is_no_notebook_is_refused(text):
    with pytest.raises(notebook_cells.NotANotebook):
        notebook_cells.code_of(text)
