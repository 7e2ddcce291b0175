; Learned by assay from 95 questions. Strength 2.
; Different parameters stand for different objects, and none for a constant.
(define (domain hidden)
  (:requirements :strips :typing :negative-preconditions :existential-preconditions :equality)
  (:types
    robot room - object)
  (:predicates
    (heavy ?x1 - robot)
    (lit ?x1 - room)
    (near ?x1 - robot ?x2 - room)
    (broken ?x1 - robot)
    (open ?x1 - room)
    (tall ?x1 - robot)
    (full ?x1 - robot))

  ; strength 2
  (:action push
    :parameters (?x1 - robot ?x2 - room ?x3 - room)
    :precondition (and
      (near ?x1 ?x2)
      (tall ?x1)
      (full ?x1)
      (exists (?z - room) (and (lit ?z) (near ?x1 ?z) (not (= ?z ?x2)) (not (= ?z ?x3)))))
    :effect (and
      (not (near ?x1 ?x2)))
  )

  ; strength 2
  (:action mend
    :parameters (?x1 - room ?x2 - robot ?x3 - room)
    :precondition (and
      (not (lit ?x3))
      (broken ?x2)
      (not (tall ?x2)))
    :effect (and
      (lit ?x3)
      (not (heavy ?x2))
      (not (lit ?x1)))
  )

  ; strength 2
  (:action sort
    :parameters (?x1 - room ?x2 - robot ?x3 - robot)
    :precondition (and
      (lit ?x1)
      (full ?x2)
      (exists (?z - robot) (and (tall ?z) (near ?z ?x1) (not (= ?z ?x2)) (not (= ?z ?x3)))))
    :effect (and
      (not (full ?x2))
      (not (heavy ?x2)))
  )
)
