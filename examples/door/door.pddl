; A key or a card unlocks a door, but not while anybody else watches. In a wet hall one gets muddy by it.
; Slamming a door shuts all others.
(define (domain door)
  (:requirements :adl)
  (:types door person)
  (:predicates (open ?d - door) (key) (card) (wet) (muddy ?p - person) (watching ?p - person))

  (:action take-key
    :parameters ()
    :precondition (and)
    :effect (key))

  (:action take-card
    :parameters ()
    :precondition (and)
    :effect (card))

  (:action look-away
    :parameters (?p - person)
    :precondition (and)
    :effect (not (watching ?p)))

  (:action unlock
    :parameters (?p - person ?d - door)
    :precondition (and
      (or (key) (card))
      (not (exists (?q - person) (and (not (= ?q ?p)) (watching ?q)))))
    :effect (and (open ?d) (when (wet) (muddy ?p))))

  (:action slam
    :parameters (?d - door)
    :precondition (and)
    :effect (forall (?e - door) (when (not (= ?e ?d)) (not (open ?e))))))
