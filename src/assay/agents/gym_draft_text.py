"""A drafted vocabulary file as text: what was found, with comments for whoever edits it."""

from __future__ import annotations

from assay.agents.gym_draft import Change, Draft


def draft_text(found: Draft, path: str) -> str:
    options = '{"render_mode": "rgb_array"}' if found.draws else "{}"
    blocks = [
        f'"""{found.environment} in words: a draft by `assay init`, to be edited.\n\n'
        f"It runs as it is, in the part of the world that was seen while drafting it:\n\n"
        f"    assay check gym:{path}\n"
        f"    assay run gym:{path}\n"
        '"""\n\n'
        "from assay import predicate\n"
        "from assay.agents.gym_draft import word\n"
        "from assay.agents.gymnasium import Press",
        f"environment = {quoted(found.environment)}\n"
        f"options = {options}\n"
        "seeds = (0,)  # each gives an initial state",
        _look(found),
        _objects(found),
        "\n# Predicates: functions of the state and of objects, by name. Better words come from you.\n",
        *(_predicate(part) for part in found.parts),
        _actions(found),
        *(_static(change) for change in found.changes),
        _settings(found),
    ]
    return "\n\n".join(blocks) + "\n"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _look(found: Draft) -> str:
    lines = [
        "",
        "# The low-level state: all that the rest of this file gets to see. `env` is the environment itself.",
        "def look(env, observation):",
        "    return {",
        *(f"        {quoted(part)}: word({quoted(part)}, {code})," for part, code in found.parts.items()),
        "    }",
    ]
    if found.others:
        lines += ["", "", "# There is also:", *(f"#   {other}" for other in found.others)]
    return "\n".join(lines)


def _objects(found: Draft) -> str:
    lines = ["# Things, and their types: the values that were seen.", "objects = {"]
    for part, values in found.values.items():
        lines += [f"    {quoted(value)}: {quoted(part)}," for value in values]
    return "\n".join([*lines, "}"])


def _predicate(part: str) -> str:
    return (
        f"@predicate\ndef {part}(state, value: {quoted(part)}):\n    return state[{quoted(part)}] == value\n"
    )


def _actions(found: Draft) -> str:
    lines = [
        "# What each action was seen to do: the values it depends on, then the new ones. Say instead what",
        "# such a table means (which cells are neighbours, which way is left), in predicates; then drop it.",
        "SEEN = {",
    ]
    for change in found.changes:
        lines.append(f"    {quoted(change.action)}: {{")
        lines += [f"        ({', '.join(map(quoted, row))})," for row in change.table]
        lines.append("    },")
    return "\n".join([*lines, "}\n"])


def _static(change: Change) -> str:
    name = change.action.replace("-", "_") + "_leads"
    typed = "".join(f"    {name}: {quoted(part)},\n" for name, part in change.parameters.items())
    args = ", ".join(change.parameters)
    return (
        f"@predicate(static=True)  # never changes\ndef {name}(\n    state,\n{typed}):\n"
        f"    return ({args}) in SEEN[{quoted(change.action)}]\n"
    )


def _settings(found: Draft) -> str:
    lines = [
        "# An action is a key of the environment, its parameters with their types, and a function that names",
        "# what took part in what happened: a call with other arguments is refused, and so is one for which",
        "# it gives None. It must tell what happened, not when it may happen: that will be found out.",
        "def took_part(action, depends, changed):",
        "    def arguments(before, after):",
        "        args = tuple([before[part] for part in depends] + [after[part] for part in changed])",
        "        return args if args in SEEN[action] else None",
        "",
        "    return arguments",
        "",
        "",
        "actions = {",
    ]
    for change in found.changes:
        name, depends, changed = quoted(change.action), list(change.depends), list(change.changed)
        typed = "{" + ", ".join(f"{quoted(p)}: {quoted(t)}" for p, t in change.parameters.items()) + "}"
        lines += [
            f"    {name}: Press(",
            f"        {change.key},",
            f"        {typed},",
            f"        took_part({name}, {_list(depends)}, {_list(changed)}),",
            "    ),",
        ]
    lines += [f"    # {name}: left out, {why}" for name, why in found.left_out.items()]
    lines += [
        "}",
        "",
        "# When a press counts as refused (it is then taken back): the state is unchanged; or",
        '# "negative reward", "info NAME" (a flag), or a function of (before, after, reward, info).',
        'refused = "unchanged"',
        "",
        "# After the end of an episode everything is refused, and the atom `ended` holds; or 'continue'.",
        'after_end = "refuse"',
    ]
    return "\n".join(lines)


def _list(texts: list[str]) -> str:
    return "[" + ", ".join(map(quoted, texts)) + "]"
