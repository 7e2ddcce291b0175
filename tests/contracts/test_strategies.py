"""Every strategy that is registered keeps the contract, and so does the example of the docs."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.core.query import Start
from assay.errors import InputError
from assay.learn.registry import strategy_factory, strategy_names
from assay.testing.strategies import CHECKS

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_strategy"


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", strategy_names())
def test_every_registered_strategy_keeps_the_contract(name, check):
    check(strategy_factory(name), Start.VISITED if name == "acting" else Start.ANY)


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Makes packages known as an installer would."""

    def install(**strategies: str) -> None:
        info = tmp_path / "own_strategy-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own-strategy\nVersion: 1.0\n")
        lines = [f"{name} = {value}" for name, value in strategies.items()]
        (info / "entry_points.txt").write_text("\n".join(["[assay.strategies]", *lines]) + "\n")
        monkeypatch.syspath_prepend(str(EXAMPLE))
        monkeypatch.syspath_prepend(str(tmp_path))

    return install


@pytest.mark.parametrize("check", CHECKS)
def test_a_strategy_from_a_package_of_its_own(installed, check):
    installed(toggling="own_strategy:Toggling")
    assert "toggling" in strategy_names()
    check(strategy_factory("toggling"))


def test_an_unknown_strategy_is_refused_with_the_names_there_are(installed):
    installed(toggling="own_strategy:Toggling")
    with pytest.raises(InputError, match=r"unknown strategy 'toggle'; there are .*toggling"):
        strategy_factory("toggle")


def test_a_strategy_that_cannot_be_loaded_says_why(installed):
    installed(broken="no_such_package:Thing", renamed="own_strategy:Nothing")
    with pytest.raises(InputError, match=r"'broken' \(no_such_package:Thing\).*No module named"):
        strategy_factory("broken")
    with pytest.raises(InputError, match=r"'renamed' .*has no attribute 'Nothing'"):
        strategy_factory("renamed")
