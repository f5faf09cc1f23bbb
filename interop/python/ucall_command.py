"""UCall's command line, against a server at 127.0.0.1 whose port is in ANYWIRE_PORT."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from PIL import Image

COMMAND = os.path.join(os.path.dirname(sys.executable), "ucall")
SERVER = ["--uri", "127.0.0.1", "-p", os.environ["ANYWIRE_PORT"]]


def ucall(*args):
    """Run the command and return what it prints, without the newline."""
    done = subprocess.run([COMMAND, *args, *SERVER], check=True, capture_output=True, text=True, timeout=30)
    return done.stdout.rstrip("\n")


class Command(unittest.TestCase):
    def test_raw(self):
        answer = json.loads(ucall("sum", "a=2", "b=3"))
        self.assertEqual((answer["jsonrpc"], answer["result"]), ("2.0", 5))

    def test_json(self):
        self.assertEqual(ucall("sum", "a=2", "b=3", "--format", "json"), "5")
        self.assertEqual(ucall("hello", "name=Ada", "--format", "json"), "hello, Ada")
        self.assertEqual(ucall("echo", "value=1.5", "--format", "json"), "1.5")
        self.assertEqual(ucall("echo", "value=True", "--format", "json"), "True")
        self.assertEqual(ucall("echo", "value:str=7", "--format", "json"), "7")

    def test_positional(self):
        self.assertEqual(ucall("divide", "--format", "json", "--positional", "7", "2:float"), "3.5")

    def test_errors(self):
        self.assertEqual(json.loads(ucall("nope"))["error"]["code"], -32601)
        self.assertIn("'code': -32602", ucall("sum", "a=2", "--format", "json"))

    def test_file(self):
        with tempfile.NamedTemporaryFile() as f:
            f.write(b"\x00\xffhello")
            f.flush()
            printed = ucall("echo", "--format", "bytes", "-f", "value=" + f.name)
        self.assertEqual(printed, repr(b"\x00\xffhello"))

    def test_image(self):
        with tempfile.NamedTemporaryFile(suffix=".png") as f:
            Image.new("RGB", (3, 2)).save(f, "PNG")
            f.flush()
            printed = ucall("echo", "--format", "image", "-i", "value=" + f.name)
        self.assertIn("PngImageFile image mode=RGB size=3x2", printed)


if __name__ == "__main__":
    unittest.main(verbosity=2)
