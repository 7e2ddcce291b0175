; Learned by assay from 46 questions. Strength 2.
; Different parameters stand for different objects, and none for a constant.
(define (domain delivery)
  (:requirements :strips :typing)
  (:types
    location locatable - object
    truck package - locatable)
  (:predicates
    (at ?x - locatable ?l - location)
    (in ?p - package ?t - truck)
    (road ?from - location ?to - location))

  ; strength 2
  (:action load
    :parameters (?p - package ?t - truck ?l - location)
    :precondition (and
      (at ?p ?l)
      (at ?t ?l))
    :effect (and
      (in ?p ?t)
      (not (at ?p ?l)))
  )

  ; strength 2
  (:action unload
    :parameters (?p - package ?t - truck ?l - location)
    :precondition (and
      (at ?t ?l)
      (in ?p ?t))
    :effect (and
      (at ?p ?l)
      (not (in ?p ?t)))
  )

  ; strength 2
  (:action drive
    :parameters (?t - truck ?from - location ?to - location)
    :precondition (and
      (at ?t ?from)
      (road ?from ?to))
    :effect (and
      (at ?t ?to)
      (not (at ?t ?from)))
  )
)
