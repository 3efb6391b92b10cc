"""Folder that `running.record` puts on PYTHONPATH, so that Python runs its `sitecustomize` first.

Files in reading order:
sitecustomize  starts the recorder before the program
"""
