; Visitall: a robot walks over a grid and remembers where it was. Typed STRIPS, a single action.
(define (domain visitall)
  (:requirements :strips :typing)
  (:types place - object)
  (:predicates
    (connected ?p - place ?q - place)
    (at-robot ?p - place)
    (visited ?p - place))

  (:action move
    :parameters (?from ?to - place)
    :precondition (and (at-robot ?from) (connected ?from ?to))
    :effect (and (at-robot ?to) (visited ?to) (not (at-robot ?from)))))
