"""Tests that the examples of a rule are read from its folder, and their options strictly."""

import pytest

from migrate.rewrite.engine.rule import Rule
from migrate.rewrite.rules import examples
from tests.migrate.rewrite import tools

RULE = Rule("migrate.rewrite.rules.modern.casts", iter, "m.", "https://x", ("tf.*",), "r")


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Returns a function that writes a file into the folder of the rule."""
    monkeypatch.setattr(examples, "ROOT", tmp_path)

    def write(name, text):
        path = tmp_path / "modern" / "examples" / "casts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    return write


def test_all_files_belong_to_an_example():
    rules = [*tools.TO_LEGACY, *tools.TO_MODERN, *tools.TO_KERAS3]
    changed = sum(len(examples.of(rule)) for rule in rules)
    alone = sum(len(examples.unchanged(rule)) for rule in rules)
    files = [path for path in examples.ROOT.glob("*/examples/**/*") if path.is_file()]
    assert len(files) == 2 * changed + alone


def test_examples_are_sorted_by_name(write):
    for name in ("b", "c", "a"):
        write(f"{name}/before.py", f"{name} = 1\n")
        write(f"{name}/after.py", f"{name} = 2\n")
    assert [example.name for example in examples.of(RULE)] == ["a", "b", "c"]
    assert examples.of(RULE)[1] == ("b", "b = 1\n", "b = 2\n", "", False, "v1")


@pytest.mark.parametrize(
    ("comment", "unsafe", "api"),
    [
        ("# migrate rewrite --unsafe\n", True, "v1"),
        ("# migrate rewrite --api=v2\n", False, "v2"),
        ("# migrate rewrite --unsafe --api=v2\n", True, "v2"),
    ],
)
def test_the_first_line_states_options(write, comment, unsafe, api):
    write("a/before.py", f"{comment}x = 1\n")
    write("a/after.py", f"{comment}x = 2\n")
    (example,) = examples.of(RULE)
    assert example == ("a", f"{comment}x = 1\n", f"{comment}x = 2\n", comment, unsafe, api)


@pytest.mark.parametrize(
    "line",
    [
        "# migrate rewrite",
        "# migrate rewrite --safe",
        "# migrate rewrite --api=v3",
        "# migrate rewrite --api=v2 --unsafe",
        "# migrate rewrite: --unsafe",
    ],
)
def test_unknown_options_are_an_error(write, line):
    write("a/before.py", f"{line}\nx = 1\n")
    write("a/after.py", f"{line}\nx = 2\n")
    with pytest.raises(ValueError, match=rf"before\.py: '{line}' is not one of .*--unsafe"):
        examples.of(RULE)


@pytest.mark.parametrize("first", ["", "# migrate rewrite --api=v2\n"])
def test_both_programs_state_the_same_options(write, first):
    write("a/before.py", "# migrate rewrite --unsafe\nx = 1\n")
    write("a/after.py", f"{first}x = 2\n")
    with pytest.raises(ValueError, match=r"after\.py: .* must state the options of before\.py"):
        examples.of(RULE)


def test_unchanged_programs_are_read_by_name(write):
    write("unchanged/b.py", "x = 1\n")
    write("unchanged/a.py", "# A comment.\n")
    assert examples.of(RULE) == ()
    assert examples.unchanged(RULE) == {"a": "# A comment.\n", "b": "x = 1\n"}


def test_an_unchanged_program_takes_no_options(write):
    write("unchanged/a.py", "# migrate rewrite --unsafe\nx = 1\n")
    with pytest.raises(ValueError, match=r"a\.py: an unchanged program takes no options"):
        examples.unchanged(RULE)
