; A lift with passengers of many kinds: who may ride with whom, and who must not wait.
(define (domain miconic-full)
  (:requirements :adl :typing)
  (:types
    passenger floor - object
    going-up going-down vip going-nonstop attendant never-alone conflict-a conflict-b - passenger)
  (:predicates
    (origin ?p - passenger ?f - floor)
    (destin ?p - passenger ?f - floor)
    (no-access ?p - passenger ?f - floor)
    (above ?low ?high - floor)
    (boarded ?p - passenger)
    (served ?p - passenger)
    (lift-at ?f - floor))
  (:action stop
    :parameters (?f - floor)
    :precondition (and
      (lift-at ?f)
      (imply
        (exists (?a - conflict-a)
          (or (and (not (served ?a)) (origin ?a ?f)) (and (boarded ?a) (not (destin ?a ?f)))))
        (forall (?b - conflict-b)
          (and (or (destin ?b ?f) (not (boarded ?b))) (or (served ?b) (not (origin ?b ?f))))))
      (imply
        (exists (?n - never-alone)
          (or (and (origin ?n ?f) (not (served ?n))) (and (boarded ?n) (not (destin ?n ?f)))))
        (exists (?t - attendant)
          (or (and (boarded ?t) (not (destin ?t ?f))) (and (not (served ?t)) (origin ?t ?f)))))
      (forall (?p - going-nonstop) (imply (boarded ?p) (destin ?p ?f)))
      (or
        (forall (?v - vip) (served ?v))
        (exists (?v - vip) (or (origin ?v ?f) (destin ?v ?f))))
      (forall (?p - passenger) (imply (no-access ?p ?f) (not (boarded ?p)))))
    :effect (and
      (forall (?p - passenger)
        (when (and (boarded ?p) (destin ?p ?f)) (and (not (boarded ?p)) (served ?p))))
      (forall (?p - passenger)
        (when (and (origin ?p ?f) (not (served ?p))) (boarded ?p)))))
  (:action drive-up
    :parameters (?from ?to - floor)
    :precondition (and
      (lift-at ?from)
      (above ?from ?to)
      (forall (?p - going-down) (not (boarded ?p))))
    :effect (and (lift-at ?to) (not (lift-at ?from))))
  (:action drive-down
    :parameters (?from ?to - floor)
    :precondition (and
      (lift-at ?from)
      (above ?to ?from)
      (forall (?p - going-up) (not (boarded ?p))))
    :effect (and (lift-at ?to) (not (lift-at ?from)))))
