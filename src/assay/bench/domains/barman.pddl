; Barman: a robot with two hands mixes cocktails from dispensers, shots and a shaker. Typed STRIPS, no costs.
(define (domain barman)
  (:requirements :strips :typing)
  (:types
    hand level beverage dispenser container - object
    ingredient cocktail - beverage
    shot shaker - container)
  (:predicates
    (ontable ?c - container)
    (holding ?h - hand ?c - container)
    (handempty ?h - hand)
    (empty ?c - container)
    (contains ?c - container ?b - beverage)
    (clean ?c - container)
    (used ?c - container ?b - beverage)
    (dispenses ?d - dispenser ?i - ingredient)
    (shaker-empty-level ?s - shaker ?l - level)
    (shaker-level ?s - shaker ?l - level)
    (next ?low - level ?high - level)
    (unshaked ?s - shaker)
    (shaked ?s - shaker)
    (cocktail-part1 ?k - cocktail ?i - ingredient)
    (cocktail-part2 ?k - cocktail ?i - ingredient))

  (:action grasp
    :parameters (?h - hand ?c - container)
    :precondition (and (ontable ?c) (handempty ?h))
    :effect (and (holding ?h ?c) (not (ontable ?c)) (not (handempty ?h))))

  (:action leave
    :parameters (?h - hand ?c - container)
    :precondition (holding ?h ?c)
    :effect (and (ontable ?c) (handempty ?h) (not (holding ?h ?c))))

  (:action fill-shot
    :parameters (?s - shot ?i - ingredient ?h ?other - hand ?d - dispenser)
    :precondition (and (holding ?h ?s) (handempty ?other) (dispenses ?d ?i) (empty ?s) (clean ?s))
    :effect (and (contains ?s ?i) (used ?s ?i) (not (empty ?s)) (not (clean ?s))))

  (:action refill-shot
    :parameters (?s - shot ?i - ingredient ?h ?other - hand ?d - dispenser)
    :precondition (and (holding ?h ?s) (handempty ?other) (dispenses ?d ?i) (empty ?s) (used ?s ?i))
    :effect (and (contains ?s ?i) (not (empty ?s))))

  (:action empty-shot
    :parameters (?h - hand ?s - shot ?b - beverage)
    :precondition (and (holding ?h ?s) (contains ?s ?b))
    :effect (and (empty ?s) (not (contains ?s ?b))))

  (:action clean-shot
    :parameters (?s - shot ?b - beverage ?h ?other - hand)
    :precondition (and (holding ?h ?s) (handempty ?other) (empty ?s) (used ?s ?b))
    :effect (and (clean ?s) (not (used ?s ?b))))

  (:action pour-shot-to-clean-shaker
    :parameters (?s - shot ?i - ingredient ?k - shaker ?h - hand ?l ?l1 - level)
    :precondition (and
      (holding ?h ?s) (contains ?s ?i) (empty ?k) (clean ?k) (shaker-level ?k ?l) (next ?l ?l1))
    :effect (and
      (empty ?s) (contains ?k ?i) (unshaked ?k) (shaker-level ?k ?l1)
      (not (contains ?s ?i)) (not (empty ?k)) (not (clean ?k)) (not (shaker-level ?k ?l))))

  (:action pour-shot-to-used-shaker
    :parameters (?s - shot ?i - ingredient ?k - shaker ?h - hand ?l ?l1 - level)
    :precondition (and
      (holding ?h ?s) (contains ?s ?i) (unshaked ?k) (shaker-level ?k ?l) (next ?l ?l1))
    :effect (and
      (empty ?s) (contains ?k ?i) (shaker-level ?k ?l1)
      (not (contains ?s ?i)) (not (shaker-level ?k ?l))))

  (:action empty-shaker
    :parameters (?h - hand ?k - shaker ?b - cocktail ?l ?l1 - level)
    :precondition (and
      (holding ?h ?k) (contains ?k ?b) (shaked ?k) (shaker-level ?k ?l) (shaker-empty-level ?k ?l1))
    :effect (and
      (empty ?k) (shaker-level ?k ?l1)
      (not (contains ?k ?b)) (not (shaked ?k)) (not (shaker-level ?k ?l))))

  (:action clean-shaker
    :parameters (?h ?other - hand ?k - shaker)
    :precondition (and (holding ?h ?k) (handempty ?other) (empty ?k))
    :effect (clean ?k))

  (:action shake
    :parameters (?b - cocktail ?i1 ?i2 - ingredient ?k - shaker ?h ?other - hand)
    :precondition (and
      (holding ?h ?k) (handempty ?other) (contains ?k ?i1) (contains ?k ?i2)
      (cocktail-part1 ?b ?i1) (cocktail-part2 ?b ?i2) (unshaked ?k))
    :effect (and
      (shaked ?k) (contains ?k ?b)
      (not (unshaked ?k)) (not (contains ?k ?i1)) (not (contains ?k ?i2))))

  (:action pour-shaker-to-shot
    :parameters (?b - beverage ?s - shot ?h - hand ?k - shaker ?l ?l1 - level)
    :precondition (and
      (holding ?h ?k) (shaked ?k) (empty ?s) (clean ?s) (contains ?k ?b)
      (shaker-level ?k ?l) (next ?l1 ?l))
    :effect (and
      (contains ?s ?b) (shaker-level ?k ?l1)
      (not (clean ?s)) (not (empty ?s)) (not (shaker-level ?k ?l)))))
