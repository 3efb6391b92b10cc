"""Tests of `migrate.cluster.yaml_files`, which reads and writes YAML as Kubernetes does."""

import pytest

from migrate.cluster import yaml_files


@pytest.mark.parametrize(
    "value",
    ["1e-3", "y", "N", "0o17", "08", "1_000", "22:22", "true", "null", "2020-01-01", "0x1F", ".5",
     "a\nb\n", "on", "é", "", " x", "--lr=1e-3", 5, 0.5, True, None, [], {}, ["-1", {"a": "1"}]],
)  # fmt: skip
def test_a_value_is_read_as_it_was_written(value):
    assert yaml_files.parse(yaml_files.text([{"a": value}])) == [{"a": value}]


@pytest.mark.parametrize("text", ["1e-3", "y", "N", "0o17", "22:22", "12", "1_000"])
def test_a_string_is_quoted_that_kubernetes_reads_as_something_else(text):
    assert yaml_files.text([{"a": text}]) == f"a: '{text}'\n"


def test_scalars_are_read_as_kubernetes_does():
    read = yaml_files.parse("[2020-01-01, 22:22, 0644, 0x10, 10, -1, 08, yes]")
    assert read == [["2020-01-01", "22:22", 0o644, 16, 10, -1, "08", True]]


def test_a_list_of_manifests_is_each_of_them():
    assert yaml_files.parse("a: 1\n---\n---\nkind: List\nitems: [{b: 2}, {c: 3}]") == [
        {"a": 1}, {"b": 2}, {"c": 3},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\na: 2", "'a' stands twice"),
        ("{{ helm }}: x", "unhashable"),
        ("a: [", "expected"),
        ("!x y", "constructor"),
        ("a: !!bool maybe", "the value 'maybe' is no bool"),
        ("a: !!int ''", "the value '' is no int"),
        ("a: !!timestamp today", "the value 'today' is no timestamp"),
        ("[" * 1000, "nested too deeply"),
        ("a: &a [*a]", "an alias within the value of its own anchor"),
        ("a: &a {b: {c: *a}}", "an alias within the value of its own anchor"),
        ("kind: List\nitems: 5", "items are 5. Write a list"),
        ("kind: List\nitems: {a: 1}", "items are {'a': 1}. Write a list"),
        ("kind: List\nitems: text", "items are 'text'. Write a list"),
    ],
)
def test_what_is_no_yaml(text, message):
    with pytest.raises(yaml_files.ManifestError, match=message):
        yaml_files.parse(text)


@pytest.mark.parametrize("items", ["", "items:", "items: []"])
def test_an_empty_list(items):
    assert yaml_files.parse(f"kind: List\n{items}") == []


def test_a_key_is_text():
    assert yaml_files.parse("{1: a, true: b, null: c, .5: d}") == [
        {"1": "a", "true": "b", "null": "c", ".5": "d"}
    ]


def test_an_anchor_is_written_out():
    shared = {"x": [{"y": 1}]}
    text = yaml_files.text([{"a": shared, "b": shared}])
    assert "&" not in text
    assert yaml_files.parse(text) == [{"a": shared, "b": shared}]


def test_a_command_and_a_long_text_stay_in_one_line():
    line = " ".join(["word"] * 100)
    assert yaml_files.text([{"a": ["x", line]}]) == f"a: [x, {line}]\n"
