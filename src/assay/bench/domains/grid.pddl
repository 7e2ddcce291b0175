; Grid: a robot carries one key at a time and unlocks doors of the key's shape. Typed STRIPS.
(define (domain grid)
  (:requirements :strips :typing)
  (:types place shape key - object)
  (:predicates
    (conn ?p - place ?q - place)
    (key-shape ?k - key ?s - shape)
    (lock-shape ?p - place ?s - shape)
    (at ?k - key ?p - place)
    (at-robot ?p - place)
    (locked ?p - place)
    (open ?p - place)
    (holding ?k - key)
    (arm-empty))

  (:action unlock
    :parameters (?here ?door - place ?k - key ?s - shape)
    :precondition (and
      (conn ?here ?door) (key-shape ?k ?s) (lock-shape ?door ?s) (at-robot ?here) (locked ?door)
      (holding ?k))
    :effect (and (open ?door) (not (locked ?door))))

  (:action move
    :parameters (?from ?to - place)
    :precondition (and (at-robot ?from) (conn ?from ?to) (open ?to))
    :effect (and (at-robot ?to) (not (at-robot ?from))))

  (:action pickup
    :parameters (?p - place ?k - key)
    :precondition (and (at-robot ?p) (at ?k ?p) (arm-empty))
    :effect (and (holding ?k) (not (at ?k ?p)) (not (arm-empty))))

  (:action pickup-and-loose
    :parameters (?p - place ?new ?old - key)
    :precondition (and (at-robot ?p) (holding ?old) (at ?new ?p))
    :effect (and (holding ?new) (at ?old ?p) (not (holding ?old)) (not (at ?new ?p))))

  (:action putdown
    :parameters (?p - place ?k - key)
    :precondition (and (at-robot ?p) (holding ?k))
    :effect (and (arm-empty) (at ?k ?p) (not (holding ?k)))))
