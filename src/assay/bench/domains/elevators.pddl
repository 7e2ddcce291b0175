; Elevators: slow and fast lifts of limited capacity, each stopping at floors of its own. Typed STRIPS, no costs.
(define (domain elevators)
  (:requirements :strips :typing)
  (:types
    elevator passenger count - object
    slow-elevator fast-elevator - elevator)
  (:predicates
    (passenger-at ?p - passenger ?f - count)
    (boarded ?p - passenger ?e - elevator)
    (lift-at ?e - elevator ?f - count)
    (reachable-floor ?e - elevator ?f - count)
    (above ?low - count ?high - count)
    (passengers ?e - elevator ?n - count)
    (can-hold ?e - elevator ?n - count)
    (next ?n - count ?m - count))

  (:action move-up-slow
    :parameters (?e - slow-elevator ?from ?to - count)
    :precondition (and (lift-at ?e ?from) (above ?from ?to) (reachable-floor ?e ?to))
    :effect (and (lift-at ?e ?to) (not (lift-at ?e ?from))))

  (:action move-down-slow
    :parameters (?e - slow-elevator ?from ?to - count)
    :precondition (and (lift-at ?e ?from) (above ?to ?from) (reachable-floor ?e ?to))
    :effect (and (lift-at ?e ?to) (not (lift-at ?e ?from))))

  (:action move-up-fast
    :parameters (?e - fast-elevator ?from ?to - count)
    :precondition (and (lift-at ?e ?from) (above ?from ?to) (reachable-floor ?e ?to))
    :effect (and (lift-at ?e ?to) (not (lift-at ?e ?from))))

  (:action move-down-fast
    :parameters (?e - fast-elevator ?from ?to - count)
    :precondition (and (lift-at ?e ?from) (above ?to ?from) (reachable-floor ?e ?to))
    :effect (and (lift-at ?e ?to) (not (lift-at ?e ?from))))

  (:action board
    :parameters (?p - passenger ?e - elevator ?f ?n ?more - count)
    :precondition (and
      (lift-at ?e ?f) (passenger-at ?p ?f) (passengers ?e ?n) (next ?n ?more) (can-hold ?e ?more))
    :effect (and
      (boarded ?p ?e) (passengers ?e ?more) (not (passenger-at ?p ?f)) (not (passengers ?e ?n))))

  (:action leave
    :parameters (?p - passenger ?e - elevator ?f ?n ?less - count)
    :precondition (and (lift-at ?e ?f) (boarded ?p ?e) (passengers ?e ?n) (next ?less ?n))
    :effect (and
      (passenger-at ?p ?f) (passengers ?e ?less) (not (boarded ?p ?e)) (not (passengers ?e ?n)))))
