; Learned by assay from 138 questions. No strength reached by all actions.
; Different parameters stand for different objects, and none for a constant.
; Not described: push (contradicted).
(define (domain hidden)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    crate robot - object
    tool - crate)
  (:constants
    base - crate)
  (:predicates
    (dark)
    (clean ?x1 - crate)
    (lit ?x1 - robot)
    (tall ?x1 - tool)
    (linked ?x1 - crate ?x2 - crate)
    (broken ?x1 - crate)
    (likes ?x1 - robot ?x2 - crate))

  ; strength 2
  (:action mend
    :parameters (?x1 - crate ?x2 - crate)
    :precondition (and
      (linked base ?x1)
      (not (linked ?x1 base))
      (linked ?x2 ?x2)
      (broken ?x1)
      (dark))
    :effect (and
      (not (broken ?x1)))
  )

  ; strength 2
  (:action sort
    :parameters (?x1 - crate)
    :precondition (and
      (linked ?x1 base)
      (not (linked base base)))
    :effect (and
      (clean ?x1)
      (linked base base)
      (not (linked ?x1 base)))
  )
)
