; Orders share products; an order stays open on a stack until all its products are made.
(define (domain openstacks)
  (:requirements :adl :typing)
  (:types order product count - object)
  (:predicates
    (includes ?o - order ?p - product)
    (waiting ?o - order)
    (started ?o - order)
    (shipped ?o - order)
    (made ?p - product)
    (stacks-avail ?c - count)
    (next-count ?c ?next - count))
  (:action open-new-stack
    :parameters (?open ?new - count)
    :precondition (and (stacks-avail ?open) (next-count ?open ?new))
    :effect (and (not (stacks-avail ?open)) (stacks-avail ?new)))
  (:action start-order
    :parameters (?o - order ?avail ?rest - count)
    :precondition (and (waiting ?o) (stacks-avail ?avail) (next-count ?rest ?avail))
    :effect (and (not (waiting ?o)) (started ?o) (not (stacks-avail ?avail)) (stacks-avail ?rest)))
  (:action make-product
    :parameters (?p - product)
    :precondition (and
      (not (made ?p))
      (forall (?o - order) (imply (includes ?o ?p) (started ?o))))
    :effect (made ?p))
  (:action ship-order
    :parameters (?o - order ?avail ?more - count)
    :precondition (and
      (started ?o)
      (forall (?p - product) (imply (includes ?o ?p) (made ?p)))
      (stacks-avail ?avail)
      (next-count ?avail ?more))
    :effect (and (not (started ?o)) (shipped ?o) (not (stacks-avail ?avail)) (stacks-avail ?more))))
