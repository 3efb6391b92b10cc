"""Lets `pip install -e .` work with the configuration in setup.cfg, and installs a `.pth` file.

Python runs the line of the file at its start. It lets `python -m legacy.run` find this package in a
folder that has another package named `legacy`.
"""

import os

from setuptools import setup
from setuptools.command.build_py import build_py

START_FILE = "estimator_ladder.pth"


class BuildWithStartFile(build_py):
    """Puts the file next to the packages, from where it is installed into site-packages."""

    def run(self) -> None:
        """Builds the packages and the file."""
        super().run()
        # An editable wheel contains the files that are installed in its folder, and none of those
        # that are built.
        folder = self.build_lib
        if self.editable_mode:
            folder = self.get_finalized_command("install").install_lib
        self.copy_file(START_FILE, os.path.join(folder, START_FILE))

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """Returns the files that are built."""
        outputs = super().get_outputs(include_bytecode)
        if self.editable_mode:
            return outputs
        return [*outputs, os.path.join(self.build_lib, START_FILE)]


setup(cmdclass={"build_py": BuildWithStartFile})
