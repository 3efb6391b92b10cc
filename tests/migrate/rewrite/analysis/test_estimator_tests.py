"""Tests for code that only tests or prints an Estimator."""

import ast

import pytest

from migrate.rewrite.analysis import estimator_tests
from migrate.rewrite.engine.source_file import SourceFile


def _job(text):
    file = SourceFile(text)
    return file, next(n for n in file.nodes if isinstance(n, ast.Name) and n.id == "job")


@pytest.mark.parametrize(
    ("text", "is_test"),
    [
        ("if job is None: pass", True),
        ("x = job is not None", True),
        ("x = None is job", True),
        ("assert job", True),
        ("x = not job", True),
        ("x = 1 if job else 2", True),
        ("if job and a: pass", True),
        ("x = job or other", False),
        ("x = job == None", True),
        ("if job != None: pass", True),
        ("x = job == other", False),
        ("x = job is other", False),
        ("x = job if a else b", False),
    ],
)
def test_tests(text, is_test):
    assert estimator_tests.is_test(*_job(text)) == is_test


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [
        ("print(job)", True),
        ("print('a', type(job), sep='')", True),
        ("print('{}'.format(type(job)))", True),
        ("print('%s %s' % (a, job))", True),
        ("print('a' + str(job))", True),
        ("logging.info(f'{job}')", True),
        ("x = print(job)", False),
        ("x = type(job)", False),
        ("use(type(job))", False),
        ("logging.info(use(job))", False),
        ("info.append(job)", False),
        ("print(job.name)", False),
        ("print([job])", False),
    ],
)
def test_prints(text, is_shown):
    assert estimator_tests.is_shown(*_job(text)) == is_shown
