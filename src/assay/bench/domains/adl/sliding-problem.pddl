(define (problem sliding-2x3)
  (:domain sliding)
  (:objects
    a1 a2 a3 b1 b2 b3 - cell
    left right up down - direction
    box safe - block)
  (:init
    (next a1 a2 right) (next a2 a3 right) (next b1 b2 right) (next b2 b3 right)
    (next a2 a1 left) (next a3 a2 left) (next b2 b1 left) (next b3 b2 left)
    (next a1 b1 down) (next a2 b2 down) (next a3 b3 down)
    (next b1 a1 up) (next b2 a2 up) (next b3 a3 up)
    (worker-at a1)
    (block-at box a2)
    (block-at safe b2)
    (heavy safe)
    (icy b2) (icy b3))
  (:goal (and (block-at box a3) (block-at safe b3))))
