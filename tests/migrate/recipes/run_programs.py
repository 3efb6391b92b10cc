"""Runs one side of the recipes in one process and writes the figures of each program as JSON.

    python -m tests.migrate.recipes.run_programs old OUTPUT.json [NAME ...]
    python -m tests.migrate.recipes.run_programs new OUTPUT.json NAME "a planted mistake" ...

Each program is written to a temporary folder and imported from there, as a user would run it.
"""

import importlib.util
import json
import os
import pathlib
import sys
import tempfile
import time
import traceback

from migrate import recipes
from modern.process import frame_memory, quiet_import
from tests.migrate.recipes import defaults, planted

TWO_CPUS = 2  # logical CPU devices, for programs with several replicas


def main(side, output, names):
    """Runs the programs and writes {name: {"figures" or "error": ..., "seconds": ...}}.

    The new side also writes "defaults": the default values that the pages state.
    """
    quiet_import.import_tensorflow()
    if side == "old":
        import legacy

        legacy.install(api="v1")
    import tensorflow as tf

    tf.get_logger().setLevel("ERROR")
    if side == "new":
        # Devices must be configured before TensorFlow starts. Programs with several replicas
        # configure the same devices.
        cpu = tf.config.list_physical_devices("CPU")[0]
        tf.config.set_logical_device_configuration(
            cpu, [tf.config.LogicalDeviceConfiguration()] * TWO_CPUS
        )
    found = {name: run(name, side) for name in names}
    if side == "new":
        found["defaults"] = defaults.found()
    pathlib.Path(output).write_text(json.dumps(found))


def run(name, side):
    """Runs a program in a clean graph, and returns its figures or its traceback."""
    import tensorflow as tf

    if side == "old":
        tf.compat.v1.reset_default_graph()
    environment, began = dict(os.environ), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        try:
            figures = load(source(name, side), folder).main(os.path.join(folder, "model"))
            found = {"figures": json.loads(json.dumps(figures))}
        except Exception:
            found = {"error": traceback.format_exc()}
    os.environ.clear()
    os.environ.update(environment)  # some programs set TF_CONFIG
    return {**found, "seconds": time.process_time() - began}


def source(name, side):
    """Returns the program of a recipe or of a planted mistake."""
    if name in planted.MISTAKES:
        recipe, _, _ = planted.MISTAKES[name]
        return planted.altered(name, recipes.find(recipe).new)
    return getattr(recipes.find(name), side)


def load(text, folder):
    """Imports a program under a unique module name, so that a traceback tells which one failed."""
    path = pathlib.Path(folder, f"program_{len(sys.modules)}.py")
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    program = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = program
    spec.loader.exec_module(program)
    return program


if __name__ == "__main__":
    frame_memory.with_room(main)(sys.argv[1], sys.argv[2], sys.argv[3:] or recipes.names())
