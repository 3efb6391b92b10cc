"""Tests docstrings: their examples run, and their commands can be pasted into a shell."""

import ast
import doctest
import importlib.util
import inspect
import pathlib
import re
import shlex
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[1]
SOURCES = [
    path
    for folder in ("modern", "legacy", "migrate", "benchmarks")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
_COMMAND = re.compile(r"^ +(?:[A-Z_]+='[^']*'|export |python -m )")
# Lines that list the forms of a command, such as [--check], cannot be pasted. Quoted text may
# contain these characters.
_FORMS = re.compile(r"[\[(|<]|\.\.\.|…|\S  +\S")
_QUOTED = re.compile(r"'[^']*'")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
_OTHERS = {"flagfile", "abort"}  # Flags of absl and of docker compose.


def _blocks():
    """Yields each run of indented lines in a docstring that begins with a command."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, _DOCUMENTED):
                text = ast.get_docstring(node) or ""
                for block in re.findall(r"(?:^ +\S.*\n?)+", text, re.MULTILINE):
                    if _COMMAND.match(block) and not _FORMS.search(_QUOTED.sub("", block.strip())):
                        yield pytest.param(block, id=f"{path.relative_to(ROOT)}")


BLOCKS = [*_blocks()]
# Modules are imported by their tests, so that most tests run without TensorFlow.
WITH_EXAMPLES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCES
    if ">>> " in path.read_text()
]


# Examples show functions of TensorFlow 1 that warn about their replacement.
@pytest.mark.filterwarnings("ignore:`tf.layers:UserWarning")
@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_of_a_module_run(name):
    module = importlib.import_module(name)
    failed, tried = doctest.testmod(module)
    assert not failed
    assert tried >= _count_of_examples(ast.parse(inspect.getsource(module)))


def _count_of_examples(tree):
    """Returns the number of examples in the docstrings of a module, without running it."""
    parser = doctest.DocTestParser()
    nodes = [node for node in ast.walk(tree) if isinstance(node, _DOCUMENTED)]
    return sum(len(parser.get_examples(ast.get_docstring(node) or "")) for node in nodes)


def test_all_packages_have_examples():
    assert {name.partition(".")[0] for name in WITH_EXAMPLES} >= {"modern", "legacy", "migrate"}
    assert "migrate.rewrite.analysis.dataflow" in WITH_EXAMPLES


def test_there_are_commands():
    assert len(BLOCKS) > 20


@pytest.mark.parametrize("block", BLOCKS)
def test_a_shell_reads_the_commands(block):
    done = subprocess.run(["bash", "-n"], input=block, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    # A shell takes all words after `export` for names to export.
    assert not re.search(r"export [A-Z_]+='[^']*' +\S", block)


@pytest.fixture(scope="module")
def defined():
    """Returns all words that occur as strings in the sources, which include the names of flags."""
    found = set(_OTHERS)
    for path in SOURCES:
        found.update(re.findall(r'"(?:--)?([a-z_]+)"', path.read_text()))
    return found


@pytest.mark.parametrize("block", BLOCKS)
def test_the_modules_and_flags_exist(block, defined):
    words = shlex.split(block)
    modules = [word for before, word in zip(words, words[1:], strict=False) if before == "-m"]
    ours = [name for name in modules if name != "package.module"]
    assert [name for name in ours if not importlib.util.find_spec(name)] == []
    flags = [match[1] for word in words if (match := re.match(r"--(?:no)?([a-z_]+)", word))]
    assert [name for name in flags if name not in defined] == []
