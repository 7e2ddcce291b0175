; A briefcase that is moved with everything in it.
(define (domain briefcase)
  (:requirements :strips :typing :negative-preconditions :equality :conditional-effects :universal-preconditions)
  (:types portable location - object)
  (:predicates
    (at ?o - portable ?l - location)
    (is-at ?l - location) ; where the briefcase is
    (in ?o - portable))
  (:action move
    :parameters (?from ?to - location)
    :precondition (and (is-at ?from) (not (is-at ?to)))
    :effect (and
      (is-at ?to)
      (not (is-at ?from))
      (forall (?o - portable)
        (when (in ?o) (and (at ?o ?to) (not (at ?o ?from)))))))
  (:action put-in
    :parameters (?o - portable ?l - location)
    :precondition (and (at ?o ?l) (is-at ?l) (not (in ?o)))
    :effect (in ?o))
  (:action take-out
    :parameters (?o - portable)
    :precondition (in ?o)
    :effect (not (in ?o))))
