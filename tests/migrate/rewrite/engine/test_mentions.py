"""Tests for the names of other files that a file uses."""

import ast

import pytest

from migrate.rewrite.engine.mentions import Mentions

HEAD = "import numpy as np\nimport jobs\nfrom jobs import Job\nfrom . import more\n"


def _mentions(text):
    return Mentions(ast.parse(HEAD + text), {"jobs"}.__contains__)


def _attributes(text):
    return sorted(node.attr for node in _mentions(text).attributes)


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("job.model", ["model"]),
        ("Job().model", ["model"]),
        ("jobs.Job.model", ["Job", "model"]),
        ("more.model", ["model"]),
        ("np.model.it", []),
        ("def f(np):\n  return np.model", ["model"]),
        ("np = Job()\nnp.model", ["model"]),
        (
            "import argparse\nargs = argparse.ArgumentParser().parse_args()\nargs.model",
            ["parse_args"],
        ),
        ("def f(args):\n  return args.model", ["model"]),
        ("class A:\n  def f(self):\n    return self.model", []),
        ("class A(object):\n  def f(self):\n    return lambda: self.model", []),
        ("class A(np.B):\n  def f(self):\n    return self.model", []),
        ("class A:\n  def f(self):\n    return self.job.model", ["model"]),
        ("class A:\n  def f(self):\n    self = g()\n    return self.model", ["model"]),
        ("class A:\n  @staticmethod\n  def f(job):\n    return job.model", ["model"]),
        ("class A:\n  @property\n  def f(self):\n    return self.model", []),
        ("class A(Job):\n  def f(self):\n    return self.model", ["model"]),
        ("class B(Job):\n  pass\nclass A(B):\n  def f(self):\n    return self.model", ["model"]),
        ("class A(unknown):\n  def f(self):\n    return self.model", ["model"]),
        ("class A(g()):\n  def f(self):\n    return self.model", ["model"]),
    ],
)
def test_attributes_that_may_belong_to_objects_of_other_files(text, attributes):
    assert _attributes(text) == attributes


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("getattr(job, 'model')", {"model"}),
        ("hasattr(job, 'model')", {"model"}),
        ("operator.attrgetter('a.model')(job)", {"a", "model"}),
        ("getattr(job, name)", {"*"}),
        ("getattr(np, name)", set()),
        ("vars(job)", {"*"}),
        ("vars(parser.parse_args())", set()),
        ("job.__dict__", {"*"}),
        ("class A(Job):\n  rate = 1\n  def model(self):\n    pass", {"rate", "model"}),
        ("class A:\n  def model(self):\n    pass", set()),
        ("from jobs import model as m", {"model"}),
        ("from jobs import *\nmodel", {"model"}),
        ("from other import *\nmodel", set()),
    ],
)
def test_names_that_are_used_otherwise(text, names):
    assert _mentions(text).others - {"Job", "more", "getattr", "vars"} == names


def test_a_long_sum_is_read():
    assert _attributes(" + ".join(["job.model"] * 500)) == ["model"] * 500
