; Termes: a climbing robot builds towers from blocks fetched at a depot. Typed STRIPS with negative
; preconditions and a predicate without arguments.
(define (domain termes)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types numb position - object)
  (:predicates
    (height ?p - position ?h - numb)
    (at ?p - position)
    (has-block)
    (succ ?high - numb ?low - numb)
    (neighbor ?p - position ?q - position)
    (is-depot ?p - position))

  (:action move
    :parameters (?from ?to - position ?h - numb)
    :precondition (and (at ?from) (neighbor ?from ?to) (height ?from ?h) (height ?to ?h))
    :effect (and (at ?to) (not (at ?from))))

  (:action move-up
    :parameters (?from - position ?hfrom - numb ?to - position ?hto - numb)
    :precondition (and
      (at ?from) (neighbor ?from ?to) (height ?from ?hfrom) (height ?to ?hto) (succ ?hto ?hfrom))
    :effect (and (at ?to) (not (at ?from))))

  (:action move-down
    :parameters (?from - position ?hfrom - numb ?to - position ?hto - numb)
    :precondition (and
      (at ?from) (neighbor ?from ?to) (height ?from ?hfrom) (height ?to ?hto) (succ ?hfrom ?hto))
    :effect (and (at ?to) (not (at ?from))))

  (:action place-block
    :parameters (?robot ?block - position ?before ?after - numb)
    :precondition (and
      (at ?robot) (neighbor ?robot ?block) (height ?robot ?before) (height ?block ?before)
      (succ ?after ?before) (has-block) (not (is-depot ?block)) (not (= ?robot ?block)))
    :effect (and (height ?block ?after) (not (height ?block ?before)) (not (has-block))))

  (:action remove-block
    :parameters (?robot ?block - position ?before ?after - numb)
    :precondition (and
      (at ?robot) (neighbor ?robot ?block) (height ?robot ?after) (height ?block ?before)
      (succ ?before ?after) (not (has-block)) (not (= ?robot ?block)))
    :effect (and (height ?block ?after) (has-block) (not (height ?block ?before))))

  (:action create-block
    :parameters (?p - position)
    :precondition (and (at ?p) (is-depot ?p) (not (has-block)))
    :effect (has-block))

  (:action destroy-block
    :parameters (?p - position)
    :precondition (and (at ?p) (is-depot ?p) (has-block))
    :effect (not (has-block))))
