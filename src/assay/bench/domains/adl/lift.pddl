; A lift that takes up everybody who waits where it stops, and lets out everybody who wants to go there.
(define (domain lift)
  (:requirements :adl :typing)
  (:types passenger floor - object)
  (:predicates
    (origin ?p - passenger ?f - floor)
    (destin ?p - passenger ?f - floor)
    (above ?low ?high - floor)
    (boarded ?p - passenger)
    (served ?p - passenger)
    (lift-at ?f - floor))
  (:action stop
    :parameters (?f - floor)
    :precondition (lift-at ?f)
    :effect (and
      (forall (?p - passenger)
        (when (and (boarded ?p) (destin ?p ?f)) (and (not (boarded ?p)) (served ?p))))
      (forall (?p - passenger)
        (when (and (origin ?p ?f) (not (served ?p)) (not (boarded ?p))) (boarded ?p)))))
  (:action up
    :parameters (?from ?to - floor)
    :precondition (and (lift-at ?from) (above ?from ?to))
    :effect (and (lift-at ?to) (not (lift-at ?from))))
  (:action down
    :parameters (?from ?to - floor)
    :precondition (and (lift-at ?from) (above ?to ?from))
    :effect (and (lift-at ?to) (not (lift-at ?from)))))
