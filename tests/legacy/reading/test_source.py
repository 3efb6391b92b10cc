"""Tests of reading the files of a program."""

import pytest

from legacy.reading import source


@pytest.fixture
def write(tmp_path):
    def writes(name, text=""):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    return writes


def test_modules_of_the_program(write, tmp_path):
    write("package/__init__.py", "from package import deep")
    write("package/deep.py", "from . import sibling\nfrom .other import thing")
    write("package/sibling.py", "import os, numpy")
    write("package/other.py", "import main")
    write("broken.py", "def f(:")
    write("unused.py")
    main = write("main.py", "import package\ndef later():\n    import broken, absent")
    paths = [module.path for module in source.find(main).modules()]
    assert [path.removeprefix(f"{tmp_path}/") for path in paths] == [
        "main.py",
        "package/__init__.py",
        "package/deep.py",
        "package/sibling.py",
        "package/other.py",
    ]


def test_module_is_found_without_importing_it(write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("pack/__init__.py", "raise AssertionError('imported')")
    path = write("pack/__main__.py", "from . import part")
    part = write("pack/part.py")
    program = source.find_module("pack")
    assert (program.path, program.folder) == (path, str(tmp_path))
    assert part in [module.path for module in program.modules()]


def test_source_in_another_coding(tmp_path):
    path = tmp_path / "latin.py"
    path.write_bytes("# coding: latin-1\nname = 'é'\n".encode("latin-1"))
    assert source.find(str(path)).tree.body
    path.write_bytes("name = 'é'\n".encode("latin-1"))
    with pytest.raises(source.ProgramError, match=r"latin\.py: SyntaxError: .*encoding"):
        source.find(str(path))


@pytest.mark.parametrize(
    "text",
    [
        "print x",
        "print >>f, x",
        "exec code",
        "x = 10L",
        "x = 0xFFL",
        "x = ur'a'",
        "if a <> b: pass",
        "x = `y`",
        "raise E, 'm', t",
        "except (A, B), e:\n  pass",
        "def f(a, (b, c)): pass",
        "print 'a' % b",
    ],
)
def test_python2(text, write):
    text = f"try:\n  pass\n{text}" if text.startswith("except") else text
    with pytest.raises(source.ProgramError, match="Python 2"):
        source.find(write("old.py", text))


@pytest.mark.parametrize(
    "text", ["x = (", "def f(:", "a b", "x = 'abc", "return = 3", "if x = 3: y"]
)
def test_other_syntax_errors(text, write):
    with pytest.raises(source.ProgramError) as caught:
        source.find(write("old.py", text))
    assert "Python 2" not in str(caught.value)
    assert "old.py:1: SyntaxError" in str(caught.value)
