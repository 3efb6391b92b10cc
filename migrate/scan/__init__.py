"""Finds Estimator-era code, and estimates the work to port each use to Keras.

    python -m migrate scan my_jobs/

Nothing that is scanned is imported or executed, and TensorFlow is not imported.

Files in reading order:
command         runs the command and selects a report
scanner         reads all files in parallel and collects the findings
reading         reads a file: its uses, its imports and its functions
symbols         looks up a name: its verdict, its recipe and its rule
exact           replaces the verdicts of names by verdicts of single uses
training_calls  finds the calls that train a model
blockers        finds the obstacles that keep a job from a rung
jobs            plans which files are jobs, and which rung each can reach
report_table    prints the plan and the findings as tables
report_json     writes the plan and the findings as JSON or SARIF
report_html     writes the plan and the findings as a self-contained page
"""
