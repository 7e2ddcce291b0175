; Delivery: trucks drive on roads and carry packages. Typed STRIPS; small enough to read in one go.
(define (domain delivery)
  (:requirements :strips :typing)
  (:types
    location locatable - object
    truck package - locatable)
  (:predicates
    (at ?x - locatable ?l - location)
    (in ?p - package ?t - truck)
    (road ?from - location ?to - location))

  (:action load
    :parameters (?p - package ?t - truck ?l - location)
    :precondition (and (at ?p ?l) (at ?t ?l))
    :effect (and (in ?p ?t) (not (at ?p ?l))))

  (:action unload
    :parameters (?p - package ?t - truck ?l - location)
    :precondition (and (in ?p ?t) (at ?t ?l))
    :effect (and (at ?p ?l) (not (in ?p ?t))))

  (:action drive
    :parameters (?t - truck ?from ?to - location)
    :precondition (and (at ?t ?from) (road ?from ?to))
    :effect (and (at ?t ?to) (not (at ?t ?from)))))
