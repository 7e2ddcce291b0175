"""Pictures where people look: the most telling questions as an animation, a still for each failing witness.

    telling   which questions are worth looking at, and what to say about them: from the journal alone
    take      asks the agent for pictures of the states concerned, and puts them into the result folder
    draw      captions, the animation, pictures side by side: the only file that knows Pillow
    album     what the folder `pictures` holds, as `index.json` says it

Pictures prove nothing and are asked for when everything is concluded: a run with pictures has the same
journal as one without, and one whose pictures fail is as good as any other.
"""
