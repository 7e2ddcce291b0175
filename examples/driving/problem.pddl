; One robot, three places, none of them blue yet.
(define (problem three-places)
  (:domain driving)
  (:objects
    robot - truck
    depot market harbour - location)
  (:init (at robot depot))
  (:goal (at robot harbour)))
