; Learned by OffLAM from traces in which every source is blue.
(define (domain driving)
  (:requirements :strips :typing)
  (:types
    truck location - object)
  (:predicates
    (at ?t - truck ?loc - location)
    (src_blue ?loc - location))

  (:action drive
    :parameters (?t - truck ?s - location ?d - location)
    :precondition (and
      (at ?t ?s)
      (src_blue ?s))
    :effect (and
      (at ?t ?d)
      (not (at ?t ?s)))
  )

  (:action paint
    :parameters (?t - truck ?loc - location)
    :precondition (and
      (at ?t ?loc))
    :effect (and
      (src_blue ?loc))
  )
)
