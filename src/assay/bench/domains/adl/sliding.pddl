; A worker on a grid pushes blocks that slide by one cell; heavy ones move on ice only, others get scratched off it.
(define (domain sliding)
  (:requirements :adl :typing)
  (:types cell block direction - object)
  (:predicates
    (worker-at ?c - cell)
    (block-at ?b - block ?c - cell)
    (next ?from ?to - cell ?d - direction)
    (icy ?c - cell)
    (heavy ?b - block)
    (scratched ?b - block))
  (:action walk
    :parameters (?from ?to - cell ?d - direction)
    :precondition (and
      (worker-at ?from)
      (next ?from ?to ?d)
      (not (exists (?b - block) (block-at ?b ?to))))
    :effect (and (not (worker-at ?from)) (worker-at ?to)))
  (:action push
    :parameters (?b - block ?stand ?from ?to - cell ?d - direction)
    :precondition (and
      (worker-at ?stand)
      (next ?stand ?from ?d)
      (next ?from ?to ?d)
      (block-at ?b ?from)
      (or (not (heavy ?b)) (icy ?from))
      (not (exists (?other - block) (block-at ?other ?to))))
    :effect (and
      (not (worker-at ?stand))
      (worker-at ?from)
      (not (block-at ?b ?from))
      (block-at ?b ?to)
      (when (not (icy ?to)) (scratched ?b)))))
