; Learned by assay from 201 questions. Strength 2.
; Different parameters stand for different objects, and none for a constant.
(define (domain hidden)
  (:requirements :strips :typing :negative-preconditions :conditional-effects :equality)
  (:types
    tool - object
    crate - tool)
  (:constants
    base - crate)
  (:predicates
    (dark)
    (full ?x1 - tool)
    (locked ?x1 - crate)
    (feeds ?x1 - tool ?x2 - crate)
    (round ?x1 - tool)
    (tests ?x1 - tool ?x2 - tool)
    (blocks ?x1 - crate ?x2 - tool))

  ; strength 2
  (:action push
    :parameters (?x1 - crate ?x2 - tool)
    :precondition (and
      (blocks ?x1 base)
      (full base))
    :effect (and
      (feeds ?x1 ?x1)
      (not (full base)))
  )

  ; strength 2
  (:action mend
    :parameters (?x1 - crate)
    :precondition (and
      (not (tests ?x1 base))
      (tests base base))
    :effect (and
      (round ?x1)
      (tests ?x1 base)
      (not (tests base base)))
  )

  ; strength 2
  (:action sort
    :parameters (?x1 - tool ?x2 - tool)
    :precondition (and
      (full ?x2)
      (round ?x2)
      (not (tests ?x1 base))
      (full base)
      (blocks base base))
    :effect (and
      (not (feeds base base))
      (not (round ?x2))
      (forall (?z - crate)
        (when (and (blocks base ?z) (not (= ?z ?x1)) (not (= ?z ?x2)) (not (= ?z base)))
          (not (feeds ?z base))))
      (forall (?z - tool)
        (when (and (blocks base ?z) (not (= ?z ?x1)) (not (= ?z ?x2)) (not (= ?z base)))
          (not (feeds ?z base)))))
  )
)
