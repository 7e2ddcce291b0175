; Learned by assay from 154 questions. Strength 2.
; Different parameters stand for different objects, and none for a constant.
(define (domain hidden)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions)
  (:types
    tool room - object)
  (:predicates
    (open ?x1 - tool)
    (warm ?x1 - room)
    (likes ?x1 - room ?x2 - room)
    (wet ?x1 - tool)
    (locked ?x1 - tool)
    (broken ?x1 - tool)
    (fits ?x1 - room ?x2 - tool)
    (full ?x1 - room)
    (new ?x1 - room))

  ; strength 2
  (:action push
    :parameters (?x1 - room ?x2 - room ?x3 - tool)
    :precondition (and
      (not (warm ?x2))
      (likes ?x1 ?x2)
      (or
        (and (locked ?x3) (or (not (new ?x1)) (new ?x2)))
        (and (not (broken ?x3)) (or (new ?x2) (not (new ?x1))))))
    :effect (and
      (warm ?x2)
      (not (likes ?x1 ?x2))
      (not (warm ?x1)))
  )

  ; strength 2
  (:action mend
    :parameters (?x1 - room ?x2 - room ?x3 - room)
    :precondition (and
      (warm ?x3)
      (likes ?x2 ?x1)
      (likes ?x2 ?x3)
      (not (likes ?x3 ?x3))
      (full ?x3))
    :effect (and
      (not (likes ?x2 ?x1))
      (not (likes ?x2 ?x3)))
  )

  ; strength 2
  (:action sort
    :parameters (?x1 - room ?x2 - tool)
    :precondition (and
      (not (open ?x2))
      (warm ?x1)
      (broken ?x2))
    :effect (and
      (new ?x1)
      (not (warm ?x1)))
  )
)
