"""The page of an assessment with chance, made again from its folder: model and words as they were written,
the counts from the journal."""

from __future__ import annotations

from pathlib import Path

from assay.core.model import ActionModel, Model
from assay.errors import InputError
from assay.knowledge.experience import Experience
from assay.knowledge.tally import Tally, tally
from assay.pddl.reader import read_ppddl
from assay.proof.spelling import in_vocabulary
from assay.report.chance import chance_body, chance_page
from assay.report.markup import Markup
from assay.report.write import REPORT
from assay.store.folder import CHANCE_MODEL, DESCRIPTION, JOURNAL, replace
from assay.store.journal import read
from assay.store.plain import read_text


def write_chance_page(folder: Path) -> Path:
    """Write the page of a finished folder, or refresh it, and say where it is."""
    replace(folder / REPORT, chance_page(*_found(folder)).encode())
    return folder / REPORT


def chance_content(folder: Path) -> Markup:
    """What the page of a finished folder shows."""
    return chance_body(*_found(folder))


def _found(folder: Path) -> tuple[str, dict[str, Tally]]:
    """The words, and how often what was seen."""
    record = read(folder / JOURNAL)
    aims = record.setting.aims
    if aims is None:
        raise InputError(f"{folder} holds a run about plans, and {CHANCE_MODEL} beside it")
    try:
        source, text = (read_text(folder / name) for name in (CHANCE_MODEL, DESCRIPTION))
    except OSError as error:
        raise InputError(f"{folder} is not a finished result: {error.strerror}: {error.filename}") from error
    model = in_vocabulary(read_ppddl(source, CHANCE_MODEL), record.setting.profile.vocabulary)
    experience = Experience(record.setting)
    for simulation in record.simulations:
        experience.learn(simulation.query, simulation.response)
    return text, _tallies(model, experience, aims.confidence)


def _tallies(model: Model, experience: Experience, confidence: float) -> dict[str, Tally]:
    def counted(action: ActionModel) -> Tally:
        return tally(action, experience.capabilities[action.header.name], confidence)

    return {action.header.name: counted(action) for action in model.actions}
