; Goldminer: a robot clears rock with bombs and a laser on its way to the gold. Typed STRIPS; the laser
; destroys gold, bombs do not.
(define (domain goldminer)
  (:requirements :strips :typing)
  (:types loc - object)
  (:predicates
    (robot-at ?l - loc)
    (bomb-at ?l - loc)
    (laser-at ?l - loc)
    (soft-rock-at ?l - loc)
    (hard-rock-at ?l - loc)
    (gold-at ?l - loc)
    (arm-empty)
    (holds-bomb)
    (holds-laser)
    (holds-gold)
    (clear ?l - loc)
    (connected ?l - loc ?m - loc))

  (:action move
    :parameters (?from ?to - loc)
    :precondition (and (robot-at ?from) (connected ?from ?to) (clear ?to))
    :effect (and (robot-at ?to) (not (robot-at ?from))))

  (:action pickup-laser
    :parameters (?l - loc)
    :precondition (and (robot-at ?l) (laser-at ?l) (arm-empty))
    :effect (and (holds-laser) (not (arm-empty)) (not (laser-at ?l))))

  (:action pickup-bomb
    :parameters (?l - loc)
    :precondition (and (robot-at ?l) (bomb-at ?l) (arm-empty))
    :effect (and (holds-bomb) (not (arm-empty))))

  (:action putdown-laser
    :parameters (?l - loc)
    :precondition (and (robot-at ?l) (holds-laser))
    :effect (and (arm-empty) (laser-at ?l) (not (holds-laser))))

  (:action detonate-bomb
    :parameters (?here ?there - loc)
    :precondition (and (robot-at ?here) (holds-bomb) (connected ?here ?there) (soft-rock-at ?there))
    :effect (and (arm-empty) (clear ?there) (not (holds-bomb)) (not (soft-rock-at ?there))))

  (:action fire-laser
    :parameters (?here ?there - loc)
    :precondition (and (robot-at ?here) (holds-laser) (connected ?here ?there))
    :effect (and
      (clear ?there) (not (soft-rock-at ?there)) (not (gold-at ?there)) (not (hard-rock-at ?there))))

  (:action pick-gold
    :parameters (?l - loc)
    :precondition (and (robot-at ?l) (arm-empty) (gold-at ?l))
    :effect (and (holds-gold) (not (arm-empty)))))
