def DEFINE_string(*args):
    return args
x = DEFINE_string('log_dir', 1)
