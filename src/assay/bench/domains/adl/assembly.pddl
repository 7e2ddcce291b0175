; Parts are put together to larger ones in a certain order, with resources that may be needed elsewhere.
(define (domain assembly)
  (:requirements :adl :typing)
  (:types part resource - object)
  (:predicates
    (available ?p - part)
    (free ?r - resource)
    (requires ?whole - part ?r - resource)
    (committed ?r - resource ?whole - part)
    (part-of ?p ?whole - part)
    (transient-part ?p ?whole - part) ; it is in there for a while
    (assemble-order ?before ?after ?whole - part)
    (remove-order ?p ?transient ?whole - part)
    (incorporated ?p ?whole - part))
  (:action commit
    :parameters (?r - resource ?whole - part)
    :precondition (free ?r)
    :effect (and (not (free ?r)) (committed ?r ?whole)))
  (:action release
    :parameters (?r - resource ?whole - part)
    :precondition (committed ?r ?whole)
    :effect (and (not (committed ?r ?whole)) (free ?r)))
  (:action assemble
    :parameters (?p ?whole - part)
    :precondition (and
      (available ?p)
      (or (part-of ?p ?whole) (transient-part ?p ?whole))
      (forall (?r - resource) (imply (requires ?whole ?r) (committed ?r ?whole)))
      (forall (?before - part)
        (imply (assemble-order ?before ?p ?whole) (incorporated ?before ?whole))))
    :effect (and
      (incorporated ?p ?whole)
      (not (available ?p))
      (when
        (and
          (part-of ?p ?whole)
          (forall (?other - part)
            (imply (part-of ?other ?whole) (or (= ?other ?p) (incorporated ?other ?whole))))
          (not (exists (?other - part)
            (and (transient-part ?other ?whole) (incorporated ?other ?whole)))))
        (available ?whole))))
  (:action remove
    :parameters (?p ?whole - part)
    :precondition (and
      (incorporated ?p ?whole)
      (transient-part ?p ?whole)
      (forall (?r - resource) (imply (requires ?whole ?r) (committed ?r ?whole)))
      (forall (?first - part)
        (imply (remove-order ?first ?p ?whole) (incorporated ?first ?whole))))
    :effect (and
      (not (incorporated ?p ?whole))
      (available ?p)
      (when
        (and
          (forall (?other - part)
            (imply (part-of ?other ?whole) (incorporated ?other ?whole)))
          (not (exists (?other - part)
            (and (not (= ?other ?p)) (transient-part ?other ?whole) (incorporated ?other ?whole)))))
        (available ?whole)))))
