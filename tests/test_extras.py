"""The command shown to someone who lacks an extra."""

from __future__ import annotations

import sys
from pathlib import Path

from assay import extras


def test_it_names_this_python_and_the_sources_it_runs_from(monkeypatch, tmp_path):
    sources = Path(extras.__file__).parents[2]
    monkeypatch.chdir(tmp_path)
    assert extras.install("gym") == f"{sys.executable} -m pip install -e '{sources}[gym]'"
    monkeypatch.chdir(sources)
    assert extras.install("gym").endswith("-m pip install -e '.[gym]'")


def test_installed_elsewhere_the_package_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(extras, "_SOURCES", tmp_path)
    assert extras.install("gym") == f"{sys.executable} -m pip install 'assay[gym]'"
