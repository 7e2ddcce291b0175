"""Your own low-level simulator: a robot that turns, drives and sucks, in four rooms on a ring.

A state is (room, direction, dirty rooms, whether the bag is full). You speak of rooms, dirt and the bag,
and do not care which way the robot looks: what it can do in these words is found out.
"""

from assay import KeyAgent, predicate, study

ROOMS = ("hall", "kitchen", "office", "bath")


def press(state, key):
    room, direction, dirt, full = state
    if key == "turn":
        return room, -direction, dirt, full
    if key == "drive":
        return (room + direction) % 4, direction, dirt, full
    if key == "suck" and room in dirt and not full:
        return room, direction, dirt - {room}, True
    if key == "empty" and ROOMS[room] == "hall":
        return room, direction, dirt, False
    return state


@predicate
def at(state, robot: "robot", room: "room"):
    return ROOMS[state[0]] == room


@predicate
def dirty(state, room: "room"):
    return ROOMS.index(room) in state[2]


@predicate
def bag_full(state):
    return state[3]


@predicate(static=True)
def next_to(state, a: "room", b: "room"):
    return (ROOMS.index(a) - ROOMS.index(b)) % 4 in (1, 3)


@predicate(static=True)
def bin_in(state, room: "room"):
    return room == "hall"


def vacuum():
    return KeyAgent(
        starts=[(0, 1, frozenset({1, 2, 3}), False), (2, -1, frozenset({0, 2}), True)],
        keys=["turn", "drive", "suck", "empty"],
        press=press,
        predicates=[at, dirty, bag_full, next_to, bin_in],
        objects={"robot1": "robot"} | dict.fromkeys(ROOMS, "room"),
        name="vacuum",
    )


if __name__ == "__main__":
    for capability in study(vacuum()).description.capabilities:
        print(capability.name, *(p.name for p in capability.action.header.parameters))
