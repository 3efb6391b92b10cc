"""Tests that the docstring of each package's `__init__` lists the files of the package."""

import ast
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
FLOORS = ("modern", "legacy", "migrate", "benchmarks")
ROOMS = sorted(
    str(path.parent.relative_to(ROOT))
    for floor in FLOORS
    for path in (ROOT / floor).rglob("__init__.py")
)


def members(folder):
    """Returns the names of the modules and packages in a folder."""
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__", "__main__"}
    return modules | {path.parent.name for path in folder.glob("*/__init__.py")}


def listed(folder):
    """Returns the names that the docstring of a package lists, in order."""
    docstring = ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or ""
    _, _, table = docstring.partition("Files in reading order:\n")
    return re.findall(r"^(\w+) {1,}\S", table.partition("\n\n")[0], re.MULTILINE)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_lists_its_files(room):
    names = listed(ROOT / room)
    assert len(names) == len(set(names))
    assert set(names) == members(ROOT / room)


def test_all_floors_have_rooms():
    assert len(ROOMS) > len(FLOORS)
    assert "modern/training" in ROOMS


def test_a_list_that_lacks_a_file_is_seen(tmp_path):
    (tmp_path / "__init__.py").write_text('"""A.\n\nFiles in reading order:\none  does it\n"""')
    (tmp_path / "one.py").touch()
    (tmp_path / "two.py").touch()
    assert listed(tmp_path) == ["one"]
    assert members(tmp_path) == {"one", "two"}


def drawn(picture):
    """Returns the names in a picture of the floors."""
    return set(re.findall(r">([\w/]+)</text>", picture))


@pytest.mark.parametrize("floor", FLOORS)
def test_the_map_shows_each_room(floor):
    rooms = {path.parent.name for path in (ROOT / floor).glob("*/__init__.py")}
    assert rooms - drawn((ROOT / "docs/images/floors.svg").read_text()) == set()
    page = (ROOT / "docs/architecture.md").read_text()
    _, _, chapter = page.partition(f"## {floor}\n")
    text = chapter.partition("\n## ")[0]
    assert {room for room in rooms if f"`{room}/" not in text} == set()


def test_a_room_that_the_map_lacks_is_seen():
    assert "port" not in drawn("<text>scan</text>")


def test_the_page_on_rewriting_is_short():
    assert (ROOT / "docs/rewrite.md").stat().st_size <= 12 << 10
