; A driving robot. All places are connected. Places can be painted blue, which has nothing to do with driving.
(define (domain driving)
  (:requirements :strips :typing)
  (:types truck location - object)
  (:predicates
    (at ?t - truck ?loc - location)
    (src_blue ?loc - location))

  (:action drive
    :parameters (?t - truck ?s ?d - location)
    :precondition (at ?t ?s)
    :effect (and (at ?t ?d) (not (at ?t ?s))))

  (:action paint
    :parameters (?t - truck ?loc - location)
    :precondition (at ?t ?loc)
    :effect (src_blue ?loc)))
