"""The failing programs: small, each for one way in which an exception is
raised, chained, grouped, noted, or printed by something other than the
interpreter's last act.

A program is a dictionary: name, files (name to text), and where needed since
and until (Python versions), options and args of the interpreter, merge (take
standard output too), inner (the exceptions inside a message that is a
traceback), loose (other lines follow, so that a message may be cut short at a
blank line)."""

import textwrap


def program(name, main, **more):
    files = more.pop("files", {})
    files = {k: v if isinstance(v, bytes) else textwrap.dedent(v).lstrip("\n") for k, v in files.items()}
    files["main.py"] = main if isinstance(main, bytes) else textwrap.dedent(main).lstrip("\n")
    return dict(more, name=name, files=files)


# What fails: (name, preparation, failing statement).
FAILURES = [
    ("zero-division", "", "1 / 0"),
    ("modulo", "", "5 % 0"),
    ("key", "table = {'a': 1}", "table['label']"),
    ("key-number", "table = {}", "table[3]"),
    ("key-tuple", "table = {}", "table[1, 'x']"),
    ("key-newline", "table = {}", "table['two\\nlines']"),
    ("index", "items = [1, 2]", "items[9]"),
    ("pop", "items = []", "items.pop()"),
    ("attribute", "import math", "math.sqroot(2)"),
    ("attribute-none", "model = None", "model.train()"),
    ("name", "", "undefined_name + 1"),
    ("type-add", "", "'a' + 1"),
    ("type-call", "value = 3", "value()"),
    ("type-arguments", "def f(a, b): pass", "f(1)"),
    ("type-keyword", "def f(a): pass", "f(1, b=2)"),
    ("type-index", "", "[1, 2]['a']"),
    ("int", "", "int('twelve')"),
    ("float", "", "float('1,5')"),
    ("unpack", "", "a, b = 1, 2, 3"),
    ("decode", "", "b'\\xff\\xfe'.decode('utf-8')"),
    ("encode", "", "'\\u4e2d'.encode('ascii')"),
    ("file", "", "open('/no/such/file')"),
    ("directory", "", "open('/usr')"),
    ("mkdir", "import os", "os.mkdir('/usr')"),
    ("module", "", "import torch_scatterx"),
    ("import-name", "", "from collections import nothing_there"),
    ("assert", "x = 3", "assert x == 4"),
    ("assert-message", "x = 3", "assert x == 4, 'x is %d' % x"),
    ("assert-tuple", "", "assert not [1], ('shape', (3, 4))"),
    ("stop-iteration", "", "next(iter([]))"),
    ("overflow", "import math", "math.exp(10000)"),
    ("not-implemented", "", "raise NotImplementedError"),
    ("not-implemented-text", "", "raise NotImplementedError('forward of abstract block')"),
    ("memory", "", "raise MemoryError()"),
    ("keyboard", "", "raise KeyboardInterrupt"),
    ("generator-exit", "", "raise GeneratorExit('closed')"),
    ("json", "import json", "json.loads('{\"a\": }')"),
    ("struct", "import struct", "struct.unpack('<I', b'abc')"),
    ("zlib", "import zlib", "zlib.decompress(b'not compressed')"),
    ("binascii", "import binascii", "binascii.unhexlify('zz')"),
    ("queue", "import queue", "queue.Queue().get_nowait()"),
    ("queue-full", "import queue\nq = queue.Queue(1); q.put(1)", "q.put_nowait(2)"),
    ("called-process", "import subprocess", "subprocess.check_call(['false'])"),
    ("timeout-expired", "import subprocess", "subprocess.run(['sleep', '5'], timeout=0.05)"),
    ("socket-timeout", "import socket", "raise socket.timeout('timed out')"),
    ("gaierror", "import socket", "raise socket.gaierror(-2, 'Name or service not known')"),
    ("refused", "import socket", "socket.create_connection(('127.0.0.1', 9), 1)"),
    ("regex", "import re", "re.compile('(unclosed')"),
    ("config", "import configparser", "configparser.ConfigParser().get('a', 'b')"),
    ("pickle", "import pickle", "pickle.loads(b'garbage')"),
    ("pickle-empty", "import pickle", "pickle.loads(b'')"),
    ("pickle-lambda", "import pickle", "pickle.dumps(lambda: 0)"),
    ("asyncio-timeout", "import asyncio", "raise asyncio.TimeoutError()"),
    ("cancelled", "import asyncio", "raise asyncio.CancelledError"),
    ("futures", "import concurrent.futures as cf", "cf.Future().result(timeout=0.01)"),
    ("xml", "import xml.etree.ElementTree as E", "E.fromstring('<a><b></a>')"),
    ("url", "import urllib.error", "raise urllib.error.URLError('no route')"),
    ("http", "import urllib.error", "raise urllib.error.HTTPError('http://h/x', 404, 'Not Found', None, None)"),
    ("zip", "import io, zipfile", "zipfile.ZipFile(io.BytesIO(b'no'))"),
    ("tar", "import io, tarfile", "tarfile.open(fileobj=io.BytesIO(b'no'))"),
    ("gzip", "import gzip, io", "gzip.GzipFile(fileobj=io.BytesIO(b'no')).read()"),
    ("csv", "import csv", "csv.reader(['a'], delimiter='ab')"),
    ("decimal", "import decimal", "decimal.Decimal('x')"),
    ("argument-type", "import argparse", "raise argparse.ArgumentTypeError('bad value')"),
    ("locale", "import locale", "locale.setlocale(locale.LC_ALL, 'xx_XX')"),
    ("same-file", "import shutil", "shutil.copyfile('/etc/hostname', '/etc/hostname')"),
    ("ctypes", "import ctypes", "ctypes.CDLL('libhccl-none.so')"),
    ("literal", "import ast", "ast.literal_eval('f(1)')"),
    ("warning", "import warnings", "warnings.simplefilter('error'); warnings.warn('old call', DeprecationWarning)"),
    ("user-warning", "", "raise UserWarning('looks bad')"),
    ("connection-reset", "", "raise ConnectionResetError(104, 'Connection reset by peer')"),
    ("disk-full", "", "raise OSError(28, 'No space left on device')"),
    ("disk-full-file", "", "raise OSError(28, 'No space left on device', '/cache/ckpt.pt')"),
    ("rename", "import os", "os.rename('/no/a', '/no/b')"),
    ("signal", "import signal", "signal.signal(999, None)"),
    ("unbound", "def f():\n    print(x)\n    x = 1", "f()"),
    ("string-template", "import string", "string.Template('$a').substitute()"),
    ("enum", "import enum\nclass Kind(enum.Enum):\n    A = 1", "Kind('b')"),
    ("dataclass", "import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass P:\n    x: int = 0", "P().x = 3"),
    ("abstract", "import abc\nclass A(abc.ABC):\n    @abc.abstractmethod\n    def f(self): pass", "A()"),
    ("broken-pipe", "", "raise BrokenPipeError(32, 'Broken pipe')"),
    ("uuid", "import uuid", "uuid.UUID('x')"),
    ("date", "import datetime", "datetime.date(2024, 13, 1)"),
    ("hash", "", "{[]: 1}"),
    ("divmod", "", "divmod(1, 0)"),
    ("system-error", "", "raise SystemError('<built-in function f> returned NULL without setting an exception')"),
    ("lookup", "", "'a'.encode('no-such-codec')"),
    ("recursion-text", "", "raise RecursionError('maximum recursion depth exceeded while calling a Python object')"),
    ("eof", "", "raise EOFError('Ran out of input')"),
    ("reference", "import weakref\nclass A: pass\nr = weakref.proxy(A())", "r.x"),
]

# How it is reached: the failing statement stands for STATEMENT, what it needs
# for PREPARATION.
SHAPES = {
    "module": """
        PREPARATION
        STATEMENT
        """,
    "function": """
        PREPARATION

        def step():
            STATEMENT

        step()
        """,
    "nested": """
        PREPARATION

        def outer(n):
            def inner():
                STATEMENT
            if n:
                return outer(n - 1)
            return inner()

        if __name__ == "__main__":
            outer(3)
        """,
    "method": """
        PREPARATION

        class Trainer:
            def train(self):
                self.epoch(0)

            def epoch(self, n):
                for batch in range(2):
                    STATEMENT

        Trainer().train()
        """,
    "decorated": """
        import functools
        PREPARATION

        def timed(f):
            @functools.wraps(f)
            def wrapper(*args, **kwargs):
                return f(*args, **kwargs)
            return wrapper

        @timed
        def run(
            batch,
            size=3,
        ):
            STATEMENT

        run(
            [1, 2, 3],
            size=4,
        )
        """,
    "generator": """
        PREPARATION

        def batches():
            yield 1
            STATEMENT
            yield 2

        for b in batches():
            pass
        """,
    "context": """
        import contextlib
        PREPARATION

        @contextlib.contextmanager
        def scope():
            yield

        with scope():
            STATEMENT
        """,
    "coroutine": """
        import asyncio
        PREPARATION

        async def work():
            await asyncio.sleep(0)
            STATEMENT

        async def main():
            await asyncio.gather(work())

        asyncio.get_event_loop_policy().new_event_loop().run_until_complete(main())
        """,
    "exec": """
        PREPARATION
        source = '''
        def f():
            STATEMENT
        f()
        '''
        exec(source.replace("\\n        ", "\\n"))
        """,
    "property": """
        PREPARATION

        class Config:
            def _get(self):
                STATEMENT

            value = property(_get)

        print(Config().value)
        """,
}


def fill(shape, preparation, statement):
    lines = []
    for line in textwrap.dedent(SHAPES[shape]).strip("\n").split("\n"):
        indent = line[:len(line) - len(line.lstrip())]
        for word, text in (("PREPARATION", preparation), ("STATEMENT", statement)):
            if line.strip() == word:
                lines += [indent + t for t in text.split("\n")]
                break
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


# asyncio prints these twice, the second time while it is torn down.
QUIET = ("keyboard", "generator-exit", "cancelled")


def failures():
    shapes = list(SHAPES)
    for i, (name, preparation, statement) in enumerate(FAILURES):
        for k in range(2):
            shape = shapes[(i * 2 + k * 3 + i // 5) % len(shapes)]
            if shape == "generator" and name == "stop-iteration":
                shape = "module"
            if shape == "exec" and "'''" in statement:
                shape = "function"
            if shape == "exec" and "\\" in statement or shape == "coroutine" and name in QUIET:
                shape = "function"
            yield program("fail-%s-%s" % (name, shape), fill(shape, preparation, statement))


MESSAGES = {
    "two-lines": "first line\nsecond line",
    "indented": "validation failed:\n  field a: missing\n  field b: not a number",
    "tabs": "cannot load:\n\t(1) file is missing\n\t(2) file is broken",
    "blank-inside": "first paragraph.\n\nSecond paragraph.",
    "blank-indented": "first paragraph.\n\n  - indented point\n  - another",
    "ends-in-newline": "text with an end of line\n",
    "starts-with-newline": "\ntext on the next line\nand one more",
    "only-newline": "\n",
    "spaces": "   ",
    "empty": "",
    "colon": "label: value: more",
    "colon-first": ": odd",
    "chinese": "\u663e\u5b58\u4e0d\u8db3\uff1a\u8bf7\u51cf\u5c0f batch size",
    "chinese-lines": "\u65e0\u6cd5\u6253\u5f00\u6570\u636e\u96c6\n\u8bf7\u68c0\u67e5\u8def\u5f84",
    "emoji": "\u274c failed \U0001f525",
    "quotes": "He said \"no\" and 'never'",
    "path": "/data/train.json: broken at line 3, in record 7",
    "code-like": "expected File \"x.py\", line 3 here",
    "equals": "a=1, b=2",
    "long": "x" * 400,
    "many-lines": "\n".join("entry %d is wrong" % i for i in range(25)),
    "list": "missing keys:\n- encoder.weight\n- decoder.weight",
    "cuda": "CUDA error: device-side assert triggered\nCUDA kernel errors might be asynchronously reported at some "
            "other API call, so the stacktrace below might be incorrect.\nFor debugging consider passing "
            "CUDA_LAUNCH_BLOCKING=1.\nCompile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n",
    "table": "shapes differ\n    a | b\n    --+--\n    1 | 2",
    "backslash": "C:\\data\\x not found",
    "percent": "100% of 5",
    "sentence-like": "During handling of the request something broke",
    "other-type": "ValueError: inner text",
    "brackets": "expected [1, 2] but got [3, 4]",
    "windows-lines": "one\r\ntwo",
    "trailing-spaces": "one   \ntwo   ",
    "markup": "<html>\n<body>502 Bad Gateway</body>\n</html>",
    "state-dict": "Error(s) in loading state_dict for Net:\n\tMissing key(s) in state_dict: \"fc.weight\". \n\tsize "
                  "mismatch for conv: copying a param with shape torch.Size([3]) from checkpoint.",
    "rule": "report\n" + "=" * 60 + "\ninside\n" + "=" * 60,
    "question": "Did you mean 'x'?",
    "word": "nothing",
    "number": "3",
}


def messages():
    for name, text in MESSAGES.items():
        yield program("message-%s" % name, """
            def check():
                raise RuntimeError(%r)

            check()
            """ % text)
        yield program("message-chained-%s" % name, """
            def check():
                try:
                    raise ValueError(%r)
                except ValueError as e:
                    raise RuntimeError("outer") from e

            check()
            """ % text)
        yield program("message-logged-%s" % name, """
            import logging
            logging.basicConfig(format="%%(asctime)s %%(levelname)s %%(message)s")
            try:
                raise LookupError(%r)
            except LookupError:
                logging.exception("step failed")
            logging.error("going on")
            print("done")
            """ % text, loose=True)
    yield program("message-traceback-inside", """
        import traceback
        def work():
            1 / 0
        try:
            work()
        except ZeroDivisionError:
            text = traceback.format_exc()
        raise RuntimeError("worker failed:\\n" + text)
        """, inner=[("ZeroDivisionError", "division by zero", "origin")])


CHAINS = {
    "cause": """
        try:
            {}["a"]
        except KeyError as e:
            raise ValueError("no column a") from e
        """,
    "context": """
        try:
            {}["a"]
        except KeyError:
            undefined
        """,
    "none": """
        try:
            {}["a"]
        except KeyError:
            raise ValueError("clean") from None
        """,
    "three": """
        def a():
            return {}["a"]
        def b():
            try:
                a()
            except KeyError as e:
                raise LookupError("b") from e
        def c():
            try:
                b()
            except LookupError:
                raise RuntimeError("c")
        c()
        """,
    "four-contexts": """
        try:
            try:
                try:
                    1 / 0
                except ZeroDivisionError:
                    int("x")
            except ValueError:
                [][1]
        except IndexError:
            None.x
        """,
    "cause-unraised": """
        raise ValueError("outer") from KeyError("never raised")
        """,
    "cause-class": """
        raise ValueError("outer") from KeyError
        """,
    "cause-unraised-lines": """
        raise ValueError("outer") from OSError("never raised\\nwith two lines")
        """,
    "finally": """
        def f():
            try:
                1 / 0
            finally:
                open("/no/such")
        f()
        """,
    "exit": """
        class Guard:
            def __enter__(self): return self
            def __exit__(self, *a): raise RuntimeError("exit failed")
        with Guard():
            raise ValueError("body failed")
        """,
    "reraise": """
        def f():
            try:
                1 / 0
            except ZeroDivisionError as e:
                raise e
        f()
        """,
    "reraise-bare": """
        def f():
            try:
                1 / 0
            except ZeroDivisionError:
                raise
        f()
        """,
    "cycle": """
        a = ValueError("a")
        b = ValueError("b")
        a.__cause__ = b
        b.__cause__ = a
        raise a
        """,
    "cause-over-context": """
        other = OSError("the cause")
        try:
            1 / 0
        except ZeroDivisionError:
            raise RuntimeError("x") from other
        """,
    "import-fallback": """
        try:
            import not_there_one
        except ImportError:
            import not_there_two
        """,
    "import-fallback-fails": """
        try:
            import not_there_one
        except ImportError:
            def load():
                return {}["weights"]
            load()
        """,
    "loop": """
        last = None
        for i in range(5):
            try:
                try:
                    raise ValueError(i)
                except ValueError as e:
                    raise RuntimeError("again %d" % i) from last or e
            except RuntimeError as e:
                last = e
        raise last
        """,
    "generator-stop": """
        def g():
            yield next(iter([]))
        list(g())
        """,
    "getattr": """
        class A:
            def __getattr__(self, name):
                try:
                    return self.__dict__["table"][name]
                except KeyError:
                    raise AttributeError(name)
        A().x
        """,
    "keyerror-in-del": """
        class R:
            def close(self):
                raise OSError(5, "Input/output error")
        r = R()
        try:
            {}["x"]
        except KeyError:
            r.close()
        """,
    "empty-messages": """
        try:
            try:
                assert False
            except AssertionError:
                raise StopAsyncIteration
        except StopAsyncIteration as e:
            raise NotImplementedError from e
        """,
    "multi-line-first": """
        try:
            raise ValueError("one\\ntwo\\n\\nthree\\n")
        except ValueError as e:
            raise TypeError("four\\nfive") from e
        """,
    "syntax-cause": """
        try:
            compile("x = = 3", "conf.py", "exec")
        except SyntaxError as e:
            raise RuntimeError("bad config") from e
        """,
    "syntax-context": """
        try:
            exec("if True\\n    pass")
        except SyntaxError:
            int("x")
        """,
    "json-cause": """
        import json
        def load(s):
            try:
                return json.loads(s)
            except json.JSONDecodeError as e:
                raise RuntimeError("cannot parse") from e
        load("{")
        """,
    "deep": """
        def f(n):
            try:
                if n == 0:
                    raise ValueError("bottom")
                f(n - 1)
            except Exception as e:
                raise RuntimeError("level %d" % n) from e
        f(12)
        """,
    "importlib": """
        import importlib
        try:
            importlib.import_module("no.such.module")
        except ModuleNotFoundError as e:
            raise SystemError("plugin") from e
        """,
}


def chains():
    for name, main in CHAINS.items():
        yield program("chain-%s" % name, main)
        body = textwrap.indent(textwrap.dedent(main).strip("\n"), "    ")
        yield program("chain-module-%s" % name, "import job\njob.start()\n",
                      files={"job.py": "def start():\n" + body + "\n"})


GROUPS = {
    "flat": 'raise ExceptionGroup("two failed", [ValueError("a"), TypeError("b")])',
    "one": 'raise ExceptionGroup("one failed", [ValueError("a")])',
    "base": 'raise BaseExceptionGroup("stop", [KeyboardInterrupt(), ValueError("x")])',
    "nested": """
        raise ExceptionGroup("outer", [
            ExceptionGroup("inner", [ValueError(1), KeyError("k")]),
            OSError(2, "No such file or directory", "/x"),
        ])
        """,
    "nested-last": """
        raise ExceptionGroup("outer", [
            OSError("first"),
            ExceptionGroup("inner", [ValueError(1), ExceptionGroup("third", [KeyError("k")])]),
        ])
        """,
    "raised-members": """
        def work(n):
            raise ValueError("worker %d" % n)
        failed = []
        for i in range(3):
            try:
                work(i)
            except ValueError as e:
                failed.append(e)
        raise ExceptionGroup("workers", failed)
        """,
    "chained-member": """
        def work():
            try:
                {}["a"]
            except KeyError as e:
                raise ValueError("b") from e
        try:
            work()
        except ValueError as e:
            member = e
        raise ExceptionGroup("g", [member, TypeError("t")])
        """,
    "context-member": """
        def work():
            try:
                {}["a"]
            except KeyError:
                None.x
        try:
            work()
        except AttributeError as e:
            member = e
        raise ExceptionGroup("g", [TypeError("t"), member])
        """,
    "as-cause": """
        try:
            raise ExceptionGroup("g", [ValueError(1), ValueError(2)])
        except ExceptionGroup as e:
            raise RuntimeError("failed") from e
        """,
    "as-context": """
        try:
            raise ExceptionGroup("g", [ValueError(1), ExceptionGroup("h", [ValueError(2)])])
        except ExceptionGroup:
            raise RuntimeError("failed")
        """,
    "caused": """
        try:
            1 / 0
        except ZeroDivisionError as e:
            raise ExceptionGroup("g", [ValueError(1)]) from e
        """,
    "group-after-group": """
        try:
            raise ExceptionGroup("first", [ValueError(1)])
        except ExceptionGroup as e:
            raise ExceptionGroup("second", [e, TypeError(2)])
        """,
    "multi-line": 'raise ExceptionGroup("g", [ValueError("one\\ntwo"), TypeError("three\\n\\nfour")])',
    "many": 'raise ExceptionGroup("many", [ValueError(i) for i in range(20)])',
    "sixteen": 'raise ExceptionGroup("many", [ValueError(i) for i in range(16)])',
    "deep": """
        e = ValueError("bottom")
        for i in range(13):
            e = ExceptionGroup("level %d" % i, [e])
        raise e
        """,
    "except-star": """
        try:
            raise ExceptionGroup("g", [ValueError(1), TypeError(2), OSError(3)])
        except* ValueError:
            raise RuntimeError("while handling")
        """,
    "except-star-rest": """
        try:
            raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
        except* ValueError:
            pass
        """,
    "task-group": """
        import asyncio
        async def work(n):
            await asyncio.sleep(0)
            raise ValueError("task %d" % n)
        async def main():
            async with asyncio.TaskGroup() as g:
                g.create_task(work(1))
                g.create_task(work(2))
        asyncio.run(main())
        """,
    "noted": """
        e = ValueError("v")
        e.add_note("note of the member")
        g = ExceptionGroup("g", [e, KeyError("k")])
        g.add_note("note of the group")
        raise g
        """,
    "syntax-member": """
        try:
            compile("x = = 3", "conf.py", "exec")
        except SyntaxError as e:
            raise ExceptionGroup("g", [e, ValueError(1)])
        """,
    "subclass": """
        class Failures(ExceptionGroup):
            pass
        raise Failures("f", [ValueError(1)])
        """,
    "function": """
        def run():
            raise ExceptionGroup("g", [ValueError(1)])
        def main():
            run()
        main()
        """,
    "empty-member": 'raise ExceptionGroup("g", [AssertionError(), ValueError("")])',
}


def groups():
    for name, main in GROUPS.items():
        yield program("group-%s" % name, main + "\n" if "\n" not in main else main, since=(3, 11))


SYNTAX = {
    "assign": "x = = 3\n",
    "colon": "if True\n    pass\n",
    "paren": "x = (1,\ny = 2\n",
    "unmatched": "x = 1)\n",
    "string": "x = 'abc\n",
    "triple": "x = '''abc\n",
    "indent": "def f():\nreturn 1\n",
    "unexpected": "x = 1\n    y = 2\n",
    "dedent": "if True:\n        x = 1\n    y = 2\n",
    "tabs": "if True:\n\tx = 1\n        y = 2\n",
    "return": "x = 1\nreturn x\n",
    "yield": "yield 1\n",
    "break": "break\n",
    "await": "await x\n",
    "keyword": "class = 3\n",
    "print": "print 'hello'\n",
    "exec": "exec 'x'\n",
    "nonlocal": "def f():\n    nonlocal x\n",
    "global": "def f():\n    x = 1\n    global x\n",
    "argument": "def f(a, a):\n    pass\n",
    "default": "def f(a=1, b):\n    pass\n",
    "repeat": "f(a=1, a=2)\n",
    "star": "*a\n",
    "walrus": "x := 3\n",
    "fstring": "f'{a b}'\n",
    "fstring-empty": "f'{}'\n",
    "assign-call": "f() = 3\n",
    "assign-literal": "3 = x\n",
    "compare": "if x = 3:\n    pass\n",
    "future": "from __future__ import braces\n",
    "future-late": "x = 1\nfrom __future__ import division\n",
    "encoding": b"# -*- coding: no-such -*-\nx = 1\n",
    "utf8": b"x = '\xff\xfe'\n",
    "null": b"x = 1\x00\n",
    "number": "x = 0777\n",
    "decimal": "x = 12abc\n",
    "except": "try:\n    pass\nexcept ValueError, e:\n    pass\n",
    "lonely-try": "try:\n    x = 1\ny = 2\n",
    "chinese": "x = \uff081\uff09\n",
    "invisible": "x = 1\u200b\n",
    "backslash": "x = 1 \\ + 2\n",
    "del": "del f()\n",
    "import-star": "def f():\n    from os import *\n",
    "else": "if True:\n    x = 1\nelse\n    x = 2\n",
    "match-lambda": "lambda x: return x\n",
    "long": "x = [" + "1, " * 60 + "= 3]\n",
    "unterminated-fstring": "x = f'{a\n",
    "merge-conflict": "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> b\n",
}


def syntax():
    for name, text in SYNTAX.items():
        yield program("syntax-main-%s" % name, text)
        if name in ("encoding", "utf8", "null"):
            yield program("syntax-import-%s" % name, "import bad\n", files={"bad.py": text})
            continue
        yield program("syntax-import-%s" % name, "import os\n\ndef main():\n    import bad\n\nmain()\n",
                      files={"bad.py": text})
    yield program("syntax-compile", "compile('a b', '<conf>', 'eval')\n")
    yield program("syntax-eval", "eval('1 +')\n")
    yield program("syntax-stdin", "", args=["-c", "def f(:\n  pass"])
    yield program("command-string", "", args=["-c", "import os\nos.listdir('/no/such')"])
    yield program("command-module", "def f():\n    1 / 0\nf()\n", args=["-m", "main"])
    yield program("syntax-no-text", "raise SyntaxError('made by hand')\n")
    yield program("syntax-no-line", "raise SyntaxError('made by hand', ('conf.py', None, None, None))\n")
    yield program("syntax-place", "raise SyntaxError('made by hand', ('conf.py', 7, 3, 'x = = 3'))\n")
    yield program("syntax-multi-line", "raise SyntaxError('two\\nlines', ('conf.py', 7, 3, 'x = = 3'))\n")


NOTES = {
    "one": ("ValueError('v')", ["a note"]),
    "two": ("ValueError('v')", ["a note", "another"]),
    "lines": ("ValueError('v')", ["a note\nof two lines"]),
    "empty": ("ValueError()", ["a note"]),
    "key": ("KeyError('k')", ["while reading record 7"]),
    "os": ("OSError(2, 'No such file or directory')", ["searched in /data", "and in /cache"]),
    "assertion": ("AssertionError()", ["left: 1", "right: 2"]),
    "indented": ("ValueError('v')", ["  indented note"]),
    "zero": ("ZeroDivisionError('division by zero')", ["batch was empty"]),
    "unicode": ("ValueError('v')", ["\u5907\u6ce8"]),
}


def notes():
    for name, (exc, texts) in NOTES.items():
        yield program("note-%s" % name, "e = %s\n%sraise e\n" % (exc, "".join("e.add_note(%r)\n" % t for t in texts)),
                      since=(3, 11))
        yield program("note-chained-%s" % name, "try:\n    e = %s\n%s    raise e\nexcept Exception as e:\n"
                      "    raise RuntimeError('outer') from e\n"
                      % (exc, "".join("    e.add_note(%r)\n" % t for t in texts)), since=(3, 11))


TYPES = {
    "plain": "class Failure(Exception): pass\nraise Failure('x')",
    "no-message": "class Failure(Exception): pass\nraise Failure",
    "odd-name": "class Boom(Exception): pass\ndef f():\n    raise Boom('bang')\nf()",
    "odd-name-bare": "class Boom(Exception): pass\ndef f():\n    raise Boom\nf()",
    "odd-lines": "class Boom(Exception): pass\ndef f():\n    raise Boom('bang\\n  more')\nf()",
    "lower": "class error(Exception): pass\nraise error('low')",
    "nested": "class Outer:\n    class Inner(Exception): pass\nraise Outer.Inner('x')",
    "local": "def f():\n    class Local(Exception): pass\n    raise Local('x')\nf()",
    "local-error": "def f():\n    class LocalError(Exception): pass\n    raise LocalError('x')\nf()",
    "module": "class OutOfMemoryError(RuntimeError): pass\nOutOfMemoryError.__module__ = 'torch.cuda'\n"
              "raise OutOfMemoryError('CUDA out of memory. Tried to allocate 2.00 GiB')",
    "module-odd": "class Gone(Exception): pass\nGone.__module__ = 'pkg.sub_pkg._errors'\nraise Gone('x')",
    "module-lower": "class error(Exception): pass\nerror.__module__ = 'cv2'\nraise error('OpenCV(4.8) x.cpp:1: error: "
                    "(-215:Assertion failed) !_src.empty() in function cvtColor\\n')",
    "module-none": "class Failure(Exception): pass\nFailure.__module__ = None\nraise Failure('x')",
    "chinese": "class \u9519\u8bef(Exception): pass\ndef f():\n    raise \u9519\u8bef('\u574f\u4e86')\nf()",
    "str-fails": "class Bad(Exception):\n    def __str__(self): raise ValueError('no')\nraise Bad()",
    "str-none": "class BadError(Exception):\n    def __str__(self): return ''\nraise BadError('hidden')",
    "digits": "class HTTP404(Exception): pass\ndef f():\n    raise HTTP404('/x')\nf()",
    "underscore": "class _Private(Exception): pass\ndef f():\n    raise _Private('x')\nf()",
    "two-arguments": "raise ValueError('a', 2)",
    "object": "raise ValueError({'a': [1, 2]})",
    "key-error-sub": "class Missing(KeyError): pass\nraise Missing('k')",
    "warning": "class DriftWarning(UserWarning): pass\nraise DriftWarning('x')",
    "multiple": "class A(ValueError, KeyError): pass\ndef f():\n    raise A('x')\nf()",
    "dynamic": "raise type('MadeError', (Exception,), {})('x')",
    "generic": "import typing\nT = typing.TypeVar('T')\nclass BoxError(Exception, typing.Generic[T]): pass\n"
               "raise BoxError[int]('x')",
}


def types():
    for name, main in TYPES.items():
        yield program("type-%s" % name, main + "\n")


CALLS = {
    "recursion": """
        def f(n):
            return f(n + 1)
        f(0)
        """,
    "recursion-mutual": """
        import sys
        sys.setrecursionlimit(200)
        def a(n):
            return b(n)
        def b(n):
            return a(n + 1)
        a(0)
        """,
    "recursion-method": """
        class Node:
            def __getattr__(self, name):
                return getattr(self, name + "x")
        Node().a
        """,
    "recursion-few": """
        def f(n):
            if n == 0:
                raise ValueError("bottom")
            f(n - 1)
        f(10)
        """,
    "recursion-four": """
        def f(n):
            if n == 0:
                raise ValueError("bottom")
            f(n - 1)
        f(4)
        """,
    "recursion-repr": """
        class A:
            def __repr__(self):
                return repr(self)
        repr(A())
        """,
    "recursion-cause": """
        def f():
            f()
        try:
            f()
        except RecursionError as e:
            raise RuntimeError("too deep") from e
        """,
    "lambda": """
        f = lambda x: x / 0
        print(list(map(f, [1])))
        """,
    "comprehension": """
        rows = [1, 2, 0]
        print([1 / r for r in rows])
        """,
    "dict-comprehension": """
        print({k: 1 / k for k in range(3)})
        """,
    "set-comprehension": """
        print({1 / k for k in range(3)})
        """,
    "generator-expression": """
        print(sum(1 / k for k in range(3)))
        """,
    "class-body": """
        class A:
            x = 1 / 0
        """,
    "metaclass": """
        class M(type):
            def __new__(cls, name, bases, space):
                raise TypeError("no class " + name)
        class A(metaclass=M):
            pass
        """,
    "sorted-key": """
        print(sorted([1, "a"], key=lambda v: v + 1))
        """,
    "multi-line-call": """
        def f(*values):
            return sum(values)
        x = f(
            1,
            2,
            "three",
        )
        """,
    "multi-line-binary": """
        a, b, c = 1, 0, 2
        x = (a
             + c
             / b)
        """,
    "multi-line-chain": """
        class Q:
            def where(self, x):
                return self
            def run(self):
                raise ValueError("query")
        (Q()
            .where(1)
            .where(2)
            .run())
        """,
    "multi-line-dict": """
        x = {
            "a": 1,
            "b": 1 / 0,
            "c": 3,
        }
        """,
    "long-call": """
        def f(**kw):
            raise ValueError("x")
        f(
            a=1,
            b=2,
            c=3,
            d=4,
            e=5,
            f=6,
            g=7,
        )
        """,
    "unicode-code": """
        \u503c = {"\u540d": 1}
        print(\u503c["\u540d\u5b57"] + \u503c["\u540d"])
        """,
    "wide-code": """
        print("\u4e2d\u6587\u5b57\u7b26" + str(1 / 0) + "x")
        """,
    "semicolons": """
        x = 1; y = x / 0; z = 3
        """,
    "long-line": """
        value = {"key": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], "other": "%s"}["missing"]
        """ % ("y" * 300),
    "thread": """
        import threading
        def work():
            raise ValueError("in thread")
        t = threading.Thread(target=work, name="reader")
        t.start()
        t.join()
        """,
    "thread-default-name": """
        import threading
        def work():
            {}["x"]
        t = threading.Thread(target=work)
        t.start()
        t.join()
        """,
    "thread-subclass": """
        import threading
        class W(threading.Thread):
            def run(self):
                try:
                    1 / 0
                except ZeroDivisionError as e:
                    raise RuntimeError("worker") from e
        w = W(name="w-1")
        w.start()
        w.join()
        raise SystemError("main too")
        """,
    "thread-pool": """
        import concurrent.futures
        def work(n):
            return 1 / n
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            print(list(pool.map(work, [1, 0])))
        """,
    "logged": """
        import logging
        logging.basicConfig()
        def f():
            try:
                int("x")
            except ValueError:
                logging.exception("cannot read")
        f()
        logging.warning("going on")
        """,
    "logged-chain": """
        import logging
        logging.basicConfig()
        try:
            try:
                int("x")
            except ValueError as e:
                raise RuntimeError("outer") from e
        except RuntimeError:
            logging.exception("cannot read")
        logging.warning("going on")
        """,
    "logged-twice": """
        import logging
        logging.basicConfig()
        for n in (1, 2):
            try:
                int("x%d" % n)
            except ValueError:
                logging.exception("attempt %d", n)
        raise RuntimeError("gave up")
        """,
    "print-exc": """
        import traceback
        for n in range(3):
            try:
                [][n]
            except IndexError:
                traceback.print_exc()
        """,
    "print-exc-and-fail": """
        import traceback, sys
        try:
            1 / 0
        except ZeroDivisionError:
            traceback.print_exc()
        sys.stderr.write("trying the other way\\n")
        open("/no/such")
        """,
    "logging-error": """
        import logging
        logging.basicConfig()
        logging.error("value %d", "x")
        logging.error("after")
        """,
    "asyncio-never-retrieved": """
        import asyncio, gc
        async def work():
            raise ValueError("lost")
        async def main():
            t = asyncio.ensure_future(work())
            await asyncio.sleep(0.01)
            del t
            gc.collect()
        asyncio.get_event_loop_policy().new_event_loop().run_until_complete(main())
        """,
    "asyncio-callback": """
        import asyncio
        def cb():
            raise ValueError("callback")
        async def main():
            asyncio.get_running_loop().call_soon(cb)
            await asyncio.sleep(0.01)
        asyncio.get_event_loop_policy().new_event_loop().run_until_complete(main())
        """,
    "system-exit-text": """
        import sys
        sys.exit("bad arguments")
        """,
    "atexit": """
        import atexit
        def bye():
            raise RuntimeError("at exit")
        atexit.register(bye)
        """,
    "import-chain": """
        import pkg.sub.deep
        """,
    "stdin-like": """
        code = compile("def f():\\n    1 / 0\\nf()\\n", "<stdin>", "exec")
        exec(code)
        """,
    "string-frames": """
        exec("def f():\\n    raise ValueError('x')\\n")
        f()
        """,
    "source-gone": """
        import os
        os.remove(__file__)
        def f():
            raise ValueError("source is gone")
        f()
        """,
}


# The interpreters that hand what threads and finalizers raise to a hook.
HOOKS = (3, 8)


def calls():
    for name, main in CALLS.items():
        files = {"pkg/__init__.py": "", "pkg/sub/__init__.py": "", "pkg/sub/deep.py": "import json\njson.loads('x')\n"}
        more = {"loose": True} if name in ("print-exc-and-fail", "logged-twice") else {}
        if name in ("thread", "thread-default-name", "thread-subclass", "atexit"):
            more["since"] = (3, 10) if name == "atexit" else HOOKS
        yield program("call-%s" % name, main, files=files if name == "import-chain" else {}, **more)
    yield program("ignored-del", """
        class A:
            def __del__(self):
                raise ValueError("in del")
        a = A()
        del a
        """, since=HOOKS)
    yield program("ignored-del-then-fail", """
        class A:
            def close(self):
                {}["x"]
            def __del__(self):
                self.close()
        a = A()
        del a
        raise RuntimeError("real failure")
        """, since=HOOKS)
    yield program("ignored-weakref", """
        import weakref
        class A: pass
        def gone(r):
            1 / 0
        a = A()
        r = weakref.ref(a, gone)
        del a
        """, since=HOOKS)
    yield program("ignored-generator", """
        def g():
            try:
                yield 1
            finally:
                raise ValueError("closing")
        it = g()
        next(it)
        del it
        """, since=HOOKS)


PROCESSES = {
    "process": ("""
        import multiprocessing as mp
        def work():
            raise ValueError("in child")
        if __name__ == "__main__":
            p = mp.get_context("METHOD").Process(target=work)
            p.start()
            p.join()
        """, None),
    "pool": ("""
        import multiprocessing as mp
        def work(n):
            return 1 / n
        if __name__ == "__main__":
            with mp.get_context("METHOD").Pool(1) as pool:
                pool.map(work, [0])
        """, None),
    "pool-imap": ("""
        import multiprocessing as mp
        def helper(n):
            return {}[n]
        def work(n):
            return helper(n)
        if __name__ == "__main__":
            with mp.get_context("METHOD").Pool(1) as pool:
                for x in pool.imap(work, ["a"]):
                    print(x)
        """, None),
    "pool-lines": ("""
        import multiprocessing as mp
        def work(n):
            raise ValueError("one\\ntwo\\n\\nthree")
        if __name__ == "__main__":
            with mp.get_context("METHOD").Pool(1) as pool:
                pool.map(work, [0])
        """, None),
    "pool-chain": ("""
        import multiprocessing as mp
        def work(n):
            try:
                {}["a"]
            except KeyError as e:
                raise ValueError("no a") from e
        if __name__ == "__main__":
            with mp.get_context("METHOD").Pool(1) as pool:
                pool.map(work, [0])
        """, [("KeyError", "'a'", "origin"), ("ValueError", "no a", "cause")]),
    "pool-wrapped": ("""
        import multiprocessing as mp
        def work(n):
            return int("x")
        if __name__ == "__main__":
            with mp.get_context("METHOD").Pool(1) as pool:
                try:
                    pool.map(work, [0])
                except ValueError as e:
                    raise RuntimeError("preprocessing failed") from e
        """, None),
    "executor": ("""
        import concurrent.futures as cf
        import multiprocessing as mp
        def work(n):
            return [][n]
        if __name__ == "__main__":
            with cf.ProcessPoolExecutor(1, mp_context=mp.get_context("METHOD")) as pool:
                job = pool.submit(work, 3)
                cf.wait([job])
                job.result()
        """, None),
    "executor-chain": ("""
        import concurrent.futures as cf
        import multiprocessing as mp
        def work(n):
            try:
                open("/no/such")
            except OSError:
                None.x
        if __name__ == "__main__":
            with cf.ProcessPoolExecutor(1, mp_context=mp.get_context("METHOD")) as pool:
                job = pool.submit(work, 3)
                cf.wait([job])
                job.result()
        """, [("FileNotFoundError", "[Errno 2] No such file or directory: '/no/such'", "origin"),
              ("AttributeError", "'NoneType' object has no attribute 'x'", "context")]),
    "worker-text": ("""
        import traceback
        class Wrapped(RuntimeError):
            pass
        def load(i):
            raise OSError("cannot read sample %d" % i)
        def fetch():
            try:
                load(3)
            except OSError:
                text = traceback.format_exc()
            raise RuntimeError("Caught OSError in DataLoader worker process 0.\\nOriginal " + text)
        fetch()
        """, [("OSError", "cannot read sample 3", "origin")]),
}


def processes():
    for name, (main, inner) in PROCESSES.items():
        for method in ("fork", "spawn") if "METHOD" in main else ("",):
            more = {"inner": inner} if inner else {}
            yield program("process-%s%s" % (name, "-" + method if method else ""), main.replace("METHOD", method), **more)


def all():
    out = []
    for part in (failures, messages, chains, groups, syntax, notes, types, calls, processes):
        out += list(part())
    return out
