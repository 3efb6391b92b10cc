"""Finds Estimator-era code and says what each use of it takes to bring to Keras.

    python -m migrate scan my_jobs/

Nothing that is scanned is imported or executed, and TensorFlow is not imported. The parts:

| module | what |
| --- | --- |
| `sources`, `notebooks` | the files: which, and their text |
| `reading` | one file: its uses of names, what it imports, what shape its functions have |
| `symbols`, `symbols.json`, `known_names` | which names are of that era, and what they take |
| `scanner` | all files, side by side: the findings |
| `jobs` | the plan: which files are jobs, which rung each can reach, what blocks it |
| `report_table`, `report_json`, `report_sarif`, `report_html` | the answers |
"""
