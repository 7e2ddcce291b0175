; Two trucks, two packages, three places on a ring road with one one-way street.
(define (problem delivery-small)
  (:domain delivery)
  (:objects
    depot market harbour - location
    red blue - truck
    letter crate - package)
  (:init
    (at red depot)
    (at blue harbour)
    (at letter depot)
    (at crate market)
    (road depot market)
    (road market depot)
    (road market harbour)
    (road harbour market)
    (road harbour depot))
  (:goal (and (at letter harbour) (at crate depot))))
