"""What all tests rely on, whoever starts them and however."""

import signal

# A shell that starts a program in the background, and nohup, have it ignore these, and so would
# every program that a test starts. Tests of Ctrl-C are about programs that a person starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
