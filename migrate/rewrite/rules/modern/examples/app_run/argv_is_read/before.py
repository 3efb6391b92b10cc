import tensorflow.compat.v1 as tf
def main(argv):
    return len(argv)
if __name__ == '__main__':
    tf.app.run(main)
x = main(['program']), tf.float32.name
