"""Smoke test of every way of training with each supported Python and TensorFlow.

    make test-matrix
    python -m tests.matrix --python=3.12 --tensorflow=2.18

Files in reading order:
cells         lists the versions that are tested together
environment   installs the toolkit with the versions of a cell
ways          trains in every way with these versions, and checks the results
programs      holds an old program, which the ways run
recorded      reads and writes docs/evidence/versions.json
page          makes the tables of docs/versions.md from it
"""
