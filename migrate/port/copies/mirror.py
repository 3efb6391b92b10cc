"""Copies a program to run it: Python files are copied, and all other files are linked.

    take(program, "step/source")               # the texts of the program, to rewrite
    show(program, "step/source", "step/work")  # a folder to run them in

Folders with checkpoints are left out, so that a training starts at step 0. Those of pretrained
checkpoints, which the program reads, are kept.
"""

from __future__ import annotations

import os
import shutil

from migrate.port.copies import inputs, paths
from migrate.port.copies.program import Program
from migrate.rewrite.engine import files

_TEXTS = (".py", ".ipynb")
_SMALL = 1 << 20  # A larger file is data.
_LEFT_OUT = ("__pycache__", "node_modules")


def take(program: Program, to: str, *, without: str) -> None:
    """Copies the texts and small files of a program.

    Args:
      program: The program.
      to: Folder to create.
      without: Folder of the port's own output, which is left out.
    """
    target = os.path.join(to, program.output_name)
    if os.path.isfile(program.path):
        os.makedirs(to)
        shutil.copy2(program.path, target)
        return
    for folder, names, file_names in os.walk(program.path):
        names[:] = [
            name for name in names if _is_shown(program, os.path.join(folder, name), without)
        ]
        place = os.path.normpath(os.path.join(target, os.path.relpath(folder, program.path)))
        os.makedirs(place, exist_ok=True)
        for name in file_names:
            path = os.path.join(folder, name)
            if name.endswith(_TEXTS) or (os.path.isfile(path) and os.path.getsize(path) < _SMALL):
                shutil.copy2(path, os.path.join(place, name))


def show(program: Program, source: str, to: str, *, without: str) -> None:
    """Creates the folder in which a program runs.

    Args:
      program: The program.
      source: Folder that `take` created. Its files may have been rewritten.
      to: Folder to create.
      without: Folder of the port's own output, which is left out.
    """
    texts = os.path.join(source, program.output_name)
    place = os.path.normpath(os.path.join(to, program.name))
    if os.path.isfile(texts):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        _copy(texts, place, program)
    else:
        # `to` is there already if the program is the whole folder.
        shutil.copytree(
            texts, place, copy_function=lambda a, b: _copy(a, b, program), dirs_exist_ok=True
        )
        _link(program, program.path, place, without, deep=True)
    folder, copy = program.path, place
    while folder != program.root:
        folder, copy = os.path.dirname(folder), os.path.dirname(copy)
        _link(program, folder, copy, without, deep=False)


def _copy(path: str, to: str, program: Program) -> None:
    if not path.endswith(".py"):
        shutil.copy2(path, to)
        return
    try:
        file = files.read(path)
    except files.NotReadable:
        shutil.copy2(path, to)
        return
    text = paths.moved_texts(file.text, program.root)
    if text == file.text:
        shutil.copy2(path, to)
    else:
        with open(to, "w", encoding=file.encoding, newline="") as copy:
            copy.write(text)


def _link(program: Program, folder: str, to: str, without: str, *, deep: bool) -> None:
    """Links the entries of a folder that its copy lacks.

    Args:
      program: The program.
      folder: The original folder.
      to: Copy of the folder.
      without: Folder to leave out.
      deep: If true, folders become folders of links. Otherwise they become links.
    """
    for entry in os.scandir(folder):
        target = os.path.join(to, entry.name)
        if entry.is_dir():
            if not _is_shown(program, entry.path, without):
                continue
            # TensorFlow's saver writes through the link of a folder.
            if deep or _has_checkpoint(entry.path):
                os.makedirs(target, exist_ok=True)
                _link(program, entry.path, target, without, deep=True)
                continue
        if os.path.lexists(target):
            continue
        if entry.name.endswith(".py"):
            shutil.copy2(entry.path, target)
        else:
            os.symlink(entry.path, target)


def _is_shown(program: Program, folder: str, without: str) -> bool:
    """Returns whether a folder is part of a program, and not its output or that of the port."""
    name = os.path.basename(folder)
    if name in _LEFT_OUT or name.startswith(".") or os.path.realpath(folder) == without:
        return False
    if os.path.exists(os.path.join(folder, "pyvenv.cfg")):
        return False
    return not _has_checkpoint(folder) or inputs.of(program).is_input(folder)


def _has_checkpoint(folder: str) -> bool:
    return os.path.exists(os.path.join(folder, "checkpoint"))
