"""Tests that commands in docstrings can be pasted: a shell parses them, their flags exist."""

import ast
import importlib.util
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
_OTHERS = {"flagfile", "abort"}  # Flags of absl and of docker compose.


def _blocks():
    """Yields each run of indented lines in a docstring that begins with a command."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                text = ast.get_docstring(node) or ""
                for block in re.findall(r"(?:^ +\S.*\n?)+", text, re.MULTILINE):
                    if _COMMAND.match(block) and not _FORMS.search(_QUOTED.sub("", block.strip())):
                        yield pytest.param(block, id=f"{path.relative_to(ROOT)}")


BLOCKS = [*_blocks()]


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
