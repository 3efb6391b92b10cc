"""Tests for the classes of objects in a file."""

import ast

import pytest

from migrate.rewrite.analysis import instances
from migrate.rewrite.engine.source_file import SourceFile
from tests.migrate.rewrite import tools

CLASS = "class Job:\n  def __init__(self):\n    pass\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Job().model", "Job"),
        ("job = Job()\njob.model", "Job"),
        ("Job.model", "Job"),
        ("job = Job()\njob = 3\njob.model", None),
        ("job = other()\njob.model", None),
        ("def f(job):\n  return job.model", None),
        ("def f(job):\n  return job.model\nf(Job())\nf(job=Job())", "Job"),
        ("def f(job):\n  return job.model\nf(Job())\nf(other())", None),
        ("def f(job):\n  return job.model\nf(Job())\nrun(f)", None),
        ("def f(job):\n  return job.model\nf(Job())\nf(*a)", None),
        ("def f(job=None):\n  return job.model\nf(Job())\nf()", None),
        ("def f(job):\n  f(job)\n  return job.model\nf(other())", None),
        ("@a\ndef f(job):\n  return job.model\nf(Job())", None),
        ("def f(job):\n  job = other()\n  return job.model\nf(Job())", None),
        (
            "class Main:\n  def __init__(self):\n    self.job = Job()\n"
            "  def f(self):\n    return self.job.model",
            "Job",
        ),
        (
            "class Main:\n  def __init__(self):\n    self.job = Job()\n"
            "  def f(self):\n    return self.job.model\nmain.job = 3",
            None,
        ),
        ("class Other:\n  def f(self):\n    return self.model", "Other"),
        ("class Other:\n  def f(self):\n    return lambda: self.model", "Other"),
        ("class Other:\n  @staticmethod\n  def f(self):\n    return self.model", None),
        ("class Other:\n  @property\n  def f(self):\n    return self.model", "Other"),
        ("class Wide(Job):\n  def f(self):\n    return self.model", "Job"),
        ("class Wide(Job):\n  pass\nclass Last(Wide):\n  pass\nLast().model", "Job"),
        ("class Wide(other.Job):\n  pass\nWide().model", "Wide"),
    ],
)
def test_the_first_class_of_the_family_stands_for_it(text, name):
    file = SourceFile(CLASS + text)
    node = next(n for n in file.nodes if isinstance(n, ast.Attribute) and n.attr == "model")
    owner = instances.class_of(file, node.value)
    assert (owner.name if owner is not None else None) == name


def test_methods_of_all_classes_of_a_family():
    file = SourceFile(f"{CLASS}class Wide(Job):\n  def __init__(self):\n    pass\n")
    (job, _) = [node for node in file.nodes if isinstance(node, ast.ClassDef)]
    assert len(instances.methods(file, job, "__init__")) == 2


@pytest.mark.parametrize(
    ("facts", "is_known"),
    [
        ({}, True),
        ({"is_shared": True}, False),
        ({"is_shared": True, "used_elsewhere": frozenset()}, True),
        ({"is_shared": True, "used_elsewhere": frozenset(["f"])}, False),
    ],
)
def test_other_files_may_call_a_function_with_other_objects(facts, is_known):
    text = f"{CLASS}def f(job):\n  return job.model\nf(Job())\n"
    file = SourceFile(text, plan=tools.plan(**facts))
    node = next(n for n in file.nodes if isinstance(n, ast.Attribute))
    assert (instances.class_of(file, node.value) is not None) == is_known
