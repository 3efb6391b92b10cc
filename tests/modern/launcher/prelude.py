"""Functions for the programs of tasks, which report by files in the folder of their test."""

# Code that precedes the program of each task.
PRELUDE = """
import json, os, pathlib, signal, subprocess, sys, time
task = json.loads(os.environ["TF_CONFIG"])["task"]
name = f"{task['type']}-{task['index']}"
here = pathlib.Path(sys.argv[1])
def write_pid(file): pathlib.Path(here, file).write_text(f"{os.getpid()}\\n")
def await_file(file):
    while not pathlib.Path(here, file).exists(): time.sleep(0.01)
def begin():
    attempt = len(list(here.glob(f"{name}.pid-*")))
    write_pid(f"{name}.pid-{attempt}")
    return attempt
"""
