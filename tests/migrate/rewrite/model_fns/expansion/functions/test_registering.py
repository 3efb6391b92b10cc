"""Tests for dictionaries that decorators fill."""

import pytest

from migrate.rewrite.engine.plan import OF_MODULE
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion.functions import registering
from tests.migrate.rewrite import tools

BY_KEY = """\
NETS = {}

def register(name):
    def add(net):
        NETS[name] = net
        return net
    return add

@register("small")
def a(x):
    return x

@register("large")
def b(x):
    return x
"""
BY_NAME = """\
NETS = dict()

def register(net):
    NETS[net.__name__] = net
    return net

@register
def a(x):
    return x
"""


def _entries(text, **plan):
    file = SourceFile(text, plan=tools.plan(**plan))
    table = next(node.value for node in file.tree.body if hasattr(node, "value"))
    return [(entry.key, entry.function.name) for entry in registering.entries(file, table)]


def test_entries_have_the_keys_of_the_decorators():
    assert _entries(BY_KEY) == [('"small"', "a"), ('"large"', "b")]


def test_entries_have_the_names_of_the_functions():
    assert _entries(BY_NAME) == [('"a"', "a")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        return net\n", "        return wrapped(net)\n"),
        ("NETS[name] = net", "NETS[name.lower()] = net"),
        ("NETS[name] = net", "NETS[name] = wrapped(net)"),
        ("    def add(net):", "    name = name.lower()\n    def add(net):"),
        ("    return add", "    return wrapped(add)"),
        ('"large"', '"small"'),
        ('"large"', "LARGE"),
        ('"large"', "8"),
        ('@register("large")', '@cached\n@register("large")'),
        ('@register("large")', 'if LARGE:\n  register("large")(len)\n'),
        ("NETS = {}", 'NETS = {"c": len}'),
        ("@register", 'NETS["c"] = len\n@register'),
    ],
)
def test_unknown_entries_are_not_listed(old, new):
    assert old in BY_KEY
    assert _entries(BY_KEY.replace(old, new, 1)) == []


@pytest.mark.parametrize("name", [OF_MODULE, "register"])
def test_decorators_that_other_files_use_add_unknown_entries(name):
    assert _entries(BY_KEY, is_shared=True, used_elsewhere=frozenset((name,))) == []
    assert _entries(BY_KEY, is_shared=True, used_elsewhere=frozenset(("NETS",)))
