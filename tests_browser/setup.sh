#!/usr/bin/env bash
# Brings what the browser tests need: Chromium, Playwright's Python package, axe-core. Fails if it cannot.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
python=${1:-$root/.venv/bin/python}

if ! command -v chromium >/dev/null; then
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "The browser tests need chromium: install it, on Debian with 'apt-get install chromium'." >&2
        exit 1
    fi
    export DEBIAN_FRONTEND=noninteractive
    wait_for_others=(-o DPkg::Lock::Timeout=300)
    apt-get "${wait_for_others[@]}" update -qq
    apt-get "${wait_for_others[@]}" install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
fi

"$python" -m pip install --quiet --disable-pip-version-check -e "$root[dev,browser]"

wanted=$(sed -n 's/.*"axe-core": "\(.*\)".*/\1/p' "$here/package.json")
found=$(sed -n 's/^ *"version": "\(.*\)".*/\1/p' "$here/node_modules/axe-core/package.json" 2>/dev/null || true)
if [ "$wanted" != "$found" ]; then
    if ! command -v npm >/dev/null; then
        echo "The browser tests need npm, to get axe-core $wanted." >&2
        exit 1
    fi
    (cd "$here" && npm install --silent --no-audit --no-fund --no-package-lock --ignore-scripts)
fi
