#!/usr/bin/env bash
# Brings what the browser tests need: Chromium, Playwright's Python package, axe-core. Fails if it cannot.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
python=${1:-$root/.venv/bin/python}

missing=()
command -v chromium >/dev/null || missing+=(chromium fonts-dejavu-core)
command -v npm >/dev/null || missing+=(npm)
if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "The browser tests need ${missing[*]}: install them, on Debian with 'apt-get install ${missing[*]}'." >&2
        exit 1
    fi
    export DEBIAN_FRONTEND=noninteractive
    apt-get -o DPkg::Lock::Timeout=300 update -qq
    apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

"$python" -m pip install --quiet --disable-pip-version-check -e "$root[dev,browser]"

wanted=$(sed -n 's/.*"axe-core": "\(.*\)".*/\1/p' "$here/package.json")
found=$(sed -n 's/^ *"version": "\(.*\)".*/\1/p' "$here/node_modules/axe-core/package.json" 2>/dev/null || true)
if [ "$wanted" != "$found" ]; then
    (cd "$here" && npm install --silent --no-audit --no-fund --no-package-lock --ignore-scripts)
fi
