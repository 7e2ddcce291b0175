"""What an agent that presses keys can do, found and described in the user's words (Descriptions, section 3).

The line of thought, one file each:

    atlas         the simulator seen through the vocabulary: abstract states, their realisations, ways out
    exploring     which abstract states are worth knowing
    shape         what a change is, once the names of things are forgotten: one capability per shape
    schema        what may matter to a capability: literals over the things that change, and their company
    questions     the next question: a situation on which two descriptions disagree
    discover      the loop: observe, propose, ask, learn
    precondition  the shortest conjunction that the answers and the simulator leave
    capability    the result, and `grounding` what it predicts in a situation
"""
