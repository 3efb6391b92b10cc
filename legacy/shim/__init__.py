"""Makes a process look, to an old program in it, like the TensorFlow that the program knew.

    from legacy import installing

    installing.install(api="v1")        # or: python -m legacy.run OLD.py

The program sees a TensorFlow module of its own; TensorFlow itself and the libraries on top of it
keep seeing the real one. Which is which is decided by who asks (`callers`). The parts:

| module | what |
| --- | --- |
| `source`, `names`, `report` | read a program without running it |
| `program_files`, `local_modules` | its files, and the names that they have from one another |
| `version_tests` | the outcome of conditions that ask for TensorFlow's version |
| `api_choice` | decides whether it is written for TensorFlow 1 or 2 |
| `callers` | tells the program's code from libraries |
| `modules`, `two_sided`, `mirrors`, `views` | the modules that the program sees |
| `finder` | how its imports find them |
| `tables`, `constants`, `python_names`, `*.txt` | the names, as data |
| `flags`, `exports`, `mnist_tutorial` | the few that had to be written anew |
| `estimator_functions`, `gc`, `saved_model_paths`, `checkpoint_converter` | private functions |
| `head_checks`, `fake_summary_writer` | what old test suites check with |
| `left_out` | what is not provided, why, and what to do |
| `startup` | begins all this in a new interpreter |
"""
