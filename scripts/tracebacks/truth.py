"""Installed as sitecustomize while generate.py learns the truth: instead of
printing an exception, it writes what the interpreter was about to print."""

import json
import os
import sys
import threading
import traceback


def type_name(kind):
    module, name = kind.__module__, kind.__qualname__
    if not isinstance(module, str):
        return "<unknown>." + name
    return name if module in ("__main__", "builtins") else module + "." + name


def message(exc):
    if isinstance(exc, SyntaxError) and exc.lineno is not None:
        return str(exc.msg)  # str() adds the place
    try:
        return str(exc)
    except Exception:
        return None


def frames(exc):
    kept = []
    for frame, line in traceback.walk_tb(exc.__traceback__):
        entry = [frame.f_code.co_filename, line or 0, frame.f_code.co_name]
        if kept[-3:] == [entry] * 3:
            continue
        kept.append(entry)
    if isinstance(exc, SyntaxError) and exc.filename and exc.lineno is not None:
        kept.append([exc.filename, exc.lineno, ""])
    return kept


# What Lib/traceback.py prints of a group: TracebackException's defaults.
MAX_WIDTH, MAX_DEPTH = 15, 10


def attribute(exc, name):
    try:
        return getattr(exc, name, None)
    except Exception:  # a class with a __getattr__ of its own
        return None


def is_remote(exc):
    return type(exc).__name__.lstrip("_") == "RemoteTraceback"


def chain(exc):
    """The chain in printed order: (link, exception, the one after it)."""
    out, seen = [], set()
    link = None
    while exc is not None:
        seen.add(id(exc))
        if exc.__cause__ is not None and id(exc.__cause__) not in seen:
            out.append(("cause", exc))
            exc = exc.__cause__
        elif exc.__cause__ is None and exc.__context__ is not None and not exc.__suppress_context__ \
                and id(exc.__context__) not in seen:
            out.append(("context", exc))
            exc = exc.__context__
        else:
            out.append((None, exc))
            exc = None
    return list(reversed(out))


def flatten(exc, depth=0, first="first"):
    result = []
    printed = chain(exc)
    for i, (link, e) in enumerate(printed):
        if depth >= MAX_DEPTH and attribute(e, "exceptions"):
            continue
        entry = {"type": type_name(type(e)), "message": message(e), "link": link or first, "depth": depth,
                 "frames": frames(e)}
        notes = attribute(e, "__notes__")
        if isinstance(notes, (list, tuple)):
            entry["notes"] = [str(n) for n in notes]
        result.append(entry)
        if is_remote(e):
            inner = printed[i + 1][1]
            result.append({"type": type_name(type(inner)), "message": message(inner), "link": "origin",
                           "depth": depth, "frames": None})
        for member in list(attribute(e, "exceptions") or ())[:MAX_WIDTH]:
            result += flatten(member, depth + 1, "member")
    return result


def write(exc, **more):
    more["exceptions"] = flatten(exc)
    with open(os.environ["TRUTH_OUT"], "a") as out:
        out.write(json.dumps(more) + "\n")


def excepthook(kind, exc, tb):
    write(exc.with_traceback(tb))


def threadhook(args):
    if args.exc_type is not SystemExit:
        write(args.exc_value.with_traceback(args.exc_traceback), thread=args.thread.name)


def unraisablehook(args):
    exc = args.exc_value if args.exc_value is not None else args.exc_type()
    exc.__cause__, exc.__suppress_context__ = None, True  # it is printed without its chain
    write(exc.with_traceback(args.exc_traceback), ignored=True)


def print_exception(kind, value=None, tb=None, *rest, **more):
    value = value if isinstance(value, BaseException) else kind
    write(value)


def install():
    sys.excepthook = excepthook
    if hasattr(threading, "excepthook"):
        threading.excepthook = threadhook
    if hasattr(sys, "unraisablehook"):
        sys.unraisablehook = unraisablehook
    traceback.print_exception = print_exception
    traceback.print_exc = lambda *a, **k: write(sys.exc_info()[1])
    import logging

    def format_exception(self, info):
        write(info[1])
        return ""

    logging.Formatter.formatException = format_exception
    logging.Handler.handleError = lambda self, record: write(sys.exc_info()[1], ignored=True)


install()
