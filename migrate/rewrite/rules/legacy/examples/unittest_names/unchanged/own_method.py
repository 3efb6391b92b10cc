import tensorflow.compat.v1 as tf
class Case(tf.test.TestCase):
    def assertEquals(self, a, b):
        self.assertEqual(a, b)
    def runTest(self):
        self.assertEquals(1, 1)
x = Case().run().wasSuccessful()
