#!/usr/bin/env python3
"""Holds what factgate makes of package names to what package managers install.

    python3 benches/call-sites/workspaces.py target/release/factgate COUNT SEED [npm|pnpm]...

Each of COUNT random workspaces has three packages, of which `app` imports `drain` by one name. Dependencies, aliases,
catalogs, overrides and resolutions are drawn. The package manager installs from a registry that this script serves on the
loopback address; `node` tells where the name leads. Where that is a package of the workspace, factgate has to count the call,
or to list the import as unresolved: nothing of either is a quiet miss. Exit 1 when there is one.
"""
import base64, hashlib, http.server, io, json, os, pathlib, random, shutil, subprocess, sys, tarfile, tempfile, threading

OUTSIDE = ["core", "util", "old", "older", "ext", "@s/ext"]
VERSIONS = ["1.0.0", "2.0.0"]


def tarball(name, version):
    out = io.BytesIO()
    files = {"package.json": json.dumps({"name": name, "version": version, "main": "index.js"}), "index.js": "exports.drain = () => 0;\n"}
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for path, text in files.items():
            info = tarfile.TarInfo("package/" + path)
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text.encode()))
    return out.getvalue()


TARBALLS = {f"{name}-{version}": tarball(name, version) for name in OUTSIDE for version in VERSIONS}


class Registry(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = self.path.replace("%2f", "/").replace("%2F", "/").strip("/")
        if path.endswith(".tgz"):
            body, kind = TARBALLS[path.removesuffix(".tgz")], "application/octet-stream"
        elif path in OUTSIDE:
            versions = {}
            for version in VERSIONS:
                data = TARBALLS[f"{path}-{version}"]
                integrity = "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()
                address = f"http://127.0.0.1:{self.server.server_port}/{path}-{version}.tgz"
                versions[version] = {"name": path, "version": version, "main": "index.js",
                                     "dist": {"tarball": address, "integrity": integrity, "shasum": hashlib.sha1(data).hexdigest()}}
            body, kind = json.dumps({"name": path, "dist-tags": {"latest": "2.0.0"}, "versions": versions}).encode(), "application/json"
        else:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def draw(dice, manager):
    """Files of one workspace, and the name that `app` imports."""
    core = dice.choice(["core", "core", "@s/core"])
    own = [core, "util"]
    name = dice.choice(["old", "older", core, "util", "ext"])
    range_ = lambda: dice.choice(["^1.0.0", "*", "^2.0.0", "latest", "1.x"])
    pnpm = manager == "pnpm"

    def local(start):
        target = dice.choice(["core", "util"])
        return f"{dice.choice(['file:', 'link:'] if pnpm else ['file:'])}{start}{target}"

    def spec(start, catalogs=True):
        kinds = ["range", "alias", "alias", "local", "npm-own"]
        if pnpm:
            kinds += ["workspace", "workspace-alias", "workspace-alias"] + (["catalog", "catalog"] if catalogs else [])
        kind = dice.choice(kinds)
        return {"range": range_, "alias": lambda: f"npm:{dice.choice(['ext', '@s/ext', 'core'])}@{range_()}", "local": lambda: local(start),
                "npm-own": lambda: f"npm:util@{range_()}", "workspace": lambda: dice.choice(["workspace:*", "workspace:^"]),
                "workspace-alias": lambda: f"workspace:{dice.choice(own)}@*",
                "catalog": lambda: dice.choice(["catalog:", "catalog:named"])}[kind]()

    root = {"name": "root", "version": "1.0.0", "private": True, "workspaces": ["packages/*"]}
    app = {"name": "app", "version": "1.0.0", "dependencies": {}}
    workspace = {"packages": ["packages/*"]}
    if dice.random() < 0.85:
        app[dice.choice(["dependencies", "dependencies", "devDependencies"])] = {name: spec("../")}
    if dice.random() < 0.3:
        root["dependencies"] = {name: spec("./packages/")}
    if pnpm:
        workspace["catalog"] = {name: spec("../", False) if dice.random() < 0.5 else range_()}
        workspace["catalogs"] = {"named": {name: spec("../", False)}}
        for catalog in [workspace["catalog"], workspace["catalogs"]["named"]]:
            for key, value in list(catalog.items()):
                if value.startswith(("file:", "link:")):
                    catalog[key] = range_()
        workspace["linkWorkspacePackages"] = dice.choice([True, False])
    if dice.random() < 0.5:
        key = dice.choice([name, name, f"app>{name}", f"{name}@^1.0.0", f"ext>{name}"] if pnpm else [name, name, f"{name}@^1.0.0"])
        value = spec("packages/", False)
        holder = dice.choice(["yaml", "package"]) if pnpm else "npm"
        if holder == "yaml":
            workspace["overrides"] = {key: value}
        elif holder == "package":
            root["pnpm"] = {"overrides": {key: value}}
        else:
            root["overrides"] = dice.choice([{key: value}, {"app": {name: value}}, {name: {".": value}}])
    if pnpm and dice.random() < 0.15:
        root["resolutions"] = {name: spec("packages/", False)}
    files = {"package.json": json.dumps(root), "packages/app/package.json": json.dumps(app),
             "packages/app/use.js": f"const {{ drain }} = require('{name}');\nexports.tick = () => drain([]);\n",
             "packages/core/package.json": json.dumps({"name": core, "version": dice.choice(VERSIONS), "main": "index.js"}),
             "packages/core/index.js": "function drain(rows) { return rows.length; }\nexports.drain = drain;\n",
             "packages/util/package.json": json.dumps({"name": "util", "version": dice.choice(VERSIONS), "main": "index.js"}),
             "packages/util/index.js": "function drain(rows) { return rows.length; }\nexports.drain = drain;\n"}
    if pnpm:
        files["pnpm-workspace.yaml"] = json.dumps(workspace, indent=1)
    files["factgate.toml"] = "[model]\nname = \"m\"\ncover = [\"packages/core/index.js\"]\n" + "".join(
        f'[[calls]]\nname = "{p}"\nof = "packages/{p}/index.js#drain"\nin = ["packages/**/*.js"]\n' for p in ["core", "util"])
    files[".gitignore"] = "node_modules\n"
    return files, name


def main():
    binary, count, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    managers = sys.argv[4:] or ["npm", "pnpm"]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    registry = f"http://127.0.0.1:{server.server_port}/"
    counts = {"installed": 0, "refused": 0, "inside": 0, "followed": 0, "unresolved": 0, "quiet": 0, "outside": 0, "extra": 0, "missing": 0}
    for number in range(count):
        dice = random.Random(f"{seed}/{number}")
        manager = dice.choice(managers)
        files, name = draw(dice, manager)
        with tempfile.TemporaryDirectory() as scratch:
            repo = pathlib.Path(scratch) / "repo"
            for path, text in files.items():
                (repo / path).parent.mkdir(parents=True, exist_ok=True)
                (repo / path).write_text(text)
            env = {**os.environ, "HOME": scratch, "npm_config_registry": registry, "npm_config_cache": f"{scratch}/cache",
                   "npm_config_store_dir": f"{scratch}/store", "npm_config_audit": "false", "npm_config_fund": "false", "CI": "true"}
            run = lambda *args, cwd=repo: subprocess.run(args, cwd=cwd, env=env, capture_output=True, text=True, timeout=120)
            done = run(manager, "install", *(["--no-frozen-lockfile"] if manager == "pnpm" else []))
            if done.returncode:
                counts["refused"] += 1
                continue
            counts["installed"] += 1
            found = run("node", "-e", f"console.log(require('fs').realpathSync(require.resolve('{name}')))", cwd=repo / "packages/app")
            place = os.path.relpath(found.stdout.strip() or "/", os.path.realpath(repo))
            run("git", "init", "-q")
            facts = json.loads(run(binary, "facts", "--format", "json").stdout)
            calls = facts["models"][0]["calls"]
            seen = {}
            for package in ["core", "util"]:
                entry = calls[package]
                sites = {**entry["calls"], **entry["values"], **entry["possible"]}
                is_site = any(site.startswith("packages/app/use.js") for site in sites)
                seen[package] = "followed" if is_site else "unresolved" if "packages/app/use.js" in json.dumps(entry["unresolved"]) else "quiet"
            inside = next((package for package in ["core", "util"] if place.startswith(f"packages/{package}/")), None)
            # pnpm copies what `file:` names.
            copied = next((p for p in ["core", "util"] if f"{p}@file+packages+{p}" in place.replace("@s+", "")), None)
            inside = inside or copied
            if inside:
                counts["inside"] += 1
                counts[seen[inside]] += 1
                if seen[inside] == "quiet":
                    print(f"quiet: {manager} {name} -> {place}\n" + "\n".join(f"  {path}: {text}" for path, text in files.items() if path.endswith(("package.json", "yaml"))))
            elif found.returncode:
                counts["missing"] += 1
            else:
                counts["outside"] += 1
                counts["extra"] += any(kind == "followed" for kind in seen.values())
    print(counts)
    sys.exit(1 if counts["quiet"] or not counts["inside"] else 0)


main()
