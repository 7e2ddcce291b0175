; Driverlog: drivers walk on paths and drive trucks on links to deliver things. Typed STRIPS.
(define (domain driverlog)
  (:requirements :strips :typing)
  (:types
    location locatable - object
    driver truck obj - locatable)
  (:predicates
    (at ?x - locatable ?l - location)
    (in ?o - obj ?t - truck)
    (driving ?d - driver ?t - truck)
    (link ?l - location ?m - location)
    (path ?l - location ?m - location)
    (empty ?t - truck))

  (:action load-truck
    :parameters (?o - obj ?t - truck ?l - location)
    :precondition (and (at ?t ?l) (at ?o ?l))
    :effect (and (in ?o ?t) (not (at ?o ?l))))

  (:action unload-truck
    :parameters (?o - obj ?t - truck ?l - location)
    :precondition (and (at ?t ?l) (in ?o ?t))
    :effect (and (at ?o ?l) (not (in ?o ?t))))

  (:action board-truck
    :parameters (?d - driver ?t - truck ?l - location)
    :precondition (and (at ?t ?l) (at ?d ?l) (empty ?t))
    :effect (and (driving ?d ?t) (not (at ?d ?l)) (not (empty ?t))))

  (:action disembark-truck
    :parameters (?d - driver ?t - truck ?l - location)
    :precondition (and (at ?t ?l) (driving ?d ?t))
    :effect (and (at ?d ?l) (empty ?t) (not (driving ?d ?t))))

  (:action drive-truck
    :parameters (?t - truck ?from ?to - location ?d - driver)
    :precondition (and (at ?t ?from) (driving ?d ?t) (link ?from ?to))
    :effect (and (at ?t ?to) (not (at ?t ?from))))

  (:action walk
    :parameters (?d - driver ?from ?to - location)
    :precondition (and (at ?d ?from) (path ?from ?to))
    :effect (and (at ?d ?to) (not (at ?d ?from)))))
