"""UCall's Python client, against a server at 127.0.0.1 whose port is in ANYWIRE_PORT."""

import os
import socket
import unittest
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
from PIL import Image
from ucall.client import Client

PORT = int(os.environ["ANYWIRE_PORT"])
CALLS = int(os.environ.get("ANYWIRE_CALLS", "200"))
PROCESSES = int(os.environ.get("ANYWIRE_PROCESSES", "2"))


def client(**options):
    return Client(uri="127.0.0.1", port=PORT, **options)


def sums(first):
    """Make CALLS calls on one client and count the right answers."""
    c = client()
    return sum(c.sum(a=i, b=1).json == i + 1 for i in range(first, first + CALLS))


class HTTP(unittest.TestCase):
    def test_arguments(self):
        c = client()
        self.assertEqual(c.sum(a=2, b=3).json, 5)
        self.assertEqual(c.sum(2, 3).json, 5)
        self.assertEqual(c.hello().json, "hello, world")
        self.assertEqual(c({"method": "math.add", "params": [1, 2, 3], "jsonrpc": "2.0"}).json, 6)

    def test_results(self):
        c = client()
        self.assertEqual(c.sum(a=2, b=3).data["result"], 5)
        for value in (None, True, -1, 2**53 + 1, 0.1, 1e300, 'quote " and newline \n', "Ж ☃ 🙂", [], {"a": [1]}):
            with self.subTest(value=value):
                self.assertEqual(c.echo(value=value).json, value)

    def test_large(self):
        text = "x" * 100_000
        self.assertEqual(client().echo(value=text).json, text)

    def test_errors(self):
        c = client()
        for call, code in (
            (lambda: c.nope(), -32601),
            (lambda: c.sum(a=2), -32602),
            (lambda: c.sum(a="2", b=3), -32602),
            (lambda: c.divide(1, 0), -32602),
            (lambda: c.panic(), -32603),
        ):
            with self.assertRaises(RuntimeError) as raised:
                call().json
            self.assertEqual(raised.exception.args[0]["code"], code)
        self.assertEqual(c.sum(2, 3).json, 5, "the client goes on after errors")

    def test_bytes(self):
        data = bytes(range(256))
        self.assertEqual(client().echo(value=data).bytes, data)

    def test_numpy(self):
        array = np.arange(6, dtype=np.float32).reshape(2, 3)
        np.testing.assert_array_equal(client().echo(value=array).numpy, array)

    def test_image(self):
        image = Image.new("RGB", (3, 2), (1, 2, 3))
        self.assertEqual(client().echo(value=image).image.tobytes(), image.tobytes())

    def test_one_connection(self):
        c = client()
        c.sum(2, 3)
        port = c.sock.getsockname()
        self.assertEqual(sums(0), CALLS)
        c.sum(2, 3)
        self.assertEqual(c.sock.getsockname(), port, "the server closed the connection between two calls")

    def test_threads(self):
        with ThreadPoolExecutor(8) as pool:
            self.assertEqual(list(pool.map(sums, range(8))), [CALLS] * 8)

    def test_processes(self):
        with ProcessPoolExecutor(PROCESSES) as pool:
            self.assertEqual(list(pool.map(sums, range(PROCESSES))), [CALLS] * PROCESSES)


class TCP(unittest.TestCase):
    """Without HTTP the client reads until the server closes, as UCall's does after each answer. Ours keeps connections."""

    REQUEST = {"method": "sum", "params": [2, 3], "jsonrpc": "2.0"}

    def test_half_closed(self):
        c = client(use_http=False)
        c._send(dict(self.REQUEST))
        c.sock.shutdown(socket.SHUT_WR)
        self.assertEqual(c._recv().json, 5)

    def test_reads_to_the_end(self):
        c = client(use_http=False)
        c._send(dict(self.REQUEST))
        c.sock.settimeout(0.5)
        with self.assertRaises(TimeoutError):
            c._recv()


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")  # UCall's client leaves its sockets open
