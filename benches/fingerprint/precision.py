"""Holds judged changes against the classes that factgate tells them by.

    python3 benches/fingerprint/precision.py FACTGATE JUDGED.csv SCRATCH NAME=CLONE… [--ignore NAME=PATTERN…]

JUDGED.csv has the columns project, commit, kind, item and verdict (WANTED, BORDERLINE, UNWANTED). Each item that is judged as
`changed` is recorded as it stands in the commit's first parent, and checked as it stands in the commit: one model a commit,
all in one scratch repository. Prints how many of each verdict each class has.
"""
import collections, csv, json, os, shutil, subprocess, sys

CLASSES = ["structure", "detail", "names", "literals", "locals"]
split = sys.argv.index("--ignore") if "--ignore" in sys.argv else len(sys.argv)
program, judged, scratch = map(os.path.abspath, sys.argv[1:4])
clones = dict(pair.split("=", 1) for pair in sys.argv[4:split])
ignore = collections.defaultdict(list)
for pair in sys.argv[split + 1:]:
    name, pattern = pair.split("=", 1)
    ignore[name].append(pattern)
commits = collections.defaultdict(list)
for row in csv.DictReader(open(judged)):
    if row["kind"] == "changed" and row["project"] in clones:
        commits[row["project"], row["commit"]].append(row)


def git(*arguments):
    identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.invalid"]
    subprocess.run(["git", *identity, *arguments], cwd=scratch, check=True, capture_output=True)


def factgate(*arguments):
    return subprocess.run([program, *arguments], cwd=scratch, capture_output=True, text=True)


def lay(suffix):
    """Writes the files of every judged item as they stand in its commit, or in the parent."""
    for (project, commit), rows in commits.items():
        for path in {row["item"].split("#")[0] for row in rows}:
            shown = subprocess.run(["git", "show", f"{commit}{suffix}:{path}"], cwd=clones[project], capture_output=True)
            if shown.returncode == 0:
                target = f"{scratch}/{project}-{commit}/{path}"
                os.makedirs(os.path.dirname(target), exist_ok=True)
                open(target, "wb").write(shown.stdout)


def configure(unread):
    """Covers what can be read; gives up on the rest."""
    for (project, commit), rows in commits.items():
        cover = [row["item"] for row in rows if (project, commit, row["item"]) not in unread]
        folder = f"{scratch}/{project}-{commit}"
        os.makedirs(folder, exist_ok=True)
        model = [f'name = "{project}-{commit}"', 'root = "."', f"drift = {json.dumps(CLASSES)}", f"cover = {json.dumps(cover)}"]
        model += [f"ignore = {json.dumps(ignore[project])}"] if ignore[project] else []
        if cover:
            open(f"{folder}/factgate.toml", "w").write("[model]\n" + "\n".join(model) + "\n")
        elif os.path.exists(f"{folder}/factgate.toml"):
            os.remove(f"{folder}/factgate.toml")


def models():
    for model in json.loads(factgate("check", "--format", "json").stdout)["models"]:
        yield tuple(model["name"].rsplit("-", 1)), model


shutil.rmtree(scratch, ignore_errors=True)
os.makedirs(scratch)
git("init", "-q")
lay("^")
unread = set()
configure(unread)
unread = {(*name, row["item"]) for name, model in models() for row in commits[name] if row["item"] not in model["items"]}
configure(unread)
print(factgate("sync").stderr, end="", file=sys.stderr)
git("add", "-A")
git("commit", "-qm", "before")
lay("")
told = {(*name, one["item"]): one["change"] or one["kind"] for name, model in models() for one in model["stale"]}
counts = collections.defaultdict(collections.Counter)
for name, rows in commits.items():
    for row in rows:
        key = (*name, row["item"])
        counts["unread" if key in unread else told.get(key, "the same")][row["verdict"]] += 1
for word, verdicts in sorted(counts.items()):
    print(f"{word:10}", dict(verdicts))
