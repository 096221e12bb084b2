#!/usr/bin/env python3
"""Counts what moves a Zig fingerprint and should not, and what should and does not.

Brings Zig's standard library and `zig fmt` from the package registry (`ziglang`, several versions), takes the layout of
every file apart, lets the formatter put it together again, and compares the fingerprints of every function. Then changes
one token at a time. Usage: benches/fingerprint/zig.py [--work DIR] [--mutate-files N]
"""

import argparse
import pathlib
import random
import re
import shutil
import subprocess
import sys
import zipfile

VERSIONS = ["0.13.0", "0.14.1", "0.15.2"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target" / "release" / "examples" / "zig_fingerprints"

TOKEN = re.compile(
    r"""(?P<line>//[^\n]*|\\\\[^\n]*)
      | (?P<space>\s+)
      | (?P<word>@?"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|@?[A-Za-z_]\w*|[0-9](?:[eEpP][+-](?=[0-9])|\.(?=[0-9A-Fa-f])(?!\.)|\w)*)
      | (?P<sign>\.\.\.|\.\.|\.\*(?!\*)|\.\?|[-+*]%=|[-+*]\|=|<<\|=|<<=|>>=|<<\||[-+*]%|[-+*]\||=>|->|==|!=|<=|>=|<<|>>|\+\+|\*\*|\|\||[-+*/%&|^]=|.)""",
    re.VERBOSE,
)


def tokens(text):
    return [(m.lastgroup, m.group()) for m in TOKEN.finditer(text) if m.lastgroup != "space"]


def scramble(text, dice):
    """The same tokens under another layout: line breaks anywhere, comments anywhere, no trailing commas."""
    out = []
    found = tokens(text)
    for at, (kind, token) in enumerate(found):
        behind = found[at + 1][1] if at + 1 < len(found) else ""
        if token.startswith("//"):
            # `zig fmt` joins a documented member to its comment where no comma follows: it would write other code.
            continue
        if kind == "line":
            out.append(f"\n{' ' * dice.randrange(8)}{token}\n")
            continue
        if token == "," and behind in ("}", ")", "]") and dice.random() < 0.7:
            continue
        out.append(token)
        out.append(dice.choice([" ", " ", " ", "  ", "\t", "\n", "\n\n", " // it\n"]))
    return "".join(out)


def fingerprints(files):
    known = {}
    for start in range(0, len(files), 200):
        batch = [str(file) for file in files[start : start + 200]]
        printed = subprocess.run([PROGRAM, "print", *batch], check=True, capture_output=True, text=True).stdout
        for line in printed.splitlines():
            file, name, count, value = line.split("\t")
            known[file, name, count] = value
    return known


def compare(title, before, after, base, other, shown=15):
    """Counts the functions of `base` whose fingerprint in `other` is another one; apart from them those that cannot be
    read before or after, and those that are not found beside what cannot be read."""
    moved, equal, unread, lost = [], 0, 0, 0
    broken = {file for (file, _, _), value in after.items() if value.startswith("unread")}
    for (file, name, count), value in before.items():
        twin = (str(other / pathlib.Path(file).relative_to(base)), name, count)
        now = after.get(twin)
        if value.startswith("unread"):
            unread += 1
        elif now == value:
            equal += 1
        elif now is None and twin[0] in broken or now is not None and now.startswith("unread"):
            lost += 1
        else:
            moved.append(f"{twin[0]} {name} {'(gone)' if now is None else ''}")
    print(f"{title}: {equal + len(moved)} functions, {len(moved)} moved ({unread} unread before, {lost} only after)")
    for line in moved[:shown]:
        print(f"    {line}")
    return len(moved), equal + len(moved)


def fetch(version, work):
    folder = work / version
    if not folder.exists():
        download = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(work), f"ziglang=={version}"]
        subprocess.run(download, check=True)
        wheel = next(work.glob(f"ziglang-{version}-*.whl"))
        zipfile.ZipFile(wheel).extractall(folder)
    zig = folder / "ziglang" / "zig"
    zig.chmod(0o755)
    return zig, folder / "ziglang" / "lib" / "std"


def formatted(zig, folder):
    """Runs `zig fmt`; gives the files that this version takes."""
    taken = []
    for file in sorted(folder.rglob("*.zig")):
        if subprocess.run([zig, "fmt", file], capture_output=True).returncode == 0:
            taken.append(file)
        else:
            file.unlink()
    return taken


def copy(source, target, change):
    shutil.rmtree(target, ignore_errors=True)
    for file in sorted(source.rglob("*.zig")):
        to = target / file.relative_to(source)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")


def kept(known, files):
    names = {str(file) for file in files}
    return {key: value for key, value in known.items() if key[0] in names}


def refused(version, known):
    """What the grammar cannot read: exit 2, never a verdict."""
    unread = [key for key, value in known.items() if value.startswith("unread")]
    files = len({file for file, _, _ in unread})
    print(f"{version}: {len(known)} functions and tests, {len(unread)} cannot be read, in {files} files")


def false_alarms(version, work):
    zig, std = fetch(version, work)
    before = fingerprints(sorted(std.rglob("*.zig")))
    refused(version, before)
    wild = work / f"{version}-scrambled"
    dice = random.Random(1)
    copy(std, wild, lambda text: scramble(text, dice))
    taken = formatted(zig, wild)
    twins = [std / file.relative_to(wild) for file in taken]
    rest = kept(before, twins)
    results = [compare(f"{version}, zig fmt of a scrambled copy", rest, fingerprints(taken), std, wild)]
    dice = random.Random(1)
    copy(std, wild, lambda text: scramble(text, dice))
    results.append(compare(f"{version}, a scrambled copy", rest, fingerprints(taken), std, wild))
    for other in VERSIONS:
        if other != version:
            target = work / f"{version}-by-{other}"
            copy(std, target, lambda text: text)
            taken = formatted(fetch(other, work)[0], target)
            rest = kept(before, [std / file.relative_to(target) for file in taken])
            compare(f"{version}, zig fmt {other} (an upgrade may respell)", rest, fingerprints(taken), std, target, 3)
    return results


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--work", type=pathlib.Path, default=ROOT / "target" / "fingerprint-zig")
    arguments.add_argument("--mutate-files", type=int, default=60)
    given = arguments.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    build = ["cargo", "build", "-q", "--release", "-p", "factgate-syntax", "--example", "zig_fingerprints"]
    subprocess.run(build, check=True, cwd=ROOT)
    moved = [result for version in VERSIONS for result in false_alarms(version, given.work)]
    print(f"false alarms: {sum(count for count, _ in moved)} of {sum(all for _, all in moved)} comparisons")
    std = fetch("0.14.1", given.work)[1]
    files = sorted(std.rglob("*.zig"))
    chosen = random.Random(2).sample(files, min(given.mutate_files, len(files)))
    small = [str(file) for file in sorted(chosen) if file.stat().st_size < 200_000]
    print(subprocess.run([PROGRAM, "mutate", *small], check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main()
