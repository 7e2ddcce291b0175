; A board of lamps: who presses one turns it round, and all beside it.
(define (domain lights-out)
  (:requirements :adl :typing)
  (:types lamp - object)
  (:predicates
    (lit ?l - lamp)
    (beside ?l ?m - lamp))
  (:action press
    :parameters (?l - lamp)
    :precondition ()
    :effect (and
      (when (lit ?l) (not (lit ?l)))
      (when (not (lit ?l)) (lit ?l))
      (forall (?m - lamp)
        (and
          (when (and (beside ?l ?m) (lit ?m) (not (= ?l ?m))) (not (lit ?m)))
          (when (and (beside ?l ?m) (not (lit ?m)) (not (= ?l ?m))) (lit ?m)))))))
