; Hanoi: the towers of Hanoi, discs and pegs alike being things one can stand on. Untyped STRIPS.
(define (domain hanoi)
  (:requirements :strips)
  (:predicates
    (clear ?x)
    (on ?x ?y)
    (smaller ?x ?y))

  ; (smaller ?x ?y): the disc ?y is smaller than ?x and may stand on it.
  (:action move
    :parameters (?disc ?from ?to)
    :precondition (and (smaller ?to ?disc) (on ?disc ?from) (clear ?disc) (clear ?to))
    :effect (and (clear ?from) (on ?disc ?to) (not (on ?disc ?from)) (not (clear ?to)))))
