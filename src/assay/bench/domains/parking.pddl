; Parking: cars stand at curbs, at most one more behind each, and are rearranged. Typed STRIPS, no costs.
(define (domain parking)
  (:requirements :strips :typing)
  (:types car curb - object)
  (:predicates
    (at-curb ?c - car)
    (at-curb-num ?c - car ?k - curb)
    (behind-car ?c - car ?front - car)
    (car-clear ?c - car)
    (curb-clear ?k - curb))

  (:action move-curb-to-curb
    :parameters (?c - car ?from ?to - curb)
    :precondition (and (car-clear ?c) (curb-clear ?to) (at-curb-num ?c ?from))
    :effect (and
      (at-curb-num ?c ?to) (curb-clear ?from)
      (not (curb-clear ?to)) (not (at-curb-num ?c ?from))))

  (:action move-curb-to-car
    :parameters (?c - car ?from - curb ?front - car)
    :precondition (and (car-clear ?c) (car-clear ?front) (at-curb-num ?c ?from) (at-curb ?front))
    :effect (and
      (behind-car ?c ?front) (curb-clear ?from)
      (not (car-clear ?front)) (not (at-curb-num ?c ?from)) (not (at-curb ?c))))

  (:action move-car-to-curb
    :parameters (?c - car ?front - car ?to - curb)
    :precondition (and (car-clear ?c) (curb-clear ?to) (behind-car ?c ?front))
    :effect (and
      (at-curb-num ?c ?to) (at-curb ?c) (car-clear ?front)
      (not (curb-clear ?to)) (not (behind-car ?c ?front))))

  (:action move-car-to-car
    :parameters (?c - car ?old ?new - car)
    :precondition (and (car-clear ?c) (car-clear ?new) (behind-car ?c ?old) (at-curb ?new))
    :effect (and
      (behind-car ?c ?new) (car-clear ?old)
      (not (car-clear ?new)) (not (behind-car ?c ?old)))))
