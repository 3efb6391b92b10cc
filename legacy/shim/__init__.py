"""Runs an unmodified old program: shows it the TensorFlow modules that it was written for.

    from legacy import installing

    installing.install(api="v1")        # or: python -m legacy.run OLD.py

The program sees its own TensorFlow module. TensorFlow itself and the libraries on top of it keep
seeing the real one. `legacy.reading.callers` decides by the code that looks up a name.

Files in reading order:
finder         finds removed modules when the program imports them
views          builds the TensorFlow module that the program sees
modules        serves names from other modules, with some of them replaced
missing        stands for missing modules until the program uses them
private_modules  completes private modules that still exist
classes        restores behavior of TensorFlow's and Keras' classes
debugger       restores an argument of TensorFlow's debugger
two_sided      shows one module to the program and another to libraries
mirrors        copies replacements in private modules to the public ones
program_flags  lets a program redefine flags of libraries, and parses unknown flags
protocol_buffers  loads modules that an old protoc has generated
python_names   restores names that Python removed
numpy_names    restores names, arguments and printing of NumPy 1
arrays         converts and indexes arrays as NumPy 1 did
report         lists names that a program uses and legacy does not provide
"""
