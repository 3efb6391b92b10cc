from absl import app
def main(_):
    app.run(main)
x = 1
