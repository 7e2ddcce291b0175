; Sokoban: a player pushes stones through a maze onto goal squares. Typed STRIPS, no costs.
(define (domain sokoban)
  (:requirements :strips :typing)
  (:types
    thing location direction - object
    player stone - thing)
  (:predicates
    (clear ?l - location)
    (at ?t - thing ?l - location)
    (at-goal ?s - stone)
    (is-goal ?l - location)
    (is-nongoal ?l - location)
    (move-dir ?from - location ?to - location ?d - direction))

  (:action move
    :parameters (?p - player ?from ?to - location ?d - direction)
    :precondition (and (at ?p ?from) (clear ?to) (move-dir ?from ?to ?d))
    :effect (and (at ?p ?to) (clear ?from) (not (at ?p ?from)) (not (clear ?to))))

  (:action push-to-nongoal
    :parameters (?p - player ?s - stone ?behind ?from ?to - location ?d - direction)
    :precondition (and
      (at ?p ?behind) (at ?s ?from) (clear ?to) (move-dir ?behind ?from ?d) (move-dir ?from ?to ?d)
      (is-nongoal ?to))
    :effect (and
      (at ?p ?from) (at ?s ?to) (clear ?behind)
      (not (at ?p ?behind)) (not (at ?s ?from)) (not (clear ?to)) (not (at-goal ?s))))

  (:action push-to-goal
    :parameters (?p - player ?s - stone ?behind ?from ?to - location ?d - direction)
    :precondition (and
      (at ?p ?behind) (at ?s ?from) (clear ?to) (move-dir ?behind ?from ?d) (move-dir ?from ?to ?d)
      (is-goal ?to))
    :effect (and
      (at ?p ?from) (at ?s ?to) (clear ?behind) (at-goal ?s)
      (not (at ?p ?behind)) (not (at ?s ?from)) (not (clear ?to)))))
