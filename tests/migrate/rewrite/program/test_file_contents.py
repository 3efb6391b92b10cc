"""Tests for the facts that a file contains by itself."""

import pytest

from migrate.rewrite.program import file_contents


def read(folder, text, heads=()):
    path = folder / "job.py"
    path.write_text(text)
    return file_contents.read((str(path), frozenset(heads)))


def test_names_and_imports(tmp_path):
    text = "import tensorflow as tf\nimport model\nx = tf.Session\ny = model.f\n"
    contents = read(tmp_path, text, ["model"])
    assert [use.name for use in contents.uses] == ["tf.Session"]
    assert list(contents.all_names) == ["tf.Session", "@model.f"]
    assert contents.local_heads == {"model"}
    assert "model" in contents.imports


@pytest.mark.parametrize(
    ("text", "has_effects"),
    [
        ("import model\n", False),
        ("import model\nmodel.run()\n", True),
        ("import warnings\nwarnings.filterwarnings('ignore')\n", False),
        ("import flags\nflags.DEFINE_string('a', '', '')\n", False),
        ("import model\nif __name__ == '__main__':\n    model.run()\n", True),
    ],
)
def test_an_import_has_effects_unless_it_only_changes_settings(tmp_path, text, has_effects):
    assert read(tmp_path, text).has_effects is has_effects


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import a\na.size = 1\n", {"size"}),
        ("import a\nclass B(a.Base):\n    pass\n", {"Base"}),
        ("import a\nsetattr(a, 'rate', 1)\n", {"rate"}),
        ("import a\nsetattr(a, name, 1)\n", {"*"}),
    ],
)
def test_changed_names(tmp_path, text, names):
    assert names <= read(tmp_path, text).changed_names


def test_a_file_that_does_not_parse_has_no_contents(tmp_path):
    assert read(tmp_path, "import tensorflow\nx = = 1\n") is None


def test_a_file_without_imports_has_no_facts(tmp_path):
    contents = read(tmp_path, "x = 1\n")
    assert (contents.uses, contents.imports, contents.has_effects) == ([], [], False)
