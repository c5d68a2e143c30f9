#!/usr/bin/env python3
"""Runs small failing programs under real interpreters and keeps what they
print, with the truth about it, as data for the tests of analyzer/traceback.

    python3 scripts/tracebacks/generate.py [PYTHON ...]

Each PYTHON is an interpreter (3.7 or later); without any, the one that runs
this script is used. A program is run twice: once plainly, for its standard
error; once with truth.py as sitecustomize, which walks the exception objects
and never reads printed text. Needs nothing but the standard library.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import programs

HERE = os.path.dirname(os.path.abspath(__file__))
TARGET = os.path.join(HERE, "..", "..", "analyzer", "traceback", "testdata", "cpython")


def facts(python):
    code = "import sys, sysconfig; print(sys.version_info[0], sys.version_info[1]); " \
           "print(sysconfig.get_paths()['stdlib']); print(sys.prefix)"
    out = subprocess.run([python, "-c", code], stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")
    major, minor = out[0].split()
    return (int(major), int(minor)), out[1], out[2]


def run(python, folder, program, extra):
    env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1",
           "NO_COLOR": "1", "PYTHONHASHSEED": "0", "PYTHON_COLORS": "0"}
    env.update(extra)
    args = [python] + program.get("options", []) + program.get("args", ["/job/main.py"])
    args = [a.replace("/job", folder) for a in args]
    done = subprocess.run(args, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT if program.get("merge") else subprocess.PIPE, timeout=60)
    return (done.stdout if program.get("merge") else done.stderr).decode("utf-8", "replace")


def clean(text, folder, stdlib, prefix):
    text = text.replace(folder, "/job").replace(stdlib, "/opt/python/lib/python3").replace(prefix, "/opt/python")
    text = re.sub(r"0x[0-9a-f]{6,}", "0x7f00c0ffee00", text)
    text = re.sub(r"timed out after [\d.]+ seconds", "timed out after 0.05 seconds", text)
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}", "2026-01-02 03:04:05,678", text)


def write_files(folder, program):
    for name, content in program["files"].items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode("utf-8"))


def one(python, version, stdlib, prefix, program):
    base = tempfile.mkdtemp()
    try:
        folder = os.path.join(base, "job")
        os.mkdir(folder)
        write_files(folder, program)
        printed = clean(run(python, folder, program, {}), folder, stdlib, prefix)
        write_files(folder, program)  # a program may have removed some
        truth = os.path.join(base, "truth")
        site = os.path.join(base, "site")
        os.mkdir(site)
        shutil.copy(os.path.join(HERE, "truth.py"), os.path.join(site, "sitecustomize.py"))
        run(python, folder, program, {"PYTHONPATH": site, "TRUTH_OUT": truth})
        known = []
        if os.path.exists(truth):
            with open(truth) as f:
                known = [json.loads(clean(line, folder, stdlib, prefix)) for line in f]
    finally:
        shutil.rmtree(base)
    for t in known:
        inner = program.get("inner")
        if inner:
            found = [i for i, e in enumerate(t["exceptions"]) if e["link"] == "origin"]
            start, end = (found[0], found[0] + 1) if found else (1, 1)
            t["exceptions"][start:end] = [
                {"type": kind, "message": message, "link": link, "depth": 0, "frames": None}
                for kind, message, link in inner]
    return {"name": program["name"], "python": "%d.%d" % version, "stderr": printed, "tracebacks": known,
            **({"loose": True} if program.get("loose") else {})}


def main():
    interpreters = sys.argv[1:] or [sys.executable]
    os.makedirs(TARGET, exist_ok=True)
    all_programs = programs.all()
    names = [p["name"] for p in all_programs]
    assert len(set(names)) == len(names), "two programs share a name"
    printed = {}
    for python in interpreters:
        version, stdlib, prefix = facts(python)
        path = os.path.join(TARGET, "python%d.%d.jsonl" % version)
        kept = 0
        with open(path, "w") as out:
            for program in all_programs:
                if version < program.get("since", (3, 7)) or version >= program.get("until", (9, 0)):
                    continue
                record = one(python, version, stdlib, prefix, program)
                key = (program["name"], record["stderr"])
                if key in printed:  # an older interpreter printed the same
                    continue
                printed[key] = True
                kept += 1
                out.write(json.dumps(record, ensure_ascii=False, sort_keys=True) + "\n")
        print("%s: %d outputs" % (path, kept))
    with open(os.path.join(TARGET, "programs.jsonl"), "w") as out:
        for program in all_programs:
            files = {n: c if isinstance(c, str) else c.decode("latin-1") for n, c in program["files"].items()}
            out.write(json.dumps({"name": program["name"], "files": files}, ensure_ascii=False, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
